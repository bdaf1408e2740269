"""Tells the format of a report by how it begins."""

import re

from proctor.errors import ReportError

_HEAD = 1 << 16
_BEGINNINGS: tuple[tuple[str, str], ...] = (
    ("trx", r"<(?:[\w.-]+:)?TestRun\b"),
    ("junit", r"<(?:[\w.-]+:)?test(?:suites?|case)\b"),
    ("ctest", r"\AStart testing:"),
    ("go_test_json", r'\A[^{]*\{[^\n]*"Action"\s*:'),
    ("proctor_unittest", r'\A\s*\{\s*"schema"\s*:\s*"proctor\.unittest/'),
    ("proctor_pytest", r'\A\s*\{\s*"schema"\s*:\s*"proctor\.pytest/'),
    ("jest", r'"(?:numTotalTests|testResults|numFailedTests)"\s*:'),
    (
        "rspec",
        r'\A\s*\{.{0,200}"(?:rspec_|examples"|version"\s*:\s*"[\d.]+"\s*,\s*"(?:seed|examples))',
    ),
    ("ctrf", r'\A\s*\{[\s\S]*?"(?:reportFormat|results)"\s*:'),
    ("tap", r"(?m)^\s*(?:TAP version \d+|1\.\.\d+|(?:not )?ok\b)"),
)


def detect(path: str) -> str:
    """Return the name of the format of the report at `path`.

    Raises:
        ReportError: it cannot be read, or begins like no report that is known.
    """
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise ReportError(f"{path}: cannot be read: {error.strerror}") from None
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff")
    text = head.decode("utf-16" if wide else "utf-8", "replace").lstrip("\ufeff")
    for name, pattern in _BEGINNINGS:
        if re.search(pattern, text):
            return name
    raise ReportError(f"{path}: begins like no test report that is known; name it with --format")
