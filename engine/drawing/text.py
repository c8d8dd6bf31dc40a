"""Widths of texts, estimated without a font."""

from __future__ import annotations

from html import escape

from ..errors.shown import shown_lines

_NARROW, _WIDE = frozenset("iljtfrI.,:;|!'()[]{} /\\‾"), frozenset("mwMWΣ→∿▭⊓⊔@%")


def text_width(text: str, size: float) -> float:
    """The width in pixels of a sans-serif text, on the safe side."""
    ems = sum(0.36 if c in _NARROW else 0.92 if c in _WIDE else 0.62 for c in text)
    return ems * size


def svg_text(text: str) -> str:
    """Text between the tags of a drawing; line breaks stay."""
    return escape(shown_lines(text))


def shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
