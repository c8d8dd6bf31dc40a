"""The models that are measured, as diagrams from elementary blocks."""

from __future__ import annotations

import random

VAN_DER_POL = """
diagram: 1
blocks:
  one:  {type: sources.constant, value: 1}
  sq:   {type: math.product}
  gap:  {type: math.sum, signs: +-}
  damp: {type: math.product}
  mu:   {type: math.gain, k: 1}
  acc:  {type: math.sum, signs: +-}
  v:    {type: continuous.integrator}
  x:    {type: continuous.integrator, x_0: 2}
wires:
  - one -> gap.u1
  - x.y -> sq.u1, sq.u2, acc.u2
  - sq -> gap.u2
  - gap -> damp.u1
  - v.y -> damp.u2, x.u
  - damp -> mu -> acc.u1
  - acc -> v
solver: {rtol: 1.0e-8, atol: 1.0e-8, stop: 1000 s, max_step: 1000 s}
log: {signals: [x.y], every: 1000 s}
"""

BOUNCES = """
diagram: 1
blocks: {ball: {type: mechanics.bouncing_ball, e: 1, h_0: 1 m, g: 9.81}}
solver: {rtol: 1.0e-8, atol: 1.0e-8, stop: 903 s}
log: {signals: [ball.h], every: 903 s}
"""

SAMPLED_MOTOR = """
diagram: 1
blocks:
  ref:   {type: sources.constant, value: 100 rad/s}
  error: {type: math.sum, signs: +-}
  pid:   {type: discrete.pid, every: 1 ms, K_p: 0.25 V*s/rad, K_i: 3 V/rad, K_d: 0, K_b: 20 1/s,
          lower: -12 V, upper: 12 V}
  motor: {type: mechanics.dc_motor, R: 1.2 ohm, L: 0.8 mH, K: 0.05 N*m/A, J: 2e-4 kg*m^2,
          d: 1e-5 N*m*s/rad}
wires: [ref -> error.u1, error -> pid -> motor.V, motor.omega -> error.u2]
solver: {rtol: 1.0e-8, atol: 1.0e-8, stop: 10 s}
log: {signals: [motor.omega], every: 10 s}
"""


def chain(masses: int, stop: float = 10.0) -> str:
    """Masses between springs, six elementary blocks each."""
    blocks, wires = ["  wall: {type: sources.constant, value: 0}"], []
    for i in range(masses):
        blocks += [
            f"  d{i}: {{type: math.sum, signs: +-}}",
            f"  k{i}: {{type: math.gain, k: 100}}",
            f"  f{i}: {{type: math.sum, signs: +-}}",
            f"  m{i}: {{type: math.gain, k: 1}}",
            f"  v{i}: {{type: continuous.integrator}}",
            f"  x{i}: {{type: continuous.integrator, x_0: {1.0 if i == 0 else 0.0}}}",
        ]
        left = f"x{i - 1}.y" if i else "wall.y"
        wires += [
            f"  - {left} -> d{i}.u1",
            f"  - x{i}.y -> d{i}.u2",
            f"  - d{i}.y -> k{i}.u",
            f"  - k{i}.y -> f{i}.u1" + (f", f{i - 1}.u2" if i else ""),
            f"  - f{i}.y -> m{i}.u",
            f"  - m{i}.y -> v{i}.u",
            f"  - v{i}.y -> x{i}.u",
        ]
    wires.append(f"  - wall.y -> f{masses - 1}.u2")
    ending = [f"solver: {{rtol: 1.0e-6, stop: {stop}}}", "log: {signals: [x0.y], every: 0.1 s}"]
    return "\n".join(["diagram: 1", "blocks:", *blocks, "wires:", *wires, *ending])


def mixed(count: int, seed: int = 1) -> str:
    """A diagram of many kinds of blocks, wired at random; half of it feeds states."""
    pick = random.Random(seed)
    one = {
        "math.gain": "k: 0.7",
        "math.trigonometry": "function: sin",
        "nonlinear.saturation": "",
        "math.abs": "",
        "continuous.first_order_lag": "T: 0.5",
        "continuous.second_order_lag": "omega: 3, zeta: 0.4",
        "math.bias": "b: 0.1",
        "nonlinear.dead_zone": "",
        "math.square": "",
        "math.trigonometry ": "function: tanh",
    }
    blocks = ["  b0: {type: sources.sine, omega: 2}"]
    wires = []
    for i in range(1, count):
        recent = [f"b{j}.y" for j in range(max(0, i - 40), i)]
        if pick.random() < 0.35:
            kind = pick.choice(["math.sum", "math.product"])
            blocks.append(f"  b{i}: {{type: {kind}}}")
            wires += [f"  - {pick.choice(recent)} -> b{i}.u{p}" for p in (1, 2)]
        else:
            kind, values = pick.choice(sorted(one.items()))
            given = f", {values}" if values else ""
            blocks.append(f"  b{i}: {{type: {kind.strip()}{given}}}")
            wires.append(f"  - {pick.choice(recent)} -> b{i}.u")
        if i % 4 == 0:  # keep everything bounded
            blocks[-1] = f"  b{i}: {{type: math.trigonometry, function: tanh}}"
            wires = [w for w in wires if f" b{i}.u" not in w]
            wires.append(f"  - {pick.choice(recent)} -> b{i}.u")
    log = f"log: {{signals: [b{count - 1}.y], every: 0.1 s}}"
    ending = ["solver: {rtol: 1.0e-6, stop: 10}", log]
    return "\n".join(["diagram: 1", "blocks:", *blocks, "wires:", *wires, *ending])
