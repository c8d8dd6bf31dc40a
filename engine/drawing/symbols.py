"""Block symbols: fractions as fractions, curves as curves, everything else as text."""

from __future__ import annotations

import re

from .text import svg_text, text_width

INK = "#1f2933"
_FRACTION = re.compile(r"([^/\s]*\w[^/\s]*)/([^/\s]*\w[^/\s]*)")
SYMBOL_SIZE, FRACTION_SIZE = 14, 12  # font sizes in pixels
_HEIGHT, _STEP = 18.0, 11.0  # of a curve and of one of its characters, in pixels

_CURVES = frozenset("_‾/\\|⊓⊔⎍")


def symbol_width(symbol: str) -> float:
    """The width of a symbol in pixels."""
    base, _, mark = symbol.partition(" ")
    fraction = None if set(symbol) <= _CURVES else _FRACTION.fullmatch(base)
    if fraction is None:
        return text_width(symbol, SYMBOL_SIZE)
    wide = max(text_width(_bare(fraction[i]), FRACTION_SIZE) for i in (1, 2))
    return wide + (text_width(mark, SYMBOL_SIZE) + 12 if mark else 0)


def symbol_svg(symbol: str, x: float, y: float, width: float) -> str:
    """SVG of a symbol, centred at (x, y), not wider than `width`."""
    base, _, mark = symbol.partition(" ")
    if mark and (set(base) <= _CURVES or _FRACTION.fullmatch(base)):
        return symbol_svg(base, x - 6, y, width) + _text(mark, x + 15, y + 5, SYMBOL_SIZE)
    if symbol and set(symbol) <= _CURVES:
        return _polyline(symbol, x, y)
    if symbol.strip("▭") in ("∿", "∿∿"):
        return _wave(symbol.count("∿"), x, y, framed="▭" in symbol)
    fraction = _FRACTION.fullmatch(symbol)
    if fraction:
        return _fraction(_bare(fraction[1]), _bare(fraction[2]), x, y)
    return _text(symbol, x, y + 5, _size(symbol, width))


def _size(text: str, width: float) -> float:
    """The font size at which a text fits into a width."""
    return max(min(SYMBOL_SIZE, SYMBOL_SIZE * width / max(text_width(text, SYMBOL_SIZE), 1)), 7)


def _text(text: str, x: float, y: float, size: float) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:.3g}" text-anchor="middle" '
        f'fill="{INK}">{svg_text(text)}</text>'
    )


def _bare(text: str) -> str:
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def _fraction(upper: str, lower: str, x: float, y: float) -> str:
    half = max(text_width(upper, FRACTION_SIZE), text_width(lower, FRACTION_SIZE), 10) / 2 + 2
    bar = f'<path d="M{x - half:g} {y:g}h{2 * half:g}" stroke="{INK}" fill="none"/>'
    return _text(upper, x, y - 4, FRACTION_SIZE) + bar + _text(lower, x, y + 13, FRACTION_SIZE)


def _polyline(symbol: str, x: float, y: float) -> str:
    """A curve spelled in characters: _ and ‾ are flat, / and \\ rise and fall, | jumps."""
    level, at, points = 0.0, 0.0, [(0.0, 0.0)] if symbol[0] != "‾" else []
    for index, character in enumerate(symbol):
        if character == "|":
            level = 1.0 if symbol[index + 1 : index + 2] == "‾" else 0.0
        elif character == "⊓":
            points += [(at, 1.0), (at + 1, 1.0), (at + 1, 0.0)]
        elif character == "⎍":
            points += [(at + 0.3, 0.0), (at + 0.3, 1.0), (at + 0.8, 1.0), (at + 0.8, 0.0)]
        else:
            level += {"/": 1.0, "\\": -1.0}.get(character, 0.0)
        at += character != "|"
        points.append((at, level))
    lowest, highest = min(p[1] for p in points), max(p[1] for p in points)
    tall = max(highest - lowest, 1.0)
    spots = [
        (x + (px - at / 2) * _STEP, y + _HEIGHT * (0.5 - (py - lowest) / tall)) for px, py in points
    ]
    return _path("M" + "L".join(f"{px:g} {py:g}" for px, py in spots))


def _wave(periods: int, x: float, y: float, framed: bool) -> str:
    half, rise = 13.0, 6.0 if framed else 9.0
    step = 2 * half / (2 * periods)
    data = f"M{x - half:g} {y:g}"
    for k in range(2 * periods):
        top = -rise * 1.9 if k % 2 == 0 else rise * 1.9
        data += f"q{step / 2:g} {top:g} {step:g} 0"
    frame = ""
    if framed:
        frame = (
            f'<rect x="{x - half - 4:g}" y="{y - 11:g}" width="{2 * half + 8:g}" height="22" '
            f'rx="2" fill="#f4f8fb" stroke="{INK}" stroke-width="0.8"/>'
        )
    return frame + _path(data)


def _path(data: str) -> str:
    return (
        f'<path d="{data}" fill="none" stroke="{INK}" stroke-width="1.4" '
        'stroke-linejoin="round" stroke-linecap="round"/>'
    )
