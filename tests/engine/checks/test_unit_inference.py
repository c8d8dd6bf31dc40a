"""Units spread through generic blocks, and every misfit is told with both sides."""

import pytest
from railblocks.engine import DiagramError, check, loads


def units(blocks, wires):
    model = check(loads(f"diagram: 1\nblocks:\n{blocks}\nwires: [{wires}]")).model
    return {
        port.path: str(port.unit) if port.unit else None
        for block in model.blocks.values()
        for port in block.outputs.values()
    }


def message(blocks, wires):
    with pytest.raises(DiagramError) as caught:
        check(loads(f"diagram: 1\nblocks:\n{blocks}\nwires: [{wires}]"))
    return str(caught.value)


def test_an_integrator_multiplies_by_seconds():
    unit_of = units(
        "  a: {type: sources.constant, value: 2 m/s^2}\n  v: {type: continuous.integrator}\n"
        "  x: {type: continuous.integrator}",
        "a -> v -> x",
    )
    assert unit_of["v.y"] == "m/s"
    assert unit_of["x.y"] == "m"


def test_a_product_multiplies_and_a_quotient_divides():
    unit_of = units(
        "  f: {type: sources.constant, value: 2 N}\n  s: {type: sources.constant, value: 3 m}\n"
        "  p: {type: math.product}\n  q: {type: math.divide}",
        "f -> p.u1, s -> p.u2, f.y -> q.u1, s.y -> q.u2",
    )
    assert unit_of["p.y"] in ("N*m", "m*N", "J")
    assert unit_of["q.y"] == "N/m"


def test_a_sum_needs_equal_units():
    text = message(
        "  f: {type: sources.constant, value: 2 N}\n  s: {type: sources.constant, value: 3 m}\n"
        "  p: {type: math.sum}",
        "f -> p.u1, s -> p.u2",
    )
    assert "s.y is in m but p.u2 takes a force (N)" in text


def test_millimetres_do_not_fit_metres_without_a_converter():
    text = message(
        "  a: {type: routing.unit_converter, from_unit: m, to_unit: mm}\n"
        "  b: {type: routing.unit_converter, from_unit: m, to_unit: km}\n"
        "  c: {type: sources.constant}\n  t: {type: sinks.terminator}",
        "c -> a -> b -> t",
    )
    cure = "put routing.unit_converter (from_unit: mm, to_unit: m) behind a.y"
    assert f"a.y is in mm but b.u takes a length (m); {cure}" in text


def test_a_bare_number_leaves_a_generic_parameter_open():
    unit_of = units(
        "  c: {type: sources.constant, value: 2 m}\n  k: {type: math.gain, k: 3}\n"
        "  x: {type: mechanics.mass, m: 2}",
        "c -> k, k -> x.F",
    )
    assert unit_of["k.y"] == "N"


def test_a_parameter_with_a_unit_takes_part():
    unit_of = units(
        "  c: {type: sources.constant, value: 2 m}\n  k: {type: math.gain, k: 3 N/mm}", "c -> k"
    )
    assert unit_of["k.y"] == "N"


def test_a_parameter_of_two_unknowns_is_used_once_one_of_them_is_known():
    unit_of = units(
        "  c: {type: sources.constant, value: 2 rad/s}\n"
        "  p: {type: discrete.pid, K_p: 3 V*s/rad, every: 1 ms}",
        "c -> p",
    )
    assert unit_of["p.y"] == "V"


def test_a_parameter_that_contradicts_the_wires_is_told():
    text = message(
        "  c: {type: sources.constant, value: 2 m}\n  k: {type: math.gain, k: 3 N/m}\n"
        "  s: {type: sources.constant, value: 1 s}\n  p: {type: math.sum}",
        "c -> k -> p.u1, s -> p.u2",
    )
    assert "N" in text
    assert "s.y is in s but p.u2 takes a force (N)" in text


def test_without_any_unit_everything_stays_open():
    unit_of = units("  c: {type: sources.constant}\n  k: {type: math.gain}", "c -> k")
    assert unit_of == {"c.y": None, "k.y": None}
