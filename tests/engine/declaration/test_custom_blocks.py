"""Blocks of one's own: compiled like built-in ones, or called back where numba refuses."""

import json
import textwrap

import numpy as np
import pytest
from railblocks.engine import (
    Block,
    DiagramError,
    In,
    Out,
    Param,
    Registry,
    Simulation,
    SimulationError,
    State,
    check,
    der,
    loads,
    out,
    standard_blocks,
)

FILE = '''
"""My blocks."""
import math
from railblocks.engine import Block, In, Out, Param, out

def bent(u):
    return math.tanh(u)

class Soft(Block):
    """Soft limiter.

    y = a tanh(u / a)                                                      (1)
    """

    u = In("?u", "input")
    y = Out("?u", "output")
    a = Param("?u", "limit", gt=0)

    @out("y")
    def limit(u, a):
        return a * bent(u / a)
'''

DIAGRAM = """
diagram: 1
blocks:
  u: {type: sources.sine, amplitude: 3}
  s: {type: my_blocks.soft, a: 2}
wires: [u -> s]
solver: {stop: 3}
log: {signals: [u.y, s.y], every: 0.1}
"""


def rows_of(checked, compiled=True):
    simulation = Simulation(checked, compiled)
    return np.concatenate(list(simulation.chunks())), simulation


def test_a_block_from_a_file_is_compiled(tmp_path):
    (tmp_path / "my_blocks.py").write_text(FILE)
    registry = standard_blocks().copy()
    registry.add_path(tmp_path / "my_blocks.py")
    rows, simulation = rows_of(check(loads(DIAGRAM), registry))
    assert simulation.notices == ()
    assert rows[:, 2] == pytest.approx(2 * np.tanh(rows[:, 1] / 2), abs=1e-15)


def test_a_changed_helper_of_a_block_is_never_served_from_an_old_cache(tmp_path):
    """The helper lives in another function; numba's own cache would keep the old result."""
    path = tmp_path / "my_blocks.py"
    results = []
    for text in (FILE, FILE.replace("math.tanh(u)", "math.atan(u)")):
        path.write_text(text)
        registry = standard_blocks().copy()
        registry.add_path(path)
        results.append(rows_of(check(loads(DIAGRAM), registry))[0])
    u = results[1][:, 1]
    assert results[0][:, 2] == pytest.approx(2 * np.tanh(u / 2), abs=1e-15)
    assert results[1][:, 2] == pytest.approx(2 * np.arctan(u / 2), abs=1e-15)


def test_a_changed_constant_of_a_block_is_never_served_from_an_old_cache(tmp_path):
    path = tmp_path / "my_blocks.py"
    text = FILE.replace(
        "def bent(u):\n    return math.tanh(u)", "C = 2.0\n\ndef bent(u):\n    return C"
    )
    values = []
    for number in ("2.0", "5.0"):
        path.write_text(text.replace("C = 2.0", f"C = {number}"))
        registry = standard_blocks().copy()
        registry.add_path(path)
        values.append(rows_of(check(loads(DIAGRAM), registry))[0][-1, 2])
    assert values == [4.0, 10.0]


class Scripted(Block):
    """y = number of letters of u rounded, written as JSON: nothing that numba can compile."""

    id = "custom.scripted"
    u = In("1", "input")
    y = Out("1", "output")

    @out("y")
    def letters(u):
        return float(len(json.dumps(round(u))))


class Lagging(Block):
    """x' = y - x."""

    id = "custom.lagging"
    u = In("1", "input")
    y = Out("1", "output")
    x = State("1", "state")

    @der("x")
    def rate(x, u):
        return u - x

    @out("y")
    def read(x):
        return x


class Sorted(Block):
    """A vector through Python's sort."""

    id = "custom.sorted"
    u = In("1", "input", shape="n")
    y = Out("1", "sorted", shape="n")
    k = Param("1", "factor", default=1.0)

    @out("y")
    def sort(u, k, y):
        for i, value in enumerate(json.loads(json.dumps(sorted(map(float, u), reverse=True)))):
            y[i] = k * value


class Total(Block):
    """The sum of three numbers, 2 each where nothing is connected."""

    id = "custom.total"
    u = In("1", "numbers", shape=(3,), default=2.0)
    y = Out("1", "their sum")

    @out("y")
    def add(u):
        return u[0] + u[1] + u[2]


class Broken(Block):
    """Fails in mid-run."""

    id = "custom.broken"
    u = In("1", "input")
    y = Out("1", "output")

    @out("y")
    def fail(u):
        if u > 0.5:
            raise RuntimeError(f"u is {u:.1f}")
        return float(json.dumps(u))


REGISTRY = standard_blocks().copy()
for block in (Scripted, Lagging, Sorted, Total, Broken):
    REGISTRY.add(block)


@pytest.mark.parametrize("compiled", [True, False])
def test_an_unconnected_vector_has_its_default_in_every_element(compiled):
    text = (
        "{diagram: 1, blocks: {s: {type: custom.total}}, solver: {stop: 1}, log: {signals: [s.y]}}"
    )
    rows, _ = rows_of(check(loads(text), REGISTRY), compiled)
    assert np.all(rows[:, 1] == 6.0)


def test_a_block_that_numba_refuses_runs_by_callback_with_a_notice():
    text = """
diagram: 1
blocks: {t: {type: sources.clock}, k: {type: math.gain, k: 1}, s: {type: custom.scripted},
         x: {type: custom.lagging}}
wires: [t -> k, k -> s, s -> x]
solver: {stop: 20, rtol: 1.0e-6}
log: {signals: [k.y, s.y, x.y], every: 1}
"""
    text = text.replace("math.gain, k: 1", "math.gain, k: 1 1/s")
    rows, simulation = rows_of(check(loads(text), REGISTRY))
    plain, _ = rows_of(check(loads(text), REGISTRY), compiled=False)
    assert len(simulation.notices) == 1
    assert "s: 'letters' runs in Python" in simulation.notices[0]
    assert rows[:10, 2].tolist() == [1.0] * 10
    assert rows[-1, 2] == 2.0
    assert np.array_equal(rows, plain)


def test_a_vector_block_runs_by_callback():
    text = """
diagram: 1
blocks: {c: {type: sources.constant, value: [3, 1, 2]}, s: {type: custom.sorted, k: 2}}
wires: [c -> s]
solver: {stop: 1}
log: {signals: [s.y]}
"""
    rows, simulation = rows_of(check(loads(text), REGISTRY))
    assert rows[-1, 1:].tolist() == [6.0, 4.0, 2.0]
    assert len(simulation.notices) == 1


def test_an_exception_in_a_python_block_ends_the_run_with_its_message():
    text = """
diagram: 1
blocks: {r: {type: sources.ramp, slope: 1}, b: {type: custom.broken}}
wires: [r -> b]
solver: {stop: 1}
log: {signals: [b.y], every: 0.1}
"""
    with pytest.raises(SimulationError, match=r"b: RuntimeError: u is 0\.6"):
        rows_of(check(loads(text), REGISTRY))


# --- what an author can get wrong --------------------------------------------------------------
def declared(body):
    """The message of a class body that cannot be declared."""
    text = "from railblocks.engine import *\nclass Odd(Block):\n    '''Odd.'''\n"
    return text + textwrap.indent(textwrap.dedent(body), "    ")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            'y = Out("1", "y")\nk = Param("1", "k")\n@out("y")\ndef f(kk):\n    return kk',
            r"odd: function 'f' uses 'kk', which is not declared; did you mean 'k'\?",
        ),
        (
            'y = Out("1", "y")\n@out("z")\ndef f():\n    return 1.0',
            r"function 'f' computes 'z', which is not declared",
        ),
        ('y = Out("furlong", "y")\n@out("y")\ndef f():\n    return 1.0', "unit of 'y': .*furlong"),
        (
            'x = State("1", "x")\ny = Out("1", "y")\n@out("y")\ndef f(x):\n    return x',
            "'x' is never computed; add a function with @der",
        ),
        (
            'y = Out("1", "y", shape="n")\n@out("y")\ndef f():\n    return 1.0',
            "computes a vector; take 'y' as an argument and fill it",
        ),
        (
            'y = Out("1", "y")\n@out("y")\ndef f():\n    return 1.0\n@out("y")\ndef g():\n'
            "    return 2.0",
            "'y' is computed twice",
        ),
    ],
)
def test_mistakes_in_a_declaration_are_told_with_file_and_line(tmp_path, body, message):
    path = tmp_path / "odd_blocks.py"
    path.write_text(declared(body))
    with pytest.raises(DiagramError, match=message) as caught:
        Registry().add_path(path)
    assert "odd_blocks.py:" in str(caught.value)


TWO_SIZES = """
diagram: 1
blocks:
  a: {type: sources.constant, value: [1, 3, 2]}
  b: {type: sources.constant, value: [5, 6, 7, 8, 9]}
  s: {type: custom.sorted}
  t: {type: custom.sorted}
  x: {type: continuous.integrator}
wires: [a -> s, b -> t, "s.y[0] -> x"]
solver: {stop: 1}
log: {signals: [s.y, t.y, x.y], every: 0.25}
"""


def test_one_block_by_callback_at_two_sizes_keeps_them_apart():
    rows, _ = rows_of(check(loads(TWO_SIZES), REGISTRY))
    assert rows[-1, 1:9].tolist() == [3.0, 2.0, 1.0, 9.0, 8.0, 7.0, 6.0, 5.0]
    assert np.array_equal(rows, rows_of(check(loads(TWO_SIZES), REGISTRY), compiled=False)[0])


def test_a_copied_memory_goes_on_with_its_own_callback():
    one = Simulation(check(loads(TWO_SIZES), REGISTRY))
    memory = one.w.copy()
    other = Simulation(check(loads(TWO_SIZES), REGISTRY))
    memory[:] = one.w
    del one
    other.w[:] = memory
    assert np.concatenate(list(other.chunks()))[-1, 1] == 3.0


BROKEN = """
diagram: 1
blocks: {r: {type: sources.ramp, slope: 1}, innocent: {type: custom.broken},
         guilty: {type: custom.broken}, k: {type: math.gain, k: 0.1}}
wires: [r -> k -> innocent, r.y -> guilty]
solver: {stop: 1}
log: {signals: [innocent.y, guilty.y], every: 0.1}
"""


@pytest.mark.parametrize("compiled", [True, False])
def test_the_block_that_failed_is_named_and_a_reset_forgets_it(compiled):
    simulation = Simulation(check(loads(BROKEN), REGISTRY), compiled)
    with pytest.raises(SimulationError, match=r"guilty: RuntimeError: u is 0\.6"):
        list(simulation.chunks())
    simulation.set({"r.slope": 0.1})
    simulation.reset()
    assert len(list(simulation.chunks())) > 0
    assert simulation.outcome == "done"


def test_a_number_as_shape_is_so_many_elements():
    class Triple(Block):
        """Three times its input.

        y = 3 u                                                                (1)
        """

        id = "own.triple"
        u = In("1", "numbers", shape=3)
        y = Out("1", "numbers", shape=3)
        k = Param("1", "factors", shape=3, default=[3.0, 3.0, 3.0])

        @out("y")
        def f(u, k, y):
            for i in range(3):
                y[i] = k[i] * u[i]

    registry = standard_blocks().copy()
    registry.add(Triple)
    text = """diagram: 1
blocks: {c: {type: sources.constant, value: [1, 2, 3]}, t: {type: own.triple}}
wires: [c -> t]
solver: {stop: 1}
log: {signals: [t.y]}
"""
    for compiled in (True, False):
        simulation = Simulation(check(loads(text), registry), compiled)
        rows = np.concatenate(list(simulation.chunks()))
        assert rows[-1].tolist() == [1.0, 3.0, 6.0, 9.0]


@pytest.mark.parametrize("shape", [3.0, -1, True, [3], (2.5,), "n*2", "", None])
def test_what_is_no_shape_is_refused_when_it_is_declared(shape):
    with pytest.raises(DiagramError, match="shape of 'u' is"):

        class Odd(Block):
            """Odd.

            y = 1                                                              (1)
            """

            id = "own.odd"
            u = In("1", "numbers", shape=shape)
            y = Out("1", "one")

            @out("y")
            def f():
                return 1.0
