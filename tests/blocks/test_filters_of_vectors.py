"""Filters and delays of vectors do to each element what they do to a number."""

import numpy as np
import pytest
from diagram_runs import both, run

BLOCKS = {
    "discrete.delay, n: 3, every: 0.1 s": "y_0: [1, 2, 3]",
    "discrete.delay, n: 0, every: 0.1 s": "",
    "discrete.fir, b: [0.5, 0.3, 0.2], every: 0.1 s": "u_0: [1, 2, 3]",
    "discrete.moving_average, n: 4, every: 0.1 s": "u_0: [1, 2, 3]",
    "discrete.transfer_function, num: [1, 0.5], den: [1, -1.2, 0.5], every: 0.1 s": "",
    "discrete.zero_pole_gain, zeros: [-0.5], poles: [[0.6, 0.3]], every: 0.1 s": "",
    "discrete.second_order_sections, sos: [[0.2, 0.4, 0.2, 1, -0.4, 0.2], [1, -1, 0, 1, -0.5, 0]],"
    " every: 0.1 s": "",
    "continuous.transfer_function, num: [1, 2], den: [1, 0.6, 4]": "",
    "continuous.zero_pole_gain, zeros: [-2], poles: [[-0.3, 2], -1]": "",
    "continuous.pade_delay, T: 0.5 s, n: 3": "",
    "continuous.transport_delay, delay: 0.7 s, n: 20": "y_0: [1, 2, 3]",
    "continuous.variable_delay, longest: 0.7 s, n: 20": "y_0: [1, 2, 3]",
    "continuous.variable_transport_delay, n: 20": "y_0: [1, 2, 3]",
}
WAVES = "amplitude: [1, 2, -3], omega: [2, 3, 5], bias: [0, 1, 0.5]"


def text_of(block, starts):
    """The block on a vector of three waves, and three of it on one wave each."""
    more = f", {starts}" if starts else ""
    names, _, numbers = starts.partition(": ")
    alone = [
        f"  b{i}: {{type: {block}{f', {names}: {number}' if starts else ''}}}"
        for i, number in enumerate(numbers.strip("[]").split(", ") if starts else "   ")
    ]
    taus = ["  - tau -> all.tau", *(f"  - tau -> b{i}.tau" for i in range(3))]
    lines = [
        "blocks:",
        f"  u: {{type: sources.sine, {WAVES}}}",
        "  tau: {type: sources.constant, value: 0.45 s}",
        f"  all: {{type: {block}{more}}}",
        *alone,
        "wires:",
        "  - u -> all.u",
        *(f"  - u.y[{i}] -> b{i}.u" for i in range(3)),
        *(taus if "variable" in block else []),
        "log: {signals: [all.y, b0.y, b1.y, b2.y], every: 0.05 s}",
    ]
    return "\n".join(lines)


@both
@pytest.mark.parametrize("block", BLOCKS)
def test_a_vector_is_filtered_as_its_elements_are(block, compiled):
    results = run(
        text_of(block, BLOCKS[block]), compiled, "solver: {method: rk4, step: 0.01, stop: 2}"
    )
    together = results["all.y"]
    assert together.shape[1:] == (3,)
    assert np.array_equal(together, np.transpose([results[f"b{i}.y"] for i in range(3)]))
    assert len(np.unique(together[-1])) == 3
    assert np.all(np.isfinite(together))


@both
def test_a_matrix_is_delayed_element_by_element(compiled):
    text = """
blocks:
  A:  {type: sources.constant, value: [[1, 2, 3], [4, 5, 6]]}
  it: {type: discrete.delay, n: 2, every: 1 s}
wires: [A -> it]
log: {signals: [it.y], every: 1 s}"""
    y = run(text, compiled, "solver: {stop: 3 s}")["it.y"]
    assert np.array_equal(y[-1], [[1, 2, 3], [4, 5, 6]])
    assert not np.any(y[1])


def test_bends_of_the_worst_element_are_told():
    text = """
blocks:
  u:  {type: sources.sine, omega: [0.1, 20]}
  it: {type: continuous.transport_delay, delay: 1 s, n: 10}
wires: [u -> it]"""
    (message,) = run(text).meta["notices"]
    assert message.startswith("it (continuous.transport_delay): its input bends")
