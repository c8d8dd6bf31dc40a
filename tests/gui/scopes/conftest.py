"""A scope with a run in it."""

import pytest


@pytest.fixture
def scoped(loop, hand):
    loop.editor.workspace.scopes.new("plant.y", "ref.y")
    hand.run()
    return loop.editor.workspace.scopes.scopes[0]
