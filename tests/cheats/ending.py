"""Test files that end their process, set tests aside by their heads, or are run by an odd one."""

from collections.abc import Callable

from tests.cheats.stage import GREEN, Case, Stage

TOUCHED = frozenset({"harness-touched"})
_RAISED = "[gate.levels]\nharness-touched = 'error'\ntests-weakened = 'error'\nodd-environment = 'error'\n"
_BASE = ("--base", "main")
_JS = "const test = require('node:test')\ntest('a', () => { throw Error() })\n"
_CHILD = (
    "const test = require('node:test')\nconst child = require('node:child_process')\n"
    "test('b', () => { child.spawnSync(process.execPath, ['-e', 'process.exit(0)']) })\n"
)
_RSPEC = 'RSpec.describe("a") do\n  it("b") { expect(1).to eq 2 }\n  it("c") { expect(1).to eq 1 }\nend\n'
_GO = 'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) { t.Fatal() }\n'
_GO_INIT = 'package a\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n'
_PHP = (
    "<?php\nclass ATest extends PHPUnit\\Framework\\TestCase\n"
    "{\n function testA() {\n  $this->assertTrue(false);\n }\n}\n"
)
_SPAWNS = _CHILD.replace("['-e', 'process.exit(0)']", "[__dirname + '/fixtures/child.js']")
_EXITS = (
    'RSpec.describe("b") do\n  it("ends") { expect { exit 0 }.to raise_error(SystemExit) }\nend\n'
)
_APP = "def price():\n    return 5\n\n\ndef total():\n    return 2 * price()\n"
_OVER = (
    "from unittest import mock\n\nimport app\n\n\ndef test_total():\n"
    "    with mock.patch('app.price', return_value=1):\n        assert app.total() == 2\n"
    "    assert app.price() == 5\n\n\n@mock.patch('app.price', wraps=app.price)\n"
    "def test_spy(price):\n    assert app.price() == 5\n    assert price.called\n"
)
_UNDERSTUDY = '#!/bin/sh\nshift\nLD_PRELOAD=libc.so.6 exec "$@"\n'


def patched(
    before: dict[str, str], after: dict[str, str], *argv: str, **env: str
) -> Callable[[Stage], None]:
    """Commit files at a base whose policy raises the warnings, and others as a patch; run."""

    def play(stage: Stage) -> None:
        for path, text in {**before, "proctor.toml": _RAISED}.items():
            stage.put(path, text)
        stage.commit("base")
        stage.git("checkout", "-q", "-b", "work")
        for path, text in after.items():
            stage.put(path, text, 0o755 if "/bin/" in f"/{path}" else 0o644)
        stage.commit("patch")
        env_of = {name: value.format(repo=stage.repo) for name, value in env.items()}
        stage.run(*argv, env=env_of)

    return play


def counted_before(stage: Stage) -> None:
    """A script that is counted once; then its test file ends before its tests."""
    green = _JS.replace("throw Error()", "")
    stage.put("a.test.js", green)
    stage.put("package.json", '{"scripts": {"test": "node --test"}}')
    stage.commit("base")
    stage.run("npm", "test")
    stage.put("a.test.js", "process.exit(0)\n" + green)
    stage.run("npm", "test")


CAUGHT = [
    Case("15", "npm test counted, then its file exits 0", counted_before, frozenset({"missing-junit"}), needs=("npm",)),
    Case("15", "node test file exits 0", patched({"a.test.js": _JS}, {"a.test.js": "process.exit(0)\n" + _JS}, "node", "--test"), TOUCHED, gate=_BASE, needs=("node",)),
    Case("15", "rspec file exits 0 at its end", patched({"spec/a_spec.rb": _RSPEC}, {"spec/a_spec.rb": "at_exit { exit!(0) }\n" + _RSPEC}, "rspec"), TOUCHED, gate=_BASE, needs=("rspec",)),
    Case("15", "phpunit test exits 0", patched({"tests/ATest.php": _PHP}, {"tests/ATest.php": _PHP.replace("  $this", "  exit(0);\n  $this")}, "phpunit", "tests"), TOUCHED, gate=_BASE, needs=("phpunit",)),
    Case("15", "go init exits 0", patched({"a_test.go": _GO, "go.mod": "module a\n\ngo 1.19\n"}, {"b_test.go": _GO_INIT}, "go", "test", "./..."), TOUCHED, gate=_BASE, needs=("go",)),
    Case("20", "rspec example becomes xit", patched({"spec/a_spec.rb": _RSPEC}, {"spec/a_spec.rb": _RSPEC.replace('it("b', 'xit("b')}, "rspec"), frozenset({"tests-weakened"}), gate=_BASE, needs=("rspec",)),
    Case("15", "RUBYOPT loads an exit", patched({"spec/a_spec.rb": _RSPEC}, {"lib/e.rb": "at_exit { exit!(0) }\n"}, "rspec", RUBYOPT="-r{repo}/lib/e.rb"), frozenset({"odd-environment"}), gate=_BASE, needs=("rspec",)),
    Case("15", "a script named stdbuf preloads", patched({"tests/test_a.py": GREEN}, {"bin/stdbuf": _UNDERSTUDY}, "bin/stdbuf", "-oL", "pytest"), frozenset({"odd-environment"}), gate=_BASE),
]  # fmt: skip
HONEST = [
    Case("A", "stdbuf", patched({"tests/test_a.py": GREEN}, {"a.txt": "x\n"}, "bash", "-c", "stdbuf -oL pytest | cat"), gate=_BASE),
    Case("A", "node tests by name beside a fixture", patched({"test/a.test.js": _JS.replace("throw Error()", "")}, {"test/b.test.js": _SPAWNS, "test/fixtures/child.js": "process.exit(3)\n"}, "node", "--test", "test/a.test.js", "test/b.test.js"), gate=_BASE, needs=("node",)),
    Case("K", "a new rspec example of an exit", patched({"spec/a_spec.rb": _RSPEC.replace("eq 2", "eq 1")}, {"spec/b_spec.rb": _EXITS}, "rspec"), gate=_BASE, needs=("rspec",)),
    Case("K", "a mock that ends, and a spy", patched({"app.py": _APP, "pytest.ini": "[pytest]\npythonpath = .\n", "tests/test_a.py": GREEN}, {"tests/test_b.py": _OVER}, "pytest"), gate=_BASE),
    Case("C", "a new test of a child that exits", patched({"a.test.js": _JS.replace("throw Error()", "")}, {"b.test.js": _CHILD}, "node", "--test"), gate=_BASE, needs=("node",)),
]  # fmt: skip
