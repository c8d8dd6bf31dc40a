"""Reproduce a paper: its numbers beside ours.

The table has a row for each quantity. With --report, a folder gets all figures as PNG and SVG, and
index.html with everything in one page. Each paper has options of its own: `railblocks reproduce
PAPER --help`.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..errors.shown import shown
from .tables import console, print_error, print_json, print_line

if TYPE_CHECKING:
    from ..reproduction.papers import Paper, Tell
    from ..reproduction.result import Reproduction, Row

NAME = "reproduce"
WRAPPED = ("quantity", "paper", "reference", "source", "note")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paper", metavar="PAPER", nargs="?", help="name of the paper")
    _common_arguments(parser)
    parser.add_argument(
        "rest", metavar="...", nargs=argparse.REMAINDER, help="options of the paper"
    )
    parser.set_defaults(epilogue=_papers)


def _common_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--report", metavar="DIR", help="write figures and index.html to a folder")
    parser.add_argument("--quiet", action="store_true", help="do not show what is being done")


def _papers() -> str:
    """The list of papers at the end of the help."""
    from ..reproduction.papers import titles

    papers = titles()
    width = max(map(len, papers), default=0)
    lines = [f"  {name:{width}}  {title}" for name, title in papers.items()]
    return "\n".join(["papers:", *(lines or ["  none"])])


def main(options: argparse.Namespace) -> int:
    if options.paper is None:
        if options.rest:
            options.parser.error(f"the name of a paper is missing before {options.rest[0]}")
        print(_papers())
        return 0
    from ..reproduction.papers import paper
    from ..reproduction.report import report_folder, write_report

    chosen = paper(options.paper)
    given = [f"railblocks {NAME} {options.paper}", *map(shlex.quote, options.rest)]
    options = _paper_options(chosen, options)
    folder = report_folder(options.report) if options.report is not None else None
    begin = time.monotonic()
    try:
        with _progress(options.quiet) as tell:
            result = chosen.reproduce(options, tell)
            page, failure = None, None
            if folder is not None:
                tell("drawing")
                try:
                    page = str(write_report(result, folder, " ".join(given)))
                except OSError as error:  # raised after the table: nothing computed is lost
                    failure = error
    except KeyboardInterrupt:
        after = f"after {time.monotonic() - begin:.0f} s"
        print_error(f"{options.paper}: interrupted {after}; there are no results")
        return 130
    _show(options, result, page)
    if failure is not None:
        raise failure
    return 0


def _paper_options(chosen: Paper, options: argparse.Namespace) -> argparse.Namespace:
    """All options, those of the paper itself read from what follows its name."""
    parser = type(options.parser)(
        prog=f"{options.parser.prog} {options.paper}",
        description=f"{chosen.TITLE}\n\n{chosen.SOURCE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _common_arguments(parser)
    chosen.arguments(parser)
    return parser.parse_args(options.rest, options)


@contextmanager
def _progress(quiet: bool) -> Iterator[Tell]:
    """Prints what is being done: one line that changes on a terminal, lines elsewhere."""
    if quiet:
        yield lambda text: None
    elif sys.stderr.isatty():
        with console(sys.stderr).status("") as status:
            yield lambda text: status.update(_plain(text))
    else:
        yield lambda text: print_line(text, sys.stderr, flush=True)


def _plain(text: str) -> Any:
    from rich.text import Text

    return Text(shown(text))


def _show(options: argparse.Namespace, result: Reproduction, page: str | None) -> None:
    from ..reproduction.numbers import summary

    if options.json:
        rows = [_row_data(row) for row in result.rows]
        about = {"paper": options.paper, "title": result.title, "source": result.source}
        print_json({**about, "rows": rows, "report": page})
        return
    _print_table(result)
    print_line(f"{summary(result.rows)}{f'; report: {page}' if page else ''}")


def _print_table(result: Reproduction) -> None:
    """Texts wrap where the terminal is narrow; numbers never do."""
    from rich.table import Table

    from ..reproduction.numbers import TO_COMPARE, aligned, cells, columns

    table = Table(
        title=shown(result.title),
        title_justify="left",
        title_style="bold",
        box=None,
        header_style="dim",
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    rows = [cells(row) for row in result.rows]
    texts = {}
    for name in columns(rows):
        wraps = name in WRAPPED
        table.add_column(name, no_wrap=not wraps, min_width=10 if wraps else None)
        column = [row[name] for row in rows]
        texts[name] = aligned(column) if name in TO_COMPARE else column
    for line in zip(*texts.values(), strict=True):
        table.add_row(*map(shown, line))
    console().print(table)


def _row_data(row: Row) -> dict[str, Any]:
    met = None if row.met is None else bool(row.met)
    return {
        "quantity": row.quantity,
        "paper": _number(row.paper),
        "reference": _number(row.reference),
        "ours": _number(row.ours),
        "band": None if row.band is None else [_number(value) for value in row.band],
        "unit": row.unit,
        "met": met,
        "source": row.source,
        "note": row.note,
    }


def _number(value: Any) -> Any:
    """Numbers of numpy as those that JSON knows."""
    return value.item() if hasattr(value, "item") else value
