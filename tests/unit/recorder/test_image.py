"""What a span says of an image, and what the light path may cost."""

import subprocess
import sys

import pytest

from proctor._digest import encode
from proctor.classify.base import Classification
from proctor.recorder.image import (
    Image,
    is_denied,
    is_shell_line,
    rfc3339,
    shell_text,
    span_of,
    valid_traceparent,
)
from proctor.records.append import seal
from proctor.records.span import FIELDS, Span
from proctor.settings import Settings

DENY = frozenset(("echo", "true", "false", "cat", "printf"))
SETTINGS = Settings(
    {
        "log": None, "env_names": True, "floors": {}, "deny": sorted(DENY), "redact_flags": [],
        "redact_names": [], "programs": [], "classes": {},
    }
)  # fmt: skip

LIGHT = {
    "_ctypes", "_hashlib", "_json", "_sha2", "_sha256", "fcntl", "resource", "select", "binascii",
    "errno", "gc", "grp", "pwd",
}  # fmt: skip

CONTEXT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def test_the_writer_and_the_reader_know_the_same_members() -> None:
    span = span_of(Image(1, ["x"], None), SETTINGS, (["x"], 0))
    line, _ = seal({**span, "prev": "0" * 64})
    import json

    assert set(json.loads(line)) | {"argv_b64"} == set(FIELDS)


def test_what_the_writer_writes_the_reader_reads() -> None:
    import msgspec

    image = Image(7, ["tool", "\udcff"], None)
    image.exit_code, image.ended_by = 3, "exit"
    read = msgspec.json.decode(encode(span_of(image, SETTINGS, (image.argv, 0))), type=Span)
    assert (read.argv, read.exit_code, read.pid) == (("tool", "\\xff"), 3, 7)


def test_an_end_that_was_not_witnessed_has_no_number() -> None:
    image = Image(1, ["x"], None)
    image.ended_by = "lost"
    span = span_of(image, SETTINGS, (["x"], 0))
    assert [span[n] for n in ("exit_code", "duration_ms", "duration_ok", "finished_at")] == [
        None
    ] * 4


def test_an_image_that_became_another_is_not_above_it() -> None:
    first = Image(7, ["bats"], None)
    second = Image(7, ["bats"], first)
    below = Image(8, ["pytest"], second)
    for image in (first, second, below):
        image.classification = Classification(image.argv, "x", "test", "leaf")
    assert [image.has_leaf_above() for image in (first, second, below)] == [False, False, True]


@pytest.mark.parametrize(
    ("argv", "exe", "denied"),
    [
        (["echo", "5 passed"], "/usr/bin/echo", True),
        (["pytest", "-q"], "/usr/bin/true", True),
        (["/bin/cat", "old.log"], None, True),
        (["echo"], "/usr/bin/busybox", True),
        (["sh", "-c", "true"], "/usr/bin/dash", True),
        (["sh", "-c", "echo 5 passed"], "/usr/bin/dash", True),
        (["sh", "-c", "true && pytest"], "/usr/bin/dash", False),
        (["sh", "-c", ""], "/usr/bin/dash", False),
        (["bash", "script"], "/usr/bin/bash", False),
        (["python3", "-c", "print('5 passed')"], "/usr/bin/python3.11", True),
        (["python3", "-c", "import x; x.run()"], "/usr/bin/python3.11", False),
        (["pytest"], "/usr/bin/python3.11", False),
        ([], None, False),
    ],
)
def test_denied_binaries_are_known_by_what_they_are(
    argv: list[str], exe: str | None, denied: bool
) -> None:
    assert is_denied(argv, exe, DENY) is denied


@pytest.mark.parametrize(
    ("argv", "text"),
    [
        (["bash", "-c", "pytest"], "pytest"),
        (["bash", "-lc", "pytest"], "pytest"),
        (["bash", "--norc", "-ec", "pytest", "name"], "pytest"),
        (["bash", "script.sh", "-c", "x"], None),
        (["bash", "-c"], None),
    ],
)
def test_the_text_of_a_shell_line_is_found(argv: list[str], text: str | None) -> None:
    assert shell_text(argv) == text
    assert is_shell_line(argv) is (text is not None)


def test_times_are_rfc_3339_with_microseconds() -> None:
    assert rfc3339(1_700_000_000_123_456_789) == "2023-11-14T22:13:20.123456Z"


@pytest.mark.parametrize("verb", ["run", "watch"])
def test_the_light_path_imports_light_modules_only(
    verb: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("light")
    code = (
        "import sys; before = set(sys.modules); sys.argv = ['proctor', *sys.argv[1:]]\n"
        "import atexit\n"
        "atexit.register(lambda: print(*sorted(set(sys.modules) - before)))\n"
        "from proctor.cli.main import main; main()"
    )
    argv = [sys.executable, "-I", "-c", code, verb, "--", "true"]
    env = {"PROCTOR_STATE_DIR": str(folder), "PATH": "/usr/bin:/bin"}
    subprocess.run(argv, env=env, check=True, capture_output=True)
    second = subprocess.run(argv, env=env, check=True, capture_output=True, text=True)
    imported = {name for name in second.stdout.split() if not name.startswith("proctor")}
    assert imported <= LIGHT | {"atexit"}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (CONTEXT, CONTEXT),
        (f" {CONTEXT}\n", CONTEXT),
        (CONTEXT.replace("00-", "cc-", 1) + "-more", CONTEXT.replace("00-", "cc-", 1)),
        (CONTEXT + "-more", None),
        (CONTEXT.replace("00-", "ff-", 1), None),
        (CONTEXT.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0" * 32), None),
        (CONTEXT.replace("00f067aa0ba902b7", "0" * 16), None),
        (CONTEXT.upper(), None),
        (CONTEXT[:-1], None),
        ("00-4bf9-00f0-01", None),
        ("", None),
        (None, None),
    ],
)
def test_a_trace_context_is_kept_only_where_it_is_one(text: str | None, kept: str | None) -> None:
    assert valid_traceparent(text) == kept


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["bash", "-c", "-l", "pytest"], "pytest"),
        (["bash", "-o", "pipefail", "-c", "pytest"], "pytest"),
        (["bash", "-eo", "pipefail", "-c", "pytest"], "pytest"),
        (["bash", "--rcfile", "x", "-c", "pytest"], "pytest"),
        (["bash", "+x", "-lc", "pytest", "$0"], "pytest"),
        (["bash", "script", "-c", "pytest"], None),
        (["bash", "-c"], None),
        (["bash", "-l"], None),
    ],
)
def test_the_text_of_a_shell_stands_behind_all_its_options(
    words: list[str], text: str | None
) -> None:
    assert shell_text(words) == text
