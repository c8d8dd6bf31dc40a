"""A reproduction as one HTML page that needs nothing else: table, figures, source and date."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape as html_escape
from importlib.metadata import version
from pathlib import Path

from ..errors import DiagramError, Position
from ..errors.shown import shown_lines
from ..files.replacing import replace_text
from ..text.files import file_bytes
from .figures import Drawn, write_figures
from .numbers import TO_COMPARE, cells, columns, summary
from .result import Reproduction, Row

PAGE = "index.html"
OURS = "<footer>railblocks "
"""What a page of ours contains."""
LARGEST_SVG = 2_000_000
"""Bytes above which the page holds the PNG of a figure instead."""

STYLE = """\
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d8dee4;
  --paper: #ffffff; --band: #f6f8fa; --yes: #1a7f37; --no: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #30363d;
  --paper: #0d1117; --band: #161b22; --yes: #3fb950; --no: #f85149; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.5rem 4rem; max-width: 62rem; background: var(--paper);
  color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .4rem; }
h2 { font-size: 1.15rem; margin: 2.4rem 0 .8rem; }
.source, figcaption, footer, .note { color: var(--soft); }
.summary { display: inline-block; margin: .8rem 0 0; padding: .15rem .75rem; border-radius: 1rem;
  border: 1px solid var(--line); background: var(--band); font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { padding: .45rem .8rem .45rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.yes { color: var(--yes); font-weight: 600; } .no { color: var(--no); font-weight: 700; }
figure { margin: 0 0 2rem; }
figure img { display: block; width: 100%; height: auto; background: #fff; padding: .6rem;
  border: 1px solid var(--line); border-radius: .5rem; }
figcaption { margin-top: .5rem; font-size: .92rem; }
footer { margin-top: 3rem; font-size: .85rem; border-top: 1px solid var(--line);
  padding-top: .8rem; }
code { font-family: ui-monospace, monospace; font-size: .92em; }
@media print { body { max-width: none; } figure { break-inside: avoid; } }
"""


def escape(text: str) -> str:
    """Text on the page."""
    return html_escape(shown_lines(text))


def report_folder(path: str) -> Path:
    """The folder of a report, made if it is not there."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise DiagramError("is a file; expected a folder for the report", Position(path)) from None
    except OSError as error:
        raise DiagramError(
            f"the folder cannot be made: {error.strerror}; choose another", Position(path)
        ) from None
    page = folder / PAGE
    if page.exists() and OURS.encode() not in file_bytes(page):
        raise DiagramError(
            "the page exists and is not a report of railblocks; choose another folder",
            Position(str(page)),
        )
    return folder


def write_report(result: Reproduction, folder: Path, command: str) -> Path:
    """Writes all figures and the page; the result is the page's path."""
    drawn = write_figures(result.figures, folder)
    page = folder / PAGE
    replace_text(page, "\n".join(_page(result, drawn, command)) + "\n")
    return page


def _page(result: Reproduction, drawn: Sequence[Drawn], command: str) -> Iterator[str]:
    title = escape(result.title)
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>"
    yield f'<header>\n<h1>{title}</h1>\n<div class="source">{escape(result.source)}</div>'
    yield f'<div class="summary">{escape(summary(result.rows))}</div>\n</header>\n<main>'
    if result.rows:
        yield from _table(result.rows)
    if drawn:
        yield "<h2>Figures</h2>"
    for figure in drawn:
        yield from _figure(figure)
    date = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z").strip()
    made = f"{OURS}{escape(version('railblocks'))}, {escape(date)}"
    yield f"</main>\n{made}: <code>{escape(command)}</code></footer>\n</body>\n</html>"


def _table(rows: Sequence[Row]) -> Iterator[str]:
    texts = [cells(row) for row in rows]
    names = columns(texts)
    yield '<h2>Paper and ours</h2>\n<div class="wide">\n<table>\n<thead><tr>'
    yield "".join(f"<th{_class(name, name)}>{name}</th>" for name in names)
    yield "</tr></thead>\n<tbody>"
    for row in texts:
        line = "".join(f"<td{_class(n, row[n])}>{escape(row[n])}</td>" for n in names)
        yield f"<tr>{line}</tr>"
    yield "</tbody>\n</table>\n</div>"


def _class(column: str, text: str) -> str:
    """How a cell of a column looks."""
    if column in TO_COMPARE:
        return ' class="number"'
    if column in ("source", "note"):
        return ' class="note"'
    return f' class="{text.lower()}"' if column == "met" and text != "met" else ""


def _figure(drawn: Drawn) -> Iterator[str]:
    small = drawn.svg.stat().st_size <= LARGEST_SVG
    path, kind = (drawn.svg, "svg+xml") if small else (drawn.png, "png")
    data = base64.b64encode(path.read_bytes()).decode()
    caption = escape(drawn.figure.caption)
    yield f'<figure id="{escape(path.stem)}">'
    yield f'<img alt="{caption}" src="data:image/{kind};base64,{data}">'
    yield f"<figcaption>{caption}</figcaption>\n</figure>"
