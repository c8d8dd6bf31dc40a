"""What every refusal and every command promises, whatever it was given."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterable

from trials import Escape

LONGEST_MESSAGE = 100_000
UNSAFE = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
ENDED_WELL = {0: "accepted", 1: "run failed", 2: "refused"}


def checked_message(message: str) -> None:
    """A message that can be read in a terminal."""
    if not message.strip():
        raise Escape("the message is empty")
    if len(message) > LONGEST_MESSAGE:
        raise Escape(f"the message has {len(message)} characters: {message[:200]!r}")
    if unsafe := UNSAFE.search(message):
        raise Escape(f"the message has {unsafe[0]!r}: {message[:2000]!r}")


def command(words: Iterable[str]) -> str:
    """How a command ended; what it printed can be read, and a failure says why."""
    from railblocks.engine.cli import main

    arguments = list(words)
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        code = main(arguments)
    if code not in ENDED_WELL:
        raise Escape(f"{arguments} ended with code {code}: {errors.getvalue()[-2000:]}")
    shown = output.getvalue() + errors.getvalue()
    if "Traceback" in shown:
        raise Escape(f"{arguments} printed {shown[-2000:]}")
    if unsafe := UNSAFE.search(shown):
        raise Escape(f"{arguments} printed {unsafe[0]!r}: {shown[-2000:]!r}")
    if code:
        checked_message(errors.getvalue())
    return ENDED_WELL[code]
