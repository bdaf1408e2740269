"""Which run answers what is owed, by its words and by where it ran."""

import msgspec
import pytest

from proctor.classify.typed import is_same_command, typed
from proctor.config import Config, RequireTable
from proctor.identity.impostor import impostor
from proctor.receipt.fields import Part, Receipt, Record, Told
from proctor.receipt.ran import Owed, failures, for_command, not_owed
from proctor.recorder.toolchain import family_of, toolchain_of
from proctor.records.span import Runner


def receipt(
    *argv: str, folder: str | None = "", parts: tuple[Part, ...] = (), code: int = 0
) -> Receipt:
    return Receipt(
        command=" ".join(argv), argv=argv, folder=folder, git_head="h", hostname="h", kernel="k",
        runtime="r", started_utc="s", finished_utc="f", exit_code=code, parts=parts,
    )  # fmt: skip


def part(
    *argv: str, folder: str | None = "", kind: str = "leaf", code: int | None = 0, **told: object
) -> Part:
    facts = {
        "sha256": "",
        "format": "x",
        "executed": 1,
        "passed": 1,
        "failed": 0,
        "skipped": 0,
        "ids_sha256": "",
    }
    report = Told(**{**facts, **told}) if told else None  # type: ignore[arg-type]
    return Part(argv=argv, folder=folder, kind=kind, exit_code=code, report=report)


def in_environment(*, narrowed: tuple[str, ...] = (), odd: tuple[str, ...] = ()) -> Receipt:
    """Return the receipt of a plain pytest that variables changed."""
    found = part("pytest", executed=1)
    changed = msgspec.structs.replace(found, narrowing_env=narrowed, odd_env=odd, exe="python3")
    return receipt("pytest", parts=(changed,))


def owed(folder: str = "", *argv: str, **members: object) -> Owed:
    return Owed(RequireTable(name="r", command=argv, folder=folder, **members), Config())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "ran", "folder", "answers"),
    [
        (("pytest",), ("python", "-m", "pytest", "-q"), "", True),
        (("pytest",), ("pytest", "tests"), "", False),
        (("pytest", "tests"), ("pytest",), "", True),
        (("pytest", "web"), ("pytest",), "web", True),
        (("npm", "test"), ("npm", "test"), "", True),
        (("npm", "test"), ("npm", "test"), "web", False),
        (("npm", "test"), ("npm", "run", "lint"), "", False),
        (("./ci.sh", "all"), ("/bin/bash", "./ci.sh", "all"), "", True),
        (("./ci.sh", "all"), ("/bin/bash", "-n", "./ci.sh", "all"), "", False),
        (("./ci.sh",), ("echo", "./ci.sh"), "", False),
        (("pytest",), ("pytest", "--collect-only"), "", False),
    ],
)
def test_a_run_answers_what_it_covers(
    asked: tuple[str, ...], ran: tuple[str, ...], folder: str, answers: bool
) -> None:
    assert owed("", *asked).is_answered(receipt(*ran, folder=folder)) is answers


def test_what_is_owed_in_a_folder_is_run_anew_there() -> None:
    (found,) = not_owed(receipt("pytest", "tests"), owed("sub", "pytest"))
    assert found.message.endswith("owed is pytest in sub")
    assert found.cure == "run it again: cd sub && proctor receipt issue -- pytest"
    (failed,) = failures(receipt("pytest", folder="a b", code=1))
    assert failed.cure.endswith("run it again: cd 'a b' && proctor receipt issue -- pytest")


def test_a_class_is_answered_by_any_run_of_it() -> None:
    item = RequireTable(name="r", command_class="pytest", selectors=("tests",))
    one = Owed(item, Config())
    assert one.words == "pytest tests"
    assert one.is_answered(receipt("make", "test", parts=(part("pytest", "tests"),)))
    assert not one.is_answered(receipt("make", "test", parts=(part("pytest", folder=None),)))
    assert not Owed(RequireTable(name="r", command=("./x",)), Config()).is_test
    with pytest.raises(ValueError, match=r"^$"):
        for_command("", Config())


def test_each_way_to_end_badly_is_told() -> None:
    rules = {
        "nonzero-exit": receipt("pytest", code=1),
        "masked-exit": receipt("make", parts=(part("pytest", code=1),)),
        "junit-contradicts-exit": receipt("pytest", parts=(part("pytest", failed=1),)),
    }
    for rule, one in rules.items():
        assert [refusal.rule for refusal in failures(one)] == [rule]
    for told in ({"exit_status": 1}, {"complete": False}):
        (refusal,) = failures(receipt("pytest", parts=(part("pytest", **told),)))
        assert "returned 0" in refusal.message
    assert list(failures(receipt("pytest", parts=(part("pytest", executed=1),)))) == []


@pytest.mark.parametrize("one", [None, owed("", "pytest")])
def test_a_variable_that_leaves_tests_out_is_refused(one: Owed | None) -> None:
    ran = in_environment(narrowed=("PYTEST_ADDOPTS: -k=#7692c3ad", "PYTEST_ADDOPTS: (arguments)"))
    (found,) = not_owed(ran, one)
    assert (found.code, found.rule, found.field) == (
        7,
        "narrowed-selection",
        "parts[0].narrowing_env",
    )
    assert "PYTEST_ADDOPTS: -k, PYTEST_ADDOPTS: (arguments)" in found.message
    assert found.cure.startswith("unset PYTEST_ADDOPTS; run it again")


def test_a_variable_that_is_owed_leaves_nothing_out() -> None:
    ran = in_environment(narrowed=("PYTEST_ADDOPTS: -k=#7692c3ad",))
    asked = owed("", "env", "PYTEST_ADDOPTS=-k one", "pytest")
    assert [one.rule for one in not_owed(ran, asked)] == []
    other = owed("", "env", "PYTEST_ADDOPTS=-k two", "pytest")
    assert [one.rule for one in not_owed(ran, other)] != []


def test_a_run_without_asserts_shows_nothing() -> None:
    (found,) = not_owed(in_environment(odd=("PYTHONOPTIMIZE",)), owed("", "pytest"))
    assert (found.code, found.rule, found.field) == (7, "odd-environment", "parts[0].odd_env")
    assert list(not_owed(in_environment(odd=("LD_PRELOAD",)), owed("", "pytest"))) == []


def test_a_cure_never_asks_for_what_was_refused() -> None:
    logged = Record(span_id="s", run_id="r", record="", head="", length=1)
    listed = receipt("pytest", "-q", "--collect-only", parts=(part("pytest", "--collect-only"),))
    (found,) = not_owed(listed, None)
    assert (found.rule, found.cure) == (
        "not-a-run",
        "run it again: proctor receipt issue -- pytest -q",
    )
    said = msgspec.structs.replace(receipt("echo", "3 passed"), log=logged)
    (found,) = not_owed(said, None)
    assert (found.rule, found.cure) == (
        "wrong-command",
        "run it again: proctor receipt issue -- CMD",
    )


def test_an_owed_lint_asks_for_no_tests() -> None:
    one = owed("", "ruff", "check")
    assert list(not_owed(receipt("ruff", "check"), one)) == []
    assert [r.rule for r in not_owed(receipt("pytest"), one)] == ["wrong-command"]


def test_a_command_is_shown_as_it_was_typed() -> None:
    assert typed(["/v/bin/python3", "/v/bin/pytest", "-q"]) == ["pytest", "-q"]
    assert typed(["/v/bin/python3", "/v/bin/pytest"], keep_path=True) == ["/v/bin/pytest"]
    assert typed(["python", "x.py"]) == ["python", "x.py"]
    assert not is_same_command(["a"], [])
    assert not is_same_command(["a"], ["a", "b"])
    assert is_same_command(["/usr/bin/env", "bash", "./a"], ["./a"])
    assert is_same_command(["/bin/sh", "-e", "./a"], ["./a"])
    assert not is_same_command(["other"], ["./a"])


def test_a_program_is_judged_by_what_it_is() -> None:
    good = Runner(distribution="pytest", path="/x/pytest.py", record_ok=True)
    assert impostor("pytest", ["pytest"], "/usr/bin/python3", good) is None
    assert impostor("pytest", ["pytest"], "/bin/true", good) == "the program is /bin/true"
    assert impostor("go test", ["/tmp/a.test"], "/tmp/a.test", None) is None
    assert impostor("go test", [], "/tmp/x", None) is None
    assert impostor("swift test", ["swift"], "/bin/swift-package", None) is None
    nobody = Runner(path="/x/pytest")
    assert (
        impostor("pytest", ["pytest"], None, nobody)
        == "/x/pytest belongs to no installed distribution"
    )
    many = Runner(distribution="pytest", path="/x", record_ok=False, altered=("a", "b", "c", "d"))
    assert (
        impostor("pytest", [], None, many)
        == "files differ from what was installed: a, b, c and 1 more"
    )


def test_versions_are_what_programs_say_themselves() -> None:
    assert family_of("/usr/bin/python3.11") == "python"
    assert family_of("/tmp/a.test") is None
    found = toolchain_of(["python3", "python3", "no-such-program", "/bin/true"])
    assert found.keys() == {"python"}
    assert found["python"].startswith("3.")
