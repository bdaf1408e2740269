"""`proctor flakes` over real suites and reports."""

import json
from pathlib import Path

import pytest

from tests.integration.cli.test_evidence_command import Project

FLAKY = """import os, random, socket, time
leaked = []
count = int(open("count").read()) if os.path.exists("count") else 0
open("count", "w").write(str(count + 1))


def test_random():
    assert random.Random(count).random() > 0.4, "unlucky"


def test_leaks():
    leaked.append(1)


def test_sees_the_leak():
    assert not leaked, "state leaked"


def test_broken():
    assert count < 0, "always"


def test_stable():
    pass
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    found = Project(tmp_path)
    found.put(".gitignore", "count\n__pycache__\n.pytest_cache\n*.xml\n")
    found.put("proctor.toml", "[flakes]\ncap = 1.0\n")
    return found


def commit(project: Project) -> None:
    project.git("add", "-A")
    project.git("commit", "-qm", "x")


def report(project: Project, name: str, *failing: str) -> str:
    cases = "".join(
        f'<testcase classname="t" name="{test}">'
        + ('<failure message="boom"/>' if test in failing else "")
        + "</testcase>"
        for test in ("a", "b", "c")
    )
    project.put(name, f"<testsuite time='1'>{cases}</testsuite>")
    return name


@pytest.mark.heavy
def test_a_flaky_suite_is_told_apart_and_quarantined(project: Project) -> None:
    project.put("test_flaky.py", FLAKY)
    commit(project)
    done = project("flakes", "run", "-n", "8", "--seed", "2", "--", "pytest", "-q", timeout=120)
    assert done.returncode == 1, done.stderr
    assert "run 8 of 8: 5 tests" in done.stderr
    standing = {
        one["shown"].partition("::")[2]: one
        for one in json.loads(project("flakes", "status", "--every", "--format", "json").stdout)[
            "tests"
        ]
    }
    assert standing["test_broken"]["state"] == "broken"
    assert standing["test_random"]["state"] == "flaky"
    assert standing["test_sees_the_leak"]["state"] == "flaky"
    assert standing["test_stable"]["state"] == "stable"
    shown = project("flakes", "quarantine")
    assert shown.returncode == 1
    assert "+test_flaky.py::test_random\n" in shown.stdout
    assert "with --apply write it" in shown.stderr
    spans = json.loads(project("log", "--tests", "--format", "json").stdout)
    seeds = [word for span in spans for word in span["injected"] if "SHUFFLE" in word]
    assert seeds == [f"PROCTOR_SHUFFLE=2-{number}" for number in range(1, 9)]
    assert not any("PROCTOR_SHUFFLE" in span["env_names"] for span in spans)
    assert "test_broken" not in shown.stdout
    assert not (project.root / "quarantine.txt").exists()
    assert project("flakes", "quarantine", "--apply").returncode == 0
    assert project("flakes", "quarantine").stdout == ""
    excluded = project("flakes", "args", "--runner", "pytest")
    assert "--deselect=test_flaky.py::test_random" in excluded.stdout
    assert "test_ab out too" in excluded.stderr


def test_reports_are_imported_with_their_tree_and_only_once(project: Project) -> None:
    commit(project)
    words = ("--commit", "HEAD", "--command", "pytest", "--toolchain", "x", "--time")
    one, day = report(project, "1.xml", "a"), "2026-03-0{}"
    first = project("flakes", "import", one, *words, day.format(1))
    assert "imported: 3 tests, 1 failed, tree " in first.stderr
    assert "known already" in project("flakes", "import", one, *words, day.format(1)).stderr
    project("flakes", "import", report(project, "2.xml"), *words, day.format(2))
    project("flakes", "import", report(project, "3.xml", "a"), *words, day.format(3))
    project("flakes", "import", report(project, "4.xml", "b"))
    text = project("flakes", "status").stdout
    assert "flaky    F.F." in text
    assert "suspect" in text
    assert "| flaky | `t::a` |" in project("flakes", "status", "--format", "markdown").stdout
    assert 'class="ran failed"' in project("flakes", "status", "--format", "html").stdout


def test_a_flake_that_the_patch_brings_is_none(project: Project) -> None:
    commit(project)
    project.git("branch", "base")
    for name in ("1.xml", "2.xml", "3.xml"):
        project("flakes", "import", report(project, name), "--commit", "HEAD", "--run-id", name)
    project.put("app.py", "race = 1\n")
    commit(project)
    for name, failing in (("4.xml", ("a",)), ("5.xml", ()), ("6.xml", ("a",)), ("7.xml", ())):
        told = ("--commit", "HEAD", "--run-id", name)
        project("flakes", "import", report(project, name, *failing), *told)
    assert "flaky " in project("flakes", "status").stdout
    with_base = project("flakes", "status", "--base", "base").stdout
    assert "suspect" in with_base
    assert "none on files without the patch: a regression" in with_base
    assert project("flakes", "quarantine", "--base", "base").stdout == ""


def test_a_quarantine_is_renewed_by_a_person_with_a_reason(project: Project) -> None:
    commit(project)
    for name, failing in (("1.xml", ("a",)), ("2.xml", ()), ("3.xml", ("a",)), ("4.xml", ())):
        told = ("--commit", "HEAD", "--run-id", name)
        project("flakes", "import", report(project, name, *failing), *told)
    project("flakes", "quarantine", "--apply")
    path = project.root / "quarantine.txt"
    path.write_text(
        path.read_text()
        .replace("since        20", "since        19")
        .replace("until        20", "until        19")
    )
    over = project("flakes", "quarantine")
    assert (over.returncode, over.stdout) == (0, "")
    assert "over: t::a: since 19" in over.stderr
    assert project("flakes", "quarantine", "--renew", "t::a").returncode == 64
    words = ("--renew", "t::a", "--owner", "@bob", "--reason", "a fix is on its way", "--apply")
    assert project("flakes", "quarantine", *words).returncode == 0
    assert "owner        @bob" in path.read_text()


def test_tests_that_change_the_files_are_no_evidence_and_that_is_said(project: Project) -> None:
    project.put("test_a.py", "def test_a(): open('out', 'a').write('x')\n")
    commit(project)
    done = project("flakes", "run", "-n", "4", "--", "pytest", "-q")
    assert "run 1 of 4: 1 tests, 0 failed" in done.stderr
    assert "the tests changed files of the tree in " in done.stderr


def test_an_evidence_folder_is_imported_with_what_it_says(project: Project) -> None:
    project.put("test_a.py", "def test_a(): pass\n")
    commit(project)
    project("evidence", "capture", "--", "pytest", "-q")
    done = project("flakes", "import", "evidence")
    assert "evidence: imported: 1 tests, 0 failed, tree " in done.stderr
    (project.root / "evidence/manifest.json").unlink()
    assert project("flakes", "import", "evidence").returncode == 65


def test_odd_words_are_one_line_with_the_right_code(project: Project) -> None:
    project.put("odd.xml", "<testsuite><testcase name='a'/><testcase name='a'/></testsuite>")
    assert "several tests have this id: a" in project("flakes", "import", "odd.xml").stderr
    for words, code in (
        (("import", "absent.xml"), 65),
        (("import", "odd.xml", "--time", "soon"), 64),
        (("import", "odd.xml", "--time", "2099-01-01T00:00:00Z"), 64),
        (("import", "odd.xml", "--tree", "main"), 64),
        (("import", "odd.xml", "--format", "klingon"), 64),
        (("run", "-n", "0", "--", "true"), 64),
        (("run", "-n", "1", "--", "true"), 65),
        (("run", "-n", "1", "--", "no-such-program"), 65),
        (("status", "--history", "odd.xml"), 65),
        (("status", "--base", "nowhere"), 65),
    ):
        done = project("flakes", *words)
        assert done.returncode == code, (words, done.stderr)
        assert done.stderr.count("\n") <= 2
        assert "Traceback" not in done.stderr
    project.put("quarantine.txt", "    since soon\n")
    assert project("flakes", "quarantine").returncode == 65
    renamed = project("flakes", "import", "odd.xml", "--renamed", "x=y")
    assert "x=y: not renamed" in renamed.stderr


def test_a_history_that_is_empty_is_no_success(project: Project) -> None:
    done = project("flakes", "status")
    assert (done.returncode, done.stdout) == (2, "no test is known\n")
    nothing = project("flakes", "quarantine")
    assert nothing.returncode == 0
    assert "no test is known, so nothing changes" in nothing.stderr
    assert "nothing is quarantined" in project("flakes", "args", "--runner", "go").stderr
