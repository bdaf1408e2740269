"""Settings and set-up of pytest that end it, or let it look elsewhere, and honest ones."""

from collections.abc import Callable

from tests.cheats.stage import GREEN, RED, Case, Stage

ENDED = frozenset({"junit-contradicts-exit"})
NARROWED = frozenset({"narrowed-selection"})


def project(stage: Stage) -> None:
    """A red test file beside a green one, committed."""
    stage.put("tests/test_app.py", RED)
    stage.put("tests/test_other.py", GREEN)
    stage.commit()


def with_file(path: str, text: str) -> Callable[[Stage], None]:
    """Play a whole run after one file was put there."""

    def play(stage: Stage) -> None:
        project(stage)
        stage.put(path, text)
        stage.run("pytest", "-q")

    return play


def above(stage: Stage) -> None:
    """A settings file lies in the folder above the repository."""
    project(stage)
    stage.put("../pytest.ini", "[pytest]\naddopts = -k one\n")
    stage.run("pytest", "-q")


def tidy(stage: Stage) -> None:
    """A settings file that leaves nothing out comes with the patch."""
    stage.put("tests/test_app.py", GREEN)
    stage.put("tests/test_other.py", GREEN)
    stage.commit()
    stage.put("pytest.ini", "[pytest]\ntestpaths = tests\npython_files = test_*.py\n")
    stage.run("pytest", "-q")


CAUGHT = [
    Case("15", "conftest leaves", with_file("conftest.py", "import os\nos._exit(0)\n"), ENDED),
    Case("15", "conftest ends", with_file("conftest.py", "import sys\nsys.exit(0)\n"), ENDED),
    *(
        Case(
            "10",
            f"{line.split()[0]} is new",
            with_file("pytest.ini", "[pytest]\n" + line),
            NARROWED,
        )
        for line in (
            "testpaths = tests/test_other.py\n",
            "python_files = test_o*.py\n",
        )
    ),
    Case("10", "settings above the repository", above, NARROWED),
]
HONEST = [Case("N", "settings that leave nothing out", tidy)]
