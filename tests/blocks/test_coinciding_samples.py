"""Sample times that coincide: every sampled block, and every block that waits for a time.

A sampled block at n T is read by a hold at T, for many ways to write T and n T. At each common hit
the hold shows the new value of the block, which is the one that its functions give when they are
iterated by hand: outputs first, then updates. Until its first hit it shows what it documents.
"""

from fractions import Fraction

import numpy as np
import pytest
from bench import Bench
from railblocks.engine import DiagramBuilder, Simulation, check, standard_blocks
from railblocks.engine.shipping.driven import write_example_files

F = Fraction
KINDS = {kind.declaration.id: kind.declaration for kind in standard_blocks()}
SAMPLED = sorted(name for name, kind in KINDS.items() if kind.sampled)
TIMED = sorted(
    name
    for name, kind in KINDS.items()
    if any("t" in equation.arguments for equation in kind.of_kind("guard"))
)
HITS = 12

# T as written, n T as written, T and n as they are meant
RATES = [
    ("0.1 ms", "3 * T", F(1, 10_000), 3),
    ("0.7 ms", "2.1 ms", F(7, 10_000), 3),
    ("1.1 ms", "7.7 ms", F(11, 10_000), 7),
    (0.0001, 3 * 0.0001, F(1, 10_000), 3),
    ("1 / 3000", "7 * T", F(1, 3000), 7),
    ("0.1 ms", "a - 98 * T", F(1, 10_000), 2),
]

# An output of each sampled block that changes from sample to sample under `wave`.
CHANGES = {
    "discrete.delay": "y",
    "discrete.derivative": "y",
    "discrete.fir": "y",
    "discrete.first_order_filter": "y",
    "discrete.integrator": "y",
    "discrete.moving_average": "y",
    "discrete.pid": "y",
    "discrete.rate_limiter": "y",
    "discrete.rate_transition": "y",
    "discrete.second_order_sections": "y",
    "discrete.state_space": "y",
    "discrete.transfer_function": "y",
    "discrete.unit_delay": "y",
    "discrete.zero_order_hold": "y",
    "discrete.zero_pole_gain": "y",
    "logic.edge_detector": "y",
    "logic.state_machine": "heat",
    "nonlinear.backlash": "y",
    "rail.adhesion_estimate": "mu_0",
    "rail.adhesion_recovery": "mu",
    "rail.sampled_estimator": "C_tilde",
    "rail.sampled_multistate_filter": "C_hat",
    "rail.sampled_sliding_mode": "u_cont",
    "rail.sampled_unbalance_observer": "C_hat",
    "rail.wsp": "slip",
    "sources.band_limited_white_noise": "y",
    "sources.free_running_counter": "y",
    "sources.gaussian_noise": "y",
    "sources.uniform_noise": "y",
}


@pytest.fixture(autouse=True)
def example_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_example_files(tmp_path)


def wave(number, period):
    """Parameters of the sine that drives input `number`: some 2.3 rad from hit to hit."""
    return {
        "amplitude": 10.0,
        "bias": 20.0,
        "omega": 2.3 / float(period),
        "phase": 0.4 + 0.9 * number,
    }


def drive(builder, bench, period):
    """Connects a wave to every input; returns the values of all inputs as functions of time."""
    signals = {}
    for number, (name, port) in enumerate(bench.instance.inputs.items()):
        values = wave(number, period)
        sine = Bench("sources.sine", **values)
        shape = bench.shape(port.item)
        if shape:
            values["amplitude"] = np.full(shape, values["amplitude"]).tolist()
        builder.add(f"drive_{name}", "sources.sine", **values)
        if port.item.type is bool:
            builder.add(f"test_{name}", "logic.compare_to_constant", u2=values["bias"])
            builder.connect(f"drive_{name}", f"test_{name}").connect(
                f"test_{name}", f"block.{name}"
            )
            signals[name] = lambda t, s=sine, b=values["bias"]: bool(s.y(t=t) >= b)
        else:
            builder.connect(f"drive_{name}", f"block.{name}")
            signals[name] = lambda t, s=sine, n=shape: np.broadcast_to(s.y(t=t), n)[()]
    return signals


def by_hand(bench, signals, times):
    """Outputs at the given hits."""
    rows = []
    for t in times:
        present = {name: signal(t) for name, signal in signals.items()}
        rows.append(bench.run("out", t=t, **present))
        bench.states |= bench.run("update", t=t, **present)
    return rows


@pytest.mark.parametrize("block", SAMPLED)
@pytest.mark.parametrize("rate", RATES, ids=lambda rate: f"{rate[0]}-{rate[1]}")
def test_a_faster_block_reads_the_new_value_at_common_hits(block, rate):
    assert block in CHANGES, f"{block}: name an output that changes from sample to sample"
    output = CHANGES[block]
    written, multiple, T, n = rate
    bench = Bench(block, every=float(n * T))
    builder = DiagramBuilder("coinciding").parameter("T", written).parameter("a", "10 ms")
    values = {**standard_blocks().get(block).example, "every": multiple}
    builder.add("block", block, **values)
    signals = drive(builder, bench, n * T)
    kind = bench.declaration.outputs[output].type.__name__
    builder.add("reader", "discrete.zero_order_hold", every="T", signal_type=kind)
    builder.connect(f"block.{output}", "reader")
    builder.solver(stop=f"{HITS * n} * T").log(f"block.{output}", "reader.y", every="T")
    rows = np.concatenate(list(Simulation(check(builder.build()), compiled=False).chunks()))
    assert rows[:, 0].tolist() == [float(k * T) for k in range(HITS * n + 1)]
    width = (rows.shape[1] - 1) // 2
    shown, read = rows[:, 1 : 1 + width], rows[:, 1 + width :]
    times = [float(k * n * T) for k in range(HITS + 1)]
    expected = [np.ravel(row[output]).astype(float) for row in by_hand(bench, signals, times)]
    assert len({tuple(row) for row in expected}) > 1, f"{output} never changes"
    for k, row in enumerate(expected):
        held = slice(k * n, (k + 1) * n)
        assert np.all(read[held] == row), (k, read[held], row)
        assert np.all(shown[held] == row)


def run_of(builder, T, samples, kind):
    """What a hold at T reads from the block's output y, at T's multiples."""
    builder.add("reader", "discrete.zero_order_hold", every="T", signal_type=kind)
    builder.connect("block.y", "reader")
    builder.solver(stop=f"{samples} * T").log("reader.y", every="T")
    rows = np.concatenate(list(Simulation(check(builder.build()), compiled=False).chunks()))
    assert rows[:, 0].tolist() == [float(k * T) for k in range(samples + 1)]
    return rows[:, 1]


def pulses(j, n):
    """Position in a period that begins at T; -1 before the first."""
    return (j - 1) % n if j >= 1 else -1


# What the hold reads at j T from each block that waits for times, and the block's parameters when
# its times are T and n T. A step at 0.3 s is seen by the sample at 0.3 s.
WAITING = {
    "sources.step": (lambda n, m: {"time": m}, lambda j, n: float(j >= n)),
    "sources.pulse": (
        lambda n, m: {"period": m, "delay": "T", "width": 1 / n},
        lambda j, n: float(pulses(j, n) == 0),
    ),
    "sources.square": (
        lambda n, m: {"period": m, "delay": "T", "width": 1 / n},
        lambda j, n: 1.0 if pulses(j, n) == 0 else -1.0,
    ),
    "sources.triangle": (
        lambda n, m: {"period": m, "delay": "T", "width": 1 / n},
        lambda j, n: -1.0 if pulses(j, n) < 1 else 1.0 - 2.0 * (pulses(j, n) - 1) / (n - 1),
    ),
    "sources.sawtooth": (
        lambda n, m: {"period": m, "delay": "T"},
        lambda j, n: 2.0 * max(pulses(j, n), 0) / n - 1.0,
    ),
    "sources.ramp": (
        lambda n, m: {"delay": "T", "slope": "1 / T", "limit": n},
        lambda j, n: float(min(max(j - 1, 0), n)),
    ),
    "sources.from_table": (
        lambda n, m: {"times": ["0", "T", m], "values": [0, 1, 2], "interpolation": "hold"},
        lambda j, n: float(j >= 1) + float(j >= n),
    ),
    "sources.from_file": (
        lambda n, m: {"path": "steps.csv", "column": "u", "interpolation": "hold"},
        lambda j, n: float(j),
    ),
    "logic.on_delay": (lambda n, m: {"delay": m}, lambda j, n: float(j >= n + 1)),
    "logic.off_delay": (lambda n, m: {"delay": m}, lambda j, n: float(j < n + 1)),
    "logic.one_shot": (lambda n, m: {"length": m}, lambda j, n: float(1 <= j < n + 1)),
    "continuous.transport_delay": (
        lambda n, m: {"delay": m, "n": n},
        lambda j, n: float(max(j - n, 0)),
    ),
    "continuous.variable_delay": (
        lambda n, m: {"longest": m, "n": n},
        lambda j, n: float(max(j - n, 0)),
    ),
}


@pytest.mark.parametrize("block", TIMED)
@pytest.mark.parametrize("rate", RATES, ids=lambda rate: f"{rate[0]}-{rate[1]}")
def test_a_sample_sees_what_happens_at_its_time(block, rate, tmp_path):
    assert block in WAITING, f"{block}: name its parameters and what a hold reads"
    parameters, read = WAITING[block]
    written, multiple, T, n = rate
    samples = 4 * n
    rows = "".join(f"{k * float(T)!r},{k}\n" for k in range(samples + 1))
    (tmp_path / "steps.csv").write_text("t,u\n" + rows)
    builder = DiagramBuilder("waiting").parameter("T", written).parameter("a", "10 ms")
    builder.add("block", block, **parameters(n, multiple))
    if block.startswith("logic."):
        off = {"before": 1, "after": 0} if block == "logic.off_delay" else {}
        builder.add("step", "sources.step", time="T", **off)
        builder.add("on", "logic.compare_to_constant", u2=0.5)
        builder.connect("step", "on").connect("on", "block.u")
    if block == "continuous.variable_delay":
        builder.add("tau", "sources.constant", value=multiple).connect("tau", "block.tau")
    if block.startswith("continuous."):
        builder.add("line", "sources.ramp", slope="1 / T").connect("line", "block.u")
    result = run_of(builder, T, samples, KINDS[block].outputs["y"].type.__name__)
    expected = [read(j, n) for j in range(samples + 1)]
    assert result == pytest.approx(expected, abs=1e-9)


# What each sampled block shows until its first sample, with the parameters that say so.
BEFORE = {
    "discrete.delay": ({"y_0": 4.0}, {"y": 4.0}),
    "discrete.derivative": ({"u_0": 4.0}, {"y": 0.0}),
    "discrete.fir": ({"u_0": 4.0, "b": [1.0, 0.5, 2.0]}, {"y": 14.0}),
    "discrete.first_order_filter": ({"y_0": 4.0}, {"y": 4.0}),
    "discrete.integrator": ({"x_0": 4.0, "method": "trapezoidal"}, {"y": 4.0}),
    "discrete.moving_average": ({"u_0": 4.0}, {"y": 4.0}),
    "discrete.pid": ({"y_0": 4.0, "upper": 3.0}, {"y": 3.0}),
    "discrete.rate_limiter": ({"y_0": 4.0}, {"y": 4.0}),
    "discrete.rate_transition": ({"y_0": 4.0}, {"y": 4.0}),
    "discrete.second_order_sections": ({}, {"y": 0.0}),
    "discrete.state_space": ({"x_0": [4.0, 5.0], "C": [[2.0, 1.0]]}, {"y": 13.0}),
    "discrete.transfer_function": ({}, {"y": 0.0}),
    "discrete.unit_delay": ({"y_0": 1.0, "signal_type": "bool"}, {"y": 1.0}),
    "discrete.zero_order_hold": ({}, {"y": 0.0}),
    "discrete.zero_pole_gain": ({}, {"y": 0.0}),
    "logic.edge_detector": ({"u_0": True}, {"y": 0.0}),
    "logic.state_machine": ({"states": {"idle": {"heat": 7}, "heating": {"heat": 1.5}}},
                            {"state": 0.0, "heat": 7.0}),
    "nonlinear.backlash": ({"y_0": 4.0}, {"y": 4.0}),
    "rail.adhesion_estimate": ({"mu_start": 0.04}, {"mu_0": 0.04, "slides": 0.0}),
    "rail.adhesion_recovery": ({}, {"mu": 0.0, "mu_left": 0.0}),
    "rail.sampled_estimator": ({"omega_0": 4.0}, {"omega_w_hat": 4.0, "omega_w_dot_hat": 0.0,
                               "T_hat": 0.0, "C_tilde": 0.0, "T_u": 0.0}),
    "rail.sampled_multistate_filter": ({}, {"C_hat": 0.0, "C_D": 0.0, "band": -1.0}),
    "rail.sampled_sliding_mode": ({}, {"u": 0.0, "u_cont": 0.0, "u_disc": 0.0}),
    "rail.sampled_unbalance_observer": ({}, {"C_hat": 0.0, "C_D": 0.0}),
    "rail.wsp": ({}, {"valve": 1.0, "slip": 0.0}),
    "sources.band_limited_white_noise": ({}, {"y": 0.0}),
    "sources.free_running_counter": ({}, {"y": 0.0}),
    "sources.gaussian_noise": ({"mean": 4.0}, {"y": 0.0}),
    "sources.uniform_noise": ({"low": 4.0, "high": 5.0}, {"y": 0.0}),
}  # fmt: skip


@pytest.mark.parametrize("block", SAMPLED)
@pytest.mark.parametrize("start", ["offset", "start"])
def test_before_its_first_sample_a_block_shows_what_it_documents(block, start):
    """With an offset, and where the run starts between two hits."""
    assert block in BEFORE, f"{block}: name what it shows before its first sample"
    parameters, expected = BEFORE[block]
    parameters = {**parameters, "every": 0.002}
    bench = Bench(block, **parameters)
    assert set(expected) == set(bench.declaration.outputs)
    builder = DiagramBuilder("before")
    values = {**standard_blocks().get(block).example, **parameters}
    builder.add("block", block, **values, **({"offset": 0.001} if start == "offset" else {}))
    drive(builder, bench, F(1, 500))
    begin = 0.0 if start == "offset" else 1.001
    builder.solver(start=begin, stop=begin + 0.0015)
    builder.log(*(f"block.{name}" for name in expected), every=0.0005)
    simulation = Simulation(check(builder.build()), compiled=False)
    rows = np.concatenate(list(simulation.chunks()))
    assert simulation.statistics.hits == 1
    early = rows[rows[:, 0] < begin + 0.0008]
    assert len(early) == 2
    place = 1
    for column in simulation.columns:
        size = max(1, int(np.prod(column.shape)))
        wanted = expected[column.name.partition(".")[2]]
        assert np.all(early[:, place : place + size] == wanted), column.name
        place += size
