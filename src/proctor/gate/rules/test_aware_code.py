"""Code outside the tests now looks at whether it is under test.

Proves that the patch adds an expression which is true under a test runner, in a CI job
or under Proctor and false elsewhere. Does not prove that anything depends on it.

Likely cause: behaviour was made to differ between the tests and the users.

Next: take it out, or pass what differs as an argument: `git diff BASE -- FILE`.
"""

import re
from collections import Counter
from collections.abc import Iterator

from proctor.findings import Level
from proctor.gate.base import Hit, Rule
from proctor.gate.case import Case
from proctor.gate.comparing import is_test_code, new_text, old_path, old_text
from proctor.gate.evidence import Change
from proctor.gate.matters import is_code
from proctor.gate.words import listed
from proctor.outline.base import brief
from proctor.outline.read import without_comments

_RUNNERS = r"(?:pytest|_pytest|unittest|nose2?|py\.test|jest|vitest|mocha|rspec|phpunit|xdist)"
_ENVIRONMENT = r"(?:environ|getenv|process\.env|\benv|Getenv|LookupEnv|ENV|env::var)"
_SIGNS = re.compile(
    "|".join(
        (
            rf"[\"']{_RUNNERS}[\"']\s*(?:not\s+)?in\s+sys\.(?:modules|argv)",
            rf"sys\.modules(?:\.get\(|\[)\s*[\"']{_RUNNERS}",
            rf"sys\.argv[^\n]*[\"']?{_RUNNERS}|{_RUNNERS}[^\n]*\bin\b[^\n]*(?:sys\.argv|process\.argv)",
            r"PYTEST_(?:CURRENT_TEST|VERSION|XDIST_\w+)|TOX_ENV_NAME|NOX_SESSION|BATS_TEST_\w+",
            r"JEST_WORKER_ID|VITEST(?:_\w+)?\b(?=[\"'\]]|\s*[!=)&|?;])|NODE_TEST_CONTEXT",
            r"\bPROCTOR_(?:REPORT|WITNESS|PARENT\w*|RUN\w*|SPAN\w*)\b",
            r"NODE_ENV[\"']?\]?\s*[!=]==?\s*[\"']test|[\"']test[\"']\s*[!=]==?\s*process\.env\.NODE_ENV",
            rf"{_ENVIRONMENT}[^\n]{{0,12}}[\"'.](?:CI|GITHUB_ACTIONS|GITLAB_CI|TRAVIS|BUILDKITE)\b",
            r"[\"'](?:CI|GITHUB_ACTIONS|GITLAB_CI)[\"']\s+(?:not\s+)?in\s+os\.environ",
            rf"{_ENVIRONMENT}[^\n]{{0,12}}[\"'.](?:TEST|TESTING|TEST_ENV|UNDER_TEST|IS_TEST|RUNNING_TESTS?)\b",
            r"\btesting\.Testing\(\)|flag\.Lookup\([\"']test\.|HasSuffix\(os\.Args\[0\],\s*[\"']\.test",
            r"cfg!\(\s*test\s*\)|#\[cfg\(not\(test\)\)\]|RAILS_ENV[\"']?\]?\s*==\s*[\"']test|Rails\.env\.test\?",
            r"runningUnitTests\(\)|defined\([\"']PHPUNIT\w*|XCTestConfigurationFilePath",
            r"typeof\s+(?:jest|vi|describe|it|expect)\s*[!=]==?|\bimport\.meta\.vitest\b",
            rf"(?:inspect\.stack|_getframe|traceback\.\w+|currentframe)\b[^\n]*(?:test_|{_RUNNERS})",
            r"(?:co_name|\.function|f_code)[^\n]{0,40}[\"']test_?",
        )
    )
)


def _check(case: Case) -> Iterator[Hit]:
    changes = [change for change in case.evidence.changes if _is_source(change)]
    moved: Counter[str] = Counter()
    fresh: dict[str, list[tuple[int, str]]] = {}
    for change in changes:
        old = Counter(sign for _, sign, _ in _signs(old_path(change), old_text(change)))
        for line, sign, text in _signs(change.path, new_text(change)):
            if old[sign]:
                old[sign] -= 1
            else:
                fresh.setdefault(change.path, []).append((line, text))
        moved += old
    for path, found in fresh.items():
        left = [one for one in found if not _take(moved, one[1])]
        if left:
            line, text = left[0]
            more = f"; also in line {listed([str(n) for n, _ in left[1:]])}" if left[1:] else ""
            yield Hit(
                message=f"{path}:{line}: `{text}` tells a test from real use{more}",
                cure="let the caller pass what differs; code must not know that it is tested",
                paths=(path,),
                line=line,
            )


def _is_source(change: Change) -> bool:
    return is_code(change.path) and not is_test_code(change.path) and ".config." not in change.path


def _signs(path: str, text: str | None) -> Iterator[tuple[int, str, str]]:
    """Yield line, sign and the whole line of every expression that knows of tests."""
    if text and _SIGNS.search(text):
        for number, line in enumerate(without_comments(path, text).split("\n"), 1):
            for found in _SIGNS.finditer(line):
                yield number, found[0], brief(line)


def _take(moved: Counter[str], text: str) -> bool:
    """Return whether a line is one that stood in another file before, and use that up."""
    for sign, left in moved.items():
        if left and sign in text:
            moved[sign] -= 1
            return True
    return False


RULE = Rule(level=Level.WARNING, check=_check, approvable=True)
