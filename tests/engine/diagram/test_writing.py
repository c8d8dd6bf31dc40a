"""The canonical text: one block, one wire, one parameter a line."""

from railblocks.engine.diagram.builder import DiagramBuilder
from railblocks.engine.diagram.saving import text_of


def test_a_built_diagram_is_written_as_people_write_it():
    inner = DiagramBuilder("inner").parameter("k", 2).add("g", "math.gain", k="k*2")
    inner.input("u", "g.u").output("y", "g.y")
    d = DiagramBuilder("Scaled rig: 1", "First line.\nSecond line.")
    d.parameter("mu_0", 0.05).parameter("omega", "150 rad/s").parameter("m", "min(1, mu_0)")
    d.add("torque", "sources.ramp", slope="5000 N*m/s", levels=[1, 2.5])
    d.add("to_scale", "rail.scale_down", on=True, text="a, b")
    d.add("ctl", subsystem=inner, k=5)
    d.connect("torque.y", "to_scale.u", "ctl.u").connect("to_scale.y[0, 1]", "torque.v")
    d.solver(method="ode45", rtol=1e-10).log("ctl.y", every="1 ms").layout(torque=[40, 80])
    assert (
        text_of(d.build())
        == """\
diagram: 1
title: "Scaled rig: 1"
description: "First line.\\nSecond line."

parameters:
  mu_0: 0.05
  omega: 150 rad/s
  m: min(1, mu_0)

blocks:
  torque:   {type: sources.ramp, slope: 5000 N*m/s, levels: [1, 2.5]}
  to_scale: {type: rail.scale_down, on: true, text: "a, b"}
  ctl:
    subsystem:
      title: inner
      parameters:
        k: 2
      inputs:
        u: g.u
      outputs:
        y: g.y
      blocks:
        g: {type: math.gain, k: k*2}
    k: 5

wires:
  - torque.y -> to_scale.u, ctl.u
  - to_scale.y[0, 1] -> torque.v

solver: {method: ode45, rtol: 1e-10}
log: {signals: [ctl.y], every: 1 ms}

layout:
  torque: [40, 80]
"""
    )


def test_an_empty_diagram_is_one_line():
    assert text_of(DiagramBuilder().build()) == "diagram: 1\n"
