"""A variant stands for its block as if it were written there; the others are not compiled."""

import pytest
from railblocks import DiagramError, check, load, loads, save, simulate
from railblocks.engine.cli import main
from railblocks.engine.diagram.choices import every_choice

TEXT = """\
diagram: 1
parameters: {rule: "fast", sampled: false, level: 2}
blocks:
  push: {type: sources.constant, value: 1}
  plant:
    variant: rule
    T: 0.5 s
    variants:
      fast: {type: continuous.first_order_lag}
      slow:
        k: 3
        subsystem:
          parameters: {T: 1 s, k: 1}
          inputs: {u: lag.u}
          outputs: {y: lag.y}
          blocks: {lag: {type: continuous.first_order_lag, T: 10 * T, k: k}}
  held:
    variant: sampled
    variants:
      "true": {type: discrete.zero_order_hold, every: 1 ms}
      "false": {type: math.gain}
  deep:
    variant: level
    variants:
      "1": {type: math.gain}
      "2": {variant: rule, variants: {fast: {type: math.gain, k: 5}, slow: {type: math.abs}}}
wires: [push -> plant -> held -> deep]
solver: {stop: 1 s}
"""


def blocks(**values):
    return check(loads(TEXT).with_values(values)).model.blocks


def test_the_named_variant_stands_for_the_block():
    fast = blocks()
    assert set(fast) == {"push", "plant", "held", "deep"}
    assert fast["plant"].values["T"] == 0.5
    assert fast["deep"].values["k"] == 5.0
    slow = blocks(rule="slow", sampled=True, level=1)
    assert slow["plant.lag"].values["T"] == 5.0
    assert slow["plant.lag"].values["k"] == 3.0
    assert slow["held"].declaration.id == "discrete.zero_order_hold"


def test_a_variant_has_the_bits_of_the_block_written_in_its_place():
    written = loads("""\
diagram: 1
blocks:
  push: {type: sources.constant, value: 1}
  plant: {type: continuous.first_order_lag, T: 0.5 s}
  held: {type: math.gain}
  deep: {type: math.gain, k: 5}
wires: [push -> plant -> held -> deep]
solver: {stop: 1 s}
""")
    ours, theirs = simulate(loads(TEXT)), simulate(written)
    assert (ours["deep.y"] == theirs["deep.y"]).all()


def test_values_and_choices_are_set_by_path():
    assert blocks(**{"plant.variant": "slow"})["plant.lag"].values["T"] == 5.0
    assert blocks(**{"rule": "slow", "plant.slow.k": 7})["plant.lag"].values["k"] == 7.0
    assert blocks(**{"deep.2.fast.k": 8})["deep"].values["k"] == 8.0
    with pytest.raises(DiagramError, match="'slw' is not a variant of 'plant'; did you"):
        loads(TEXT).with_values({"plant.slw.k": 7})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('rule: "fast"', 'rule: "fst"', "'fst' is not a variant of 'plant'; did you mean 'fast'?"),
        ("variant: rule\n    T", "T", "block 'plant' has no `variant`; expected the name of one"),
        ("variant: level", "variant: 1.5", "the variant is 1.5; expected a name, a truth value or"),
        ('"true": {type: discrete.zero_order_hold, every: 1 ms}', '"true": 3', "'true' is 3"),
        ("variant: level\n    variants:", "variant: level\n    k: 3\n    variants:\n      a-b: {}",
         "'a-b' is not a name for a variant"),
        ("{type: sources.constant, value: 1}", "{type: math.abs, variants: {a: {type: math.abs}}}",
         "block 'push' has both `type` and `variants`"),
        ("{type: sources.constant, value: 1}", "{variant: a, variants: {}}",
         "variants of 'push' are a mapping; expected"),
    ],
)  # fmt: skip
def test_mistakes_in_variants_are_named(old, new, message):
    assert old in TEXT
    with pytest.raises(DiagramError) as caught:
        check(loads(TEXT.replace(old, new)))
    assert any(message in str(problem) for problem in caught.value.problems), caught.value


def test_a_value_that_the_chosen_variant_does_not_know_is_an_error():
    with pytest.raises(DiagramError, match="'gain' is not a parameter of plant"):
        check(loads(TEXT.replace("T: 0.5 s", "T: 0.5 s\n    gain: 3")))


def test_every_choice_is_made_once_with_those_inside_it():
    made = [choices for choices, _ in every_choice(loads(TEXT))]
    assert made == [
        {"plant.variant": "'slow'"},
        {"held.variant": "'true'"},
        {"deep.variant": "'1'"},
        {"deep.2.variant": "'slow'"},
    ]


def test_check_looks_into_all_variants_when_it_is_asked_to(tmp_path, capsys):
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(TEXT)
    bad.write_text(TEXT.replace("10 * T", "3 * pi"))
    assert main(["check", str(good), "--all-variants"]) == 0
    assert "ok too: plant.variant=slow" in capsys.readouterr().out
    assert main(["check", str(bad)]) == 0
    bad.write_text(TEXT.replace("k: k}}", "k: 3 m + 2 s}}"))
    assert main(["check", str(bad)]) == 0
    assert main(["check", str(bad), "--all-variants"]) == 2
    assert "with plant.variant=slow: " in capsys.readouterr().err


def test_saving_keeps_variants_and_copies(tmp_path):
    path = tmp_path / "a.yaml"
    each = "  lags: {each: {count: 1, index: k}, subsystem: {parameters: {a: 1}}, a: k}\n"
    path.write_text(TEXT.replace("wires:", each + "wires:"))
    diagram = load(path).with_values({"plant.slow.k": 4, "plant.variant": "slow"})
    save(diagram, path)
    assert load(path) == diagram
    assert "variant: slow\n    T: 0.5 s" in path.read_text()
    assert "k: 4\n" in path.read_text()
    save(load(path), tmp_path / "b.yaml")
    assert load(tmp_path / "b.yaml") == diagram
