"""Under `proctor watch` the terminal behaves as without it: a real pty."""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

import pytest

from tests.conftest import PROCTOR, Proctor

PYTHON = sys.executable


class Terminal:
    """A shell in a pty of its own, typed at and read from."""

    def __init__(self, env: dict[str, str]) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve("/bin/bash", ["bash", "--norc", "--noprofile", "-i"], {**env, "PS1": "$ "})
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def wait_for(self, text: str, seconds: float = 10) -> None:
        deadline = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < deadline, f"no {text!r} in {self.seen!r}"
            if select.select([self.fd], [], [], 0.1)[0]:
                self.seen += os.read(self.fd, 4096).decode("utf-8", "replace")

    def forget(self) -> None:
        self.seen = ""

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def close(self) -> None:
        self.type("exit\n")
        os.close(self.fd)
        os.waitpid(self.pid, 0)


@pytest.fixture
def terminal(proctor: Proctor) -> "Terminal":
    """A terminal whose shell knows the recorder as $P, with either witness as $W."""
    return Terminal({**proctor.env, "P": PROCTOR, "TERM": "dumb"})


@pytest.mark.parametrize("witness", ["tree", "direct"])
def test_control_c_reaches_the_command_alone(terminal: Terminal, witness: str) -> None:
    code = (
        "import sys, time\n"
        "try: print('u' + 'p', flush=True); time.sleep(20)\n"
        "except KeyboardInterrupt: print('cau' + 'ght', flush=True); sys.exit(5)"
    )
    terminal.type(f'$P watch --witness {witness} -- {PYTHON} -c "{code}"\n')
    terminal.wait_for("\nup")
    terminal.type("\x03")
    terminal.wait_for("caught")
    terminal.type("echo code=$?\n")
    terminal.wait_for("code=5")
    terminal.close()


@pytest.mark.parametrize("witness", ["tree", "direct"])
def test_control_z_stops_the_job_and_fg_goes_on(terminal: Terminal, witness: str) -> None:
    code = "import time; print('u'+'p', flush=True); time.sleep(1.2); print('do'+'ne', flush=True)"
    terminal.type(f'$P watch --witness {witness} -- {PYTHON} -c "{code}"\n')
    terminal.wait_for("\nup")
    terminal.type("\x1a")
    terminal.wait_for("Stopped")
    terminal.forget()
    terminal.type("fg\n")
    terminal.wait_for("done")
    terminal.type("echo code=$?\n")
    terminal.wait_for("code=0")
    terminal.close()


def test_the_command_has_the_terminal_and_its_size(terminal: Terminal) -> None:
    terminal.resize(33, 101)
    code = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGWINCH, lambda *_: os.write(1, b'now %d' % os.get_terminal_size().columns))\n"
        "print(os.isatty(0), os.isatty(1), os.get_terminal_size(), flush=True)\n"
        "time.sleep(0.5); time.sleep(9)"
    )
    terminal.type(f'$P watch -- {PYTHON} -c "{code}"\n')
    terminal.wait_for("True True os.terminal_size(columns=101, lines=33)")
    terminal.resize(40, 120)
    terminal.wait_for("now 120")
    terminal.type("\x03")
    terminal.close()


def test_keys_and_sizes_reach_a_command_with_a_terminal_of_its_own(terminal: Terminal) -> None:
    terminal.resize(33, 101)
    code = (
        "import os, sys; print('size', os.get_terminal_size().columns, flush=True)\n"
        "word = input(); import time\n"
        "try: print('got', word, flush=True); time.sleep(20)\n"
        "except KeyboardInterrupt: print('inter' + 'rupted', flush=True); sys.exit(4)"
    )
    terminal.type(f'$P run --pty -- {PYTHON} -c "{code}"\n')
    terminal.wait_for("size 101")
    terminal.type("word\r")
    terminal.wait_for("got word")
    terminal.type("\x03")
    terminal.wait_for("interrupted\r\n$ ")
    terminal.type("echo code=$?; stty -a | grep -o ' icanon'\n")
    terminal.wait_for("code=4")
    terminal.wait_for("\n icanon")
    terminal.close()


def test_an_interactive_shell_works_inside(terminal: Terminal) -> None:
    terminal.type("$P watch -- bash --norc --noprofile -i\n")
    terminal.type("sleep 30 &\n")
    terminal.wait_for("[1]")
    terminal.type("jobs; kill %1; wait; echo in''ner\n")
    terminal.wait_for("Running")
    terminal.wait_for("inner")
    terminal.type("cat\n")
    time.sleep(0.2)
    terminal.type("\x1a")
    terminal.wait_for("Stopped")
    terminal.forget()
    terminal.type("fg\n")
    terminal.wait_for("\ncat")
    terminal.type("typed-in\n")
    terminal.wait_for("typed-in\r\ntyped-in")
    terminal.type("\x04")
    terminal.type("exit 7\n")
    terminal.type("echo code=$?\n")
    terminal.wait_for("code=7")
    terminal.close()
