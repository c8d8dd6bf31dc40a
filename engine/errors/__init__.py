"""Errors that a user can mend, and their positions in files.

Every problem reads `place: what is wrong, with the value; what was expected; what to do next`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from .shown import shown, shown_lines

LONGEST_NAME = 80


@dataclass(frozen=True)
class Position:
    """A position in a file, counted from 1; line 0 means the file as a whole."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return (
            f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"
        )


@dataclass(frozen=True)
class Problem:
    """One mistake in a diagram and where it stands."""

    position: Position | None
    message: str

    def __str__(self) -> str:
        return shown(f"{self.position}: {self.message}" if self.position else self.message)


class RailblocksError(Exception):
    """Anything that railblocks tells its user."""

    def __str__(self) -> str:
        return shown_lines(super().__str__())


class DiagramError(RailblocksError):
    """A diagram, a block file or a value that cannot be used; carries all problems at once."""

    def __init__(
        self, problems: Iterable[Problem] | Problem | str, position: Position | None = None
    ):
        if isinstance(problems, str):
            problems = Problem(position, problems)
        if isinstance(problems, Problem):
            problems = (problems,)
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class SimulationError(RailblocksError):
    """A run that could not go on; names block, port and time."""


def suggestion(name: str, candidates: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the nearest candidate, or nothing."""
    if len(name) > LONGEST_NAME:
        return ""
    known = [candidate for candidate in candidates if len(candidate) <= LONGEST_NAME]
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"; did you mean '{near[0]}'?" if near else ""
