"""Whatever is done in whatever order: the file can be read again, and undo leads back."""

import pytest
from monkey import Monkey
from railblocks.engine import loads


@pytest.mark.parametrize("seed", range(3))
def test_any_order_of_gestures_can_be_read_again_and_undone(loop, hand, seed):
    rounds(loop, hand, seed, 40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_long_orders_of_gestures_can_be_read_again_and_undone(loop, hand, seed):
    rounds(loop, hand, seed, 100)


def rounds(loop, hand, seed, count):
    before = loop.editor.document.text()
    monkey = Monkey(loop, hand, seed)
    for _ in range(count):
        monkey.act()
        text = loop.editor.document.text()
        assert loads(text, loop.editor.document.file) == loop.editor.document.root, monkey.done[-5:]
    steps = 0
    while loop.editor.document.history.undo_label:
        loop.editor.document.undo()
        steps += 1
    assert loop.editor.document.text() == before
    for _ in range(steps):
        loop.editor.document.redo()
    assert loop.editor.document.text() == text
