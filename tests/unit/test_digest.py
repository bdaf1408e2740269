"""Stable JSON bytes and their digest."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor._digest import decode, encode, sha256_hex, without_value

TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(string.printable), inner),
    max_leaves=20,
)


@given(TREES)
def test_what_is_encoded_is_what_json_reads(value: object) -> None:
    assert json.loads(encode(value)) == value == decode(encode(value))


def test_members_keep_their_order_and_nothing_is_padded() -> None:
    assert encode({"b": [1, None, True], "a": "é"}) == b'{"b":[1,null,true],"a":"\\u00e9"}'


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_json_lacks_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode(value)


def test_what_has_no_json_form_is_refused() -> None:
    with pytest.raises(TypeError, match="bytes has no JSON form"):
        encode({"a": b""})


@pytest.mark.parametrize("data", [b"", b"{", b'{"a":1}x', b"\xff", b"nope"])
def test_bytes_that_are_not_one_document_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(data)


def test_the_digest_is_sha256() -> None:
    assert sha256_hex(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_an_option_keeps_its_name_and_loses_its_value() -> None:
    found = without_value("PYTEST_ADDOPTS: -k=secret")
    assert found.startswith("PYTEST_ADDOPTS: -k=#")
    assert "secret" not in found
    assert without_value(found) == found
    assert without_value("PYTEST_ADDOPTS: -k=other") != found
    assert without_value("MAKEFLAGS: -n") == "MAKEFLAGS: -n"
    assert without_value("X: -k=\udcff").startswith("X: -k=#")
