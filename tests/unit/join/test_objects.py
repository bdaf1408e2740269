"""JSON objects told apart, however they are laid out."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.join import objects
from proctor.join.guess import Trial
from proctor.join.objects import Objects, Paths
from proctor.join.toolcall import Skipped

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
RECORDS = st.lists(st.dictionaries(st.text(), VALUES, min_size=1, max_size=4), max_size=6)


def apart(
    text: bytes | str, paths: Paths = (), block: int = 1 << 20
) -> tuple[list[tuple[int, object]], list[Skipped]]:
    """Return the objects of a text with their places, and what was skipped."""
    data = text.encode() if isinstance(text, str) else text
    pieces = [data[i : i + block] for i in range(0, len(data), block)][::-1]
    skipped: list[Skipped] = []
    found = Objects(lambda _: pieces.pop() if pieces else b"", skipped).each(paths)
    return [(place, json.loads(piece)) for place, piece in found], skipped


def values(text: bytes | str, paths: Paths = (), block: int = 1 << 20) -> list[object]:
    """Return the objects of a text that is whole."""
    found, skipped = apart(text, paths, block)
    assert skipped == []
    return [value for _, value in found]


@given(records=RECORDS, indent=st.none() | st.integers(1, 4), block=st.integers(1, 40))
def test_records_come_out_whatever_the_layout_and_the_blocks(
    records: list[object], indent: int | None, block: int
) -> None:
    lines = "\n".join(json.dumps(one, indent=indent) for one in records)
    assert values(json.dumps(records, indent=indent), (), block) == records
    if indent is None:
        assert values(lines.replace("\n", "\r\n"), (("none",),), block) == records
    else:
        assert values(lines, (), block) == records


@given(records=RECORDS, indent=st.none() | st.integers(1, 4), block=st.integers(1, 40))
def test_a_list_inside_a_document_is_taken_apart(
    records: list[object], indent: int | None, block: int
) -> None:
    whole = {"id": "a", "list": records, "end": [1]}
    text = json.dumps(whole, indent=indent)
    assert values(text, (("list",),), block) == [{"id": "a"}, *records, {"end": [1]}]


def test_lists_inside_the_elements_of_lists_are_taken_apart() -> None:
    text = json.dumps({"a": [{"x": 1, "b": [{"n": 1}, {"n": 2}]}, {"b": []}]})
    assert values(text, (("a", "b"),)) == [{"x": 1}, {"n": 1}, {"n": 2}]


def test_two_objects_on_a_line_come_out_together_to_be_told_apart_on_decoding() -> None:
    pieces = [b'{"a": 1} {"b": 2}\n{"c": 3}\n']
    found = list(Objects(lambda _: pieces.pop() if pieces else b"", []).each())
    assert [place for place, _ in found] == [1, 2]
    pieces = [b'{"a": 1}{"b": {"x": "}{"}}']
    inner = Objects(lambda _: pieces.pop() if pieces else b"", []).each_value()
    assert list(inner) == [b'{"a": 1}', b'{"b": {"x": "}{"}}']


def test_a_document_among_lines_keeps_their_numbers() -> None:
    text = '{"a": 1}\n\n{\n "b": "}"\n}\n{"c": 3}\n'
    found, skipped = apart(text)
    assert found == [(1, {"a": 1}), (3, {"b": "}"}), (6, {"c": 3})]
    assert skipped == []


@pytest.mark.parametrize(
    "torn",
    ['{"a": "b', '{"a": ', '{"a": [{"b": 1}, ', "oops", "12", '"text"', '{"a": "\\', '{"x" "y"'],
)
def test_a_torn_line_costs_no_other(torn: str) -> None:
    found, skipped = apart(f'{{"n": 1}}\n{torn}\n{{"n": 2}}\n')
    assert [value for _, value in found] == [{"n": 1}, {"n": 2}]
    assert [one.line for one in skipped] == [2]


def test_a_truncated_last_line_is_reported() -> None:
    found, skipped = apart('{"n": 1}\n{"n": "tw')
    assert [value for _, value in found] == [{"n": 1}]
    assert [(one.line, one.why) for one in skipped] == [(2, "cut off before its end")]


@pytest.mark.parametrize("text", ['[{"n": 1},\n {"n": 2', '[{"n": 1},\n', '{"l": [{"n": 1}, {"n'])
def test_a_truncated_document_gives_what_is_whole(text: str) -> None:
    found, skipped = apart(text, (("l",),))
    assert found == [(1, {"n": 1})]
    assert skipped


def test_nul_bytes_between_objects_are_space() -> None:
    assert values(b'{"n": 1}\n\x00\x00\x00{"n": 2}\x00\x00\n') == [{"n": 1}, {"n": 2}]


def test_an_object_that_is_too_long_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "LONGEST", 100)
    monkeypatch.setattr(objects, "LINE", 50)
    long = json.dumps({"n": "x" * 500})
    found, skipped = apart(f'{{"n": 1}}\n{long}\n{{"n": 2}}\n', block=40)
    assert [value for _, value in found] == [{"n": 1}, {"n": 2}]
    assert ["longer than" in one.why for one in skipped] == [True]


def test_an_element_that_is_too_long_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "LONGEST", 100)
    monkeypatch.setattr(objects, "LINE", 50)
    monkeypatch.setattr(objects, "_WINDOW", 50)
    text = json.dumps({"l": [{"n": 1}, {"n": "x" * 500}, {"n": 2}], "m": "y" * 300, "o": 3})
    found, skipped = apart(text, (("l",),), block=40)
    assert [value for _, value in found] == [{"n": 1}, {"n": 2}, {"o": 3}]
    assert ["longer than" in one.why for one in skipped] == [True, True]


def test_elements_that_are_no_objects_are_passed_over() -> None:
    assert values('[1, null, "x", {"n": 1}, true, -2.5e3]') == [{"n": 1}]


@given(data=st.binary(max_size=300), block=st.integers(1, 60))
def test_no_bytes_are_too_odd(data: bytes, block: int) -> None:
    pieces = [data[i : i + block] for i in range(0, len(data), block)][::-1]
    list(Objects(lambda _: pieces.pop() if pieces else b"", []).each((("a", "b"),)))


@given(text=st.text(alphabet='{}[]",:\\\n a1', max_size=80), paths=st.sampled_from([(), (("a",),)]))
def test_no_punctuation_is_too_odd(text: str, paths: Paths) -> None:
    pieces = [text.encode()]
    list(Objects(lambda _: pieces.pop() if pieces else b"", []).each(paths))


def test_an_element_is_decoded_once_and_one_of_another_shape_is_still_told_apart() -> None:
    seen: list[bytes] = []
    decoder = msgspec.json.Decoder(dict[str, int])

    def decode(text: bytes) -> object:
        seen.append(text)
        return decoder.decode(text)

    trial = Trial()
    trial.decode = decode
    pieces = [b'[{"n": 1}, {"n": 2}, {"n": "x"}, {"n": 4}]']
    made = []
    for _, text in Objects(lambda _: pieces.pop() if pieces else b"", [], trial).each():
        made.append((text, trial.value))
        trial.value = None
    assert made == [
        (b'{"n": 1}', None), (b'{"n": 2}', {"n": 2}), (b'{"n": "x"}', None), (b'{"n": 4}', None),
    ]  # fmt: skip
    assert seen == [b'{"n": 2}', b'{"n": "x"}']
