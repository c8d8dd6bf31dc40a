"""Lowering spread over processes: each takes what nobody else is at, until nothing is left.

Whoever wants a part claims it in the store, lowers it and keeps it there; the others go on with
other parts and wait for those that are claimed. So each part is lowered by one process only,
however many want it: the processes started here, the runs of other users of the cache, the workers
of a test run. A claim ends with its process, and what a killed one has not kept is made by another.

The processes are forks: blocks are theirs as they are here, without being read again. Where the
system cannot fork, or where there is little to do, the parts are lowered here. The variable
`RAILBLOCKS_PROCESSES` limits their number; 1 starts none.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence

from ..numba_bridge.interruptions import interruptions_deferred
from ..numba_bridge.llvm_lock import llvm_at_rest
from ..numba_bridge.numba_lock import numba_at_rest
from .parts import Part
from .store import Store

PROCESSES = "RAILBLOCKS_PROCESSES"
SMALL_EFFORT = 6000
"""Bytes of Python's code below which another process takes longer to start than to lower them."""
MOST_PROCESSES = 8
POLL_S = 0.02
PATIENCE_S = 60.0
"""How long others may be at work on parts, without one that comes, before they are lowered here."""
NONE = -1
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux

Report = Callable[[int, int], None]
"""Called with the number of parts that are there and of all; may raise, which ends the work."""


def compiling_text(done: int, total: int) -> str:
    """What a report says to a user."""
    return f"compiling {done} of {total} kernels" if done < total else "linking the program"


def unreported(done: int, total: int) -> None:
    """A report that nobody reads."""


def lower_all(parts: Sequence[Part], store: Store, report: Report) -> None:
    """Lowers what is missing; a part that numba refuses, or a killed process left, may remain."""
    missing = sorted(_missing(parts, store), key=lambda part: -part.effort)
    if not missing:
        return

    def report_missing(remaining: int) -> None:
        report(len(parts) - remaining, len(parts))

    report_missing(len(missing))
    count = min(_process_count(missing, store), len(missing))
    if count > 1:
        missing = _lower_elsewhere(count, missing, store, report_missing)
    _lower_here(missing, store, report_missing)
    report_missing(0)


def _missing(parts: Sequence[Part], store: Store) -> list[Part]:
    return [part for part in parts if not part.is_kept(store)]


def _lower_elsewhere(
    count: int, parts: Sequence[Part], store: Store, report: Callable[[int], None]
) -> list[Part]:
    """Lets processes lower the parts; what is missing when they have ended, or make no progress."""
    missing, progress_at = list(parts), time.monotonic()
    with _processes(count, parts, store) as running:
        while running() and time.monotonic() - progress_at < PATIENCE_S:
            before, missing = len(missing), _missing(missing, store)
            if len(missing) < before:
                progress_at = time.monotonic()
            report(len(missing))
            time.sleep(POLL_S)
    return _missing(missing, store)


def _lower_here(parts: Sequence[Part], store: Store, report: Callable[[int], None]) -> None:
    """Lowers what nobody is at, and waits for the rest, but not for ever: twice does no harm."""
    remaining, progress_at = list(parts), time.monotonic()
    while remaining:
        patient = time.monotonic() - progress_at < PATIENCE_S
        before = len(remaining)
        _take_unclaimed(remaining, store, report, patient)
        if len(remaining) < before:
            progress_at = time.monotonic()
        report(len(remaining))
        if len(remaining) == before:
            time.sleep(POLL_S)


def _take_unclaimed(
    remaining: list[Part],
    store: Store,
    report: Callable[[int], None] | None = None,
    patient: bool = True,
) -> None:
    """Removes from the list what is kept or was lowered now; without patience that is all."""
    for part in list(remaining):
        with store.claimed(part.symbol) as ours:
            if not part.is_kept(store):
                if patient and not ours:
                    continue
                part.traits(store)
        remaining.remove(part)
        if report is not None:
            report(len(remaining))


# --- processes ---------------------------------------------------------------------------------
def _process_count(missing: Sequence[Part], store: Store) -> int:
    """How many processes are worth their start; 1 is this one alone."""
    if not store.is_writable or not sys.platform.startswith("linux"):
        return 1
    if sum(part.effort for part in missing) < SMALL_EFFORT:
        return 1
    cores = min(len(os.sched_getaffinity(0)), MOST_PROCESSES)
    with contextlib.suppress(ValueError):
        return max(int(os.environ[PROCESSES]), 1) if PROCESSES in os.environ else cores
    return cores


@contextlib.contextmanager
def _processes(count: int, parts: Sequence[Part], store: Store) -> Iterator[Callable[[], bool]]:
    """Starts processes that lower the parts; a function that says whether one is still at work."""
    running: set[int] = set()

    def any_running() -> bool:
        for number in list(running):
            if _has_ended(number):
                running.discard(number)
        return bool(running)

    try:
        with interruptions_deferred():
            running |= {_started(parts, store) for _ in range(count)} - {NONE}
        yield any_running
    finally:
        for number in running:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(number, signal.SIGKILL)
                os.waitpid(number, 0)


def _has_ended(number: int) -> bool:
    """Whether a process has ended, also where somebody else was told of its end."""
    try:
        return bool(os.waitpid(number, os.WNOHANG)[0])
    except ChildProcessError:
        return True


def _started(parts: Sequence[Part], store: Store) -> int:
    """The number of a new process that lowers what it can; `NONE` if none could be started."""
    parent = os.getpid()
    try:
        with llvm_at_rest() as llvm, numba_at_rest() as numba, warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # other threads need no part in it
            number = os.fork() if llvm and numba else NONE
    except OSError:
        number = NONE
    if number != 0:
        return number
    try:
        _detach(parent)
        _take_unclaimed(list(parts), Store(store.folder, store.shipped))
    finally:
        os._exit(0)


def _detach(parent: int) -> None:
    """Makes a fork silent, and ends it with its parent."""
    import ctypes
    import gc

    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its processes
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
    gc.disable()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
