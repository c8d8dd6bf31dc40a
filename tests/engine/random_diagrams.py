"""Random diagrams: a strategy, and ways to write the same diagram differently."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

# type: (parameters, inputs); all signals are floats, and bounded ones stay bounded
SOURCES = {
    "sources.sine": {"omega": (0.5, 6.0), "amplitude": (0.1, 2.0)},
    "sources.step": {"time": (0.0, 0.9)},
    "sources.constant": {"value": (-2.0, 2.0)},
    "sources.square": {"period": (0.2, 0.9)},
}
STATEFUL = {
    "continuous.first_order_lag": ({"T": (0.05, 2.0)}, ["u"]),
    "continuous.second_order_lag": ({"omega": (1.0, 9.0), "zeta": (0.1, 1.5)}, ["u"]),
    "discrete.unit_delay": ({"every": (0.05, 0.1)}, ["u"]),
    "discrete.zero_order_hold": ({"every": (0.1, 0.15)}, ["u"]),
    "nonlinear.relay": ({}, ["u"]),
}
FUNCTIONS = {
    "math.gain": ({"k": (-1.5, 1.5)}, ["u"]),
    "math.sum": ({}, ["u1", "u2"]),
    "math.abs": ({}, ["u"]),
    "nonlinear.saturation": ({}, ["u"]),
    "nonlinear.dead_zone": ({}, ["u"]),
    "math.sign": ({}, ["u"]),
    "math.atan2": ({}, ["u1", "u2"]),
    "math.hypot": ({}, ["u1", "u2"]),
}
ROUNDED = {"every": [0.05, 0.1, 0.15]}


@dataclass(frozen=True)
class Plan:
    """Blocks as (name, type, parameters) and wires as (source block, target block, port)."""

    blocks: tuple[tuple[str, str, tuple[tuple[str, float], ...]], ...]
    wires: tuple[tuple[str, str, str], ...]


def random_plan(random: Random, largest: int = 14) -> Plan:
    """Functions read earlier blocks or blocks with memory, so that there is no algebraic loop."""
    chosen: list[tuple[str, str, dict, list[str]]] = []
    for i in range(random.randint(3, largest)):
        family = SOURCES if i == 0 else random.choice([SOURCES, STATEFUL, FUNCTIONS])
        kind = random.choice(sorted(family))
        ranges, inputs = (family[kind], []) if family is SOURCES else family[kind]
        values = {}
        for name, (low, high) in ranges.items():
            if name in ROUNDED:
                values[name] = random.choice(ROUNDED[name])
            else:
                values[name] = round(random.uniform(low, high), 3)
        chosen.append((f"b{i}", kind, values, inputs))
    wires = []
    memories = [name for name, kind, _, _ in chosen if kind in STATEFUL and "hold" not in kind]
    for i, (name, _, _, inputs) in enumerate(chosen):
        for port in inputs:
            earlier = [n for n, *_ in chosen[:i]]
            wires.append((random.choice(earlier + memories), name, port))
    blocks = tuple((n, k, tuple(sorted(v.items()))) for n, k, v, _ in chosen)
    return Plan(blocks, tuple(wires))


def plans() -> st.SearchStrategy[Plan]:
    return st.randoms(use_true_random=False).map(random_plan)


SOLVER = "solver: {stop: 1.5 s, rtol: 1.0e-6, zeno: hold, dwell: 10 ms}"


def block_line(name: str, kind: str, values: tuple[tuple[str, float], ...], indent: str) -> str:
    given = "".join(f", {key}: {value!r}" for key, value in values)
    return f"{indent}{name}: {{type: {kind}{given}}}"


def flat_text(plan: Plan, names: dict[str, str] | None = None, order: list[int] | None = None):
    """The diagram, with other names and in another order if asked for."""
    names = names or {name: name for name, *_ in plan.blocks}
    blocks = [plan.blocks[i] for i in (order or range(len(plan.blocks)))]
    lines = ["diagram: 1", "blocks:"]
    lines += [block_line(names[n], k, v, "  ") for n, k, v in blocks]
    wires = [f"  - {names[s]}.y -> {names[t]}.{p}" for s, t, p in plan.wires]
    lines += ["wires:", *(wires if order is None else reversed(wires))] if wires else []
    signals = ", ".join(f"{names[n]}.y" for n, *_ in plan.blocks)
    return "\n".join([*lines, SOLVER, f"log: {{signals: [{signals}], every: 0.05 s}}"])


def nested_text(plan: Plan, inside: set[str]) -> str:
    """The diagram with some of its blocks in a subsystem."""
    outer = [b for b in plan.blocks if b[0] not in inside]
    inner = [b for b in plan.blocks if b[0] in inside]
    entering = {(t, p): f"i{k}" for k, (s, t, p) in enumerate(plan.wires) if t in inside}
    inputs = {
        name: f"{t}.{p}"
        for (t, p), name in entering.items()
        if any(w[0] not in inside and w[1:] == (t, p) for w in plan.wires)
    }
    lines = ["diagram: 1", "blocks:", *(block_line(n, k, v, "  ") for n, k, v in outer)]
    lines += ["  sub:", "    subsystem:"]
    if inputs:
        lines += ["      inputs:", *(f"        {n}: {e}" for n, e in inputs.items())]
    lines += ["      outputs:", *(f"        o_{n}: {n}.y" for n, *_ in inner), "      blocks:"]
    lines += [block_line(n, k, v, "        ") for n, k, v in inner]
    inner_wires = [w for w in plan.wires if w[0] in inside and w[1] in inside]
    if inner_wires:
        lines += ["      wires:", *(f"        - {s}.y -> {t}.{p}" for s, t, p in inner_wires)]
    outer_wires = []
    for s, t, p in plan.wires:
        if s in inside and t in inside:
            continue
        source = f"sub.o_{s}" if s in inside else f"{s}.y"
        target = f"sub.{entering[t, p]}" if t in inside else f"{t}.{p}"
        outer_wires.append(f"  - {source} -> {target}")
    lines += ["wires:", *outer_wires] if outer_wires else []
    names = [f"sub.o_{n}" if n in inside else f"{n}.y" for n, *_ in plan.blocks]
    return "\n".join([*lines, SOLVER, f"log: {{signals: [{', '.join(names)}], every: 0.05 s}}"])
