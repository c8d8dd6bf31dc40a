"""The pages of the documentation and the fences of code in them."""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# ([\w.]+\.(?:py|yaml|csv))\n")


class Fence(NamedTuple):
    kind: str
    text: str
    line: int
    shown: str | None  # the ```text behind it


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def fences(page: Path) -> list[Fence]:
    text = page.read_text(encoding="utf-8")
    assert text.count("\n```") % 2 == 0, f"{name_of(page)}: a fence is not closed"
    matches = list(FENCE.finditer(text))
    result = []
    for this, after in zip_longest(matches, matches[1:]):
        shown = None
        if after and after[1] == "text" and not text[this.end() : after.start()].strip():
            shown = after[2]
        result.append(Fence(this[1], this[2], text.count("\n", 0, this.start()) + 2, shown))
    return result
