import os
import sys

from proctor.host import boot_id, facts


def test_the_facts_are_the_systems_own() -> None:
    found = facts()
    assert found["hostname"] == os.uname().nodename
    assert found["kernel"] == os.uname().release
    assert found["python"] == "{}.{}.{}".format(*sys.version_info[:3])
    assert all(isinstance(value, str) for value in found.values())


def test_a_boot_has_one_id() -> None:
    assert boot_id() == boot_id()
    assert facts().get("boot_id") == boot_id()
