"""The lines of a test file that end its process as if all had gone well.

Where nothing counts the tests, what follows such a line may never have run. A line
within a string, a here-document or a comment is some other program's.
"""

import os
import re

from proctor.outline.read import without_comments

_SCRIPT = re.compile(
    r"\b(?:process\.(?:exit\(\s*0?\s*\)|reallyExit\(|exitCode\s*=\s*0)|Deno\.exit\(\s*0?\s*\))"
)
_JVM = re.compile(r"\bSystem\.exit\(\s*0\s*\)|\bexitProcess\(\s*0\s*\)|\bhalt\(\s*0\s*\)")
_RUBY = re.compile(
    r"(?<![\w.:@])(?:Kernel\.|Process\.)?exit(?:!|\b(?![\w?=:.]))"
    r"\s*\(?\s*(?:0|true)?\s*\)?\s*(?:$|[;}]|if\b|unless\b|end\b)"
)
_ENDINGS = {
    ".rb": _RUBY,
    ".php": re.compile(r"(?<![\w>$:])(?:exit|die)\s*(?:\(\s*0?\s*\))?\s*;", re.IGNORECASE),
    ".rs": re.compile(r"\bprocess::exit\(\s*0\s*\)"),
    ".ex": re.compile(r"\bSystem\.(?:halt|stop)\(\s*0?\s*\)"),
    ".r": re.compile(r"\bq(?:uit)?\((?!.*status\s*=\s*[1-9])"),
    ".cs": re.compile(r"\bEnvironment\.Exit\(\s*0\s*\)"),
    ".swift": re.compile(r"(?<![\w.])exit\(\s*(?:0|EXIT_SUCCESS)\s*\)"),
    **dict.fromkeys((".java", ".kt", ".kts", ".scala", ".groovy"), _JVM),
    **dict.fromkeys(
        (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"), _SCRIPT
    ),
}  # fmt: skip
_ALIKE = {".exs": ".ex", ".phpt": ".php"}
_STRINGS = re.compile(
    r"<<[-~]?(?P<quote>['\"`]?)(?P<word>[A-Z_]\w*)(?P=quote).*?^\s*(?P=word)\b"
    r"|`(?:\\.|[^`\\])*`|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'",
    re.MULTILINE | re.DOTALL,
)
_CAUGHT = re.compile(
    r"\bexpect\s*\{[^{}!\n]*\}\s*\.to\s+raise_error\b|\bassert_raises?\b[^{}\n]*\{[^{}!\n]*\}"
)
"""Where Ruby's `exit` is only an exception that the test asks for; `exit!` never is."""
_RUST_TESTS = re.compile(r"^\s*#\[\s*(?:cfg\(test\)|(?:\w+::)*test\b)", re.MULTILINE)


def endings(path: str, text: str) -> dict[str, str]:
    """Return each line that ends the process with 0, layout taken out."""
    suffix = os.path.splitext(path)[1].lower()
    pattern = _ENDINGS.get(_ALIKE.get(suffix, suffix))
    if pattern is None:
        return {}
    plain = _STRINGS.sub(lambda found: '""' + "\n" * found[0].count("\n"), text)
    if suffix == ".rb":
        plain = _CAUGHT.sub("", plain)
    lines = without_comments(path, text).splitlines()
    start = 0
    if suffix == ".rs":
        tests = _RUST_TESTS.search(text)
        start = text.count("\n", 0, tests.start()) if tests is not None else len(lines)
    numbers = [
        number
        for number, line in enumerate(without_comments(path, plain).splitlines())
        if number >= start and pattern.search(line)
    ]
    return {line: line for line in (" ".join(lines[n].split()) for n in numbers)}
