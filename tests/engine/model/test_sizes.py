"""Sizes: whatever makes a diagram large is refused with its position before it is made."""

import pytest
from peak_memory import memory_up_to
from railblocks.engine import Block, DiagramError, In, Out, Param, Simulation, check, loads, out
from railblocks.engine.declaration.registry import standard_blocks
from railblocks.engine.model.sizes import (
    LARGEST_PORTS,
    LARGEST_SIGNAL,
    LARGEST_SIGNALS,
    LARGEST_STATES,
)
from work import work_up_to

MOST_CALLS = 20_000_000


@pytest.fixture(autouse=True)
def little_work_and_small():
    """Little work and 300 MB for each: a fraction of what the sizes asked for would take."""
    with memory_up_to(300 * 2**20), work_up_to(MOST_CALLS):
        yield


def refused(text):
    """The first problem of a diagram."""
    with pytest.raises(DiagramError) as caught:
        Simulation(check(loads("diagram: 1\n" + text, file="d.yaml")), compiled=False)
    return str(caught.value.problems[0])


@pytest.mark.parametrize(
    ("block", "largest", "counted"),
    [
        ("routing.demux, n: 1e8", LARGEST_PORTS, "ports"),
        ("routing.mux, n: 10^9", LARGEST_PORTS, "ports"),
        ("logic.and, n: 20000", LARGEST_PORTS, "ports"),
        ("routing.selector, indices: [0], n: 1e6", LARGEST_SIGNAL, "elements"),
        ("routing.concatenate, m: 2, n: 2 * 10^8", LARGEST_SIGNAL, "elements"),
        ("discrete.delay, every: 1 s, n: 1e8", 10_000_000, "elements"),
    ],
)
def test_a_count_above_its_limit_is_refused_where_it_stands(block, largest, counted):
    text = f"blocks:\n  b: {{type: {block}}}\n"
    message = refused(text)
    column = text.splitlines()[1].index(" n: ") + 5
    assert message.startswith(f"d.yaml:3:{column}: b.n = ")
    least = 0 if block.startswith("discrete.delay") else 1
    assert f"number of {counted}; expected {least} to {largest}" in message


def test_the_largest_counts_are_taken():
    checked = check(
        loads(
            """
diagram: 1
blocks:
  t: {type: sources.clock}
  d: {type: discrete.delay, every: 0.1 s, n: 1000000}
wires: [t -> d]
"""
        )
    )
    assert checked.schedule.sections["Z"] >= 1_000_000


def test_an_index_on_a_wire_does_not_make_a_huge_vector():
    text = """blocks:
  c: {type: sources.clock}
  n: {type: math.norm}
wires:
  - c -> n.u[900000000]
"""
    assert refused(text).startswith(
        "d.yaml:6:10: n.u would have 900000001 elements; expected at most 100000"
    )


def test_a_gain_for_each_element_of_a_huge_vector_is_refused():
    text = """blocks:
  c: {type: sources.clock}
  g: {type: math.gain, k: 2}
wires:
  - c -> g.u[999999999]
"""
    assert "g.u would have 1000000000 elements" in refused(text)


def test_all_signals_together_have_a_limit():
    """Doubling a vector again and again: each is allowed alone."""
    lines = ["blocks:", "  a0: {type: sources.constant, value: [1, 2]}"]
    wires = ["wires:"]
    for i in range(1, 60):
        n = min(2**i, 50_000)
        lines.append(f"  a{i}: {{type: routing.concatenate, n: {n}, m: {n}}}")
        part = f"[0:{n}]" if i > 15 else ""
        wires += [f"  - a{i - 1}.y{part} -> a{i}.u1, a{i}.u2"]
    message = refused("\n".join([*lines, *wires]))
    assert f"all signals together have more than {LARGEST_SIGNALS} elements" in message
    assert message.startswith("d.yaml:")


def test_all_states_together_have_a_limit():
    blocks = [f"  d{i}: {{type: discrete.delay, every: 1 s, n: 9000000}}" for i in range(4)]
    wires = [f"  - c -> d{i}" for i in range(4)]
    text = "\n".join(["blocks:", "  c: {type: sources.clock}", *blocks, "wires:", *wires])
    assert f"have more than {LARGEST_STATES} elements" in refused(text)


def test_subsystems_in_subsystems_do_not_multiply_without_end(tmp_path):
    """Ten instances on each of ten levels: 10^10 blocks in eleven small files."""
    inner = "diagram: 1\nblocks:\n  c: {type: sources.clock}\n"
    (tmp_path / "level_0.yaml").write_text(inner)
    for level in range(1, 11):
        blocks = [f"  b{i}: {{subsystem: level_{level - 1}.yaml}}" for i in range(10)]
        text = "\n".join(["diagram: 1", "blocks:", *blocks])
        (tmp_path / f"level_{level}.yaml").write_text(text)
    from railblocks.engine import load

    with pytest.raises(DiagramError, match=r"level_1.yaml:\d+:3: more than 200000 blocks"):
        check(load(tmp_path / "level_10.yaml"))


def test_matrices_of_a_stiff_solver_have_a_limit():
    """radau5 needs three matrices of n x n numbers."""
    ones = ", ".join(["1"] * 20_000)
    text = f"""blocks:
  c: {{type: sources.constant, value: [{ones}]}}
  x: {{type: continuous.integrator}}
wires: [c -> x]
solver: {{method: radau5}}
"""
    assert "a run would need" in refused(text)


class Window(Block):
    """Sizes that come from a parameter without bounds."""

    id = "test.window"
    u = In("1", "input", shape="n-1")
    y = Out("1", "output")
    n = Param("1", "size", type=int)

    @out("y")
    def first(u):
        return u[0]


@pytest.mark.parametrize(
    ("n", "message"),
    [
        ("-5", "b.n = -5 is the number of elements; expected 0 to 100000"),
        ("0", r"b.u would have -1 elements \(n-1\); expected at least 0"),
    ],
)
def test_a_size_of_a_custom_block_is_not_negative(n, message):
    registry = standard_blocks().copy()
    registry.add(Window)
    text = f"diagram: 1\nblocks:\n  b: {{type: test.window, n: {n}}}\n"
    with pytest.raises(DiagramError, match=message):
        check(loads(text), registry)
