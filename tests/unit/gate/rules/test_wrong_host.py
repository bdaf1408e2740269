from typing import TYPE_CHECKING, Any

import pytest

from proctor.findings import Level
from proctor.gate.evidence import Policy

if TYPE_CHECKING:
    from tests.unit.gate.conftest import Bench
else:
    Bench = Any


HOST = {"system": "Linux", "machine": "x86_64", "python": "3.12.4"}


def _verdict(bench: Bench, host: dict[str, str] | None, **members: Any) -> Any:
    policy = Policy(require=(bench.required("pytest", **members),))
    return bench.verdict(bench.seen("pytest", host=host), policy=policy)


@pytest.mark.parametrize(
    "members", [{"platform": "linux"}, {"platform": "Linux-x86_64"}, {"python": "3.12"}]
)
def test_the_owed_host_passes(bench: Bench, members: Any) -> None:
    assert _verdict(bench, HOST, **members).findings == ()


@pytest.mark.parametrize("members", [{"platform": "darwin"}, {"python": "3.1"}])
def test_another_host_is_an_error(bench: Bench, members: Any) -> None:
    found = bench.only(_verdict(bench, HOST, **members), "wrong-host")
    assert found.level is Level.ERROR


def test_a_host_that_is_not_recorded_is_unproven(bench: Bench) -> None:
    for verdict in (_verdict(bench, None, python="3.12"), _verdict(bench, HOST, node="20")):
        assert bench.only(verdict, "wrong-host").level is Level.UNPROVEN


def _installed(bench: Bench, path: str, **members: Any) -> Any:
    policy = Policy(require=(bench.required("pytest", **members),))
    runner = bench.runner(path=path)
    return bench.verdict(bench.seen("pytest", host=HOST, runner=runner), policy=policy)


def test_the_interpreter_of_the_runner_counts_not_that_of_the_recorder(bench: Bench) -> None:
    path = "/v/lib/python3.14/site-packages/pytest/__main__.py"
    assert _installed(bench, path, python="3.14").findings == ()
    found = bench.only(_installed(bench, path, python="3.12"), "wrong-host")
    assert "it ran on 3.14" in found.message
    assert found.level is Level.ERROR


def test_a_version_known_only_in_part_is_unproven(bench: Bench) -> None:
    path = "/v/lib/python3.14/site-packages/pytest/__main__.py"
    found = bench.only(_installed(bench, path, python="3.14.2"), "wrong-host")
    assert found.level is Level.UNPROVEN
    same = path.replace("3.14", "3.12")
    assert _installed(bench, same, python="3.12.4").findings == ()


def test_each_shard_is_looked_at(bench: Bench) -> None:
    policy = Policy(require=(bench.required("pytest", python="3.12"),))
    other = {**HOST, "python": "3.11.2"}
    first = bench.seen("pytest tests/test_a.py", host=HOST)
    others = [bench.seen(f"pytest tests/test_{name}.py", host=other) for name in "bc"]
    verdict = bench.verdict(first, *others, policy=policy)
    assert "it ran on 3.11.2" in bench.only(verdict, "wrong-host").message
