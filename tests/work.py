"""Work in calls of functions, which are the same on every machine, in place of seconds."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator


class Work:
    """Calls of functions so far, those of Python and of C."""

    def __init__(self) -> None:
        self.calls = 0


@contextlib.contextmanager
def work_up_to(most: int) -> Iterator[Work]:
    """Counts calls inside; more than `most` end what is under way with a failure."""
    work, before = Work(), sys.getprofile()

    def count(frame: object, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            work.calls += 1
            if work.calls > most:
                sys.setprofile(before)
                raise AssertionError(f"more than {most} calls of functions")

    sys.setprofile(count)
    try:
        yield work
    finally:
        sys.setprofile(before)
