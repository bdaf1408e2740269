"""How commands are named, and what to type instead."""

from proctor.gate.words import LONGEST, command, counted, listed, shown


def test_an_installed_script_is_shown_without_its_interpreter() -> None:
    assert shown(("/usr/bin/python3", "/work/.venv/bin/pytest", "-q")) == "`pytest -q`"
    assert shown(("node", "/x/node_modules/jest/bin/jest.js")) == (
        "`node /x/node_modules/jest/bin/jest.js`"
    )


def test_a_cure_keeps_the_path_of_the_script() -> None:
    argv = ("/usr/bin/python3", "/work/.venv/bin/pytest", "-q")
    assert command(argv) == "proctor run -- /work/.venv/bin/pytest -q"


def test_a_cure_moves_to_the_folder_within_the_repository() -> None:
    assert command(("pytest",), "my app") == "cd 'my app' && proctor run -- pytest"
    assert command(("pytest",), "../elsewhere") == "proctor run -- pytest"


def test_a_long_command_is_cut_in_messages_only() -> None:
    argv = ("pytest", "x" * 500)
    assert len(shown(argv)) == LONGEST + 2
    assert shown(argv).endswith("…`")
    assert "x" * 500 in command(argv)


def test_an_image_without_argv_is_said() -> None:
    assert shown(()) == "`(no argv)`"


def test_lists_and_numbers_are_short() -> None:
    assert listed(("a", "b")) == "a, b"
    assert listed(("a", "b", "c", "d")) == "a, b, c and 1 more"
    assert counted(1) == "1 test"
    assert counted(5000) == "5,000 tests"
