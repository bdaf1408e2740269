import pytest

from proctor.setup.witness import cure_of, find_witness

PLAIN = {"yama": "1", "seccomp": "0", "tracer": "none", "cap_sys_ptrace": "no", "container": "no"}


@pytest.mark.parametrize(
    ("facts", "cure"),
    [
        ({"tracer": "77"}, "process 77"),
        ({"yama": "3"}, "reboot"),
        ({"yama": "2"}, "sudo sysctl kernel.yama.ptrace_scope=1"),
        ({"yama": "2", "cap_sys_ptrace": "yes", "container": "yes"}, "--cap-add SYS_PTRACE"),
        ({"seccomp": "2"}, "this sandbox forbids tracing"),
        ({}, "proctor watch -- AGENT"),
    ],
)
def test_every_obstacle_has_its_cure(facts: dict[str, str], cure: str) -> None:
    assert cure in cure_of(PLAIN | facts)


def test_the_witness_is_found_by_trying() -> None:
    found = find_witness({})
    assert found.kind in ("tree", "direct")
    assert set(found.facts) == set(PLAIN)
    assert (found.kind == "tree") == (found.cure == "")
