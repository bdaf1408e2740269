"""What the product's own source never does."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "proctor"
FORBIDDEN = {
    "eval", "exec", "__import__", "os.system", "os.popen", "pickle.load", "pickle.loads", "shelve.open",
    "yaml.load", "tempfile.mktemp", "subprocess.getoutput", "subprocess.getstatusoutput", "marshal.loads",
    "xml.sax.parse", "xml.etree.ElementTree.parse", "ElementTree.parse", "jsonpickle.decode",
}  # fmt: skip
ALLOWED = {
    ("oracle/pairing.py", "marshal.load"),  # an unnamed file that the same process wrote
    ("_family.py", "__import__"),  # of a member whose file is in the package
    ("oracle/forkserver.py", "exec"),  # the build under test, in its own sandbox
}


def _calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def _files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def test_nothing_is_unpickled_evaluated_or_given_to_a_shell() -> None:
    found = set()
    for path in _files():
        name = str(path.relative_to(SOURCE))
        for called, node in _calls(path):
            through_shell = any(
                keyword.arg == "shell"
                and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is False)
                and called.startswith("subprocess.")
                for keyword in node.keywords
            )
            if (called in FORBIDDEN and (name, called) not in ALLOWED) or through_shell:
                found.add(f"{name}:{node.lineno}: {called}")
    assert found == set()


def test_no_module_imports_what_runs_data() -> None:
    names = set()
    for path in _files():
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add(node.module or "")
    assert names.isdisjoint(
        {"pickle", "shelve", "dill", "cloudpickle", "jsonpickle", "xmlrpc.client"}
    )


def test_a_page_is_written_with_escapes_on() -> None:
    found = [
        ast.unparse(node)
        for path in _files()
        for called, node in _calls(path)
        if called.rpartition(".")[2] == "Environment"
    ]
    assert found
    assert all("autoescape=True" in text for text in found)


@pytest.mark.parametrize("mark", ["|safe", "| safe", "autoescape false", "Markup("])
def test_no_template_switches_them_off(mark: str) -> None:
    texts = [
        p
        for p in SOURCE.rglob("*")
        if p.suffix in (".j2", ".html", ".jinja") and mark in p.read_text()
    ]
    assert texts == []
