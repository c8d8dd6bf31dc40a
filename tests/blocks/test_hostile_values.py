"""Every whole number and every time of every block with values that nobody means.

Each one ends as a valid diagram or as a problem at its line and column: within a second, in little
memory, and never in another exception. Nothing is compiled.
"""

import resource

import numpy as np
import pytest
import yaml
from bench import Bench
from railblocks.engine import DiagramError, Simulation, check, loads, standard_blocks
from railblocks.engine.shipping.driven import source_for, write_example_files
from work import work_up_to

HOSTILE = (
    *(".inf", "-.inf", ".nan", "1e19", "1e308", "-1e308", "-1", "0", "1.5", "1e-300", "5e-324"),
    *("9223372036854775808", "9" * 250, "9" * 5000, "10^9", "10^300", "1e8", "1e5"),
    *("true", "~", "[1, 2]", "[]", "{}", "'x'", "1e8 s", "0 * inf"),
)
MOST_CALLS, MEGABYTES = 2_000_000, 300.0


def is_count_or_time(param):
    return param.type is int or (param.type is float and param.unit == "s")


KINDS = [k for k in standard_blocks() if any(map(is_count_or_time, k.declaration.params.values()))]


def flow(value):
    """A value in one line of YAML."""
    plain = value.tolist() if isinstance(value, np.ndarray) else value
    text = yaml.safe_dump(plain, default_flow_style=True, width=10**9)
    return text.strip().removesuffix("...").strip()


def diagram_text(kind, bench, name, value):
    """The block of the example with one other value, each input driven by a source."""
    block = kind.declaration.id
    values = {k: flow(v) for k, v in kind.example.items()} | {name: value}
    lines = ["diagram: 1", "blocks:", "  block:", f"    type: {block}"]
    lines += [f"    {k}: {v}" for k, v in values.items()]
    wires = []
    for port, declared in bench.instance.inputs.items():
        source, options = source_for(declared.item, bench.instance, block)
        given = "".join(f", {k}: {flow(v)}" for k, v in options.items())
        lines.append(f"  to_{port}: {{type: {source}{given}}}")
        wires.append(f"  - to_{port}.y -> block.{port}")
    lines += ["wires:", *wires] if wires else []
    return "\n".join([*lines, "solver: {method: rk4, step: 0.01, stop: 0.25}", ""])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.declaration.id)
def test_a_hostile_value_is_valid_or_a_problem_with_its_place(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_example_files(tmp_path)
    bench = Bench(kind.declaration.id)
    for name, param in kind.declaration.params.items():
        for value in HOSTILE if is_count_or_time(param) else ():
            label = f"{kind.declaration.id}.{name} = {value[:40]}"
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            try:
                with work_up_to(MOST_CALLS):
                    Simulation(check(loads(diagram_text(kind, bench, name, value))), compiled=False)
            except DiagramError as error:
                for problem in error.problems:
                    assert problem.position is not None, f"{label}: {problem}"
                    assert problem.position.line > 0, f"{label}: {problem}"
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024.0
            assert grown < MEGABYTES, label


@pytest.mark.parametrize("value", [".inf", ".nan", "1.5", "1e19", "9" * 250])
@pytest.mark.parametrize(
    ("block", "name"),
    [
        (kind.declaration.id, name)
        for kind in KINDS
        for name, param in kind.declaration.params.items()
        if param.type is int
    ],
)
def test_what_is_not_a_whole_number_is_refused_where_it_stands(
    block, name, value, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    write_example_files(tmp_path)
    kind = standard_blocks().get(block)
    text = diagram_text(kind, Bench(block), name, value)
    line = 1 + text.splitlines().index(f"    {name}: {value}")
    with pytest.raises(DiagramError) as caught:
        check(loads(text))
    problem = caught.value.problems[0]
    assert (problem.position.line, problem.position.column) == (line, len(name) + 7)
    assert f"block.{name} = " in problem.message
    assert "whole number" in problem.message
    assert "expected" in problem.message
