"""The memory of a run with other values, against that of a whole check."""

import numpy as np
import pytest
from railblocks.engine import DiagramBuilder, DiagramError, check, load, loads, standard_blocks
from railblocks.engine.runs.memory import fill, layout_of
from railblocks.engine.shipping.driven import add_driven, write_example_files
from railblocks.engine.studies.quick_check import QuickCheck, marked

HEAVY = {
    *("rail.vehicle", "rail.mdm_rig", "rail.contact_wheel_rail", "rail.contact_wheel_roller"),
    *("rail.filter_bank", "rail.multistate_filter", "rail.sampled_multistate_filter"),
    "rail.denoc_wheelset",
}
"""Blocks whose values make tables, for which a check takes seconds."""
BLOCKS = sorted(k.declaration.id for k in standard_blocks() if k.declaration.id not in HEAVY)


def quick(diagram, values):
    checked = check(diagram.with_values(marked(values)))
    return QuickCheck(checked, layout_of(checked), values)


def whole(diagram, values, layout):
    """The memory after a whole check, if the same layout serves it."""
    checked = check(diagram.with_values(values))
    if layout_of(checked) != layout:
        return None
    memory = np.zeros(layout.size)
    fill(memory, checked, layout)
    return memory


def nudged(number):
    return number * 1.03125 if number else 0.03125


def numbers_of(kind):
    """Single numbers of a block's example and defaults, with other ones."""
    for name, param in kind.declaration.params.items():
        value = kind.example.get(name, param.default)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if param.type is float and number and np.isfinite(value):
            yield name, float(value), nudged(float(value))


@pytest.mark.parametrize("block", BLOCKS)
def test_each_number_of_each_block_gives_the_memory_of_a_whole_check(block, tmp_path):
    kind = standard_blocks().get(block)
    write_example_files(tmp_path)
    builder = DiagramBuilder(block)
    add_driven(builder, "block", block, tmp_path)
    builder.solver(stop=0.1)
    diagram = builder.build()
    for name, value, other in numbers_of(kind):
        path = f"block.{name}"
        try:
            prepared = quick(diagram, {path: repr(value)})
            expected = whole(diagram, {path: repr(other)}, prepared.layout)
        except DiagramError:
            continue  # the value makes no sense alone
        memory = prepared.memory({path: repr(other)})
        if memory is not None:
            assert expected is not None, path
            assert np.array_equal(memory, expected, equal_nan=True), path


@pytest.mark.parametrize(
    ("file", "values", "other", "blocks"),
    [
        ("dc_motor.yaml", {"motor.J": "1e-4"}, {"motor.J": "2 g*m^2"}, ["motor"]),
        ("dc_motor.yaml", {"load": "0.1 N*m"}, {"load": "200 N*mm"}, ["load_step"]),
        ("dc_motor.yaml", {"V_max": "10 V"}, {"V_max": "11 V"}, ["pid"]),
        ("dc_motor.yaml", {"pid.K_p": "1 V*s/rad"}, {"pid.K_p": "2 V*s/rad"}, ["pid"]),
        ("dc_motor.yaml", {"solver.seed": "1"}, {"solver.seed": "2"}, []),
        ("dc_motor.yaml", {"solver.rtol": "1e-4"}, {"solver.rtol": "1e-5"}, []),
        ("dc_motor.yaml", {"solver.stop": "1 s"}, {"solver.stop": "3 s"}, []),
        ("dc_motor.yaml", {"solver.max_step": "1 ms"}, {"solver.max_step": "2 ms"}, []),
        ("conti2012/fast_scenario_1.yaml", {"mu": "0.04"}, {"mu": "0.06"}, None),
        ("conti2012/fast_scenario_1.yaml", {"load_factor": "4"}, {"load_factor": "5"}, None),
    ],
)
def test_values_of_shipped_diagrams_are_found_through_names_and_subsystems(
    file, values, other, blocks
):
    diagram = load(f"diagrams/{file}")
    prepared = quick(diagram, values)
    if blocks is not None:
        assert prepared.blocks == blocks
    memory = prepared.memory(other)
    assert memory is not None
    assert np.array_equal(memory, whole(diagram, other, prepared.layout), equal_nan=True)
    base = np.array_equal(prepared.base, memory, equal_nan=True)
    assert not base, "the value changes nothing"


@pytest.mark.parametrize(
    ("values", "other"),
    [
        ({"pid.every": "1 ms"}, {"pid.every": "2 ms"}),
        ({"T_s": "1 ms"}, {"T_s": "2 ms"}),
        ({"solver.method": "ode45"}, {"solver.method": "radau5"}),
        ({"motor.J": "1e-4"}, {"motor.J": "-1"}),
        ({"motor.J": "1e-4"}, {"motor.J": "1 s"}),
        ({"motor.J": "1e-4"}, {"motor.J": "[1, 2]"}),
        ({"noise.seed": "1"}, {"noise.seed": "2"}),
    ],
)
def test_what_changes_more_than_numbers_is_left_to_the_whole_check(values, other):
    assert quick(load("diagrams/dc_motor.yaml"), values).memory(other) is None


def test_a_circle_of_parameters_or_an_unknown_name_is_left_to_the_whole_check():
    diagram = loads(
        "diagram: 1\nparameters: {a: 1, b: a}\nblocks: {u: {type: sources.constant, value: b}}"
    )
    prepared = quick(diagram, {"a": "2"})
    assert prepared.blocks == ["u"]
    assert prepared.memory({"a": "3"}) is not None
    assert prepared.memory({"a": "b"}) is None
    assert prepared.memory({"a": "nix"}) is None
