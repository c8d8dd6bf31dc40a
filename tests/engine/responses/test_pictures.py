"""Pictures: what `@picture` functions draw, and what is told of bad declarations."""

from __future__ import annotations

import pytest
from railblocks.engine import Block, DiagramError, Out, Param, out, picture, standard_blocks
from railblocks.engine.checks.resolve import resolve
from railblocks.engine.diagram.builder import DiagramBuilder
from railblocks.engine.diagram.flatten import flatten
from railblocks.engine.responses.picture import has_picture, picture_of


def test_a_block_is_drawn_with_its_values():
    class Bar(Block):
        id = "shown.bar"
        y = Out("m", "height")
        h = Param("m", "height", default=2.0)

        @out("y")
        def read(h):
            return h

        @picture
        def draw(figure, h):
            figure.subplots().bar([0.0], [h])

    registry = standard_blocks().copy()
    registry.add(Bar)
    blocks = flatten(DiagramBuilder().add("bar", "shown.bar", h=3.5).build()).blocks
    figure = picture_of(resolve(blocks["bar"], registry, []), Bar.declaration)
    assert figure.axes[0].patches[0].get_height() == 3.5


def test_a_picture_may_use_parameters_alone():
    with pytest.raises(DiagramError, match="uses 'y', which is not declared"):

        class Bad(Block):
            y = Out("m", "height")

            @out("y")
            def read(t):
                return t

            @picture
            def draw(figure, y):
                pass


def test_lines_and_vehicles_have_pictures():
    result = {kind.declaration.id for kind in standard_blocks() if has_picture(kind.declaration)}
    assert result >= {"rail.track", "rail.vehicle"}
