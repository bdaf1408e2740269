"""Keys: made once, read only by their owner, shown by their public half."""

import re
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

from proctor.errors import EvidenceError, UsageError
from proctor.receipt.keys import default_key, load_key, new_key, public_half, read_public
from tests.conftest import Proctor

PEM = serialization.Encoding.PEM


def test_a_new_key_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "key"
    public = new_key(str(path))
    assert re.fullmatch("[0-9a-f]{64}", public)
    assert path.stat().st_mode & 0o777 == 0o600
    assert public_half(load_key(str(path))) == public
    with pytest.raises(UsageError, match="a file already"):
        new_key(str(path))


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    new_key(str(path))
    path.chmod(0o640)
    with pytest.raises(EvidenceError, match="chmod 600"):
        load_key(str(path))


def test_what_is_no_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with pytest.raises(EvidenceError, match="proctor key new"):
        load_key(str(path))
    other = generate_private_key(SECP256R1()).private_bytes(
        PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    for content in (b"hello", other):
        path.write_bytes(content)
        path.chmod(0o600)
        with pytest.raises(EvidenceError, match="no ed25519 key"):
            load_key(str(path))
    with pytest.raises(EvidenceError, match="Is a directory"):
        load_key(str(tmp_path))


def test_a_public_key_is_given_in_three_ways(tmp_path: Path) -> None:
    path = tmp_path / "key"
    public = new_key(str(path))
    hexed, pem = tmp_path / "hex", tmp_path / "pem"
    hexed.write_text(public + "\n")
    pem.write_bytes(
        load_key(str(path))
        .public_key()
        .public_bytes(PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    assert {read_public(public.upper()), read_public(str(hexed)), read_public(str(pem))} == {public}
    ec = generate_private_key(SECP256R1()).public_key()
    pem.write_bytes(ec.public_bytes(PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
    for wrong in (str(pem), str(path), "f" * 63, ""):
        with pytest.raises((UsageError, EvidenceError)):
            read_public(wrong)


def test_the_default_place_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert default_key({"PROCTOR_KEY": "/k/x"}) == "/k/x"
    assert default_key({"XDG_CONFIG_HOME": "/c"}) == "/c/proctor/receipt.key"
    monkeypatch.setenv("HOME", "/h")
    assert default_key({"XDG_CONFIG_HOME": "relative"}) == "/h/.config/proctor/receipt.key"


def test_the_commands_say_what_is_wrong_in_one_line(proctor: Proctor, tmp_path: Path) -> None:
    env = {"PROCTOR_KEY": str(tmp_path / "k")}
    made = proctor("key", "new", env=env)
    assert made.returncode == 0
    assert proctor("key", "show", env=env).stdout == made.stdout
    for words, code in ((("new",), 64), (("show", "/nowhere"), 65), (("new", "/proc/x/y"), 65)):
        done = proctor("key", *words, env=env)
        assert (done.returncode, done.stderr.count("\n")) == (code, 1), words


def test_a_missing_key_is_told_before_the_command_starts(proctor: Proctor, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    done = proctor("run", "--receipt", "--sign=/nowhere", "--", "touch", str(mark))
    assert (done.returncode, mark.exists()) == (125, False)
