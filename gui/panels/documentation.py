"""The documentation of a block as a page: what it computes, equations, ports, parameters."""

from __future__ import annotations

from html import escape

from railblocks.engine.declaration import Declaration, Item

from ..model.catalogue import Offer


def page(offer: Offer) -> str:
    """The page of something that can be inserted."""
    if offer.declaration is None:
        return f"<h3>{escape(offer.id)}</h3><p>{escape(offer.summary)}</p>"
    return declaration_page(offer.declaration)


def declaration_page(declaration: Declaration) -> str:
    summary, _, rest = declaration.doc.partition("\n")
    parts = [f"<h3>{escape(declaration.id)}</h3><p>{escape(summary)}</p>"]
    if rest.strip():
        parts.append(f"<pre style='white-space: pre-wrap'>{escape(rest.strip())}</pre>")
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


def _row(name: str, item: Item) -> str:
    unit = "" if item.unit in ("", "1") else item.unit
    facts = [item.doc]
    if getattr(item, "required", False):
        facts.append("must be given")
    if str(item.bounds):
        facts.append(str(item.bounds))
    cells = (f"<code>{escape(name)}</code>", escape(unit), escape("; ".join(facts)))
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
