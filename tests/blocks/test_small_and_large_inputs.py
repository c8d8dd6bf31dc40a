"""Every block with continuous states, with small and large inputs at default tolerances.

A run promises that a signal is right to `atol + rtol |y|` times a number that does not depend on
how large its signals are. So each block is driven with inputs from 1e-6 to 1e6 and compared with
its closed form. A block that is not in the table of oracles fails until it names one.
"""

from dataclasses import replace

import numpy as np
import pytest
from railblocks.engine import loads, simulate, standard_blocks
from railblocks.engine.analysis.settings import Settings
from size_oracles import ELSEWHERE, ORACLES

SIZES = (1e-6, 1e-4, 1.0, 1e6)
SLACK = 10.0  # of the tolerance: errors of single steps add up over a run
ROWS = 1000  # of the log; runs are long against what happens in them, so that steps may be long
KINDS = [kind.declaration.id for kind in standard_blocks() if kind.declaration.states]
CASES = [(block, case) for block, cases in ORACLES.items() for case in cases]
LINEAR = [(block, case) for block, case in CASES if block.startswith("continuous.")]


def labels(cases):
    return [f"{block}-{case.name}" for block, case in cases]


def source(value):
    """The block that gives a constant of this type."""
    kinds = {bool: "sources.boolean_constant", int: "sources.integer_constant"}
    return kinds.get(type(value), "sources.constant")


def diagram(block, case, size, method):
    """The block with constant inputs, logged finely over the time of the case."""
    given = "".join(f", {name}: {value}" for name, value in case.values(size).items())
    sources = [
        f"  in_{port}: {{type: {source(value)}, value: {value}}}"
        for port, value in case.inputs(size).items()
    ]
    wires = [f"  - in_{port}.y -> it.{port}" for port in case.inputs(size)]
    return "\n".join(
        [
            "diagram: 1",
            "blocks:",
            f"  it: {{type: {block}{given}}}",
            *sources,
            "wires:" if wires else "wires: []",
            *wires,
            f"solver: {{stop: {case.stop}, method: {method}}}",
            f"log: {{signals: [it.{case.output}], every: {case.stop / ROWS}}}",
        ]
    )


def error_and_size(block, case, size, method="ode45"):
    """The largest error over the run, and the largest value that the output has."""
    results = simulate(loads(diagram(block, case, size, method)))
    result, expected = results[f"it.{case.output}"], case.expected(results.time, size)
    return np.max(np.abs(result.reshape(expected.shape) - expected)), np.max(np.abs(expected))


@pytest.mark.parametrize("block", KINDS)
def test_every_block_with_continuous_states_has_an_oracle(block):
    assert (block in ORACLES) != (block in ELSEWHERE)


def test_only_blocks_with_continuous_states_have_one():
    assert sorted(ORACLES.keys() | ELSEWHERE.keys()) == sorted(KINDS)


@pytest.mark.parametrize("block", ELSEWHERE)
def test_what_is_shown_elsewhere_is_there(block, request):
    reason, test = ELSEWHERE[block]
    file, _, name = test.partition("::")
    assert reason
    assert f"def {name}(" in (request.config.rootpath / file).read_text()


def check_sizes(block, case, sizes, method):
    for size in sizes:
        error, largest = error_and_size(block, case, size, method)
        tolerance = Settings().atol + Settings().rtol * largest
        assert error <= SLACK * tolerance, f"input {size:g}: {error:g} of {largest:g}"


@pytest.mark.parametrize(("block", "case"), CASES, ids=labels(CASES))
def test_output_is_right_at_every_size_of_its_input(block, case):
    check_sizes(block, case, SIZES, "ode45")


@pytest.mark.parametrize(("block", "case"), LINEAR, ids=labels(LINEAR))
def test_stiff_solver_is_right_too(block, case):
    """Up to outputs of 1e3, above which the default atol asks it for more than rounding allows."""
    sizes = [s for s in SIZES if np.max(np.abs(case.expected(np.array([0.0, 1e-3]), s))) <= 1e3]
    check_sizes(block, case, sizes[:3], "radau5")


def test_ride_index_grows_with_a_power_of_the_acceleration():
    (case,) = ORACLES["rail.ride_index"]
    case = replace(case, output="W_z")
    last = [
        simulate(loads(diagram("rail.ride_index", case, size, "ode45")))["it.W_z"][-1]
        for size in (1e-4, 1.0)
    ]
    assert last[0] / last[1] == pytest.approx(1e-4 ** (2.0 / 6.67), rel=1e-4)


@pytest.mark.parametrize("method", ["ode45", "ode23", "ode853", "radau5"])
def test_butterworth_of_50_hz_follows_a_step_of_1e_4(method):
    """Wrong by 14.5 % where tolerances are those of states of the size u / omega^4."""
    (case,) = [c for c in ORACLES["continuous.transfer_function"] if c.name == "50 Hz"]
    error, largest = error_and_size("continuous.transfer_function", case, 1e-4, method)
    assert error <= 1e-3 * largest
