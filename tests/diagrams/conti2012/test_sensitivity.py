"""Other readings of the paper on the roller rig: one parameter each, and what it changes."""

import numpy as np
import pytest
from paper_tables import unrun
from railblocks.diagrams.conti2012.runs import RigRun, run
from railblocks.diagrams.conti2012.sensitivity import READINGS, Outcome, measured, sensitivity
from railblocks.diagrams.runs import silent
from railblocks.engine.reproduction.result import Row


def outcome(words):
    """What a reading of scenario 1 gives in the plane."""
    (reading,) = [r for r in READINGS if r.scenario == "scenario_1" and r.words.startswith(words)]
    return measured(reading, run("fast_scenario_1", reading.values))


def test_the_plain_wagon_has_a_fifth_of_the_torque():
    assert outcome("load factor 1").torque == pytest.approx(
        outcome("as shipped").torque / 5.0, rel=0.05
    )


def test_outcomes_are_those_of_the_page():
    """Torque and speed error, mean torque: N m, rad/s, N m."""
    shipped, total = outcome("as shipped"), outcome("estimator with J_B")
    assert (shipped.e_c, shipped.torque) == pytest.approx((174.0, 12.5e3), rel=0.01)
    assert total.e_c == pytest.approx(6717.0, rel=0.01)
    assert total.e_omega == pytest.approx(1.8, abs=0.05)


def test_a_row_says_what_an_outcome_is_and_a_failed_run_why():
    (first, *_) = READINGS
    row = Outcome(first, False, e_c=173.6, e_omega=0.00456, torque=12.49e3).row
    assert row.ours == "e_c 174 N m, e_omega 0.0046 rad/s, torque 12.5 kN m"
    failed = Outcome(first, True, failure="became nan").row
    name = "scenario 1, 3-D: as shipped"
    assert failed == Row(name, None, "does not run", "", None, "became nan", source="this run")


def test_every_reading_of_the_plane_has_a_row_and_a_bar(monkeypatch):
    from matplotlib.figure import Figure
    from railblocks.diagrams.conti2012 import sensitivity as module

    monkeypatch.setattr(module, "READINGS", READINGS[:2])
    rows, (figure,) = sensitivity({"solver.stop": "4 s"}, False, silent)
    canvas = Figure(figsize=figure.size)
    figure.draw(canvas)
    (ax,) = canvas.axes
    assert [row.quantity for row in rows] == [label.get_text() for label in ax.get_yticklabels()]
    assert len(ax.patches) == len(rows) == 2


def test_every_reading_has_its_parameter():
    for reading in READINGS:
        name = reading.scenario if reading.spatial else f"fast_{reading.scenario}"
        changed = unrun(RigRun, "conti2012", name, reading.values).blocks
        shipped = unrun(RigRun, "conti2012", name).blocks
        same = all(
            np.array_equal(value, shipped[block][parameter])
            for block, values in changed.items()
            for parameter, value in values.items()
        )
        assert same == (not reading.values), reading.words
