"""Logged signals: their columns in a row, and their elements by name."""

from dataclasses import FrozenInstanceError

import pytest
from railblocks.engine import check, loads
from railblocks.engine.model.signals import LoggedSignal, elements_of, first_columns

SIGNALS = (
    LoggedSignal("a.y"),
    LoggedSignal("b.M", "N", (2, 3)),
    LoggedSignal("c.n", "1", (2,), int),
)


def test_signals_lie_one_after_another_behind_the_time():
    assert first_columns(SIGNALS) == {"a.y": 1, "b.M": 2, "c.n": 8}


def test_elements_have_names_with_indices_and_follow_row_by_row():
    elements = [(name, column) for name, _, column in elements_of(SIGNALS)]
    assert elements[:3] == [("a.y", 1), ("b.M[0, 0]", 2), ("b.M[0, 1]", 3)]
    assert elements[-1] == ("c.n[1]", 9)
    assert [column for _, column in elements] == list(range(1, 10))
    for name, signal, column in elements_of(SIGNALS):
        first = first_columns(SIGNALS)[signal.name]
        assert name.startswith(signal.name)
        assert first <= column < first + signal.size


def test_a_signal_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        SIGNALS[0].unit = "m"


def test_the_check_names_output_elements_unit_and_type():
    checked = check(
        loads(
            "diagram: 1\nblocks:\n  c: {type: sources.constant, value: [1 m, 2 m, 3 m]}\n"
            "  q: {type: routing.float_to_bool}\n  x: {type: sources.constant, value: 1}\n"
            "wires: [x -> q]\nlog: {signals: ['c.y[1:3]', q]}\n"
        )
    )
    part, whole = checked.logged
    assert part == LoggedSignal("c.y[1:3]", "m", (2,), float, "c", "y", (1, 2))
    assert (whole.name, whole.type, whole.shape, whole.elements) == ("q.y", bool, (), (0,))
