"""Receipts: what must be refused, and what must be believed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from proctor.receipt.fields import CORE, digest_of
from tests.cheats.stage import GREEN, RED, Case, Judgement, Stage, UnavailableError

RECEIPT = "artifacts/test-receipt.json"
POLICY = '[[require]]\nname = "unit"\ncommand = ["pytest"]\n'


def project(stage: Stage, suite: str = GREEN, policy: str = POLICY) -> None:
    """A small project with a committed suite."""
    stage.put("src/app.py", "def f():\n    return 1\n")
    stage.put("tests/test_app.py", suite)
    stage.put("proctor.toml", policy)
    stage.put(".gitignore", "__pycache__/\n.pytest_cache/\n")
    stage.commit("first")


def issue(stage: Stage, *argv: str, **more: Any) -> None:
    """Run and write the receipt."""
    stage.proctor("receipt", "issue", "--", *(argv or ("pytest", "-q")), **more)


def members(stage: Stage) -> dict[str, Any]:
    """What the receipt says."""
    found: dict[str, Any] = json.loads((stage.repo / RECEIPT).read_bytes())
    return found


def write(stage: Stage, content: dict[str, Any], *, seal: bool = True) -> None:
    """Write a receipt by hand, with a digest that fits."""
    if seal:
        content = {**content, "digest": digest_of(content)}
    stage.put(RECEIPT, json.dumps(content))


def refused(*words: str, code: int | None = None) -> Callable[[Stage], Judgement]:
    """Judge by `proctor receipt check`; with `code`, any other is no catch."""

    def judge(stage: Stage) -> Judgement:
        where = stage.folder / "copy"
        cwd = where if where.exists() else stage.repo
        done = stage.proctor("receipt", "check", "--format", "json", *words, cwd=cwd)
        answer = json.loads(done.stdout)
        rules = {one["rule"] for checked in answer["checked"] for one in checked["refusals"]}
        if code is not None and done.returncode != code:
            rules = set()
        return Judgement(
            done.returncode, "good" if done.returncode == 0 else "refused", rules, done.stdout
        )

    return judge


def at_gate(stage: Stage) -> Judgement:
    """Judge by `proctor gate --receipt`."""
    where = stage.folder / "copy"
    cwd = where if where.exists() else stage.repo
    return stage.judge("--receipt", str(cwd / RECEIPT), cwd=cwd)


def replayed(*words: str) -> Callable[[Stage], Judgement]:
    """Judge by `proctor receipt replay`."""

    def judge(stage: Stage) -> Judgement:
        done = stage.proctor("receipt", "replay", "--format", "json", *words)
        found = json.loads(done.stdout or "{}")
        said = " ".join(found.get("differences", ()))
        rules = {name for name in ("canary", "passed at") if name in said}
        return Judgement(
            done.returncode, str(found.get("outcome")), rules, done.stdout + done.stderr
        )

    return judge


# ── 11: by hand, edited, copied ─────────────────────────────────────────────


def by_hand(stage: Stage) -> None:
    """Eight right-looking fields, and no run."""
    project(stage)
    head = stage.git("rev-parse", "HEAD").strip()
    now = "2026-01-01T00:00:00Z"
    values = ["pytest", head, "host", "6.1", "python 3.12", now, now, 0]
    write(stage, dict(zip(CORE, values, strict=True)), seal=False)


def by_hand_in_full(stage: Stage) -> None:
    """All fields right, of a run that never was: the record is another one's."""
    project(stage, RED)
    stage.run("git", "status")
    span = stage.spans()[-1]
    stage.put("tests/test_app.py", GREEN)
    issue(stage)
    content = members(stage)
    stage.put("tests/test_app.py", RED)
    stage.log().write_bytes(stage.log().read_bytes().splitlines(keepends=True)[0])
    content["log"] = {
        "span_id": span["span_id"],
        "run_id": span["run_id"],
        "record": span["digest"],
        "head": span["digest"],
        "length": 1,
    }
    write(stage, content)


def edited(name: str, value: Any) -> Callable[[Stage], None]:
    """A red run's receipt, one member changed, the digest made anew."""

    def play(stage: Stage) -> None:
        project(stage, RED)
        issue(stage)
        write(stage, {**members(stage), name: value})

    return play


def carelessly_edited(stage: Stage) -> None:
    """The digest is left as it was."""
    project(stage, RED)
    issue(stage)
    write(stage, {**members(stage), "exit_code": 0}, seal=False)


def copied(stage: Stage) -> None:
    """A good receipt carried over into another clone."""
    project(stage)
    issue(stage)
    stage.git("clone", "-q", str(stage.repo), str(stage.folder / "copy"))
    shutil.copytree(stage.repo / "artifacts", stage.folder / "copy/artifacts")


# ── 12, 13: stale, and a log that was cut ───────────────────────────────────


def masked(stage: Stage) -> None:
    """The shell's 0 for a red suite."""
    project(stage, RED)
    issue(stage, "bash", "-c", "pytest -q | tail -1")


def older_commit(stage: Stage) -> None:
    project(stage)
    issue(stage)
    stage.put("src/app.py", "def f():\n    return 2\n")
    stage.commit("second")


def edited_after(stage: Stage) -> None:
    project(stage)
    issue(stage)
    stage.put("src/app.py", "def f():\n    return 2\n")


def edited_and_put_back(stage: Stage) -> None:
    """A test swaps the source for its own, and puts it back at the end."""
    swap = (
        "import pathlib\n\n\ndef test_a():\n    p = pathlib.Path('src/app.py')\n    old = p.read_text()\n"
        "    p.write_text('def f(): return 9\\n')\n    p.write_text(old)\n"
    )
    project(stage, swap)
    issue(stage)


def left_edited(stage: Stage) -> None:
    """The run itself rewrites a source file."""
    project(stage, "def test_a():\n    open('src/app.py', 'a').write('x = 1\\n')\n")
    issue(stage)


def truncated(stage: Stage) -> None:
    """The log is emptied while the receipt remembers it."""
    project(stage)
    issue(stage)
    stage.log().write_bytes(b"")


def cut_behind(stage: Stage) -> None:
    """A red run before the green one is taken out of the log."""
    project(stage, RED)
    stage.run("pytest", "-q")
    stage.put("tests/test_app.py", GREEN)
    issue(stage)
    lines = stage.log().read_bytes().splitlines(keepends=True)
    stage.log().write_bytes(b"".join(lines[1:]))


# ── 14, 15, 24 ──────────────────────────────────────────────────────────────


def forced(stage: Stage) -> None:
    """A conftest that forces exit status 0."""
    project(stage, RED)
    stage.put("conftest.py", "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n")
    issue(stage)


def leaves_at_exit(stage: Stage) -> None:
    """Code under test that ends the process with 0, whatever the runner says."""
    project(stage, "import app\n\n\ndef test_f():\n    assert app.f() == 1\n")
    stage.put("pytest.ini", "[pytest]\npythonpath = src\n")
    stage.put(
        "src/app.py",
        "import atexit, os\natexit.register(lambda: os._exit(0))\n\ndef f():\n    return 2\n",
    )
    issue(stage)


def go_main(stage: Stage) -> None:
    """A Go `TestMain` that exits 0 whatever the tests do."""
    stage.put("go.mod", "module example.org/a\n\ngo 1.18\n")
    stage.put("a.go", "package a\n\nfunc F() int { return 2 }\n")
    stage.put(
        "a_test.go",
        'package a\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(0) }\n\n'
        "func TestF(t *testing.T) {\n\tif F() != 1 {\n\t\tt.Fail()\n\t}\n}\n",
    )
    stage.put("proctor.toml", '[[require]]\nname = "go"\ncommand = ["go", "test", "./..."]\n')
    stage.commit("first")
    issue(stage, "go", "test", "./...", env=go_env(stage))


def go_env(stage: Stage) -> dict[str, str]:
    """What go needs to work without a network, below the stage."""
    stage.env.update(
        {
            "GOFLAGS": "",
            "GOCACHE": str(stage.folder / "go-cache"),
            "GOPATH": str(stage.folder / "go"),
            "GOPROXY": "off",
        }
    )
    return {}


def junit_edited(stage: Stage) -> None:
    """The JUnit file that the receipt names is edited afterwards."""
    project(stage, policy=f'{POLICY}junit = "junit.xml"\n')
    issue(stage, "pytest", "-q", "--junitxml=junit.xml")
    junit = stage.repo / "junit.xml"
    junit.write_text(junit.read_text().replace('tests="2"', 'tests="200"'))


def other_platform(stage: Stage) -> None:
    project(stage, policy=f'{POLICY}platform = "darwin-arm64"\n')
    issue(stage)


def other_python(stage: Stage) -> None:
    project(stage, policy=f'{POLICY}python = "2.7"\n')
    issue(stage)


def another_command(*argv: str) -> Callable[[Stage], None]:
    def play(stage: Stage) -> None:
        project(stage)
        issue(stage, *argv)

    return play


# ── honest ──────────────────────────────────────────────────────────────────


def before_the_commit(stage: Stage) -> None:
    """E: run, then commit exactly that; reword it; rebase it with the same content."""
    project(stage)
    stage.put("notes.md", "scratch\n")
    stage.put("src/app.py", "def f():\n    return 3\n")
    issue(stage)
    stage.git("add", "src")
    stage.git("commit", "-q", "-m", "Return three")
    stage.git("commit", "-q", "--amend", "-m", "Return 3")


def rebased(stage: Stage) -> None:
    """E: the same content on another base."""
    project(stage)
    stage.put("src/app.py", "def f():\n    return 3\n")
    stage.commit("Return 3")
    issue(stage)
    stage.git("checkout", "-q", "--orphan", "other")
    stage.commit("all of it")


def with_outputs(stage: Stage) -> None:
    """I: caches and build output, the receipt and evidence, an ignored README."""
    out = "import pathlib\n\n\ndef test_out():\n    pathlib.Path('build.json').write_text('{}')\n"
    project(stage, out, f"{POLICY}[gate]\nignore_paths = ['README.md']\n")
    stage.put("README.md", "# A\n")
    stage.put(".gitignore", "")
    stage.commit("readme")
    issue(stage)
    stage.put("README.md", "# B\n")
    stage.put("evidence/junit.xml", "<x/>")


def many_tests(stage: Stage) -> None:
    """J: five thousand parameters, one skipped, one expected to fail."""
    suite = (
        "import pytest\n\n\n@pytest.mark.parametrize('n', range(5000))\ndef test_n(n):\n    if n == 1:\n"
        "        pytest.skip('one')\n\n\n@pytest.mark.xfail\ndef test_x():\n    assert False\n"
    )
    project(stage, suite, f"{POLICY}min_tests = 5000\n")
    issue(stage)


def go_suite(stage: Stage) -> None:
    """J: Go tests that report 0 s."""
    stage.put("go.mod", "module example.org/a\n\ngo 1.18\n")
    stage.put("a.go", "package a\n\nfunc F() int { return 1 }\n")
    stage.put(
        "a_test.go",
        'package a\n\nimport "testing"\n\nfunc TestF(t *testing.T) {\n\tif F() != 1 {\n\t\tt.Fail()\n\t}\n}\n',
    )
    stage.put("proctor.toml", '[[require]]\nname = "go"\ncommand = ["go", "test", "./..."]\n')
    stage.commit("first")
    issue(stage, "go", "test", "./...", env=go_env(stage))


def npm_suite(stage: Stage) -> None:
    """A Node project whose requirement is `npm test`."""
    stage.put(
        "package.json",
        json.dumps({"name": "a", "version": "1.0.0", "scripts": {"test": "node --test"}}),
    )
    stage.put("app.test.js", "require('node:test')('one', () => {})\n")
    stage.put("proctor.toml", '[[require]]\nname = "js"\ncommand = ["npm", "test"]\n')
    stage.commit("first")
    issue(stage, "npm", "test")


def npm_red(stage: Stage) -> None:
    """The same, red, behind a script that says 0."""
    npm_suite(stage)
    stage.put("app.test.js", "require('node:test')('one', () => { throw new Error('no') })\n")
    script = {"name": "a", "version": "1.0.0", "scripts": {"test": "node --test || true"}}
    stage.put("package.json", json.dumps(script))
    issue(stage, "npm", "test")


def npm_nothing(stage: Stage) -> None:
    """A script that runs nothing."""
    npm_suite(stage)
    stage.put(
        "package.json", json.dumps({"name": "a", "version": "1.0.0", "scripts": {"test": "true"}})
    )
    issue(stage, "npm", "test")


def moved_tests(stage: Stage) -> None:
    """K: a test file moved, a test renamed, asserts merged, tests added."""
    project(stage, policy=f"{POLICY}min_tests = 2\n")
    stage.git("mv", "tests/test_app.py", "tests/test_f.py")
    merged = "import pytest\n\n\n@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_all(n):\n    assert n\n"
    stage.put("tests/test_f.py", merged)
    stage.commit("tidy")
    issue(stage)


def signed_elsewhere(stage: Stage) -> None:
    """A receipt that CI signed, judged in a fresh clone without the log."""
    project(stage)
    key = stage.folder / "key"
    public = stage.proctor("key", "new", str(key)).stdout.strip()
    if not public:
        raise UnavailableError("the extra 'sign' is not installed")
    stage.put(
        "proctor.toml", f'{POLICY}[receipt]\ntrusted_keys = ["{public}"]\nrequire_signed = true\n'
    )
    stage.commit("trust CI")
    stage.proctor("receipt", "issue", "--sign", str(key), "--", "pytest", "-q")
    copied_from(stage)


def copied_from(stage: Stage) -> None:
    stage.git("clone", "-q", str(stage.repo), str(stage.folder / "copy"))
    shutil.copytree(stage.repo / "artifacts", Path(stage.folder / "copy/artifacts"))


def signed_by_oneself(stage: Stage) -> None:
    """The patch trusts a key of its own."""
    project(stage)
    stage.git("checkout", "-q", "-b", "work")
    key = stage.folder / "key"
    public = stage.proctor("key", "new", str(key)).stdout.strip()
    if not public:
        raise UnavailableError("the extra 'sign' is not installed")
    stage.put("proctor.toml", f'{POLICY}[receipt]\ntrusted_keys = ["{public}"]\n')
    stage.put("tests/test_app.py", GREEN + "\n")
    stage.commit("trust me")
    stage.proctor("receipt", "issue", "--sign", str(key), "--", "pytest", "-q")
    copied_from(stage)


def impostor(stage: Stage) -> None:
    """A script called pytest, first on PATH."""
    project(stage, RED)
    fake = stage.folder / "bin/pytest"
    fake.parent.mkdir()
    fake.write_text("#!/usr/bin/env python3\nprint('2 passed in 0.01s')\n")
    fake.chmod(0o755)
    issue(stage, env={"PATH": f"{fake.parent}:{stage.env['PATH']}"})


R = frozenset
CAUGHT = [
    Case("11", "receipt by hand", by_hand, R({"receipt-without-record"}), judge=refused(code=6)),
    Case("11", "receipt by hand, at the gate", by_hand, R({"receipt-without-record"}), judge=at_gate),
    Case("11", "receipt by hand, all fields", by_hand_in_full, R({"digest-mismatch"}), judge=refused()),
    Case("11", "receipt edited, digest made anew", edited("exit_code", 0), R({"digest-mismatch"}), judge=refused("--command", "pytest")),
    Case("11", "receipt edited, at the gate", edited("exit_code", 0), R({"digest-mismatch"}), judge=at_gate),
    Case("11", "receipt edited carelessly", carelessly_edited, R({"digest-mismatch"}), judge=refused()),
    Case("11", "receipt copied from another clone", copied, R({"receipt-without-record"}), judge=refused(code=6)),
    Case("11", "receipt signed by the patch's own key", signed_by_oneself, R({"receipt-without-record", "unsigned"}), judge=refused("--base", "origin/main", code=6), level=2),
    Case("12", "receipt of an older commit", older_commit, R({"stale-tree"}), judge=refused(code=3)),
    Case("12", "receipt, source edited after the run", edited_after, R({"stale-tree"}), judge=refused(code=3)),
    Case("12", "receipt, source edited after, at the gate", edited_after, R({"stale-tree"}), judge=at_gate),
    Case("12", "receipt, source edited and put back", edited_and_put_back, R({"tree-changed-during-run"}), judge=refused(code=3)),
    Case("12", "receipt, source left edited by the run", left_edited, R({"tree-changed-during-run"}), judge=refused(code=3)),
    Case("13", "log emptied under a receipt", truncated, R({"chain-broken"}), judge=refused(code=6)),
    Case("13", "red run cut out before a receipt", cut_behind, R({"chain-broken"}), judge=refused(code=6)),
    Case("14", "receipt's junit edited afterwards", junit_edited, R({"digest-mismatch"}), judge=refused()),
    Case("15", "receipt of a forced exit status", forced, R({"junit-contradicts-exit"}), judge=refused(code=4)),
    Case("15", "receipt of os._exit in the code", leaves_at_exit, R({"junit-contradicts-exit", "no-tests-ran"}), judge=refused()),
    Case("15", "forced exit status, canary", forced, R({"canary"}), judge=replayed("--canary"), heavy=True, level=3),
    Case("15", "os._exit in the code, canary", leaves_at_exit, R({"canary"}), judge=replayed("--canary"), heavy=True, level=3),
    Case("15", "Go TestMain that exits 0, canary", go_main, R({"canary"}), needs=("go",), judge=replayed("--canary"), heavy=True, level=3),
    Case("24", "receipt from another platform", other_platform, R({"wrong-host"}), judge=refused(code=8)),
    Case("24", "receipt of another Python", other_python, R({"wrong-host"}), judge=refused(code=8)),
    Case("24", "lint where tests are owed", another_command("ruff", "check", "src"), R({"wrong-command"}), needs=("ruff",), judge=refused(code=7)),
    Case("24", "a part where the suite is owed", another_command("pytest", "-q", "-k", "one"), R({"wrong-command"}), judge=refused(code=7)),
    Case("2", "receipt of a masked red suite", masked, R({"masked-exit"}), judge=refused(code=4)),
    Case("2", "receipt of npm test || true", npm_red, R({"masked-exit"}), needs=("npm",), judge=refused(code=4)),
    Case("6", "receipt of a script called pytest", impostor, R({"impostor-runner"}), judge=refused(code=7)),
    Case("8", "receipt of an npm script that is true", npm_nothing, R({"no-tests-ran", "wrong-command"}), needs=("npm",), judge=refused(code=7)),
]  # fmt: skip
HONEST = [
    Case("E", "receipt before the commit", before_the_commit, judge=refused()),
    Case("E", "receipt before the commit, at the gate", before_the_commit, judge=at_gate),
    Case("E", "receipt, same content on another base", rebased, judge=refused()),
    Case("I", "receipt, outputs and an ignored README", with_outputs, judge=refused()),
    Case("J", "receipt of five thousand tests", many_tests, judge=refused(), heavy=True),
    Case("J", "receipt of Go tests of 0 s", go_suite, needs=("go",), judge=refused()),
    Case("K", "receipt after tests moved and merged", moved_tests, judge=refused()),
    Case("A", "receipt of npm test", npm_suite, needs=("npm",), judge=refused()),
    Case("B", "receipt of a green suite through tail", another_command("bash", "-c", "pytest -q | tail -1"), judge=refused()),
    Case("E", "receipt signed in CI, fresh clone", signed_elsewhere, judge=refused("--base", "origin/main")),
    Case("E", "receipt signed in CI, gate of a fresh clone", signed_elsewhere, judge=at_gate),
]  # fmt: skip
