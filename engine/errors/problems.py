"""Collecting problems, so that a user sees all of them at once but not more than can be read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator

from . import DiagramError, Position, Problem, suggestion

MAX_PROBLEMS = 100
MAX_SUGGESTIONS = 50


class Problems:
    """A list of problems in their order, each once; those beyond a hundred are only counted."""

    def __init__(self) -> None:
        self._problems: dict[Problem, None] = {}
        self._more = 0

    def add(self, position: Position | None, message: str) -> None:
        self.extend((Problem(position, message),))

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            if len(self._problems) < MAX_PROBLEMS:
                self._problems[problem] = None
            elif problem not in self._problems:
                self._more += 1

    @contextlib.contextmanager
    def collected(self) -> Iterator[None]:
        """Keep the problems of a `DiagramError` inside and go on."""
        try:
            yield
        except DiagramError as error:
            self.extend(error.problems)

    def near(self, name: str, known: Iterable[str]) -> str:
        """`; did you mean 'x'?`, as long as the problems are few (searching takes time)."""
        return suggestion(name, known) if len(self._problems) < MAX_SUGGESTIONS else ""

    def __len__(self) -> int:
        return len(self._problems)

    @property
    def is_full(self) -> bool:
        return len(self._problems) >= MAX_PROBLEMS

    def all(self) -> tuple[Problem, ...]:
        problems = tuple(self._problems)
        if not self._more:
            return problems
        position = problems[0].position
        more = Problem(position and Position(position.file), f"and {self._more} more problems")
        return (*problems, more)

    def raise_any(self) -> None:
        """Raise a `DiagramError` if there is any problem."""
        if self._problems:
            raise DiagramError(self.all())
