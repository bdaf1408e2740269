import gc

import pytest

from proctor._collector import Paused


def test_the_collector_of_cycles_rests_within_and_goes_on_after_an_error() -> None:
    assert gc.isenabled()
    with pytest.raises(ValueError, match="broken"), Paused():
        assert not gc.isenabled()
        raise ValueError("broken")
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with Paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
