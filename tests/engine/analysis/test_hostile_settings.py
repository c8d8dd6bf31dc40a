"""Settings of solver and log with values that nobody means: from files, Python and `--set`."""

import math

import pytest
from railblocks.engine import DiagramBuilder, DiagramError, Simulation, check, loads
from railblocks.engine.analysis.settings import LOG, SOLVER
from work import work_up_to

MOST_CALLS = 2_000_000

HOSTILE = (
    *(".inf", "-.inf", ".nan", "1e19", "1e308", "-1e308", "-1", "0", "1.5", "1e-300", "5e-324"),
    *("9223372036854775808", "9" * 250, "9" * 5000, "10^9", "10^300", "true", "~", "[1, 2]"),
    *("[]", "{}", "'x'", "3 m"),
)
TEXT = """diagram: 1
blocks:
  c: {{type: sources.constant}}
  x: {{type: continuous.integrator}}
  z: {{type: discrete.unit_delay, every: 0.1 s}}
wires: [c -> x -> z]
solver: {{{}}}
log: {{{}}}
"""
NUMBERS = [("solver", p.name) for p in SOLVER if p.type in (int, float)]
NUMBERS += [("log", p.name) for p in LOG]


def settings(section, name, value):
    solver = {"stop": "1 s"}
    if name == "step":
        solver["method"] = "rk4"
    log = {}
    (solver if section == "solver" else log)[name] = value
    return solver, log


def text_of(section, name, value):
    solver, log = settings(section, name, value)
    return TEXT.format(
        ", ".join(f"{k}: {v}" for k, v in solver.items()),
        ", ".join(f"{k}: {v}" for k, v in log.items()),
    )


def simulated(diagram):
    Simulation(check(diagram), compiled=False)


def problems_of(action):
    """What the action tells, nothing if it is valid."""
    try:
        action()
    except DiagramError as error:
        return error.problems
    return ()


@pytest.mark.parametrize(("section", "name"), NUMBERS)
def test_a_hostile_setting_is_valid_or_a_problem_with_its_place(section, name):
    lines = (5, 7) if name in ("start", "stop") else (7,) if section == "solver" else (8,)
    for value in HOSTILE:
        with work_up_to(MOST_CALLS):
            problems = problems_of(lambda v=value: simulated(loads(text_of(section, name, v))))
        for problem in problems:
            assert problem.position.line in lines, f"{name} = {value[:40]}: {problem}"


@pytest.mark.parametrize(("section", "name"), NUMBERS)
def test_what_is_refused_in_a_file_is_refused_from_python(section, name):
    for value in (math.inf, -math.inf, math.nan, 1e19, 1e308, -1, 0, 1.5, 2**63, 10**250, 10**4000):
        solver, log = settings(section, name, value)
        builder = DiagramBuilder()
        builder.add("c", "sources.constant").add("x", "continuous.integrator")
        builder.add("z", "discrete.unit_delay", every="0.1 s").connect("c", "x").connect("x", "z")
        builder.solver(**solver).log(**log)
        problems = problems_of(lambda b=builder: simulated(b.build()))
        assert all(p.position is not None and p.position.line for p in problems), problems
        if value == 10**4000:
            assert problems
            continue
        words = {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}
        text = text_of(section, name, words.get(str(value), str(value)))
        in_file = problems_of(lambda t=text: simulated(loads(t)))
        assert bool(problems) == bool(in_file), f"{name} = {value}"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("stop: .inf", "solver.stop = inf s; expected a finite time"),
        ("start: -.inf", "solver.start = -inf s; expected a finite time"),
        ("start: .nan", "solver.start = nan s; expected a finite time"),
        ("start: -1e308, stop: 1e308", "are too far apart"),
        ("min_step: .inf", "solver.min_step = inf s; expected a finite time"),
        ("min_step: 2 ms, max_step: 1 ms", "min_step = 0.002 s is above max_step = 0.001 s"),
        ("min_step: 1 s", "min_step = 1 s is above max_step, a fiftieth of the run, = 0.2 s"),
        ("stop: 1 s, max_step: 1e-20 s", "solver.max_step = 1e-20 s makes 1e+20 steps in 1 s"),
        ("atol: .inf", "solver.atol = inf is out of range; expected > 0 and < inf"),
        ("rtol: .inf", "solver.rtol = inf is out of range"),
        ("seed: 1e19", "seed = 1e+19 is too large for a whole number; expected at most 2^53"),
        ("seed: 4294967296", r"seed = 4.29497e+09 is out of range"),
        ("method: rk4, step: .inf", "solver.step = inf s; expected a finite time"),
        ("method: rk4, step: 1e-300", "between 1e-30 s and 1e+30 s"),
        ("method: rk4, step: 1e-20", "makes 1e+21 steps in 10 s; expected at most 9e+15"),
        ("zeno: hold, dwell: .inf", "solver.dwell = inf s; expected a finite time"),
    ],
)
def test_messages_say_what_was_expected(given, message):
    text = TEXT.format(given, "")
    with pytest.raises(DiagramError) as caught:
        check(loads(text))
    assert message in str(caught.value)
    assert [p.position.line for p in caught.value.problems] == [7]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("every: .inf", "log.every = inf s; expected a finite time"),
        ("every: 1e-12", "log.every = 1e-12 s makes 1e+13 rows in 10 s; expected at most 1e+12"),
        ("decimate: .inf", "log.decimate = inf is not a whole number"),
        ("decimate: 0", "log.decimate = 0 is out of range; expected >= 1"),
    ],
)
def test_messages_of_the_log_say_what_was_expected(given, message):
    with pytest.raises(DiagramError) as caught:
        check(loads(TEXT.format("", given)))
    assert message in str(caught.value)
    assert [p.position.line for p in caught.value.problems] == [8]


def test_a_largest_step_without_limit_is_valid():
    check(loads(TEXT.format("max_step: .inf, min_step: 1", "")))


def test_a_sample_too_far_away_is_refused_at_its_offset():
    text = TEXT.format("", "").replace("every: 0.1 s", "every: 0.1 s, offset: 1e19 s")
    with pytest.raises(DiagramError, match=r":5:56: z.every = 0.1 s makes 1e\+20 samples before"):
        check(loads(text))
