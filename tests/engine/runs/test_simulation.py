"""Runs in chunks: progress, cancel, reset, live tuning; parameters are data."""

import numpy as np
import pytest
from railblocks.engine import DiagramError, Simulation, check, loads
from railblocks.engine.memory import layout as sections

LAG = """
diagram: 1
parameters: {T: 0.5}
blocks:
  one: {type: sources.constant, value: 1}
  lag: {type: continuous.first_order_lag, T: T}
wires: [one -> lag]
solver: {stop: 5, rtol: 1.0e-9, atol: 1.0e-12}
log: {signals: [lag.y], every: 0.001}
"""


def rows_of(simulation):
    return np.concatenate(list(simulation.chunks()))


def test_chunks_together_are_the_whole_log():
    rows = rows_of(Simulation(check(loads(LAG))))
    assert len(rows) == 5001
    assert rows[:, 0].tolist() == [k / 1000 for k in range(5001)]
    assert rows[:, 1] == pytest.approx(1 - np.exp(-rows[:, 0] / 0.5), abs=1e-8)


def test_the_size_of_chunks_does_not_change_the_result():
    whole = rows_of(Simulation(check(loads(LAG))))
    simulation = Simulation(check(loads(LAG)))
    parts = []
    while not simulation.outcome:
        simulation._budget = 1
        parts.append(simulation.advance())
    assert np.array_equal(np.concatenate(parts), whole)


def test_reset_runs_again_with_the_same_result():
    simulation = Simulation(check(loads(LAG)))
    first = rows_of(simulation)
    simulation.reset()
    assert np.array_equal(rows_of(simulation), first)


def test_a_resumed_copy_of_the_memory_goes_on_with_the_same_bits():
    whole = rows_of(Simulation(check(loads(LAG))))
    one = Simulation(check(loads(LAG)))
    one._budget = 7
    head = one.advance()
    other = Simulation(check(loads(LAG)))
    other.w[:] = one.w
    assert np.array_equal(np.concatenate([head, rows_of(other)]), whole)


def test_cancel_ends_the_run_after_the_chunk():
    simulation = Simulation(check(loads(LAG.replace("stop: 5", "stop: 5000000"))))
    rows = 0
    for part in simulation.chunks():
        rows += len(part)
        simulation.cancel()
    assert simulation.outcome == "cancelled"
    assert 0 < rows < 100_000
    assert 0 < simulation.fraction < 1


def test_parameters_change_without_compiling_again(monkeypatch):
    simulation = Simulation(check(loads(LAG)))
    monkeypatch.setattr(
        "railblocks.engine.program.linker._optimised", lambda *_: pytest.fail("compiled again")
    )
    for T in (0.1, 2.0):
        other = Simulation(check(loads(LAG).with_values({"T": T})))
        rows = rows_of(other)
        assert rows[:, 1] == pytest.approx(1 - np.exp(-rows[:, 0] / T), abs=1e-8)
    assert simulation.outcome == ""


def test_live_tuning_takes_effect_at_the_next_chunk():
    simulation = Simulation(check(loads(LAG)))
    simulation._budget = 20
    simulation.advance()
    t = simulation.time
    simulation.set({"one.value": 3.0})
    rows = rows_of(simulation)
    start = 1 - np.exp(-t / 0.5)
    late = rows[:, 0] > t
    expected = 3 + (start - 3) * np.exp(-(rows[late, 0] - t) / 0.5)
    assert rows[late, 1] == pytest.approx(expected, abs=1e-6)


def test_a_structural_parameter_cannot_be_tuned_live():
    text = LAG.replace("value: 1", "value: [1]").replace("[1]", "1")
    simulation = Simulation(check(loads(text)))
    with pytest.raises(DiagramError, match="structure"):
        simulation.set({"one.value": [1.0, 2.0]})


def test_statistics_count_what_happened():
    simulation = Simulation(check(loads(LAG)))
    rows_of(simulation)
    statistics = simulation.statistics
    assert statistics.steps > 10
    assert statistics.evaluations >= 6 * statistics.steps
    assert statistics.simulated == 5.0
    assert statistics.real_time_factor > 1
    assert simulation.fraction == 1.0


def test_memory_stays_flat_over_a_long_run():
    """Rows leave in chunks; the buffers have the size they had."""
    simulation = Simulation(check(loads(LAG.replace("stop: 5", "stop: 2000"))))
    sizes = set()
    count = 0
    for part in simulation.chunks():
        count += len(part)
        sizes.add((simulation.log.nbytes, simulation.w.nbytes))
        assert len(part) <= simulation.w[sections.ROWS_MAX]
    assert count == 2_000_001
    assert len(sizes) == 1


def test_a_run_without_states_or_rates_is_two_rows():
    rows = rows_of(
        Simulation(check(loads("diagram: 1\nblocks: {c: {type: sources.constant}}\nsolver: {}")))
    )
    assert rows.tolist() == [[0.0, 1.0], [10.0, 1.0]]


def test_decimation_keeps_every_nth_step_and_the_last():
    text = LAG.replace("every: 0.001", "decimate: 10")
    simulation = Simulation(check(loads(text)))
    rows = rows_of(simulation)
    steps = simulation.statistics.steps
    assert len(rows) == pytest.approx(steps / 10, abs=2)
    assert rows[-1, 0] == 5.0


def test_solver_settings_cannot_be_tuned_live():
    simulation = Simulation(check(loads(LAG)))
    with pytest.raises(DiagramError, match="need a new run"):
        simulation.set({"solver.method": "radau5"})


@pytest.mark.parametrize("method", ["euler", "rk4"])
def test_a_tuned_parameter_counts_from_the_very_next_step(method):
    text = f"""
diagram: 1
blocks: {{c: {{type: sources.constant, value: 1}}, x: {{type: continuous.integrator}}}}
wires: [c -> x]
solver: {{method: {method}, step: 1 s, stop: 3 s}}
log: {{signals: [x.y]}}
"""
    simulation = Simulation(check(loads(text)))
    simulation._budget = 2
    simulation.advance()
    simulation.set({"c.value": 10})
    assert rows_of(simulation)[-1, 1] == pytest.approx(12.0, abs=1e-12)


def test_advance_takes_a_number_of_steps():
    simulation = Simulation(check(loads(LAG)))
    simulation.advance(1)
    assert simulation.statistics.steps == 1
    simulation.advance(3)
    assert simulation.statistics.steps == 4


def test_a_restored_run_repeats_itself():
    simulation = Simulation(check(loads(LAG)))
    simulation.advance(5)
    checkpoint = simulation.checkpoint()
    first = rows_of(simulation)
    assert simulation.outcome == "done"
    simulation.restore(checkpoint)
    assert simulation.outcome == ""
    np.testing.assert_array_equal(rows_of(simulation), first)


def test_values_at_a_checkpoint_are_those_of_the_log():
    simulation = Simulation(check(loads(LAG)))
    rows = rows_of(simulation)
    values = simulation.values_at(simulation.checkpoint())
    column = 1
    for signal in simulation.checked.logged:
        size = len(signal.elements)
        logged = rows[-1, column : column + size]
        np.testing.assert_allclose(values[signal.block, signal.port], logged, rtol=1e-12)
        column += size
