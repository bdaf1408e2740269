import shlex
import subprocess

import pytest

from proctor.join.texts import holds, normal, texts_of

AWKWARD = (
    "cd repo && python3 -m pytest -q tests 2>&1 | tail -3",
    "echo 'single' \"dou ble\" $HOME !x",
    "for i in 1 2; do\n  echo $i\ndone | cat",
    "cat <<'EOF'\nit's \"here\" $x\nEOF\npytest -q",
    "echo a\\ b | grep 'a b'",
    "pytest -k 'a or b' \\\n  tests",
)


def _like_claude(command: str) -> tuple[str, ...]:
    quoted = "'" + command.replace("'", "'\"'\"'") + "'"
    text = (
        "source /h/.claude/shell-snapshots/snapshot-bash-1.sh 2>/dev/null || true && "
        f"shopt -u extglob 2>/dev/null || true && eval {quoted} < /dev/null && "
        "pwd -P >| /tmp/claude-4dc5-cwd"
    )
    return ("/bin/bash", "-c", "-l", text)


@pytest.mark.parametrize("command", AWKWARD)
def test_the_command_is_found_in_what_claude_code_makes_of_it(command: str) -> None:
    assert command in texts_of(_like_claude(command))


@pytest.mark.parametrize("command", AWKWARD)
def test_the_command_is_found_behind_a_second_shell(command: str) -> None:
    inner = shlex.join(("bash", "-lc", command))
    assert command in texts_of(("sh", "-c", f"exec {inner}"))


@pytest.mark.parametrize("word", ['"a\\"b $x"', "'a'\\''b'", 'a"b c"d', "a\\ b", '"\\$x \\n"'])
def test_a_word_is_read_as_a_shell_reads_it(word: str) -> None:
    shown = subprocess.run(
        ["sh", "-c", f"x='$x'; printf %s {word}"], capture_output=True, text=True, check=True
    ).stdout
    assert shown in texts_of(("sh", "-c", f"eval {word}"))


def test_the_command_is_found_behind_what_codex_does_first() -> None:
    text = "if . '/h/snapshot.sh' >/dev/null 2>&1; then :; fi\n\nexec '/bin/bash' -c 'pytest -q | tail'"
    assert "pytest -q | tail" in texts_of(("/bin/bash", "-c", text))


def test_a_program_that_is_no_shell_holds_no_text() -> None:
    assert texts_of(("python", "-c", "print(1)")) == ()
    assert texts_of(("bash", "script.sh")) == ()


def test_texts_nested_without_end_are_looked_into_only_so_deep() -> None:
    text = "eval " * 50 + "pytest"
    assert 1 < len(texts_of(("sh", "-c", text))) < 10


def test_a_word_that_never_ends_is_none() -> None:
    assert texts_of(("sh", "-c", "eval 'pytest")) == ("eval 'pytest",)
    assert texts_of(("sh", "-c", 'eval "pytest')) == ('eval "pytest',)


def test_spaces_and_an_added_empty_input_make_no_difference() -> None:
    assert normal("pytest  -q < /dev/null | tail ;") == normal("pytest -q | tail")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{ pytest -q; }; __code=$?; exit $__code;", True),
        ("{\npytest -q\n}", True),
        ("cd /x && pytest -q", True),
        ("pytest -q -k x", False),
        ("echo pytest -q", False),
        ("echo pytest -q; pytest -q", True),
    ],
)
def test_a_command_stands_whole_in_a_longer_text(text: str, found: bool) -> None:
    assert holds(text, "pytest -q") is found


def test_a_very_short_command_is_not_looked_for() -> None:
    assert not holds("{ ls; }", "ls")
