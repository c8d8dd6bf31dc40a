"""Exceptions of block functions end a run where they happen, compiled as interpreted."""

import math
import sys

import numpy as np
import pytest
from railblocks.engine import Simulation, SimulationError, check, loads, standard_blocks
from railblocks.engine.declaration import (
    Block,
    Discrete,
    In,
    Out,
    Param,
    Sample,
    State,
    der,
    guard,
    notice,
    out,
    reset,
    update,
)
from railblocks.engine.operating_points.rates import Rates


def limited(u):
    if u > 0.5:
        raise ValueError("above 0.5")
    return u


class InOutput(Block):
    """y = u up to 0.5."""

    id = "bad.output"
    u = In("1", "input")
    y = Out("1", "output")
    k = Param("1", "gain", default=1.0)

    @out("y")
    def limit(u, k):
        return k * limited(u)


class InDerivative(Block):
    """x' = 1 up to u = 0.5."""

    id = "bad.derivative"
    u = In("1", "input")
    y = Out("1", "output")
    x = State("1", "state")

    @der("x")
    def rate(u):
        if u > 0.5:
            raise ArithmeticError("no rate")
        return 1.0

    @out("y")
    def read(x):
        return x


class InUpdate(Block):
    """Counts to 5."""

    id = "bad.update"
    y = Out("1", "output")
    n = Discrete("1", "count", type=int)
    T = Sample(default=0.1)

    @out("y")
    def read(n):
        return float(n)

    @update("n")
    def count(n):
        if n == 5:
            raise RuntimeError("enough")
        return n + 1


class Zero:
    """An output that is 0, for guards and resets that fail."""

    u = In("1", "input")
    y = Out("1", "output")
    z = Discrete("1", "zero")

    @out("y")
    def read(z):
        return z


class InGuard(Zero, Block):
    """A guard that fails."""

    id = "bad.guard"

    @guard("late")
    def distance(u):
        if u > 0.5:
            raise ValueError("no distance")
        return u - 2.0

    @reset("late", "z")
    def back(z):
        return 0.0


class InReset(Zero, Block):
    """A reset that fails at u = 0.5."""

    id = "bad.reset"

    @guard("half")
    def distance(u):
        return u - 0.5

    @reset("half", "z")
    def back(z, u):
        if u > 0.4:
            raise LookupError("no way back")
        return 0.0


class InLoop(Block):
    """y = u / 2, or nothing from u = 0.5 on."""

    id = "bad.loop"
    u = In("1", "input", default=0.0)
    v = In("1", "the other input")
    y = Out("1", "output")

    @out("y")
    def half(u, v):
        if v > 0.5:
            raise ValueError("no half")
        return 0.5 * u + v


class Beyond(Block):
    """An index that leaves the vector at t = 0.3."""

    id = "bad.beyond"
    u = In("1", "numbers", shape="n")
    y = Out("1", "one of them")

    @out("y")
    def choose(u, t):
        return u[int(10.0 * t)]


class Written(Block):
    """Writes behind the end of its output."""

    id = "bad.written"
    u = In("1", "numbers", shape="n")
    y = Out("1", "numbers", shape="n")

    @out("y")
    def fill(u, t, y):
        for i in range(len(u)):
            y[i + int(10.0 * t)] = u[i]


class Infinite(Block):
    """1/u, which is infinite at 0 and no exception."""

    id = "bad.infinite"
    u = In("1", "input")
    y = Out("1", "output")

    @out("y")
    def inverse(u):
        return min(1.0 / u, 10.0)


REGISTRY = standard_blocks().copy()
for block in (
    *(InOutput, InDerivative, InUpdate, InGuard, InReset, InLoop, Beyond, Written, Infinite),
):
    REGISTRY.add(block)

RAMP = "r: {type: sources.ramp, slope: 1}"
INTO = f"blocks: {{{RAMP}, b: {{type: TYPE}}}}\nwires: [r -> b]\n"
METHODS = (
    "method: ode45",
    "method: ode23",
    "method: ode853",
    "method: radau5",
    "method: rk4, step: 0.01",
    "method: Radau",
)


def run(text, compiled, solver="method: ode45", log="signals: [b.y], every: 0.1"):
    """Outcome, message and rows."""
    text = f"diagram: 1\n{text}\nsolver: {{stop: 1, {solver}}}\nlog: {{{log}}}\n"
    simulation = Simulation(check(loads(text), REGISTRY), compiled)
    rows = []
    with pytest.raises(SimulationError) as caught:
        rows.extend(simulation.chunks())
    assert simulation.outcome == "failed"
    assert simulation.notices == ()
    return str(caught.value), np.concatenate([np.zeros((0, simulation.log.shape[1])), *rows])


def both(text, **options):
    message, rows = run(text, True, **options)
    plain, plain_rows = run(text, False, **options)
    assert message == plain
    assert np.array_equal(rows, plain_rows)
    return message, rows


@pytest.mark.parametrize("solver", METHODS)
def test_an_exception_in_an_output_ends_the_run_where_it_happens(solver):
    message, rows = both(INTO.replace("TYPE", "bad.output"), solver=solver)
    assert message.startswith("t = 0.6 s: b: ValueError: above 0.5; raised by 'limit' (")
    assert message.endswith("with u=0.6, k=1")
    assert rows[:, 0] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])


@pytest.mark.parametrize("solver", METHODS)
def test_an_exception_in_a_derivative_names_the_time_of_the_stage(solver):
    message, _ = both(INTO.replace("TYPE", "bad.derivative"), solver=solver)
    assert "b: ArithmeticError: no rate; raised by 'rate' (" in message
    time, u = float(message.split()[2]), float(message.rpartition("u=")[2])
    assert 0.5 < time <= 1.0
    assert u == pytest.approx(time, rel=1e-5)


def test_an_exception_in_an_update_ends_the_run_at_its_sample():
    message, _ = both("blocks: {b: {type: bad.update}}")
    assert message.startswith("t = 0.5 s: b: RuntimeError: enough; raised by 'count' (")
    assert message.endswith("with n=5")


def test_an_exception_in_a_guard_ends_the_run():
    message, _ = both(INTO.replace("TYPE", "bad.guard"))
    assert "b: ValueError: no distance; raised by 'distance' (" in message


def test_an_exception_in_a_reset_ends_the_run_at_its_event():
    message, _ = both(INTO.replace("TYPE", "bad.reset"))
    assert message.startswith("t = 0.5 s: b: LookupError: no way back; raised by 'back' (")


def test_an_exception_in_an_algebraic_loop_ends_the_run():
    text = f"blocks: {{{RAMP}, b: {{type: bad.loop}}}}\nwires: [r -> b.v, b.y -> b.u]"
    message, rows = both(text)
    assert message.startswith("t = 0.6 s: b: ValueError: no half; raised by 'half' (")
    assert rows[-1] == pytest.approx([0.5, 1.0])


@pytest.mark.parametrize("kind", ["bad.beyond", "bad.written"])
def test_an_index_out_of_range_ends_the_run(kind):
    source = "c: {type: sources.constant, value: [1, 2, 3]}"
    text = f"blocks: {{{source}, b: {{type: {kind}}}}}\nwires: [c -> b]"
    message, rows = both(text)
    first = "0.3" if kind == "bad.beyond" else "0.1"
    assert message.startswith(f"t = {first} s: b: IndexError: index 3 is out of bounds")
    assert "u=[1, 2, 3]" in message
    assert len(rows) == 10 * float(first)


def test_division_by_zero_stays_infinite():
    text = "diagram: 1\n" + INTO.replace("TYPE", "bad.infinite")
    text += "solver: {stop: 1}\nlog: {signals: [b.y], every: 0.1}"
    for compiled in (True, False):
        simulation = Simulation(check(loads(text), REGISTRY), compiled)
        rows = np.concatenate(list(simulation.chunks()))
        assert simulation.outcome == "done"
        assert rows[0, 1] == 10.0


def test_the_block_that_raised_is_told_from_others_of_its_type():
    text = f"""blocks: {{{RAMP}, k: {{type: math.gain, k: 0.1}}, a: {{type: bad.output}},
         b: {{type: bad.output}}}}
wires: [r -> k -> a, r.y -> b]"""
    message, _ = both(text, log="signals: [a.y, b.y], every: 0.1")
    assert message.startswith("t = 0.6 s: b: ValueError")


def test_kernels_that_cannot_raise_are_not_looked_at():
    """The text of a program without such kernels has no trace of the status."""
    from railblocks.engine.program.compiler import kernels_of
    from railblocks.engine.program.parts import Part
    from railblocks.engine.program.store import Store

    text = "diagram: 1\n" + INTO.replace("TYPE", "math.gain, k: 2") + "solver: {stop: 1}"
    program = check(loads(text), REGISTRY).schedule.program
    assert not any(Part.of_kernel(k).traits(Store()).raises for k in kernels_of(program))
    text = "diagram: 1\n" + INTO.replace("TYPE", "bad.output")
    program = check(loads(text + "solver: {stop: 1}\nlog: {signals: [b.y]}"), REGISTRY)
    kernels = kernels_of(program.schedule.program)
    parts = [Part.of_kernel(kernel) for kernel in kernels]
    raising = {part.function.__name__ for part in parts if part.traits(Store()).raises}
    assert raising == {"limit"}


def test_a_run_goes_on_after_a_failure_from_an_earlier_checkpoint():
    text = "diagram: 1\n" + INTO.replace("TYPE", "bad.output")
    text += "solver: {stop: 1}\nlog: {signals: [b.y], every: 0.1}"
    for compiled in (True, False):
        simulation = Simulation(check(loads(text), REGISTRY), compiled)
        start = simulation.checkpoint()
        with pytest.raises(SimulationError):
            list(simulation.chunks())
        simulation.restore(start)
        simulation.set({"r.slope": 0.1})
        list(simulation.chunks())
        assert simulation.outcome == "done"
        assert math.isclose(simulation.time, 1.0)


class Remarking(Block):
    """A remark that fails."""

    id = "bad.remark"
    y = Out("1", "output")

    @out("y")
    def give():
        return 1.0

    @notice
    def remark():
        raise KeyError("no such thing")


def test_a_remark_that_fails_is_told_and_does_not_spoil_the_results():
    registry = standard_blocks().copy()
    registry.add(Remarking)
    text = "{diagram: 1, blocks: {b: {type: bad.remark}}, solver: {stop: 1}, log: {signals: [b.y]}}"
    simulation = Simulation(check(loads(text), registry), compiled=False)
    list(simulation.chunks())
    assert simulation.outcome == "done"
    message = "b (bad.remark): function 'remark' raised KeyError: 'no such thing'"
    assert simulation.notices == (message,)


def test_rates_of_a_block_that_raises_are_an_error_each_time():
    text = INTO.replace("TYPE", "bad.derivative")
    checked = check(loads(f"diagram: 1\n{text}\nsolver: {{stop: 1}}"), REGISTRY)
    rates = Rates(checked)
    assert rates(np.zeros(1), 0.0).tolist() == [1.0]
    for _ in range(2):
        with pytest.raises(SimulationError, match=r"t = 0\.9 s: b: ArithmeticError: no rate"):
            rates(np.zeros(1), 0.9)
    assert rates(np.zeros(1), 0.1).tolist() == [1.0]


class Leaving(Block):
    """Tries to end the whole program."""

    id = "bad.leaving"
    u = In("1", "input")
    y = Out("1", "output")

    @out("y")
    def leave(u):
        if u > 0.5:
            sys.exit(0)
        return u


@pytest.mark.parametrize("compiled", [True, False])
def test_a_block_that_calls_exit_ends_the_run_and_not_the_program(compiled):
    registry = standard_blocks().copy()
    registry.add(Leaving)
    text = "diagram: 1\n" + INTO.replace("TYPE", "bad.leaving")
    text += "solver: {stop: 1}\nlog: {signals: [b.y], every: 0.1}"
    simulation = Simulation(check(loads(text), registry), compiled)
    with pytest.raises(SimulationError, match=r"b: SystemExit: 0; raised by 'leave'"):
        list(simulation.chunks())
