import gc

import pytest

from proctor._collector import Paused


def test_the_collector_of_cycles_rests_within_and_goes_on_after_an_error() -> None:
    assert gc.isenabled()
    seen = []
    with pytest.raises(ZeroDivisionError), Paused():
        seen.append(gc.isenabled() or 1 / 0)
    assert gc.isenabled()
    assert not seen


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with Paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
