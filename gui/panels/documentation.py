"""The documentation of a block as a page: what it computes, equations, ports, parameters."""

from __future__ import annotations

import re
from html import escape

from railblocks.engine.declaration import Declaration, Item

from ..model.catalogue import Offer

EQUATION_NUMBER = re.compile(r" +(\(\d+\))$", re.MULTILINE)


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
    if not EQUATION_NUMBER.search(text):
        return f"<p>{escape(text)}</p>"
    lines = EQUATION_NUMBER.sub(r"   \1", text)
    return f"<pre style='white-space: pre-wrap'>{escape(lines)}</pre>"


def _row(name: str, item: Item) -> str:
    unit = "" if item.unit in ("", "1") else item.unit
    facts = [item.doc]
    if getattr(item, "required", False):
        facts.append("must be given")
    if str(item.bounds):
        facts.append(str(item.bounds))
    cells = (f"<code>{escape(name)}</code>", escape(unit), escape("; ".join(facts)))
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
