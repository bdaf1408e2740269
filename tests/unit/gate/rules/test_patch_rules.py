"""The rules about what the patch changes, without git: text before, text now."""

import sys
from typing import TYPE_CHECKING, Any

import pytest

from proctor.assess.families import collected_files, harness_files
from proctor.findings import Finding, Level, Outcome
from proctor.gate.evidence import Change, Policy
from proctor.outline.read import outline

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any

TEST = "def test_a():\n    assert f(1) == 2\n"
COLLECTS, HARNESS = collected_files(), harness_files()


def change(path: str, old: str | None, new: str | None, was: str | None = None) -> Change:
    return Change(
        path=path,
        old_path=was or (path if old is not None else None),
        old_blob=None if old is None else f"old {old}",
        new_blob=None if new is None else f"new {new}",
        old_text=old,
        new_text=new,
    )


def judged(bench: Bench, rule: str, *changes: Change, **more: Any) -> tuple[Finding, ...]:
    seen = (*more.pop("seen", ()), bench.seen())
    verdict = bench.verdict(*seen, changes=changes, collects=COLLECTS, harness=HARNESS, **more)
    assert verdict.outcome is Outcome.PASS
    found = tuple(one for one in verdict.findings if one.rule == rule)
    assert all(one.level is Level.WARNING and one.paths for one in found)
    return found


# ── tests-weakened ──────────────────────────────────────────────────────────


def test_a_loosened_test_is_named_with_both_sides(bench: Bench) -> None:
    new = TEST.replace("== 2", "is not None")
    (found,) = judged(bench, "tests-weakened", change("tests/test_a.py", TEST, new))
    assert found.message == (
        "tests/test_a.py:2: test_a asks less: `assert f(1) == 2` is now `assert f(1) is not None`"
    )


def test_findings_of_one_kind_in_one_file_are_one(bench: Bench) -> None:
    old = "".join(f"def test_{n}():\n    assert f({n}) == 1\n\n" for n in range(5))
    (found,) = judged(
        bench, "tests-weakened", change("tests/test_a.py", old, old.replace("== 1", "> 0"))
    )
    assert "; the same: test_1:5, test_2:8, test_3:11 and 1 more" in found.message


def test_there_are_never_more_than_a_dozen(bench: Bench) -> None:
    many = [change(f"tests/test_{n:02}.py", TEST, "x = 1\n") for n in range(20)]
    found = judged(bench, "tests-weakened", *many)
    assert len(found) == 12
    assert any("too" in one.message for one in found)


@pytest.mark.parametrize("new", [None, "", "x = 1\n"])
def test_a_test_that_is_gone_is_named(bench: Bench, new: str | None) -> None:
    (found,) = judged(bench, "tests-weakened", change("tests/test_a.py", TEST, new))
    assert "test_a is gone: `assert f(1) == 2`" in found.message


def test_a_file_that_is_no_longer_collected_has_lost_its_tests(bench: Bench) -> None:
    moved = change("tests/a_old.py", TEST, TEST, was="tests/test_a.py")
    assert "is gone" in judged(bench, "tests-weakened", moved)[0].message
    assert (
        judged(
            bench, "tests-weakened", change("tests/test_b.py", TEST, TEST, was="tests/test_a.py")
        )
        == ()
    )


def test_a_test_file_that_cannot_be_read_any_more_is_named(bench: Bench) -> None:
    hidden = Change(
        path="tests/test_a.py",
        old_path="tests/test_a.py",
        old_blob="a",
        new_blob="b",
        old_text=TEST,
    )
    (found,) = judged(bench, "tests-weakened", hidden)
    assert "tests/test_a.py is no readable text any more" in found.message
    two = [
        hidden,
        Change(
            path="tests/test_b.py",
            old_path="tests/test_b.py",
            old_blob="a",
            new_blob="b",
            old_text=TEST,
        ),
    ]
    assert " are no" in judged(bench, "tests-weakened", *two)[0].message
    unknown = Change(path="tests/test_a.py", old_path="tests/test_a.py", old_blob="a", new_blob="b")
    assert judged(bench, "tests-weakened", unknown) == ()


def test_a_guarded_check_says_what_keeps_it_from_failing(bench: Bench) -> None:
    new = "def test_a():\n    return\n    assert f(1) == 2\n"
    (found,) = judged(bench, "tests-weakened", change("tests/test_a.py", TEST, new))
    assert "`assert f(1) == 2` is now after a return" in found.message


def test_a_test_that_does_nothing_any_more_is_named(bench: Bench) -> None:
    old, new = "def test_a():\n    f()\n", "def test_a():\n    pass\n"
    (found,) = judged(bench, "tests-weakened", change("tests/test_a.py", old, new))
    assert found.message == "tests/test_a.py:1: test_a does nothing any more"


def test_other_files_hold_no_tests(bench: Bench) -> None:
    assert judged(bench, "tests-weakened", change("src/a.py", TEST, "x = 1\n")) == ()
    assert judged(bench, "tests-weakened", change("README.md", TEST, "")) == ()


def test_tests_among_the_code_of_rust_count(bench: Bench) -> None:
    old = "#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n"
    assert judged(bench, "tests-weakened", change("src/lib.rs", old, "fn x() {}\n"))


# ── harness-touched ─────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("path", "old", "new", "words"),
    [
        ("conftest.py", None, "collect_ignore = ['a']\n", "`collect_ignore` is new"),
        ("conftest.py", "def pytest_x(): pass\n", None, "`pytest_x` is gone"),
        ("pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -k x\n", '`pytest.addopts` was `"-q"`, is `"-k x"`'),
        ("jest.config.js", "x = 1\ny = 2\n", "x = 1\ny = 3\n", "lost `y = 2` and has `y = 3`"),
        ("jest.config.js", "x = 1\ny = 2\n", "y = 2\nx = 1\n", "its lines are in another order"),
        ("jest.config.js", None, "x = 1\n", "the file is new"),
        (".npmrc", "", "script-shell=true\n", "`script-shell=true` is new"),
        ("Makefile", "test:\n\ta\n", "test:\n\tb\ncheck:\n\tc\nci:\n\td\n", "and 1 more"),
        ("noxfile.py", "x = 1\n", "x = 2\n", "lost `x = 1` and has `x = 2`"),
        ("a_test.go", "package a\n", "package a\nfunc TestMain(m *testing.M) {}\n", "`TestMain` is new"),
        ("a_test.go", "package a\n", "package a\nfunc init() { os.Exit(0) }\n", "`init` is new"),
        ("Makefile", "", "test:\n\ta\n", "`test` is new: `a`"),
        ("a.test.js", "x()\n", "process.exit(0);\nx()\n", "`process.exit(0);` is new: what follows it"),
        ("src/lib.rs", "", "#[test]\nfn a() { std::process::exit(0) }\n", "exit(0) }` is new"),
    ],
)  # fmt: skip
def test_a_deciding_part_that_changed_is_said(
    bench: Bench, path: str, old: str | None, new: str | None, words: str
) -> None:
    (found,) = judged(bench, "harness-touched", change(path, old, new))
    assert words in found.message


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("conftest.py", "x = 1\n", "import os\n\n@pytest.fixture\ndef two():\n    return 2\n"),
        ("pyproject.toml", "[project]\nname = 'a'\n", "[project]\nname = 'b'\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-q'\n", "[tool.pytest.ini_options]\n# x\naddopts = \"-q\"\nmarkers = ['a']\n"),
        ("package.json", '{"version": "1", "scripts": {"test": "x"}}', '{"version":"2","scripts":{"test":"x","lint":"y"}}'),
        ("Makefile", "docs:\n\tls\n", "docs:\n\tls -l\n"),
        ("a_test.go", "package a\n", "package a\nfunc TestA(t *testing.T) {}\n"),
        ("src/app.py", "x = 1\n", "x = 2\n"),
    ],
)  # fmt: skip
def test_layout_and_unrelated_settings_are_not(bench: Bench, path: str, old: str, new: str) -> None:
    assert judged(bench, "harness-touched", change(path, old, new)) == ()


def test_a_harness_file_that_cannot_be_read_is_said(bench: Bench) -> None:
    hidden = Change(
        path="conftest.py", old_path="conftest.py", old_blob="a", new_blob="b", old_text=""
    )
    assert "cannot be compared" in judged(bench, "harness-touched", hidden)[0].message


def test_a_dozen_harness_files_at_most(bench: Bench) -> None:
    many = [change(f"d{n:02}/pytest.ini", None, "[pytest]\naddopts = -x\n") for n in range(15)]
    found = judged(bench, "harness-touched", *many)
    assert len(found) == 12


# ── expectations-rewritten ──────────────────────────────────────────────────


@pytest.mark.parametrize(
    "path",
    [
        "src/__snapshots__/a.test.ts.snap",
        "tests/golden/help.txt",
        "testdata/a.golden",
        "tests/cassettes/a.yaml",
        "tests/a.approved.txt",
    ],
)
def test_an_expectation_without_its_test_is_named(bench: Bench, path: str) -> None:
    (found,) = judged(bench, "expectations-rewritten", change(path, "a\n", "b\n"))
    assert found.paths == (path,)
    assert "no test beside them did" in found.message
    unread = Change(path=path, old_path=path, old_blob="a", new_blob="b")
    assert judged(bench, "expectations-rewritten", unread)
    assert judged(bench, "expectations-rewritten", change(path, "a\n", None))


def test_new_expectations_and_noise_are_not(bench: Bench) -> None:
    path = "tests/golden/help.txt"
    assert judged(bench, "expectations-rewritten", change(path, None, "a\n")) == ()
    assert judged(bench, "expectations-rewritten", change(path, "took 0.1s\n", "took 0.2s\n")) == ()
    same = Change(path=path, old_path=path, old_blob="a", new_blob="a", old_text="x", new_text="x")
    assert judged(bench, "expectations-rewritten", same) == ()


def test_an_expectation_may_change_with_its_test_but_not_by_an_update_run(bench: Bench) -> None:
    both = (
        change("tests/golden/a.txt", "a\n", "b\n"),
        change("tests/test_a.py", "x = 1\n", "x = 2\n"),
    )
    far = (
        change("tests/golden/a.txt", "a\n", "b\n"),
        change("web/test_b.py", "x = 1\n", "x = 2\n"),
    )
    near = (change("pkg/golden/x.txt", "a\n", "b\n"), change("pkg/test_b.py", "x = 1\n", "x = 2\n"))
    assert judged(bench, "expectations-rewritten", *both) == ()
    assert judged(bench, "expectations-rewritten", *near) == ()
    assert judged(bench, "expectations-rewritten", *far)
    update = bench.seen(what=bench.what("pytest", updates=("--snapshot-update",)))
    (found,) = judged(bench, "expectations-rewritten", *both, seen=(update,))
    assert "`pytest -q` was run" in found.message


def test_an_inline_expectation_replaced_is_named(bench: Bench) -> None:
    old = "it('a', () => { expect(f()).toMatchInlineSnapshot(`1`) })\n"
    path = "a.test.ts"
    assert judged(bench, "expectations-rewritten", change(path, old, old.replace("`1`", "`2`")))
    assert judged(bench, "expectations-rewritten", change(path, old, old + old)) == ()
    assert judged(bench, "expectations-rewritten", change(path, old, None)) == ()
    python = "def test_a():\n    assert f() == snapshot({'a': 1})\n"
    assert judged(
        bench, "expectations-rewritten", change("test_a.py", python, python.replace("1", "2"))
    )


# ── test-aware-code ─────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "if 'pytest' in sys.modules: pass"),
        ("a.py", "if sys.modules.get('unittest'): pass"),
        ("a.py", "if os.environ.get('PYTEST_CURRENT_TEST'): pass"),
        ("a.py", "if os.getenv('CI'): pass"),
        ("a.py", "if 'CI' in os.environ: pass"),
        ("a.py", "if os.environ['TESTING']: pass"),
        ("a.py", "if any('pytest' in word for word in sys.argv): pass"),
        ("a.py", "if sys.argv[0].endswith('pytest'): pass"),
        ("a.py", "if inspect.stack()[1].function.startswith('test_'): pass"),
        ("a.py", "if sys._getframe(1).f_code.co_name.startswith('test'): pass"),
        ("a.py", "x = os.environ.get('PROCTOR_REPORT')"),
        ("a.ts", "if (process.env.NODE_ENV === 'test') {}"),
        ("a.ts", "if (process.env['NODE_ENV'] !== 'test') {}"),
        ("a.js", "if (process.env.JEST_WORKER_ID) {}"),
        ("a.js", "if (process.env.VITEST) {}"),
        ("a.js", "if (process.env.CI) {}"),
        ("a.js", "if (typeof jest !== 'undefined') {}"),
        ("a.go", "func f() bool { return testing.Testing() }"),
        ("a.go", 'func f() bool { return flag.Lookup("test.v") != nil }'),
        ("a.go", 'func f() { os.Getenv("CI") }'),
        ("a.rs", "if cfg!(test) {}"),
        ("a.rb", "x if Rails.env.test?"),
    ],
)  # fmt: skip
def test_code_that_newly_knows_of_tests_is_named(bench: Bench, path: str, line: str) -> None:
    (found,) = judged(bench, "test-aware-code", change(f"src/{path}", "\n", f"\n{line}\n"))
    assert found.message.startswith(f"src/{path}:2: `{line}` tells a test from real use")


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("src/a.py", "x = 1  # PYTEST_CURRENT_TEST"),
        ("src/a.py", "'''if 'pytest' in sys.modules'''"),
        ("src/a.py", "import unittest"),
        ("src/a.py", "x = os.environ.get('CITY')"),
        ("tests/helper.py", "x = os.environ.get('CI')"),
        ("conftest.py", "x = os.environ.get('CI')"),
        ("babel.config.js", "if (process.env.NODE_ENV === 'test') {}"),
        ("src/a.rs", "#[cfg(test)]"),
        ("src/a.ts", "if (process.env.NODE_ENV === 'production') {}"),
        ("README.md", "PYTEST_CURRENT_TEST"),
    ],
)
def test_comments_tests_and_ordinary_code_are_not(bench: Bench, path: str, line: str) -> None:
    assert judged(bench, "test-aware-code", change(path, "", f"{line}\n")) == ()


def test_what_was_there_before_or_moved_is_not_new(bench: Bench) -> None:
    line = "if os.getenv('CI'): pass\n"
    assert judged(bench, "test-aware-code", change("src/a.py", line, f"x = 1\n{line}")) == ()
    moved = (change("src/a.py", line, ""), change("src/b.py", "", line))
    assert judged(bench, "test-aware-code", *moved) == ()
    two = "if os.getenv('GITHUB_ACTIONS'): pass\n"
    both = (change("src/a.py", two + line, ""), change("src/b.py", "", line))
    assert judged(bench, "test-aware-code", *both) == ()
    (found,) = judged(bench, "test-aware-code", change("src/a.py", line, line * 3))
    assert "also in line 3" in found.message


# ── honest deletions, grammars that are not installed ───────────────────────


def test_a_test_that_goes_with_its_code_is_a_remark_at_any_level(bench: Bench) -> None:
    source = change("src/app.py", "def g():\n    return 2\n", "x = 1\n")
    test = "from app import g\n\n\nclass TestG:\n    def test_g(self):\n        assert g() == 2\n"
    gone = change("tests/test_app.py", test, "x = 1\n")
    policy = Policy(levels={"tests-weakened": Level.ERROR})
    verdict = bench.verdict(bench.seen(), changes=(source, gone), collects=COLLECTS, policy=policy)
    found = bench.only(verdict, "tests-weakened")
    assert found.level is Level.NOTE
    assert found.message.endswith("; g was removed")


def test_a_missing_grammar_is_said(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_python", None)
    outline.cache_clear()
    verdict = bench.verdict(
        bench.seen(), changes=(change("tests/test_a.py", TEST, TEST + "x = 1\n"),)
    )
    outline.cache_clear()
    assert "tests/test_a.py read line by line" in bench.only(verdict, "tests-weakened").message
