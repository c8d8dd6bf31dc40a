"""The documentation of a block as a page: what it computes, equations, ports, parameters."""

from __future__ import annotations

import re
from html import escape
from itertools import groupby

from railblocks.engine.declaration import Declaration, Item

from ..model.catalogue import Offer

SET_APART = re.compile(r" {2,}\(\d+\)$")
NUMBER = re.compile(r" +(\(\d+\))$")


def page(offer: Offer) -> str:
    """The page of something that can be inserted."""
    if offer.declaration is None:
        return f"<h3>{escape(offer.id)}</h3><p>{escape(offer.summary)}</p>"
    return declaration_page(offer.declaration)


def declaration_page(declaration: Declaration) -> str:
    summary, _, rest = declaration.doc.partition("\n")
    parts = [f"<h3>{escape(declaration.id)}</h3><p>{escape(summary)}</p>"]
    parts += [_paragraph(text) for text in rest.strip().split("\n\n") if text]
    for title, items in (
        ("Inputs", declaration.inputs),
        ("Outputs", declaration.outputs),
        ("Parameters", declaration.params),
        ("States", {**declaration.states, **declaration.discretes}),
    ):
        if items:
            rows = "".join(_row(name, item) for name, item in items.items())
            parts.append(f"<b>{title}</b><table cellpadding='3'>{rows}</table>")
    return "".join(parts)


def _paragraph(text: str) -> str:
    """Equations line by line, with their numbers beside them; words as they flow."""
    lines = text.split("\n")
    following = [*lines[1:], ""]
    numbered = any(map(_is_numbered, lines))
    parts = []
    for equation, group in groupby(
        zip(lines, following, strict=True),
        lambda pair: numbered and _is_equation(*pair),
    ):
        own = [NUMBER.sub(r"   \1", line) if equation else line for line, _ in group]
        joined = escape("\n".join(own))
        parts.append(
            f"<pre style='white-space: pre-wrap'>{joined}</pre>" if equation else f"<p>{joined}</p>"
        )
    return "".join(parts)


def _is_numbered(line: str) -> bool:
    """An equation ends with its number, far from it or after an equals sign; words may name one."""
    return bool(SET_APART.search(line) or (NUMBER.search(line) and " = " in line))


def _is_equation(line: str, following: str) -> bool:
    """A line among equations: numbered, an equation, or continued on an indented line."""
    goes_on = line.startswith("  ") or following.startswith("  ")
    return _is_numbered(line) or goes_on or "=" in line


def _row(name: str, item: Item) -> str:
    unit = "" if item.unit in ("", "1") else item.unit
    facts = [item.doc]
    if getattr(item, "required", False):
        facts.append("must be given")
    if str(item.bounds):
        facts.append(str(item.bounds))
    cells = (f"<code>{escape(name)}</code>", escape(unit), escape("; ".join(facts)))
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
