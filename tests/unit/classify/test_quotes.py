import subprocess

import pytest

from proctor.classify.quotes import first_word, quoted, unwrapped
from proctor.classify.typed import typed


@pytest.mark.parametrize("word", ["plain-1.x/y", "", "a b", "it's", "$x`y`\\", "ü", '"', "-x\n"])
def test_a_quoted_word_reaches_the_program_as_it_is(word: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"printf %s {quoted(word)}"], capture_output=True, text=True, check=True
    )
    assert done.stdout == word


@pytest.mark.parametrize(
    "text", ["plain x", "'a b'c", '"a\\"b\\c" d', "a\\ b", "'it'\\''s'", '"\\$x" y']
)
def test_thefirst_word_is_read_as_a_shell_reads_it(text: str) -> None:
    words = subprocess.run(
        ["bash", "-c", f"printf '%s\\n' {text}"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert first_word(text) == words[0]


@pytest.mark.parametrize("text", ["a<b", "a;b", "a\tb", "'a'|b"])
def test_a_word_ends_where_a_shell_ends_it(text: str) -> None:
    assert first_word(text) == "a"


CLAUDE = (
    "source /x/shell-snapshots/snapshot-bash-1.sh 2>/dev/null || true && "
    "eval 'pytest -q | tail -3' < /dev/null && pwd -P >| /tmp/x"
)


def test_the_command_within_an_agents_wrapping_is_found() -> None:
    assert unwrapped(CLAUDE) == "pytest -q | tail -3"
    assert unwrapped("ls && pwd -P >| /tmp/x") == "ls && pwd -P >| /tmp/x"
    assert unwrapped("eval 'pytest'") is None


def test_a_wrapped_command_is_shown_without_its_wrapping() -> None:
    assert typed(["/bin/bash", "-c", CLAUDE]) == ["bash", "-c", "pytest -q | tail -3"]
    assert typed(["/bin/bash", "-c", CLAUDE], keep_path=True) == ["/bin/bash", "-c", CLAUDE]
    assert typed(["bash", "-c", "ls"]) == ["bash", "-c", "ls"]
