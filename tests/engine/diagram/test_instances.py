"""The sample time of a subsystem is that of its blocks, as far as they have none of their own."""

import pytest
from railblocks import DiagramError, check, loads

TEXT = """\
diagram: 1
parameters: {T: 20 ms}
blocks:
  push: {type: sources.step}
  part:
    every: T
    offset: 5 ms
    subsystem:
      inputs: {u: a.u}
      outputs: {y: deep.y}
      blocks:
        a: {type: discrete.unit_delay}
        b: {type: discrete.unit_delay, every: 50 ms}
        c: {type: math.gain}
        deep:
          subsystem:
            inputs: {u: d.u}
            outputs: {y: d.y}
            blocks: {d: {type: discrete.unit_delay}}
        own:
          every: 100 ms
          subsystem:
            inputs: {u: e.u}
            blocks: {e: {type: discrete.unit_delay}}
      wires: [a -> b -> c -> deep, c -> own]
wires: [push -> part]
"""


def rates(text):
    instances = check(loads(text)).model.blocks
    return {
        name.rpartition(".")[2]: (float(i.values["every"]), float(i.values["offset"]))
        for name, i in instances.items()
        if i.declaration.sampled
    }


def test_blocks_without_a_sample_time_have_that_of_the_subsystem_around_them():
    assert rates(TEXT) == {
        "a": (0.02, 0.005),
        "b": (0.05, 0.0),
        "d": (0.02, 0.005),
        "e": (0.1, 0.0),
    }


def test_a_parameter_of_that_name_takes_the_value_too():
    inputs = "      inputs: {u: a.u}\n"
    text = TEXT.replace(inputs, "      parameters: {every: 1 s}\n" + inputs)
    assert rates(text.replace("every: 50 ms", "every: 2 * every"))["b"] == (0.04, 0.0)
    without = text.replace("    every: T\n    offset: 5 ms\n", "")
    assert rates(without.replace("unit_delay}", "unit_delay, every: every}"))["a"] == (1.0, 0.0)


def test_an_offset_alone_and_a_time_in_metres_are_named():
    with pytest.raises(DiagramError, match="'offset' is not a parameter of subsystem 'part'"):
        check(loads(TEXT.replace("    every: T\n", "")))
    with pytest.raises(
        DiagramError, match=r"part\.a\.every = 20\.0 mm has unit mm; expected a time"
    ):
        check(loads(TEXT.replace("T: 20 ms", "T: 20 mm")))
