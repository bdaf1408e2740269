"""The reading of shell lines; the exit codes are held to bash in the integration tests."""

import subprocess

import pytest

from proctor.classify import shell
from proctor.classify.shell import read_argv, read_line


def statuses(line: str, **more: str) -> list[tuple[str, str | None]]:
    return [(run.status, run.masked_by) for run in read_line(line, **more)]  # type: ignore[arg-type]


def test_runners_are_found_in_order() -> None:
    runs = read_line("tox -e py; cd x && uv run pytest -q; make test | cat")
    assert [run.found.command_class for run in runs] == ["tox", "pytest", "make"]
    assert [run.conditional for run in runs] == [False, False, False]
    assert runs[1].wrappers == ("uv run",)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("pytest 2>&1 | tail -5", "| tail -5"),
        ("pytest | tee a | tail -5", "| tee a | tail -5"),
        ("pytest || true", "|| true"),
        ("pytest; echo done", "; echo done"),
        ("pytest\necho done", "; echo done"),
        ("pytest &", "&"),
        ("! pytest", "!"),
        ("if pytest; then true; fi", "if"),
        ("while pytest; do true; done", "while"),
        ("for d in a b; do pytest; done", "the loop goes on"),
        ("echo $(pytest)", "$(pytest)"),
        ("trap 'exit 0' EXIT; pytest", "exit 0"),
        ("find . -exec pytest {} \\;", "find -exec"),
        ("pytest; exit 0", "exit 0"),
        ("bash -c 'pytest | cat'", "| cat"),
        ("pytest | " + "x" * 99, "| " + "x" * 59 + "…"),
    ],
)
def test_what_masks_is_said_in_the_words_of_the_line(line: str, words: str) -> None:
    assert statuses(line) == [("masked", words)]


@pytest.mark.parametrize(
    ("line", "conditional"),
    [
        ("pytest", False),
        ("cd x && pytest", False),
        ("export A=1 && pytest", False),
        ("A=1 && pytest", False),
        ("git pull && pytest", True),
        ("true | git pull && pytest", True),
        ("x || pytest", True),
        ("if x; then pytest; fi", True),
        ("while x; do pytest; done", True),
        ("case x in x) pytest;; esac", True),
        ("bash -c 'pytest'", False),
        ("x && bash -c 'pytest'", True),
        ("x || pytest; f() { pytest; }; f", True),
    ],
)
def test_a_runner_that_may_not_start_is_conditional(line: str, conditional: bool) -> None:
    assert read_line(line)[0].conditional is conditional


@pytest.mark.parametrize(
    ("line", "bypassed"),
    [
        ("pytest", False),
        ("git pull && pytest", False),
        ("set -e; git pull; pytest", False),
        ("npm ci && npm run build && npm test", False),
        ("x && bash -c 'y && pytest'", False),
        ("bash -c 'y || pytest'", True),
        ("x || pytest", True),
        ("x && y || pytest", True),
        ("(x && pytest)", False),
        ("if x; then pytest; fi", True),
        ("if x; then pytest; else exit 1; fi", False),
        ("while x; do pytest; done", True),
        ("git pull && pytest &", True),
        ("git pull && pytest; true", True),
        ("x || exit 1; pytest", False),
    ],
)
def test_a_line_may_end_well_without_its_runner(line: str, bypassed: bool) -> None:
    assert read_line(line)[0].bypassed is bypassed


def test_a_zero_of_a_bypassed_line_is_also_had_without_the_runner() -> None:
    """Checked by a real shell: the runner never starts, and the line returns 0."""
    for line, bypassed in (("git pull && pytest", False), ("x || pytest", True)):
        real = line.replace("git pull", "false").replace("x", "true")
        done = subprocess.run(["bash", "-c", f"pytest() {{ exit 9; }}; {real}"], check=False)
        assert (done.returncode == 0) is bypassed


def test_what_is_looked_for_can_be_chosen() -> None:
    runs = read_line("ruff check . && pytest", counts=lambda found: found.role == "lint")
    assert [run.found.command_class for run in runs] == ["ruff"]


def test_known_variables_are_put_in() -> None:
    run = read_line("T=tests/a; P=$T.py; pytest -q ${P}::test_x \"$T b\" '$T' $U")[0]
    assert run.argv == ("pytest", "-q", "tests/a.py::test_x", "tests/a b", "$T", "$U")


def test_quotes_and_escapes_are_taken_off() -> None:
    run = read_line('pytest a\\ b "c\\"d\\$e" $\'f\\ng\' $"h" -k \'i j\'')[0]
    assert run.argv == ("pytest", "a b", 'c"d$e', "f\ng", "h", "-k", "i j")


def test_positional_parameters_reach_the_runner() -> None:
    assert read_line('f() { pytest "$@" $1; }; f -q a')[0].argv == ("pytest", "-q", "a", "-q")
    assert read_line("bash -c 'pytest $1 \"$@\"' _ a b")[0].argv == ("pytest", "a", "a", "b")
    assert read_line("set -- a; pytest $@")[0].argv == ("pytest", "a")


@pytest.mark.parametrize(
    "line", ["$PY -m pytest", "${PYTHON:-python3} -m pytest", '"$PY" -m pytest']
)
def test_an_unknown_interpreter_with_a_module_is_taken_for_python(line: str) -> None:
    assert [run.found.command_class for run in read_line(line)] == ["pytest"]


@pytest.mark.parametrize(
    "line",
    [
        "PYTEST_ADDOPTS='-k x' pytest",
        "export PYTEST_ADDOPTS='-k x'; pytest",
        "env PYTEST_ADDOPTS='-k x' pytest",
        "PYTEST_ADDOPTS='-k x' bash -c pytest",
        "env PYTEST_ADDOPTS='-k x' bash -c pytest",
    ],
)
def test_variables_of_the_line_narrow(line: str) -> None:
    assert read_line(line)[0].found.narrowing_env == ("PYTEST_ADDOPTS: -k=x",)


@pytest.mark.parametrize(
    "line",
    [
        "pytest 2>&1 <<< x",
        "pytest; fi",
        "time { pytest; }",
        "echo a; ! { pytest; }",
        "if pytest",
        "bash -c 'pytest; )'",
        "( pytest",
        "time bash -c 'if pytest'",
    ],
)
def test_text_that_cannot_be_read_still_shows_its_runners(line: str) -> None:
    assert [run.status for run in read_line(line)] == ["unknown"]
    assert read_line(line)[0].masked_by


@pytest.mark.parametrize("line", ["", "|", "if", "echo 'x", "&& ls", "time", "for x"])
def test_text_without_a_runner_has_none(line: str) -> None:
    assert read_line(line) == []


@pytest.mark.parametrize(
    ("dialect", "line", "status"),
    [
        ("bash", "pytest | cat; exit ${PIPESTATUS[0]}", "own"),
        ("sh", "pytest | cat; exit ${PIPESTATUS[0]}", "unknown"),
        ("zsh", "pytest | cat; exit ${PIPESTATUS[0]}", "unknown"),
        ("zsh", "setopt pipefail err_exit; pytest | cat; true", "own"),
        ("bash", "set -e; x=$(pytest; true)", "masked"),
        ("sh", "set -e; x=$(pytest; true)", "masked"),
        ("bash", "shopt -s inherit_errexit; set -e; x=$(pytest; true)", "own"),
    ],
)
def test_shells_differ(dialect: str, line: str, status: str) -> None:
    assert [found for found, _ in statuses(line, dialect=dialect)] == [status]


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("source .venv/bin/activate && pytest", "own"),
        (". ~/.bashrc; pytest", "own"),
        ('eval "$(pyenv init -)"; pytest', "own"),
        ('eval "$(x)"; pytest', "unknown"),
        ('bash -c "cd $PWD && pytest"', "own"),
        ('bash -c "pytest; exit $?"', "unknown"),
        ('bash -c "pytest; exit \\$?"', "own"),
        ("trap '' EXIT; pytest", "own"),
        ("trap -p; pytest", "own"),
        ("trap 'x' DEBUG; pytest", "unknown"),
        ("export -f pytest; bash -c pytest", "unknown"),
        ("bash <<EOF\npytest\nEOF\npytest", "unknown"),
        ("set $x; pytest", "unknown"),
        ("shift; pytest", "unknown"),
        ("break 2; pytest", "unknown"),
        ("case x in a) true;& b) pytest;; esac", "unknown"),
        ("select x in a; do pytest; done", "unknown"),
        ("pytest | ! cat", "unknown"),
        ("! pytest & wait", "unknown"),
        ("set -e; eval 'pytest' | cat", "unknown"),
        ("read x; pytest; exit $x", "unknown"),
        ("unset x; pytest; exit $x", "unknown"),
        ("pytest; x+=1; exit $x", "unknown"),
        ("wait; wait -n; wait 3; pytest & wait -n", "unknown"),
        ("pytest & wait 3", "masked"),
        ("> log; pytest", "own"),
        ("shopt -s nullglob; pytest", "own"),
        ("set -e; shopt -s inherit_errexit; x=$(pytest; true)", "own"),
        ("rc=$(true); pytest", "own"),
        ("declare -i rc; pytest", "own"),
        ("for ((i=0;i<3;i++)); do pytest; done", "masked"),
        ("while read x; do pytest; done < f", "masked"),
        ('pytest; [ -z "$x" ]', "masked"),
        ("pytest; [ ]", "masked"),
        ("pytest; test -d x", "masked"),
        ("pytest; (( $? ))", "masked"),
        ("pytest; rc=$?; (( rc ))", "masked"),
        ("pytest; [ 0 -ne $? ]", "masked"),
        ("pytest; [ 0 -lt $? ]", "masked"),
        ("pytest; [ $? -ge 0 ]", "masked"),
        ("pytest; [ $? -le 0 ]", "altered"),
        ("pytest; [ $? -eq 5 ]", "masked"),
        ("x=3; pytest; [ $x -eq 0 ]", "altered"),
        ("x=3; pytest; [ $x -eq 3 ]", "masked"),
        ("pytest; [ $(id -u) -eq 0 ]", "masked"),
        ("command eval true; pytest", "own"),
        ("exec > log; pytest", "own"),
        ("pytest | cat; exit ${PIPESTATUS[5]}", "unknown"),
        ("pytest; exit abc", "unknown"),
        ("pytest; exit $((1 + 1))", "unknown"),
        ("pytest; exit $(($?))", "own"),
        ("x=; pytest", "own"),
        ("cat <<EOF file | cat && pytest\nx\nEOF", "unknown"),
        ("cat <<EOF file\nx\nEOF\npytest", "own"),
        ("cat <<EOF | tee f && pytest # why\nx\nEOF", "own"),
        ("cat > f <<-EOF && pytest\nx\nEOF", "own"),
        ("<<EOF\nx\nEOF\npytest", "unknown"),
        ("# why\npytest # why", "own"),
        ("die() { echo $1; exit $2; }; pytest || die x $?", "own"),
        ("die() { exit $1; }; pytest || die 1", "altered"),
        ("pytest & wait -n; [ $? -eq 0 ]", "masked"),
        ("pytest & wait -n; [ $? -lt 9 ]", "masked"),
        ("let x=1 1+1; pytest; exit $x", "unknown"),
        ("unset -v x; pytest", "own"),
        ('pytest; x="$? $?"', "masked"),
        ("$x; pytest", "own"),
        ("X=1 $(true); pytest", "own"),
        ("return 0; pytest", "unknown"),
        ("exit 0; pytest", None),
    ],
)
def test_corners(line: str, status: str | None) -> None:
    found = [run.status for run in read_line(line)]
    assert found[-1:] == ([] if status is None else [status])


def test_a_line_with_too_many_ways_is_unknown() -> None:
    line = "; ".join(f"x{n} && y{n}=$? || z{n}=$?" for n in range(30)) + "; pytest"
    assert [status for status, _ in statuses(line)] == ["unknown"]


def test_a_very_long_line_is_unknown() -> None:
    line = "; ".join(["a=1"] * 21_000) + "; pytest"
    assert [status for status, _ in statuses(line)] == ["unknown"]


def test_a_line_that_calls_itself_is_unknown() -> None:
    assert [status for status, _ in statuses("f() { f; pytest; }; f")] == ["unknown"]
    deep = "( " * 900 + "pytest" + " )" * 900
    assert [status for status, _ in statuses(deep)] in (["unknown"], ["own"])


def test_more_runners_than_are_followed_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "_MOST_RUNS", 1)
    assert [status for status, _ in statuses("pytest; pytest")] == ["masked", "unknown"]


def test_arguments_are_read_without_a_shell() -> None:
    argv = ["bash", "-c", "pytest 'a b' | tail", "it's"]
    assert [(run.status, run.argv) for run in read_argv(argv)] == [
        ("masked", ("pytest", "a b")),
    ]
    assert [run.status for run in read_argv(["env", "A=b c", "pytest", ""])] == ["own"]
    assert read_argv(["git", "status"]) == []


def test_a_project_class_is_found_in_a_line() -> None:
    classes = {"ci": {"match": [["ci-test"]], "role": "test", "kind": "leaf", "report": None}}
    runs = read_line("ci-test a | tail", classes=classes)
    assert [(run.found.command_class, run.status) for run in runs] == [("ci", "masked")]


def test_a_remote_line_names_its_client() -> None:
    run = read_line("ssh host 'cd x && pytest'")[0]
    assert (run.found.remote, run.status, run.wrappers) == ("ssh", "own", ("ssh",))


@pytest.mark.parametrize("line", ["npm run lint", "make clean", "git status", "cargo build"])
def test_other_commands_are_no_test_runners(line: str) -> None:
    assert read_line(line) == []


@pytest.mark.parametrize("depth", [2, 300])
def test_what_only_some_shells_read_as_arithmetic_is_unknown(depth: int) -> None:
    (run,) = read_line("(" * depth + "pytest" + ")" * depth)
    assert (run.found.command_class, run.status) == ("pytest", "unknown")
    assert read_line("((i++)); echo pytest") == []
