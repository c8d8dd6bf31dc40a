"""Frequency responses: those that blocks declare are those that their equations have."""

import numpy as np
import pytest
from railblocks.engine import DiagramBuilder, DiagramError, standard_blocks
from railblocks.engine.checks.resolve import resolve
from railblocks.engine.diagram.flatten import flatten
from railblocks.engine.responses.bode import bode
from railblocks.engine.responses.response import can_respond, responses

LINEAR = [b.declaration.id for b in standard_blocks() if can_respond(b.declaration)]
SCALAR = [name for name in LINEAR if "multistate" not in name and "state_space" not in name]


def response_of(block, band=None, **values):
    """Responses of a block with the values of its example."""
    kind = standard_blocks().get(block)
    builder = DiagramBuilder().add("block", block, **{**kind.example, **values})
    problems = []
    instance = resolve(flatten(builder.build()).blocks["block"], standard_blocks(), problems)
    assert not problems
    return responses(instance, kind.declaration, band)


def settled_amplitude(block, f, values):
    """|y / u| of a long run with a sine, by the engine itself."""
    from railblocks.engine import simulate

    builder = DiagramBuilder()
    builder.add("wave", "sources.sine", amplitude=1.0, omega=2.0 * np.pi * f)
    builder.add("block", block, **values)
    builder.connect("wave.y", "block.u")
    turns = 60
    builder.solver(method="ode45", stop=turns / f, rtol=1e-9, atol=1e-12)
    builder.log(signals=["block.y"], every=1.0 / (64 * f))
    results = simulate(builder.build())
    late = results.time > (turns - 20) / f
    t, y = results.time[late], results["block.y"][late]
    basis = np.column_stack([np.ones_like(t), np.cos(2 * np.pi * f * t), np.sin(2 * np.pi * f * t)])
    _, c, s = np.linalg.lstsq(basis, y, rcond=None)[0]
    return np.hypot(c, s)


def test_lags_transfer_functions_filters_and_state_spaces_have_responses():
    assert {
        "continuous.first_order_lag", "continuous.transfer_function", "continuous.state_space",
        "continuous.zero_pole_gain", "discrete.transfer_function", "discrete.fir",
        "rail.multistate_filter", "rail.sampled_multistate_filter",
    } <= set(LINEAR)  # fmt: skip


@pytest.mark.parametrize("block", [name for name in SCALAR if name.startswith("continuous.")])
def test_a_run_has_the_amplitude_that_the_response_says(block):
    values = dict(standard_blocks().get(block).example)
    f = 0.4 if "derivative" not in block else 10.0
    (H,) = response_of(block, (f, 1.001 * f)).values.values()
    assert settled_amplitude(block, f, values) == pytest.approx(abs(H[0]), rel=1e-4)


@pytest.mark.parametrize("block", [name for name in SCALAR if name.startswith("discrete.")])
def test_samples_have_the_amplitude_that_the_response_says(block):
    import sys
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).parents[2] / "blocks"))
    from bench import Bench

    bench = Bench(block, **standard_blocks().get(block).example)
    every = bench.values["every"]
    f = 0.13 / every
    k = np.arange(2000)
    y = bench.sampled(u=np.sin(2 * np.pi * f * every * k))[1000:]
    k = k[1000:]
    basis = np.column_stack([np.cos(2 * np.pi * f * every * k), np.sin(2 * np.pi * f * every * k)])
    c, s = np.linalg.lstsq(basis, y, rcond=None)[0]
    (H,) = response_of(block, (f, 1.001 * f)).values.values()
    assert s + 1j * c == pytest.approx(H[0], rel=1e-9)


def test_a_first_order_lag_is_3_db_down_and_45_degrees_late_at_its_corner():
    corner = 1.0 / (2 * np.pi * 0.5)
    (H,) = response_of("continuous.first_order_lag", (corner, 2.0 * corner), T=0.5).values.values()
    assert abs(H[0]) == pytest.approx(np.sqrt(0.5))
    assert np.degrees(np.angle(H[0])) == pytest.approx(-45.0)


def test_zeros_and_poles_give_the_same_as_polynomials():
    one = response_of(
        "continuous.zero_pole_gain", (0.1, 10.0), zeros=[-2.0], poles=[-1.0, -3.0], gain=2.0
    )
    other = response_of(
        "continuous.transfer_function", (0.1, 10.0), num=[2.0, 4.0], den=[1.0, 4.0, 3.0]
    )
    assert one.values["y / u"] == pytest.approx(other.values["y / u"])


@pytest.mark.parametrize("D", [0.0, [[0.5], [0.25]]])
def test_a_state_space_has_a_response_for_every_pair_with_and_without_feedthrough(D):
    result = response_of("continuous.state_space", (0.1, 1.0), D=D)
    assert set(result.values) == {"y[0] / u[0]", "y[1] / u[0]"}
    s = 2j * np.pi * result.frequencies
    expected = 1.0 / (s * s + 0.4 * s + 4.0) + (0.5 if np.ndim(D) else 0.0)
    assert result.values["y[0] / u[0]"] == pytest.approx(expected)


def test_every_element_of_a_vector_has_its_response():
    result = response_of("continuous.first_order_lag", (0.1, 1.0), T=[1.0, 2.0])
    assert list(result.values) == ["y / u, element 0", "y / u, element 1"]


def test_frequencies_are_chosen_where_the_phase_turns():
    f = response_of("continuous.second_order_lag", omega=200 * np.pi, zeta=0.7).frequencies
    assert 1.0 < f[0] < 20.0
    assert 500.0 < f[-1] < 10_000.0


def test_sampled_blocks_end_at_half_the_sampling_frequency():
    assert response_of("discrete.fir").frequencies[-1] == pytest.approx(50.0)
    assert response_of("discrete.fir", (1.0, 1e6)).frequencies[-1] == pytest.approx(50.0)


def test_a_range_that_does_not_rise_is_refused():
    with pytest.raises(DiagramError, match="expected a rising pair"):
        response_of("continuous.first_order_lag", (10.0, 1.0))


def test_the_plot_has_units_and_one_entry_for_a_family():
    figure = bode(
        response_of("rail.multistate_filter", (5.0, 100.0), phase=np.radians(10.0)), "bank"
    )
    assert [ax.get_ylabel() for ax in figure.axes] == ["amplitude / dB", "phase / °"]
    assert figure.axes[-1].get_xlabel() == "frequency / Hz"
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["low-pass", "band 1 to 30"]


@pytest.mark.parametrize("block", LINEAR)
def test_every_response_can_be_drawn(block):
    assert len(bode(response_of(block)).axes) == 2
