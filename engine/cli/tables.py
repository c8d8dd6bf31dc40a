"""Tables on the terminal, and as plain text when they are piped."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors.shown import shown, shown_json, shown_lines

if TYPE_CHECKING:
    from rich.console import Console

PIPED_WIDTH = 160  # characters


def console(stream: Any = None) -> Console:
    """A console that prints text as it is: `[m]` is a unit, not a style."""
    from rich.console import Console

    stream = stream or sys.stdout
    width = None if stream.isatty() else PIPED_WIDTH
    return Console(file=stream, width=width, markup=False, emoji=False, highlight=False)


def print_line(text: object, stream: Any = None, flush: bool = False) -> None:
    """Prints one line; what would steer a terminal is shown instead."""
    print(shown(str(text)), file=stream or sys.stdout, flush=flush)


def print_error(text: object) -> None:
    """Prints lines on the error stream."""
    print(shown_lines(str(text)), file=sys.stderr)


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
    """Prints a table without lines; the last column wraps."""
    from rich.table import Table

    table = Table(
        title=shown(title) or None,
        title_justify="left",
        title_style="bold",
        box=None,
        show_header=any(heads),
        header_style="dim",
        pad_edge=False,
        padding=(0, 3, 0, 0),
    )
    for number, head in enumerate(heads):
        table.add_column(head, no_wrap=number < len(heads) - 1, overflow="fold")
    for row in rows:
        table.add_row(*map(shown, row))
    console().print(table)


def print_json(data: Any) -> None:
    """Prints one JSON object; numbers that JSON cannot say become null."""
    print(shown_json(json.dumps(_finite(data), indent=2, ensure_ascii=False)))


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def problem_data(error: Any) -> list[dict[str, Any]]:
    """The problems of a DiagramError, for programs."""
    return [
        {
            "file": problem.position.file if problem.position else None,
            "line": (problem.position.line or None) if problem.position else None,
            "column": (problem.position.column or None) if problem.position else None,
            "message": problem.message,
        }
        for problem in error.problems
    ]
