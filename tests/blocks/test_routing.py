"""Routing blocks: what goes in comes out in the right place."""

import numpy as np
import pytest
from bench import Bench
from hypothesis import given
from hypothesis import strategies as st
from railblocks.engine import DiagramError


def test_demux_undoes_mux():
    values = [1.0, -2.0, 3.5]
    vector = Bench("routing.mux", n=3).y(u=values)
    assert list(Bench("routing.demux", n=3).out(u=vector).values()) == values


def test_selector_picks_in_any_order():
    assert list(Bench("routing.selector", n=3, indices=[2, 0, 2]).y(u=[5.0, 6.0, 7.0])) == [7, 5, 7]


@pytest.mark.parametrize("indices", [[3], [0.5]])
def test_selector_refuses_indices_outside_its_input(indices):
    with pytest.raises(DiagramError, match="whole numbers from 0 to 2"):
        Bench("routing.selector", n=3, indices=indices)


def test_concatenate_keeps_the_order():
    y = Bench("routing.concatenate", n=2, m=3).y(u1=[1.0, 2.0], u2=[3.0, 4.0, 5.0])
    assert np.array_equal(y, [1, 2, 3, 4, 5])


def test_switches_choose():
    assert Bench("routing.switch").y(u1=1.0, control=True, u2=2.0) == 1.0
    assert Bench("routing.switch").y(u1=1.0, control=False, u2=2.0) == 2.0
    for control, expected in ((0.5, 1.0), (0.49, 2.0)):
        bench = Bench("routing.threshold_switch", threshold=0.5)
        assert bench.y(u1=1.0, control=control, u2=2.0) == expected


@pytest.mark.parametrize(("kind", "values"), [("int", (3, 4)), ("bool", (True, False))])
def test_switch_passes_whole_numbers_and_truth_values_as_such(kind, values):
    bench = Bench("routing.switch", signal_type=kind)
    u1, u2 = values
    assert bench.y(u1=u1, control=True, u2=u2) is u1
    assert bench.y(u1=u1, control=False, u2=u2) is u2
    assert {item.type.__name__ for item in bench.declaration.outputs.values()} == {kind}


def test_threshold_switch_changes_only_at_events():
    bench = Bench("routing.threshold_switch")
    assert bench.y(u1=1.0, control=1.0, u2=2.0, first=False) == 2.0
    assert bench.y(u1=1.0, control=-1.0, u2=2.0, first=True) == 1.0


@pytest.mark.parametrize(("index", "expected"), [(-1, 7.0), (1, 7.0), (2, 8.0), (3, 9.0), (9, 9.0)])
def test_multiport_switch_clips_its_index(index, expected):
    assert Bench("routing.multiport_switch", n=3).y(index=index, u=[7.0, 8.0, 9.0]) == expected


def test_merge_passes_the_first_active_input():
    bench = Bench("routing.merge", n=3, default=-1.0)
    assert bench.y(u=[1.0, 2.0, 3.0], active=[False, True, True]) == 2.0
    assert bench.y(u=[1.0, 2.0, 3.0], active=[False, False, False]) == -1.0


def test_unit_converter_knows_the_factor_and_declares_both_units():
    bench = Bench("routing.unit_converter", from_unit="km/h", to_unit="m/s")
    assert bench.y(u=36.0) == pytest.approx(10.0, rel=1e-15)
    assert bench.declaration.inputs["u"].unit == "km/h"
    assert bench.declaration.outputs["y"].unit == "m/s"


def test_unit_converter_refuses_two_different_quantities():
    with pytest.raises(DiagramError, match="two units of the same quantity"):
        Bench("routing.unit_converter", from_unit="km/h", to_unit="kg")


@pytest.mark.parametrize(
    ("source", "target", "u", "y"),
    [
        ("degC", "K", 20.0, 293.15),
        ("K", "degC", 0.0, -273.15),
        ("degF", "degC", 212.0, 100.0),
        ("degC", "degF", -40.0, -40.0),
        ("degF", "K", -459.67, 0.0),
        ("mK", "°F", 273150.0, 32.0),
        ("celsius", "celsius", 7.0, 7.0),
    ],
)
def test_unit_converter_knows_temperatures_with_an_offset(source, target, u, y):
    bench = Bench("routing.unit_converter", from_unit=source, to_unit=target)
    assert bench.y(u=u) == pytest.approx(y, rel=1e-15, abs=1e-12)
    for port, unit in (("u", source), ("y", target)):
        item = {**bench.declaration.inputs, **bench.declaration.outputs}[port]
        assert item.unit == (unit if unit.endswith("K") else "1")


def test_unit_converter_takes_a_temperature_with_an_offset_for_no_other_quantity():
    with pytest.raises(DiagramError, match=r"from_unit = degC is a temperature .*to_unit = m is a"):
        Bench("routing.unit_converter", from_unit="degC", to_unit="m")
    with pytest.raises(DiagramError, match="has an offset and cannot be scaled"):
        Bench("routing.unit_converter", from_unit="degC/s", to_unit="K/s")


def test_unit_converter_refuses_what_is_no_unit():
    with pytest.raises(DiagramError, match="parsec"):
        Bench("routing.unit_converter", from_unit="parsec", to_unit="m")


@given(st.integers(-(2**52), 2**52))
def test_integers_survive_the_way_to_float_and_back(n):
    assert Bench("routing.float_to_int").y(u=Bench("routing.int_to_float").y(u=n)) == n


def test_truth_values_become_numbers_and_come_back():
    for value in (True, False):
        assert (
            Bench("routing.float_to_bool").y(u=Bench("routing.bool_to_float").y(u=value)) == value
        )
        assert Bench("routing.bool_to_int").y(u=value) == int(value)


@pytest.mark.parametrize(("source", "target"), [("Hz", "rpm"), ("rpm", "Hz"), ("Hz", "rad/s")])
def test_unit_converter_refuses_to_turn_cycles_into_angles(source, target):
    with pytest.raises(DiagramError, match=r"one counts cycles, the other angles.*math\.gain"):
        Bench("routing.unit_converter", from_unit=source, to_unit=target)


def test_unit_converter_converts_between_units_of_cycles_and_between_those_of_angles():
    assert Bench("routing.unit_converter", from_unit="kHz", to_unit="1/s").y(u=2.0) == 2000.0
    rpm = Bench("routing.unit_converter", from_unit="rad/s", to_unit="rpm").y(u=2.0 * np.pi * 50.0)
    assert rpm == pytest.approx(3000.0)
