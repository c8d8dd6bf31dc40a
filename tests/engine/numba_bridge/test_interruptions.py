"""Ctrl-C while numba works waits until it has finished, and is not lost."""

import os
import signal
import threading

import pytest
from railblocks.engine.memory.externals import SIGNATURES
from railblocks.engine.numba_bridge import lowering
from railblocks.engine.numba_bridge.interruptions import interruptions_deferred
from railblocks.engine.numba_bridge.lowering import Argument, Signature, lowered

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals")


def press():
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interruption_is_raised_at_the_end():
    steps = []

    def interrupted():
        with interruptions_deferred():
            press()
            steps.append("went on")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert steps == ["went on"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_one_nothing_happens():
    with interruptions_deferred():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_elsewhere_than_in_the_main_thread_nothing_is_changed():
    handlers = []

    def work():
        with interruptions_deferred():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert handlers == [signal.default_int_handler]


def test_lowering_is_finished_before_it_is_interrupted(monkeypatch):
    finished, original = [], lowering._renamed

    def renamed(*arguments):
        press()
        finished.append(original(*arguments))
        return finished[-1]

    monkeypatch.setattr(lowering, "_renamed", renamed)
    with pytest.raises(KeyboardInterrupt):
        lowered(lambda u: 2.0 * u, Signature((Argument(float),), (float,)), "k", SIGNATURES)
    assert "define" in finished[0]
