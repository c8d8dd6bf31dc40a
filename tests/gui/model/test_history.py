"""Undo and redo as steps of immutable diagrams."""

import pytest
from railblocks.engine import loads
from railblocks.gui.model import history
from railblocks.gui.model.history import History


def diagram(number):
    return loads(f"diagram: 1\ntitle: {number}\n")


@pytest.fixture
def steps():
    """A history of the diagrams 0, 1, 2 and the diagrams."""
    diagrams = [diagram(number) for number in range(3)]
    made = History(diagrams[0])
    made.push(diagrams[1], "one")
    made.push(diagrams[2], "two")
    return made, diagrams


def test_undo_and_redo_lead_through_the_steps_and_stop_at_the_ends(steps):
    made, diagrams = steps
    assert (made.undo_label, made.redo_label) == ("two", "")
    assert not made.redo()
    assert [made.undo(), made.present.diagram is diagrams[1]] == [True, True]
    assert (made.undo_label, made.redo_label) == ("one", "two")
    assert [made.undo(), made.undo()] == [True, False]
    assert made.present.diagram is diagrams[0]
    assert (made.undo_label, made.redo_label) == ("", "one")
    assert [made.redo(), made.redo(), made.redo()] == [True, True, False]
    assert made.present.diagram is diagrams[2]


def test_a_new_step_forgets_what_was_undone(steps):
    made, _ = steps
    made.undo()
    made.push(diagram(3), "three")
    assert (made.undo_label, made.redo_label) == ("three", "")


def test_the_last_two_steps_become_one(steps):
    made, diagrams = steps
    made.merge_last("both")
    assert made.undo_label == "both"
    made.undo()
    assert made.present.diagram is diagrams[0]


def test_steps_of_appearance_share_their_structure(steps):
    made, _ = steps
    structure = made.present.structure
    made.push(diagram(3), "move", appearance_only=True)
    assert made.present.structure is structure
    made.push(diagram(4), "insert")
    assert made.present.structure is not structure


def test_only_the_saved_step_counts_as_saved(steps):
    made, _ = steps
    assert not made.is_saved
    made.mark_saved()
    made.undo()
    assert not made.is_saved
    made.redo()
    assert made.is_saved
    made.mark_unsaved()
    assert not made.is_saved


def test_the_oldest_steps_are_forgotten(monkeypatch):
    monkeypatch.setattr(history, "MAX_STEPS", 3)
    made = History(diagram(0))
    for number in range(1, 6):
        made.push(diagram(number), str(number))
    assert [made.undo(), made.undo(), made.undo()] == [True, True, False]
    assert made.present.label == "3"
