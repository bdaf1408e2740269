"""A compiled file stands for a source that was changed since."""

import os

from tests.cheats.inputs import raised
from tests.cheats.stage import Case, Stage

TEST = "import app\n\n\ndef test_double():\n    assert app.double(2) == 4\n"
APP = "def double(x):\n    return 2 * x\n"


def put_back(stage: Stage) -> None:
    """The code is broken, its size and its time are what they were, and Python looks no further."""
    stage.put("pytest.ini", "[pytest]\npythonpath = .\n")
    stage.put(".gitignore", "__pycache__/\n")
    stage.put("tests/test_app.py", TEST)
    app = stage.put("app.py", APP)
    os.utime(app, (1, 1))
    stage.commit("base")
    stage.run("python", "-m", "compileall", "-q", "app.py")
    stage.put("app.py", APP.replace("2", "3"))
    os.utime(app, (1, 1))
    stage.run("pytest", "-q")


CAUGHT = [
    Case(
        "16",
        "a compiled file of the time before",
        put_back,
        frozenset({"foreign-code"}),
        judge=raised("foreign-code"),
    ),
]
