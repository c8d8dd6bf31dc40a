"""The lock of llvmlite: whoever must not wait sees whether LLVM is at work."""

import threading

from llvmlite.binding import ffi
from railblocks.engine.numba_bridge.llvm_lock import llvm_at_rest


def test_llvmlite_works_under_the_lock_that_we_look_at():
    """One is taken by the other: `lib._lock` is entered by every call of LLVM."""
    with ffi.lib._lock, llvm_at_rest_elsewhere() as at_rest:
        assert at_rest == [False]
    with llvm_at_rest_elsewhere() as at_rest:
        assert at_rest == [True]


class llvm_at_rest_elsewhere:
    """What another thread sees."""

    def __enter__(self):
        seen = []

        def look():
            with llvm_at_rest() as at_rest:
                seen.append(at_rest)

        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        return seen

    def __exit__(self, *_):
        pass


def test_llvm_waits_while_it_is_kept_at_rest():
    entered = threading.Event()

    def work():
        with ffi.lib._lock:
            entered.set()

    with llvm_at_rest() as at_rest:
        assert at_rest
        thread = threading.Thread(target=work)
        thread.start()
        assert not entered.wait(0.05)
    thread.join()
    assert entered.is_set()
