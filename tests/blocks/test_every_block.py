"""What every block of the library must satisfy."""

from __future__ import annotations

import inspect
import math
import zlib

import numpy as np
import pytest
from bench import Bench, blocks_and_choices, compiled, interpreted
from railblocks.engine import EACH, DiagramError, standard_blocks
from railblocks.engine.shipping.driven import write_example_files
from railblocks.engine.units.unit import parse_pattern

KINDS = list(standard_blocks())
NOT_ZERO = {"math.divide": "u2", "math.power": "u", "math.reciprocal": "u"}


def named(kind):
    return kind.declaration.id


def labelled(case):
    block, choice = case
    return block + "".join(f"-{v}" for v in choice.values())


@pytest.fixture(autouse=True)
def example_files(tmp_path, monkeypatch):
    """The files that examples of blocks name."""
    monkeypatch.chdir(tmp_path)
    write_example_files(tmp_path)


def bench_with_random_values(block, choice, rng):
    """The block with parameters drawn from their ranges, as far as its checks allow."""
    kind = standard_blocks().get(block)
    for _ in range(20):
        drawn = {
            name: float(draw(param, rng))
            for name, param in kind.declaration.params.items()
            if param.type is float and not param.dims and name not in ("every", "offset")
        }
        try:
            return Bench(block, **{**drawn, **choice})
        except DiagramError:
            continue
    return Bench(block, **choice)


def draw(item, rng):
    """A number of the item's type within its bounds, small, large and whole ones."""
    if item.type is bool:
        return bool(rng.integers(2))
    if item.type is int:
        least = -1 if item.ge is None else item.ge
        most = rng.choice([1, 50]) if item.le is None else item.le
        return int(rng.integers(least, most + 1))
    least = max(-1e3 if b is None else b for b in (item.ge, item.gt))
    most = min(1e3 if b is None else b for b in (item.le, item.lt))
    value = float(rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-3, 3))
    if rng.integers(3) == 0:
        value = float(rng.integers(-2, 3))
    value = abs(value) if least >= 0 else value
    if not least <= value <= most or not item.bounds.holds(value):
        value = least + (most - least) * rng.uniform(0.001, 0.999)
    return value


def signals(bench, rng):
    """Random inputs, states and time."""
    declaration = bench.declaration
    groups = declaration.inputs | declaration.states | declaration.discretes
    drawn = {"t": float(rng.uniform(0, 10)), "run_seed": int(rng.integers(2**32))}
    drawn["stream_number"] = int(rng.integers(2**52))
    for name, item in groups.items():
        if item.type is object:
            continue
        many = bench.ports(name) if name in declaration.inputs else None
        shape = bench.shape(item) if many is None else (many,)
        numbers = [draw(item, rng) for _ in range(math.prod(shape))]
        drawn[name] = np.array(numbers, dtype=float).reshape(shape) if shape else numbers[0]
    if name := NOT_ZERO.get(declaration.id):
        drawn[name] = drawn[name] or 1.0
    return drawn


def bits(value):
    return np.asarray(value, dtype=float).tobytes()


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_docstring_says_what_it_computes_with_numbered_equations(kind):
    first, blank, *rest = kind.declaration.doc.split("\n")
    assert first.endswith(".")
    assert len(first) <= 95
    assert blank == ""
    assert any(line.endswith("(1)") for line in rest)


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_block_fits_on_a_screen(kind):
    assert len(inspect.getsource(kind).splitlines()) <= 80


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_items_have_a_unit_and_one_sentence(kind):
    for name, item in kind.declaration.items.items():
        parse_pattern(item.unit)
        assert item.doc, name
        assert not item.doc.endswith("."), name
        assert "\n" not in item.doc, name


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_symbol_is_short(kind):
    assert 1 <= len(kind.symbol) <= 10


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_example_has_exactly_the_required_parameters_and_more_only_where_declared(kind):
    required = {name for name, param in kind.declaration.params.items() if param.required}
    assert required <= kind.example.keys() <= kind.declaration.params.keys()


@pytest.mark.parametrize("case", blocks_and_choices(), ids=labelled)
def test_everything_declared_is_used(case):
    block, choice = case
    base, declaration = standard_blocks().get(block).declaration, Bench(block, **choice).declaration
    used = {a for e in base.equations + declaration.equations for a in e.arguments}
    used |= {str(s.start) for s in (declaration.states | declaration.discretes).values()}
    used |= {str(o.before) for o in declaration.outputs.values()}
    used |= {str(s.size) for s in declaration.states.values()}
    used |= {i.many for i in declaration.inputs.values()}
    used |= {str(d) for item in declaration.items.values() for d in item.dims}
    declared = {
        name
        for name, item in declaration.items.items()
        if item.type in (float, bool) and name not in declaration.outputs
    }
    if declaration.equations:
        assert declared - used <= {declaration.sampled, "offset"}


@pytest.mark.parametrize("case", blocks_and_choices(), ids=labelled)
def test_interpreted_equals_compiled_to_the_last_bit_and_is_finite(case):
    block, choice = case
    rng = np.random.default_rng(zlib.crc32(labelled(case).encode()))
    for attempt in range(4):
        bench = bench_with_random_values(block, choice, rng) if attempt else Bench(block, **choice)
        equations = bench.declaration.of_kind("out", "der", "update", "guard", "reset")
        for _ in range(10):
            drawn = signals(bench, rng)
            for equation in equations:
                slow = bench.call(equation, interpreted, **drawn)
                fast = bench.call(equation, compiled, **drawn)
                where = (equation.function.__name__, drawn, bench.values)
                for name, value in slow.items():
                    assert bits(value) == bits(fast[name]), where
                    if equation.kind == "guard":
                        assert not np.isnan(value), where
                    else:
                        assert np.all(np.isfinite(np.asarray(value, dtype=float))), where


@pytest.mark.parametrize("case", blocks_and_choices(), ids=labelled)
def test_every_input_in_a_signature_matters(case):
    block, choice = case
    rng = np.random.default_rng(1)
    bench = Bench(block, **choice)
    benches = [bench, *(bench_with_random_values(block, choice, rng) for _ in range(3))]
    for number, equation in enumerate(bench.declaration.of_kind("out")):
        for name in set(equation.arguments) & bench.declaration.inputs.keys():
            assert any(
                changes_result(b, b.declaration.of_kind("out")[number], name, rng)
                for b in benches
                for _ in range(300)
            ), f"{name} never changes {equation.targets}"


def changes_result(bench, equation, name, rng):
    """Whether another value of one input gives another result, at a random point."""
    drawn = signals(bench, rng)
    other = drawn | {name: signals(bench, rng)[name]}
    before, after = bench.call(equation, **drawn), bench.call(equation, **other)
    return any(bits(before[n]) != bits(after[n]) for n in before)


def test_library_has_at_least_75_blocks():
    assert len(KINDS) >= 75


def test_importing_the_library_does_not_import_scipy_or_numba():
    import subprocess
    import sys

    code = (
        "import sys; from railblocks.engine import standard_blocks; standard_blocks().ids();"
        "print([m for m in ('scipy', 'numba') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_each_blocks_are_scalar_kernels():
    for kind in KINDS:
        for item in kind.declaration.items.values():
            if item.shape == EACH:
                assert item.dims == ()
