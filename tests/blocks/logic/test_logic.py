"""Logic blocks against truth tables and hand-played sequences."""

import itertools
import operator

import pytest
from bench import Bench
from railblocks.engine import DiagramError

RELATIONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@pytest.mark.parametrize("relation", RELATIONS)
def test_relation_and_its_guard_change_together(relation):
    bench = Bench("logic.compare", relation=relation)
    constant = Bench("logic.compare_to_constant", relation=relation, u2=2.0)
    sides = {}
    for u1 in (1.0, 2.0, 3.0):
        holds = bench.y(u1=u1, u2=2.0)
        assert holds == RELATIONS[relation](u1, 2.0) == constant.y(u1=u1)
        sides.setdefault(bench.run("guard", u1=u1, u2=2.0)["change"] >= 0.0, set()).add(holds)
    if relation not in ("==", "!="):
        assert all(len(values) == 1 for values in sides.values())


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("logic.and", all),
        ("logic.nand", lambda u: not all(u)),
        ("logic.or", any),
        ("logic.nor", lambda u: not any(u)),
        ("logic.xor", lambda u: sum(u) % 2 == 1),
    ],
)
def test_gate_has_its_truth_table(block, expected):
    for n in (1, 2, 3):
        for u in itertools.product((False, True), repeat=n):
            assert Bench(block, n=n).y(**{f"u{i}": v for i, v in enumerate(u, 1)}) == expected(u)


@pytest.mark.parametrize("block", ["and", "nand", "or", "nor", "xor"])
def test_gate_of_many_inputs_works_as_one_of_few(block):
    few, many = Bench(f"logic.{block}", n=4), Bench(f"logic.{block}", n=20)
    for u in itertools.product((False, True), repeat=4):
        neutral = block in ("and", "nand")
        expected = few.y(**{f"u{i}": v for i, v in enumerate(u, 1)})
        assert many.y(u=[*u, *[neutral] * 16]) == expected


def test_interval_includes_its_ends():
    bench = Bench("logic.interval_test", lower=-1.0, upper=2.0)
    assert [bench.y(u=u) for u in (-1.1, -1.0, 2.0, 2.1)] == [False, True, True, False]


def test_interval_refuses_crossed_bounds():
    with pytest.raises(DiagramError, match="lower <= upper"):
        Bench("logic.interval_test", lower=1.0, upper=0.0)


@pytest.mark.parametrize(
    ("edge", "expected"),
    [("rising", "01000100"), ("falling", "00010010"), ("either", "01010110")],
)
def test_edge_detector_fires_for_one_sample(edge, expected):
    u = [c == "1" for c in "01100100"]
    y = Bench("logic.edge_detector", edge=edge).sampled(u=u)
    assert "".join("1" if v else "0" for v in y) == expected


def play(bench, steps, ports):
    """Outputs after each change of the inputs, with the events that the change causes."""
    before, outputs = dict.fromkeys(ports, False), []
    for values in steps:
        now = dict(zip(ports, values, strict=True))
        old, new = bench.run("guard", **before), bench.run("guard", **now)
        for equation in bench.declaration.of_kind("guard"):
            name, fell = equation.guard, old[equation.guard] >= 0.0 > new[equation.guard]
            rose = old[name] < 0.0 <= new[name]
            if (fell and equation.direction == "falling") or (
                rose and equation.direction == "rising"
            ):
                bench.fire(name, **now)
        before = now
        outputs.append(bench.y(**now))
    return outputs


def test_latch_remembers_the_last_input_and_off_wins():
    steps = [(0, 0), (1, 0), (0, 0), (0, 1), (0, 0), (1, 1), (1, 0), (0, 0), (1, 1), (0, 1), (0, 0)]
    expected = [0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0]
    assert play(Bench("logic.latch"), steps, ("on", "off")) == expected


def test_latch_that_starts_with_a_true_input_remembers_it():
    bench = Bench("logic.latch")
    assert bench.y(on=True, off=False)
    bench.fire("on_falls", on=False, off=False)
    assert bench.y(on=False, off=False)


def test_counter_counts_rising_edges_and_is_cleared():
    steps = [(1, 0), (0, 0), (1, 0), (1, 0), (0, 1), (1, 1), (0, 0), (1, 1)]
    assert play(Bench("logic.counter"), steps, ("u", "clear")) == [1, 1, 2, 2, 0, 1, 1, 0]


def test_on_delay_waits_and_falls_at_once():
    bench = Bench("logic.on_delay", delay=0.5).begin(u=False, t=0.0)
    assert bench.run("guard", t=1e9, u=False)["elapsed"] < 0.0
    bench.fire("edge", t=2.0, u=True)
    assert not bench.y(u=True)
    assert bench.run("guard", t=2.5, u=True)["elapsed"] == pytest.approx(0.0, abs=1e-14)
    bench.fire("elapsed", t=2.5, u=True)
    assert bench.y(u=True)
    assert not bench.y(u=False)
    bench.fire("edge", t=2.7, u=False)
    bench.fire("edge", t=3.0, u=True)
    assert not bench.y(u=True)


def test_on_delay_counts_an_input_that_is_true_at_the_start_from_there():
    bench = Bench("logic.on_delay", delay=0.5).begin(u=True, t=7.0)
    assert bench.run("guard", t=7.5, u=True)["elapsed"] == pytest.approx(0.0, abs=1e-14)


def test_off_delay_holds_on_and_rises_at_once():
    bench = Bench("logic.off_delay", delay=0.5).begin(u=False, t=0.0)
    assert not bench.y(u=False)
    assert bench.run("guard", t=1e9, u=False)["elapsed"] < 0.0
    bench.fire("edge", t=2.0, u=True)
    assert bench.y(u=True)
    bench.fire("edge", t=3.0, u=False)
    assert bench.y(u=False)
    assert bench.run("guard", t=3.5, u=False)["elapsed"] == pytest.approx(0.0, abs=1e-14)
    bench.fire("edge", t=3.2, u=True)
    bench.fire("edge", t=3.4, u=False)
    assert bench.run("guard", t=3.5, u=False)["elapsed"] < 0.0
    bench.fire("elapsed", t=3.9, u=False)
    assert not bench.y(u=False)


def test_off_delay_is_the_on_delay_of_the_negation():
    on = Bench("logic.on_delay", delay=0.5).begin(u=True, t=1.0)
    off = Bench("logic.off_delay", delay=0.5)
    off.fire("edge", t=1.0, u=False)
    for t, u in [(1.2, False), (1.3, True), (1.9, False), (2.6, False)]:
        for bench, value in ((on, not u), (off, u)):
            if bench.run("guard", t=t, u=value)["elapsed"] >= 0.0:
                bench.fire("elapsed", t=t, u=value)
            bench.fire("edge", t=t, u=value)
        assert off.y(u=u) == (not on.y(u=not u))


@pytest.mark.parametrize(("again", "end"), [(False, 1.5), (True, 1.8)])
def test_one_shot_lasts_its_length_from_the_edge_that_counts(again, end):
    bench = Bench("logic.one_shot", length=0.5, again=again).begin(u=True, t=0.0)
    assert not bench.y()
    bench.fire("edge", t=1.0, u=True)
    bench.fire("edge", t=1.3, u=True)
    assert bench.y()
    assert bench.run("guard", t=end - 1e-9, u=False)["elapsed"] < 0.0
    assert bench.run("guard", t=end, u=False)["elapsed"] == pytest.approx(0.0, abs=1e-14)
    bench.fire("elapsed", t=end, u=False)
    assert not bench.y()
    assert bench.run("guard", t=9.0, u=False)["elapsed"] < 0.0


def test_state_machine_takes_the_first_transition_that_holds():
    bench = Bench("logic.state_machine")
    states, heat = [], []
    for T, off in [(20, 0), (17, 0), (20, 0), (23, 0), (17, 0), (17, 1), (17, 1)]:
        outputs = bench.out(T=float(T), off=bool(off))
        states.append(outputs["state"])
        heat.append(outputs["heat"])
        bench.states |= bench.run("update", T=float(T), off=bool(off))
    assert states == [0, 1, 1, 0, 1, 0, 0]
    assert heat == [0.0, 1.5, 1.5, 0.0, 1.5, 0.0, 0.0]


def test_state_machine_has_no_limit_on_states_and_transitions():
    n = 500
    states = {f"s{i}": {"y": i} for i in range(n)}
    ways = [{"from": f"s{i}", "to": f"s{(i + 1) % n}", "when": f"u > {i}"} for i in range(n)]
    bench = Bench("logic.state_machine", inputs={"u": "float"}, states=states, transitions=ways)
    for mode in (0, 1, 250, n - 1):
        assert bench.out(u=mode + 1.0, mode=mode) == {"state": (mode + 1) % n, "y": (mode + 1) % n}
        assert bench.out(u=mode, mode=mode) == {"state": mode, "y": mode}


WAY = {"from": "idle", "to": "heating", "when": "T > 1"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"inputs": {"T": "text"}}, "expected names with float, int or bool"),
        ({"inputs": {"mode": "float"}}, "'mode' is taken"),
        ({"states": {}}, "expected names with values"),
        ({"states": {"idle": {"heat": 0}, "heating": {}}}, "state 'heating' has the outputs"),
        ({"inputs": {"T": ["float"]}}, "expected names with float, int or bool"),
        ({"inputs": {"import": "float", "off": "bool"}}, "'import' cannot be a port"),
        ({"inputs": {"T": "float", "heat": "bool"}}, "'heat' is taken"),
        ({"states": {"any": {"heat": 0}}}, "expected names with values"),
        ({"states": {"idle": {"heat": "no"}}}, "heat of state 'idle' is 'no'; expected a plain"),
        ({"states": {"idle": {"heat": "2*pi"}}}, "is '2\\*pi'; expected a plain number"),
        ({"states": {"idle": {"heat": "3 rad/s"}}}, "without unit, name or formula"),
        ({"states": {"idle": {"heat": [1, 2]}}}, r"heat of state 'idle' is \[1.*expected a number"),
        ({"transitions": {"from": "idle"}}, "expected a list of"),
        ({"transitions": [WAY | {"to": "boiling"}]}, "to = 'boiling'; expected one of idle, heat"),
        ({"transitions": [WAY | {"from": ["idle"]}]}, "expected one of idle, heating, any"),
        ({"transitions": [WAY, {"from": "idle", "to": "heating"}]}, "transition 2: .*and when"),
        ({"transitions": [WAY | {"when": "p > 1"}]}, "transition 1: when = 'p > 1': .*p"),
        ({"transitions": [WAY | {"when": "T >"}]}, "transition 1: when = 'T >': .*ends"),
        ({"transitions": [WAY | {"when": 1.0}]}, "expected an expression over the inputs"),
    ],
)
def test_state_machine_refuses(values, message):
    with pytest.raises(DiagramError, match=message):
        Bench("logic.state_machine", **values)
