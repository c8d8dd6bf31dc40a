"""`make docs`: the block reference, written from what the blocks declare.

`pages` gives every page as text, so that a test can compare it with what stands in `docs/blocks`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from railblocks.engine import DiagramBuilder, DiagramError, standard_blocks
from railblocks.engine.checks.resolve import resolve
from railblocks.engine.declaration import Block, Declaration, Equation, Item, Param
from railblocks.engine.diagram.examples import example_of
from railblocks.engine.diagram.flatten import flatten
from railblocks.engine.responses.picture import has_picture

FOLDER = Path(__file__).parent / "blocks"
ROOT = Path(__file__).parent.parent
GENERATED = "<!-- Written by `make docs` from the declarations in blocks/; edit those. -->"
INTRODUCTION = """\
Every block type, from the declarations in `blocks/`. The same stands in the terminal:
`railblocks list`, `railblocks show math.gain`.

How to read the tables:

- **unit** `?u` is a variable: any unit, the same wherever `?u` stands in the block. `?u*s` is that
  unit times seconds. Without a unit, it is a plain number.
- **shape** *any*: the equations hold for each element of whatever is connected, a number or a list.
  `n` and `n x m` are vectors and matrices of that size.
- **default** *required*: the diagram must give a value.
- **state** starts at the value, or at the parameter, under *start*.
- An output with *direct feedthrough* of an input depends on that input at the same time; only such
  ports can form algebraic loops.
- **Events** are located by the solver. One without *sets* only makes a step end there.
"""


def pages() -> dict[Path, str]:
    """All pages of the block reference: one a family, and the index."""
    families: dict[str, list[type[Block]]] = {}
    for block in standard_blocks():
        families.setdefault(block.declaration.id.partition(".")[0], []).append(block)
    texts = {FOLDER / f"{name}.md": "\n".join(_family(name, b)) for name, b in families.items()}
    return {FOLDER / "README.md": "\n".join(_index(families)), **texts}


def _index(families: Mapping[str, Sequence[type[Block]]]) -> Iterator[str]:
    total = sum(map(len, families.values()))
    yield from (GENERATED, "", "# Blocks", "", INTRODUCTION)
    yield from (f"{total} blocks in {len(families)} families.", "")
    for family, blocks in families.items():
        yield from (f"## [{family}]({family}.md)", "", _about(family), "")
        yield from _overview(blocks, f"{family}.md")


def _family(family: str, blocks: Sequence[type[Block]]) -> Iterator[str]:
    yield from (GENERATED, "", f"# {family}", "", _about(family), "")
    yield from ("[All blocks](README.md)", "")
    yield from _overview(blocks, "")
    for block in blocks:
        yield from _block(block)


def _about(family: str) -> str:
    return (importlib.import_module(f"railblocks.blocks.{family}").__doc__ or "").strip()


def _overview(blocks: Sequence[type[Block]], page: str) -> Iterator[str]:
    rows = [
        (f"[{d.id}]({page}#{_anchor(d.id)})", _prose(d.summary))
        for d in (block.declaration for block in blocks)
    ]
    yield from _table(("block", "what it does"), rows)


def _anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


# --- one block -----------------------------------------------------------------------------------
def _block(block: type[Block]) -> Iterator[str]:
    declaration = block.declaration
    yield from (f"## {declaration.id}", "")
    yield from _text(declaration.doc)
    yield from ("```yaml", example_of(block), "```", "")
    if has_picture(declaration):
        name = declaration.id
        yield from (f"![`railblocks show {name} --plot FILE`](../images/{picture_file(name)})", "")
    yield from _ports(declaration)
    yield from _parameters(declaration.params.values())
    yield from _states(declaration)
    used = _specialised(block)
    yield from (_feedthrough(used, used is not declaration), "")
    yield from _events(used)
    yield from (f"Source: {_source(block)}", "")


def picture_file(block: str) -> str:
    return f"{block.replace('.', '_')}.png"


def _text(doc: str) -> Iterator[str]:
    """A docstring: lines that end with an equation's number stand apart from the sentences.

    A line whose next one is indented belongs to the same equation.
    """
    for paragraph in doc.split("\n\n"):
        numbered: bool | None = None
        run: list[str] = []
        lines = paragraph.split("\n")
        for line, after in zip_longest(lines, lines[1:], fillvalue=""):
            is_equation = re.search(r"\(\d+\)$", line) is not None or after.startswith(" ")
            if run and is_equation is not numbered:
                yield from _run(run, numbered)
                run = []
            numbered = is_equation
            run.append(line)
        yield from _run(run, numbered)


def _run(lines: Sequence[str], numbered: bool | None) -> tuple[str, ...]:
    if numbered:
        return ("```text", *lines, "```", "")
    return (_prose(" ".join(lines)), "")


def _prose(text: str) -> str:
    """Text whose signs are not Markdown's; code between backticks stays as it is."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([*<|])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)


def _ports(declaration: Declaration) -> Iterator[str]:
    rows = [
        (
            kind,
            f"`{_port(item)}`",
            _unit(item),
            item.shape_text or "number",
            item.type_text,
            _port_doc(item),
        )
        for kind, items in (("in", declaration.inputs), ("out", declaration.outputs))
        for item in items.values()
    ]
    yield from _table(("", "port", "unit", "shape", "type", ""), rows)


def _port(item: Item) -> str:
    return f"{item.name}1, {item.name}2, ..." if getattr(item, "many", None) else item.name


def _port_doc(item: Item) -> str:
    many, default = getattr(item, "many", None), getattr(item, "default", None)
    text = _prose(item.doc)
    text += f"; as many as `{many}` says" if many else ""
    text += "" if default is None else f"; {_value(default)} if not connected"
    return text + (f" ({item.bounds})" if str(item.bounds) else "")


def _parameters(params: Iterable[Param]) -> Iterator[str]:
    rows = [
        (
            f"`{param.name}`",
            _unit(param) if param.type in (float, int) else "",
            "*required*" if param.required else _value(param.default),
            str(param.bounds) or _listed(param.choices) or _kind(param),
            _prose(param.doc),
        )
        for param in params
    ]
    yield from _table(("parameter", "unit", "default", "range", ""), rows)


def _kind(param: Param) -> str:
    shape = " x ".join(map(str, param.dims))
    kinds = {int: "whole number", bool: "true or false", str: "text", object: "mapping or list"}
    return {"": kinds.get(param.type, "")}.get(shape, f"list of {shape}")


def _states(declaration: Declaration) -> Iterator[str]:
    groups = (("continuous", declaration.states), ("discrete", declaration.discretes))
    rows = [
        (
            f"`{item.name}`",
            kind,
            _unit(item),
            item.shape_text or "number",
            _value(item.start),
            _prose(item.doc),
        )
        for kind, items in groups
        for item in items.values()
    ]
    yield from _table(("state", "", "unit", "shape", "start", ""), rows)


def _specialised(block: type[Block]) -> Declaration:
    """The declaration with the example's values, where ports or equations depend on them."""
    builder = DiagramBuilder()
    builder.add("block", block.declaration.id, **block.example)
    try:
        instance = resolve(flatten(builder.build()).blocks["block"], standard_blocks(), [])
    except DiagramError:
        instance = None
    return instance.declaration if instance else block.declaration


def _feedthrough(declaration: Declaration, by_values: bool) -> str:
    """Which inputs show at which outputs at once; `by_values` if that may depend on parameters."""
    if not declaration.outputs:
        return "No outputs."
    pairs: dict[str, list[str]] = {}
    for output in (name for e in declaration.of_kind("out") for name in e.targets):
        if inputs := declaration.feedthrough(output):
            pairs.setdefault(_listed(inputs), []).append(output)
    paths = "; ".join(f"{inputs} to {_listed(outputs)}" for inputs, outputs in pairs.items())
    condition = " with the values above" if by_values else ""
    return f"{'Direct' if paths else 'No direct'} feedthrough{condition}{paths and ': ' + paths}."


def _events(declaration: Declaration) -> Iterator[str]:
    words = [_event(declaration, guard) for guard in declaration.of_kind("guard")]
    if words:
        yield from (f"Events: {'; '.join(words)}.", "")


def _event(declaration: Declaration, guard: Equation) -> str:
    resets = [e for e in declaration.of_kind("reset") if e.guard == guard.guard]
    states = [name for equation in resets for name in equation.targets]
    ends = {"stop": " ends the run", "fail": " ends the run with an error"}
    return (
        f"`{guard.guard}`{f' sets {_listed(states)}' if states else ''}{ends.get(guard.action, '')}"
    )


def _source(block: type[Block]) -> str:
    parts = block.__module__.removeprefix("railblocks.").split(".")
    path = "/".join(parts) + ".py"
    assert (ROOT / path).exists(), path
    return f"[{path}](../../{path})"


# --- cells ---------------------------------------------------------------------------------------
def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names))


def _unit(item: Item) -> str:
    return "" if item.unit in ("", "1") else f"`{item.unit}`"


def _value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    return f"`{value}`" if isinstance(value, str) else str(value)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table without the columns that are empty."""
    if not rows:
        return
    kept = [i for i in range(len(heads)) if any(row[i] for row in rows)]
    yield _line([heads[i] for i in kept])
    yield _line(["---"] * len(kept))
    for row in rows:
        yield _line([row[i].replace("|", r"\|").replace(r"\\|", r"\|") for i in kept])
    yield ""


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    written = pages()
    for path in FOLDER.glob("*.md"):
        if path not in written:
            path.unlink()
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
