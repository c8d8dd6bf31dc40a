"""The peak of memory during a piece of work, whatever ran in the process before."""

from __future__ import annotations

import contextlib
import re
import resource
from collections.abc import Iterator
from pathlib import Path

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


@contextlib.contextmanager
def memory_up_to(most: int) -> Iterator[None]:
    """Fails where the work inside takes more than `most` bytes on top of those in use before."""
    before = restart_peak()
    yield
    taken = peak_memory() - before
    assert taken < most, f"{taken >> 20} MiB of memory were taken; expected {most >> 20} at most"


def restart_peak() -> int:
    """The bytes in use now, from which the peak is counted anew; only Linux can forget the last."""
    with contextlib.suppress(OSError):
        CLEAR.write_text("5")
    return peak_memory()


def peak_memory() -> int:
    """The most bytes that this process had in use since the last restart."""
    with contextlib.suppress(OSError):
        kilobytes = re.search(r"^VmHWM:\s*(\d+) kB", STATUS.read_text(), re.MULTILINE)
        if kilobytes:
            return 1024 * int(kilobytes[1])
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
