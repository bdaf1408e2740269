"""Finds the sentences that claim that tests pass, or that lint is clean.

Plain assertions only. What is negated, hoped, planned, asked, conditional, partial or
quoted is no claim, and a sentence in doubt is left out: few are found wrongly, some are
missed.
"""

import re
from collections.abc import Iterator
from typing import Literal

About = Literal["tests", "lint"]

_FENCES = ("```", "~~~")
_QUOTED = re.compile(r"“[^”\n]*”|«[^»\n]*»|\"[^\"\n]*\"|‘[^’\n]*’|(?<![\w])'[^'\n]*'(?![\w])")
_CODE = re.compile(r"`([^`\n]*)`")
_LABEL = re.compile(r"\s*(?:[-*+•]\s+|\d+[.)]\s+|#+\s+)")
_EMPHASIS = re.compile(r"\*{1,3}|__")
_END = re.compile(r"(?<=[.!?…])\s+|(?<=[.!?])(?=[✅🎉])|\s+[—–]\s+|;\s+")
_LONGEST = 400
_LONGEST_LINE = 10_000
_SHOWN = 200

_AFTER = (
    r"(?=\s*(?:$|[.,:!)(\[✅🎉✓✔/&+-]|—|–|(?:now|again|here|there|too|also|locally|successfully|"
    r"cleanly|fine|ok|in|on|with|without|and|after|across|including|under|at|as|both|this|"
    r"from|because|since|so|both|for)\b))"
)
_PASS = (
    r"(?:pass(?:es|ed|ing)?|(?:is|are|was|were|stay|stays|remain|remains|came back|come back|"
    r"turned)\s+(?:\w+ly\s+)?(?:all\s+|now\s+|still\s+)?(?:green|passing|ok|successful)|"
    r"green|succeed(?:s|ed)?)" + _AFTER
)
_ADVERB = r"(?:\s+(?:now|all|still|again|both|have|has|do|is|are|currently|also|then|just|fully))*"
_TESTS = re.compile(
    r"\b(?:tests?|specs?|(?:test\s+|the\s+|full\s+)suites?|test\s+cases?|unit\s+tests?|checks)"
    r"(?:\s*\(?\d+(?:/\d+)?\)?)?(?:\s+in\s+[\w./-]+)?" + _ADVERB + r"[:\s]+" + _PASS + r"|"
    r"\b(?:all|every)\s+(?:\d+\s+)?(?:of\s+(?:them|the\s+tests)\s+)?" + _PASS + r"|"
    r"\beverything\s+(?:now\s+|still\s+)?(?:passes|passed|is\s+(?:now\s+)?green|is\s+passing)|"
    r"\ball(?:\s+is)?\s+green\b|"
    r"\bpass(?:es|ed|ing)\s+(?:all|every|the)\s+(?:\w+\s+){0,2}tests\b|"
    r"^(?:✅|✓|✔|🎉)?\s*(?:tests?|test\s+suite|pytest|jest|vitest|mocha|go test|cargo test)"
    r"\s*[:—–-]\s*(?:✅\s*)?(?:all\s+)?(?:\d+\s+)?(?:pass|green|ok)\w*|"
    r"\b(?:pytest|jest|vitest|mocha|tox|go\s+test|cargo\s+test|npm\s+test|make\s+test)"
    r"(?:\s+[\w./:-]+){0,3}\s+(?:now\s+)?" + _PASS + r"|"
    r"\b[1-9]\d*\s+(?:unit\s+|integration\s+|new\s+)?tests?\s+(?:now\s+|all\s+)?" + _PASS + r"|"
    r"\b[1-9]\d*\s+(?:tests?\s+)?passed\b",
    re.IGNORECASE,
)
_LINTERS = (
    r"(?:lint(?:er|ers|ing|s)?|linting|ruff|eslint|mypy|pyright|flake8|pylint|clippy|rubocop|"
    r"golangci-lint|biome|prettier|stylelint|shellcheck|type[\s-]?check(?:s|er|ing)?|tsc)"
)
_LINT = re.compile(
    r"\b" + _LINTERS + r"(?:\s+(?:check|checks|run|and\s+\w+))?"
    r"(?:\s+(?:is|are|was|were|comes?|came|runs?|ran|reports?|now|all|still|back|shows?|found|"
    r"finds|has|have))*[:\s]+"
    r"(?:clean(?:ly)?\b|green\b|ok\b" + _AFTER + r"|pass(?:es|ed|ing)?" + _AFTER + r"|"
    r"no\s+(?:lint\s+)?(?:errors?|issues?|warnings?|problems?|violations?|complaints?)\b)|"
    r"\bno\s+(?:lint(?:er|ing)?|ruff|eslint|mypy|type)\s+(?:errors?|issues?|warnings?)\b|"
    r"\blint-clean\b",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\b(?:with\s+)?(?:no|zero|0|without(?:\s+any)?)\s+(?:\w+\s+){0,2}"
    r"(?:fail(?:ures?|ing|ed)?(?:\s+tests?)?|errors?|regressions?|warnings?|issues?|problems?|"
    r"violations?|complaints?|skips?|skipped)\b",
    re.IGNORECASE,
)
_FULL = re.compile(r"\b(\d+)\s*(?:/|\s+of\s+|\s+out\s+of\s+)\s*(\d+)\b")
_NO_CLAIM = re.compile(
    r"\b(?:not|never|no\s+longer|cannot|none|neither|nor|nothing|hardly|fail(?:s|ed|ing|ures?)?|"
    r"unable|broken|broke|breaks?|red|error(?:s|ed)?|wrong|"
    r"should|would|could|might|may|will|must|can|shall|expect(?:s|ed|ing)?|hope(?:s|d|fully)?|"
    r"let\s+me|let's|lets|going\s+to|need(?:s|ed)?|have\s+to|has\s+to|want(?:s|ed)?|plan(?:s|ned)?|"
    r"ensure[sd]?|ensuring|make\s+sure|making\s+sure|made\s+sure|verify|verifying|check\s+(?:that|"
    r"if|whether)|checking|confirm\s+(?:that|if|whether|all|the|tests)|confirming|see\s+(?:if|that|"
    r"whether)|whether|if|once|when|whenever|until|unless|before|while|till|in\s+order|so\s+that|"
    r"assum(?:e|es|ing)|provided|suppos(?:e|ed|edly)|i'll|we'll|it'll|they'll|goal|todo|next|"
    r"tr(?:y|ies|ied|ying)|aim(?:s|ing)?|require[sd]?|likely|probably|presumably|apparently|"
    r"appears?|seems?|claim(?:s|ed|ing)?|says?|said|told|asked|pretend(?:s|ed)?|suggest(?:s|ed)?|"
    r"most|some|few|only|partial(?:ly)?|almost|nearly|mostly|half|except|apart|aside|other\s+than|"
    r"but|however|although|though|previous(?:ly)?|earlier|used\s+to|originally|already\s+passed|"
    r"make|makes|making|get|gets|getting|keep|keeps|keeping|help|helps|let|lets|to\s+pass|"
    r"unverified|untested|unclear|unsure|unknown|maybe|perhaps|eventually|soon|later|"
    r"according\s+to|rerun|re-run|run\s+(?:the|all)|running|wait(?:ing)?)\b|n't\b|n’t\b|\[ \]|\?|"
    r"\bafter\s+(?:all|the|every)?\s*(?:tests?|suites?|checks)\b|\b(?:a|each|any|every)\s+"
    r"(?:passing\s+)?test\s+(?:that|which)\b|\bfor\s+(?:all|the|every)?\s*tests?\s+to\b|"
    r"^(?:assert|expect|describe|it)\b|\bx(?:fail|pass)|\bthat\s+passes\b|\btests?\s+that\s+pass|"
    r"\bpass(?:ed|es|ing)?\s+in\s+as\b",
    re.IGNORECASE,
)
_EARNED = re.compile(
    r"^(?:i(?:'ve|\s+have)?\s+|we(?:'ve|\s+have)?\s+)?(?:verified|confirmed|checked|ran)\b"
    r"[^,:;—–]{0,60}?(?:\bthat\b|[,:—–]|\band\b)\s*",
    re.IGNORECASE,
)


def claims_in(text: str) -> Iterator[tuple[About, str]]:
    """Yield what each claiming sentence is about, and the sentence."""
    if not _may_claim(text):
        return
    for sentence in _sentences(text):
        for about in _about(sentence):
            yield about, sentence[:_SHOWN]


_RESULTS = ("pass", "green", "clean", "succe", "ok", "no ")
_SUBJECTS = (
    *("test", "spec", "suite", "check", "all", "everything", "jest", "mocha", "tox", "passed"),
    *("lint", "ruff", "mypy", "tsc", "pyright", "flake8", "clippy", "rubocop", "biome"),
    "prettier",
)


def _may_claim(text: str) -> bool:
    """Return whether a text holds the words of a claim; a no is certain."""
    lowered = text.lower()
    return _has(lowered, _RESULTS) and _has(lowered, _SUBJECTS)


def _has(text: str, words: tuple[str, ...]) -> bool:
    for word in words:  # noqa: SIM110 - a generator costs more than what it looks for
        if word in text:
            return True
    return False


def _about(sentence: str) -> list[About]:
    bare = _QUOTED.sub("Q", sentence)
    bare = _HARMLESS.sub("", bare) if not _LINT.search(bare) else bare
    tests, lint = bool(_TESTS.search(bare)), bool(_LINT.search(bare))
    if not tests and not lint:
        return []
    if not _is_plain(bare):
        return []
    found: list[About] = []
    if tests:
        found.append("tests")
    if lint:
        found.append("lint")
    return found


def _is_plain(sentence: str) -> bool:
    """Return whether a sentence asserts without doubt, condition or remainder."""
    for part, whole in _FULL.findall(sentence):
        if int(part[:9]) < int(whole[:9]):
            return False
    bare = _HARMLESS.sub("", _EARNED.sub("", sentence))
    return _NO_CLAIM.search(bare) is None


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a message, code blocks and quoted blocks left out."""
    fenced = False
    for line in text.splitlines():
        bare = line.lstrip()
        if bare.startswith(_FENCES):
            fenced = not fenced
        elif not fenced and len(bare) <= _LONGEST_LINE and bare[:1] != ">" and _may_claim(bare):
            yield from _pieces(bare)


def _pieces(line: str) -> Iterator[str]:
    # NOTE: a split at blanks takes quadratic time over a long run of them.
    for piece in _END.split(_LABEL.sub("", " ".join(line.split()), count=1)):
        sentence = _EMPHASIS.sub("", _CODE.sub(r"\1", piece)).strip()
        if 3 < len(sentence) <= _LONGEST:
            yield sentence
