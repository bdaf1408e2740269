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
