"""Reproductions of papers as tests read them: numbers by the names of their rows."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from rail_references import data
from railblocks.diagrams.runs import Run, shipped, silent
from railblocks.engine.reproduction.papers import paper
from railblocks.engine.reproduction.result import Figure, Reproduction, Row, Value


def options_of(name: str, *texts: str) -> argparse.Namespace:
    """The options of a paper, as a command line gives them."""
    parser = argparse.ArgumentParser()
    paper(name).arguments(parser)
    return parser.parse_args(texts)


@dataclass(frozen=True)
class Table:
    """What a paper's command gives."""

    result: Reproduction

    def rows(self, quantity: str) -> list[Row]:
        """All rows of a name; a paper and a goal may share one."""
        return [row for row in self.result.rows if row.quantity == quantity]

    def ours(self, quantity: str) -> Value:
        """The number of the only row of a name."""
        (row,) = self.rows(quantity)
        return row.ours

    def papers(self, quantity: str) -> Value:
        """The paper's value in the only row of a name."""
        (row,) = self.rows(quantity)
        return row.paper

    def references(self, quantity: str) -> Value:
        """The value from elsewhere in the only row of a name."""
        (row,) = self.rows(quantity)
        return row.reference

    def starting_with(self, text: str) -> list[Row]:
        return [row for row in self.result.rows if row.quantity.startswith(text)]


@cache
def reproduced(name: str, *texts: str) -> Table:
    """Runs a paper once for all tests."""
    return Table(paper(name).reproduce(options_of(name, *texts), silent))


def printed(name: str) -> dict:
    """What a paper prints."""
    return data("papers.yaml")[name]


def unrun(kind: type[Run], paper: str, diagram: str, values: Any = None) -> Any:
    """A run of a paper with its parameters and without results."""
    blocks = shipped(paper, diagram, values).model.blocks
    return kind(diagram, cast(Any, None), {name: block.values for name, block in blocks.items()})


def labels_of(figure: Figure) -> list[str]:
    """Labels of all axes of a figure, once it is drawn."""
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=figure.size, layout="constrained")
    figure.draw(canvas)
    return [text for ax in canvas.axes for text in (ax.get_xlabel(), ax.get_ylabel()) if text]
