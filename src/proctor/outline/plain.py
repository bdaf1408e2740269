"""Test files of languages without a grammar here: by lines and words.

A line that looks like the head of a test begins one; lines of annotations above
it belong to it; the lines up to the next head are its body.
"""

import re
from collections.abc import Iterator

from proctor.outline.base import Check, Outline, Strength, Test, brief

_HEADS = re.compile(
    r"""^\s*(?:
        (?:pub\s+|async\s+|export\s+|suspend\s+|override\s+|static\s+|public\s+|private\s+)*
        (?:fn|def|func|fun|function|sub|void|Task|defp)\s+(?P<name>[\w`?!]+)
      | (?:RSpec\.)?
        (?:[xf]?(?:it|test|specify|scenario|describe|context|example)|TEST\w*|@test)[\s(]+
        (?P<title>["'`].*?["'`]|\w+\s*,\s*\w+)
    )""",
    re.VERBOSE,
)
_MARK = re.compile(r"^\s*(?:#\[|@\w|\[\w|//go:)")
_SKIP = re.compile(
    r"#\[\s*ignore|@(?:Disabled|Ignore|Skip|tag\s*:?\s*skip)|\[Ignore|Skip\s*=|\b(?:x(?:it|test|specify|scenario|describe|context|example)"
    r"|pending|skip|markTestSkipped|markTestIncomplete|GTEST_SKIP|SkipTest|XCTSkip\w*)\b"
    r"|\.(?:skip|todo)\b|#\[\s*should_panic|\bDISABLED_|pytest\.mark\.(?:skip\w*|xfail)",
)
_SKIPS_FILE = re.compile(
    r"^(?:pytestmark\b.*\b(?:skip|xfail)|pytest\.(?:skip|importorskip)\(|__test__\s*=\s*False).*$",
    re.MULTILINE,
)
_CHECK = re.compile(
    r"\bassert\w*!?|\bexpect\w*|\bEXPECT_\w+|\bASSERT_\w+|\bREQUIRE\w*|\bCHECK\w*|\.should\b|\bverify\w*"
    r"|\bXCTAssert\w*|\bt\.(?:Error|Fatal|Fail)\w*|\bok\b\s*\(?|\bis\b\s*\(|\b(?:must|wont)_\w+"
)
_STRENGTHS = (
    (
        Strength.NOTHING,
        re.compile(
            r"(?:assert\w*!?|expect\w*)\s*\(\s*(?:true|1)\s*[,)]|assert\s+(?:true|True|1)\s*$"
            r"|(?:\bor|\|\|)\s+true\s*\)?\s*;?$",
            re.IGNORECASE,
        ),
    ),
    (
        Strength.CLOSE,
        re.compile(r"approx|close|within|delta|NEAR|FLOAT_EQ|epsilon|tolerance", re.IGNORECASE),
    ),
    (
        Strength.PRESENT,
        re.compile(
            r"assert!?\s*\(?\s*\w+\s*(?:!=|\.is_(?:some|ok|err)\(\))|_ne!?\b|not_?(?:null|nil|equal)"
            r"|NE\b|is_some|is_ok\b|truthy|present|defined|is not None"
            r"|\bassert(?:True|_true|!)?\s*\(?\s*[\w.]+\s*\)?;?$",
            re.IGNORECASE,
        ),
    ),
    (
        Strength.PARTIAL,
        re.compile(
            r"contain|includ|match|start_?s?with|greater|less|>=|<=|[^-=]>|<|\b(?:GT|GE|LT|LE)\b|\bin\b|len",
            re.IGNORECASE,
        ),
    ),
)
_COMMENT = re.compile(r"^\s*(?://|#(?!\[)|--|\*|/\*)")
_WORDS = re.compile(r"[A-Za-z_]\w*")
_LITERALS = re.compile(r"\b\d[\d.]*\b|\"[^\"]*\"|'[^']*'")
_ORDINARY = re.compile(
    r"^(?:assert\w*|expect\w*|ASSERT\w*|EXPECT\w*|to|be|eq|equal\w*|is|not|should|self|this|t|let|var)$"
)


def read(text: str) -> Outline:
    """Return the outline of a file by its lines."""
    tests = [_test(number, lines) for number, lines in _parts(text)]
    whole = _SKIPS_FILE.search(text)
    return Outline(
        tests=tuple(test for test in tests if test.checks or test.skipped or test.is_test),
        skipped=brief(whole[0]) if whole else "",
    )


def _parts(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line's number and the lines of each test, annotations included."""
    lines = text.splitlines()
    start, at, above = 1, 1, 1
    for number, line in enumerate(lines, 1):
        if _HEADS.match(line):
            if above > start:
                yield start, lines[start - 1 : above - 1]
            start = above
        at = number + 1
        if not _MARK.match(line):
            above = at
    yield start, lines[start - 1 :]


def _test(number: int, lines: list[str]) -> Test:
    head = next((found for line in lines if (found := _HEADS.match(line))), None)
    name = (head["name"] or head["title"]).strip("'\"`") if head else "(the file)"
    checks = tuple(
        _check(number + n, body)
        for n, line in enumerate(lines)
        if not _COMMENT.match(line)
        and (body := line.partition("{")[2] if _HEADS.match(line) else line)
        and _CHECK.search(body)
    )
    skips = [brief(line) for line in lines if _SKIP.search(line) and not _COMMENT.match(line)]
    said = "\n".join(line for line in lines if not _COMMENT.match(line))
    return Test(
        name=name,
        line=number,
        checks=checks,
        is_test=head is not None
        and bool(re.search(r"test|spec|should|it\b", " ".join(lines[:3]), re.IGNORECASE)),
        skipped=skips[0] if skips else "",
        names=_names(said),
        literals=frozenset(found.strip("'\"") for found in _LITERALS.findall(said)),
    )


def _check(line: int, text: str) -> Check:
    strength = next((s for s, pattern in _STRENGTHS if pattern.search(text)), Strength.EXACT)
    return Check(
        text=brief(text),
        line=line,
        strength=strength,
        names=_names(_LITERALS.sub("", text)),
        literals=frozenset(found.strip("'\"") for found in _LITERALS.findall(text)),
    )


def _names(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORDS.findall(text) if not _ORDINARY.match(word))
