"""The environment of the runners that tests start."""

import subprocess

from tests.lean import programs

LOADED = """
import sys, pytest
class Look:
    def pytest_collection(self, session):
        names = {"hypothesis", "anyio", "xdist", "pytest_timeout"} & sys.modules.keys()
        print("loaded:", *sorted(names))
pytest.main(["-q", "--collect-only", "-c", "/dev/null", "/dev/null"], plugins=[Look()])
"""


def test_pytest_starts_without_the_slow_plugins_and_with_the_others() -> None:
    words = [str(programs() / "python"), "-I", "-c", LOADED]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "loaded: pytest_timeout xdist\n" in done.stdout, done.stderr


def test_its_runners_are_its_own_and_proctor_is_the_one_under_test() -> None:
    bin_ = programs()
    assert (bin_ / "pytest").read_text().startswith(f"#!{bin_}/python")
    main = bin_.parents[1] / "bin"
    assert (bin_ / "proctor-python").read_text().startswith(f"#!{main}/python")
