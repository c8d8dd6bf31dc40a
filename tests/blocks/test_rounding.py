"""Blocks that round: halves away from zero, exactly, and all alike."""

from fractions import Fraction

import numpy as np
import pytest
from bench import Bench, compiled, interpreted
from hypothesis import example, given
from hypothesis import strategies as st
from railblocks.engine.expressions.expression import parse_expression

BELOW_HALF = 0.49999999999999994  # the largest double below 1/2; 1/2 more rounds to 1
HALVES = [0.5, 1.5, 2.5, 3.5, 1e6 + 0.5, 2.0**51 + 0.5]
EDGES = [*HALVES, BELOW_HALF, 1.4999999999999998, 4503599627370495.5, 9007199254740991.0]

numbers = st.floats(-1e15, 1e15) | st.sampled_from(EDGES) | st.integers(-(2**20), 2**20).map(
    lambda k: 0.5 * k
)  # fmt: skip


def rounded(x, q=1.0):
    """The nearest multiple of q as a whole number, in exact arithmetic."""
    parts, rest = divmod(abs(Fraction(x)), Fraction(q))
    whole = parts + (2 * rest >= Fraction(q))
    return whole if x >= 0 else -whole


def results(u, how):
    """What each block makes of a number."""
    result = {}
    for block, values in (
        ("math.round", {"function": "round"}),
        ("routing.float_to_int", {}),
        ("nonlinear.quantiser", {"q": 1.0}),
    ):
        bench = Bench(block, **values)
        result[block] = bench.run("out", how, u=u)["y"]
    result["expression"] = parse_expression("round(u)").function(("u",))(u)
    return result


@pytest.mark.parametrize("how", [interpreted, compiled], ids=["interpreted", "compiled"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("u", EDGES)
def test_halves_go_away_from_zero_and_what_is_below_does_not(u, sign, how):
    for block, y in results(sign * u, how).items():
        assert y == rounded(sign * u), block


@given(numbers)
@example(BELOW_HALF)
@example(-0.5)
def test_every_block_rounds_alike_and_symmetrically(u):
    expected, mirrored = results(u, interpreted), results(-u, interpreted)
    assert len({int(y) for y in expected.values()}) == 1
    assert all(y == -expected[block] for block, y in mirrored.items())
    assert int(expected["math.round"]) == rounded(u)


@given(st.floats(-1e6, 1e6), st.sampled_from([0.1, 0.3, 0.7, 1e-3, 1 / 3, 2.0]))
@example(0.05, 0.1)
@example(-0.05, 0.1)
def test_quantiser_takes_the_nearest_multiple_in_exact_arithmetic(u, q):
    assert Bench("nonlinear.quantiser", q=q).y(u=u) == q * float(rounded(u, q))


def test_resolution_of_sensors_rounds_like_the_quantiser():
    bench = Bench("rail.sampled_estimator", res_T=0.5)
    outputs = [bench.out(omega_rm=0.0, T_mis=T, u=0.0)["T_hat"] for T in (0.25, -0.25, 0.24, -0.75)]
    assert outputs == [0.5, -0.5, 0.0, -1.0]


def test_numbers_beyond_all_fractions_stay():
    for u in (1e300, -1e300, 2.0**60, np.inf):
        assert Bench("math.round", function="round").y(u=u) == u
        assert Bench("nonlinear.quantiser", q=0.3).y(u=u) == u
