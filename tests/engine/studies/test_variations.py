"""What varies, as it is written."""

import math

import numpy as np
import pytest
from railblocks.engine import DiagramError
from railblocks.engine.errors import Position
from railblocks.engine.studies.plan import Sampling, plan_of
from railblocks.engine.studies.variations import read_variation, variation_of


def numbers(text):
    return list(read_variation(f"a.b={text}").numbers)


def test_a_range_goes_from_end_to_end():
    assert numbers("1..3:5") == [1.0, 1.5, 2.0, 2.5, 3.0]
    assert numbers("1e-4..1e-2:3:log") == pytest.approx([1e-4, 1e-3, 1e-2])
    assert numbers("-2..-1:2") == [-2.0, -1.0]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1..4 g:2", ["1 g", "4 g"]),
        ("1 kg, 500 g", ["1000 g", "500 g"]),
        ("[1, 2.5]", ["1", "2.5"]),
        ("7", ["7"]),
        ("ode45, radau5", ["ode45", "radau5"]),
        ("0.1", ["0.1"]),
        ("2*pi, pi", ["6.283185307179586", "3.141592653589793"]),
    ],
)
def test_values_are_written_as_set_takes_them(text, values):
    variation = read_variation(f"a.b={text}")
    column = plan_of([variation]).table[:, 0]
    assert [variation.text(x) for x in column] == values


def test_every_number_is_written_with_all_of_its_digits():
    variation = variation_of("a", np.random.default_rng(1).random(50), Position("x"))
    assert [float(variation.text(x)) for x in variation.numbers] == list(variation.numbers)


@pytest.mark.parametrize(
    ("text", "mean", "deviation"),
    [
        ("normal(2 kg, 0.1 kg)", 2.0, 0.1),
        ("uniform(1 kg, 3 kg)", 2.0, 1.0 / math.sqrt(3.0)),
        ("1..3 kg", 2.0, 1.0 / math.sqrt(3.0)),
        ("table(0 kg, 0, 2 kg, 1)", 1.0, 1.0 / math.sqrt(3.0)),
        ("lognormal(1 kg, 1.5)", math.exp(0.5 * math.log(1.5) ** 2), None),
    ],
)
def test_distributions_have_their_mean_and_deviation(text, mean, deviation):
    plan = plan_of([read_variation(f"m={text}")], sampling=Sampling(4096, "sobol", 3))
    column = plan.table[:, 0]
    assert column.mean() == pytest.approx(mean, rel=2e-3)
    if deviation is not None:
        assert column.std() == pytest.approx(deviation, rel=1e-2)
    assert plan.values(0)["m"].endswith(" kg")


def test_samples_of_words_and_lists_take_each_equally_often():
    words, listed = read_variation("w=a, b"), read_variation("x=1, 5, 9")
    plan = plan_of([words, listed], sampling=Sampling(600, "lhs", 0))
    assert np.bincount(plan.table[:, 0].astype(int)) == pytest.approx([300, 300], abs=1)
    assert [np.sum(plan.table[:, 1] == x) for x in (1.0, 5.0, 9.0)] == [200, 200, 200]


def test_a_plan_is_the_same_for_the_same_seed_and_another_for_another():
    variations = [read_variation("a=1..2"), read_variation("b=normal(0, 1)")]
    digests = [
        plan_of(variations, sampling=Sampling(16, method, seed)).digest()
        for method in ("lhs", "sobol", "random")
        for seed in (1, 1, 2)
    ]
    assert digests[0] == digests[1]
    assert digests[3] == digests[4]
    assert digests[6] == digests[7]
    assert len(set(digests)) == 6


@pytest.mark.parametrize(
    "text",
    [
        *("a", "a=", "=1", "a=1..", "a=1..2..3", "a=1..2:x", "a=1..2:3:4", "a=1,,2"),
        *("a=normal(1)", "a=normal(1, -1)", "a=uniform(2, 1)", "a=lognormal(1, 1 kg)"),
        *("a=table(1, 0, 2)", "a=table(1, 0, 2, 0.5)", "a=1 kg, 2 s", "a=a, a", "a=1..2:log"),
        *("a=__import__('os')", "a=(1).real", "a=1..0:log", "a=0..1:5:log", "a=1..2:9999999999"),
        "a=" + "1" * 400,
    ],
)
def test_what_cannot_be_read_is_told(text):
    with pytest.raises(DiagramError) as told:
        plan_of([read_variation(text)])
    assert len(str(told.value)) < 700
