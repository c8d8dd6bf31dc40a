"""The garbage collector is as it was, whatever happens inside."""

import gc

import pytest
from railblocks.engine.text.collecting import collection_paused


def fail_while_paused():
    with collection_paused():
        raise ValueError(f"collecting: {gc.isenabled()}")


def test_collection_is_paused_and_goes_on_even_after_an_error():
    with pytest.raises(ValueError, match="collecting: False"):
        fail_while_paused()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with collection_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
