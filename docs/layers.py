"""`make docs`: the table of layers as a map and as tables in CONTRIBUTING and "How it works".

`layers.yaml` is the table; `tests/test_structure.py` holds the sources to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import yaml

HERE = Path(__file__).parent
TABLE = HERE / "layers.yaml"
MAP = HERE / "images" / "layers.svg"
CONTRIBUTING = HERE.parent / "CONTRIBUTING.md"
HOW_IT_WORKS = HERE / "how_it_works.md"
BEGIN, END = "<!-- layers: written by `make docs` -->", "<!-- end of layers -->"

ROW_HEIGHT, NAME_WIDTH, TEXT_WIDTH, MARGIN, CELL = 22, 220, 580, 12, 9
MATRIX = MARGIN + NAME_WIDTH + TEXT_WIDTH
COLOURS = {"engine": "#dbe9f6", "blocks": "#e2f0d9", "diagrams": "#fdf0d5", "gui": "#f3e1ee"}


@dataclass(frozen=True)
class Layer:
    """A package: what it is, and the packages that it may import."""

    name: str
    what: str
    uses: tuple[str, ...]

    @property
    def folder(self) -> str:
        """The top-level folder that the package lies in."""
        return self.name.partition(".")[0]


def read_layers() -> tuple[Layer, ...]:
    """All packages from the bottom up; names of one folder are written without it."""
    layers = []
    for folder, packages in yaml.safe_load(TABLE.read_text()).items():
        names = {name: folder if name == "." else f"{folder}.{name}" for name in packages}
        for name, row in packages.items():
            uses = tuple(names.get(used, used) for used in row.get("uses", ()))
            layers.append(Layer(names[name], row["what"], uses))
    return tuple(layers)


def table_lines(layers: tuple[Layer, ...]) -> Iterator[str]:
    """The table of CONTRIBUTING, from the bottom up."""
    yield from ("| package | what it is | imports |", "| --- | --- | --- |")
    for layer in layers:
        uses = ", ".join(_short(used, layer) for used in layer.uses)
        yield f"| `{layer.name.replace('.', '/')}` | {layer.what} | {uses} |"


def editor_lines(layers: tuple[Layer, ...]) -> Iterator[str]:
    """The table of the editor's folders in "How it works"."""
    yield from ("| folder of `gui/` | what it is |", "| --- | --- |")
    for layer in layers:
        if layer.folder == "gui" and layer.name != "gui":
            yield f"| `{layer.name.removeprefix('gui.')}` | {layer.what} |"


def _short(used: str, layer: Layer) -> str:
    """A used package as it is called inside its folder."""
    return used.removeprefix(f"{layer.folder}.") if used.startswith(f"{layer.folder}.") else used


def svg_lines(layers: tuple[Layer, ...]) -> Iterator[str]:
    """The map: a row for each package, the topmost first, with a dot below each that it imports.

    Columns are in the order of rows, so that every dot lies right of the diagonal.
    """
    rows = tuple(reversed(layers))
    column = {layer.name: MATRIX + CELL * k for k, layer in enumerate(rows)}
    width, height = MATRIX + CELL * len(rows) + MARGIN, MARGIN * 2 + ROW_HEIGHT * len(rows)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">'
    yield '<g font-family="sans-serif" font-size="12">'
    for k, layer in enumerate(rows):
        y, fill = MARGIN + ROW_HEIGHT * k, COLOURS.get(layer.folder, "#eeeeee")
        yield (
            f'<rect x="{MARGIN}" y="{y}" width="{width - 2 * MARGIN}" '
            f'height="{ROW_HEIGHT - 2}" rx="3" fill="{fill}"/>'
        )
        yield f'<text x="{MARGIN + 8}" y="{y + 14}" font-weight="bold">{escape(layer.name)}</text>'
        yield f'<text x="{MARGIN + NAME_WIDTH}" y="{y + 14}">{escape(layer.what)}</text>'
        middle = y + ROW_HEIGHT / 2 - 1
        x = column[layer.name]
        yield f'<rect x="{x - 3}" y="{middle - 3}" width="6" height="6" fill="#555555"/>'
        for used in layer.uses:
            yield f'<circle cx="{column[used]}" cy="{middle}" r="3" fill="#2166ac"/>'
    yield "</g></svg>"


def pages(layers: tuple[Layer, ...]) -> dict[Path, str]:
    """The pages that hold tables of layers, with these written anew."""
    tables = {CONTRIBUTING: table_lines(layers), HOW_IT_WORKS: editor_lines(layers)}
    return {page: _with_table(page.read_text(), lines) for page, lines in tables.items()}


def _with_table(text: str, lines: Iterator[str]) -> str:
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    return "\n".join([f"{before}{BEGIN}", "", *lines, "", f"{END}{after}"])


def main() -> None:
    layers = read_layers()
    MAP.write_text("\n".join(svg_lines(layers)) + "\n")
    for page, text in pages(layers).items():
        page.write_text(text)


if __name__ == "__main__":
    main()
