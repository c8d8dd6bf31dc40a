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
    before = loop.document.text()
    monkey = Monkey(loop, hand, seed)
    for _ in range(count):
        monkey.act()
        text = loop.document.text()
        assert loads(text, loop.document.file) == loop.document.root, monkey.done[-5:]
    steps = 0
    while loop.document.history.undo_label:
        loop.document.undo()
        steps += 1
    assert loop.document.text() == before
    for _ in range(steps):
        loop.document.redo()
    assert loop.document.text() == text
