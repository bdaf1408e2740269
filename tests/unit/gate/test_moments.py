"""Times as texts and as numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.gate.moments import micros_of, text_of


@given(st.datetimes(), st.datetimes())
def test_texts_and_numbers_have_one_order(a: object, b: object) -> None:
    texts = [f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z".rjust(27, "0") for moment in (a, b)]
    numbers = [micros_of(text) for text in texts]
    assert [text_of(number) for number in numbers if number is not None] == texts
    assert sorted(numbers, key=lambda n: n or 0) == [micros_of(text) for text in sorted(texts)]


@pytest.mark.parametrize(
    "text",
    ["", "2026-03-01T10:00:00Z", "2026-03-01 10:00:00.000000Z", "2026-13-01T10:00:00.000000Z"],
)
def test_a_time_that_the_recorder_does_not_write_has_no_number(text: str) -> None:
    assert micros_of(text) is None
