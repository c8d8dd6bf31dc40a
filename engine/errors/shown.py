"""Text from files as a person sees it: nothing in it steers a terminal, a page or a picture.

Control characters, direction marks and the like become escapes (`\\x1b`, `\\u202e`). What is read,
compared and stored keeps them; only what is shown goes through here.
"""

from __future__ import annotations

import re

_HIDDEN = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f"  # C0 and C1 without tab and line feed
    "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069"  # directions
    "\\u2028\\u2029\\ufeff\\ufff9-\\ufffb\\ud800-\\udfff\\U000e0000-\\U000e007f"
)
_IN_LINES = re.compile(f"[{_HIDDEN}]")
_IN_A_LINE = re.compile(f"[{_HIDDEN}\\t\\n]")


def shown(text: str) -> str:
    """Text in one line."""
    return _IN_A_LINE.sub(_escape, text)


def shown_lines(text: str) -> str:
    """Text over several lines: its tabs and line breaks stay."""
    return _IN_LINES.sub(_escape, text)


def shown_json(text: str) -> str:
    """JSON text in which hidden characters are written as escapes."""
    return _IN_LINES.sub(_json_escape, text)


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def _json_escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
