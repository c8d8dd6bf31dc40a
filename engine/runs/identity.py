"""What a diagram computes, as digests by what they are of: a run goes on only where all are equal.

Values of parameters are not in it: they lie in the memory of the run.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping

from ..analysis.checking import Checked
from ..functions.functions import fingerprint
from ..program.compiler import calls_of
from ..program.solver_functions import solver_functions
from ..schedule.calls import Call, Copy, Loop, Step
from ..schedule.schedule import Schedule
from .memory import layout_of

LENGTH = 16


def identity_of(checked: Checked) -> dict[str, str]:
    """Digests of the solver, the structure, and the functions of each type of block."""
    schedule = checked.schedule
    functions: dict[str, set[str]] = defaultdict(set)
    for call in calls_of(schedule.program):
        block = checked.model.blocks.get(call.block)
        kind = block.declaration.id if block is not None else call.block
        functions[kind].add(call.kernel.key)
    method = solver_functions(checked.settings.solver)
    solver = [checked.settings.method, *(fingerprint(method[name]) for name in sorted(method))]
    return {
        "solver": _digest(solver),
        "structure": _digest(_structure(checked, schedule)),
        **{f"blocks {kind}": _digest(sorted(keys)) for kind, keys in sorted(functions.items())},
    }


def difference(stored: Mapping[str, str], present: Mapping[str, str]) -> str:
    """What is not as it was, in words; empty if all is."""
    names = [name for name in {**stored, **present} if stored.get(name) != present.get(name)]
    kinds = [name.removeprefix("blocks ") for name in names if name.startswith("blocks ")]
    gone = [kind for kind in kinds if f"blocks {kind}" not in present]
    if gone:
        return f"the diagram stored here has no blocks of type {', '.join(gone)}, the run has some"
    if kinds:
        return f"blocks of type {', '.join(kinds)} compute something else than when the run began"
    if "solver" in names:
        return "the solver computes something else than when the run began"
    return "blocks, wires or logged signals are others than when the run began" if names else ""


def _structure(checked: Checked, schedule: Schedule) -> Iterator[str]:
    yield repr(layout_of(checked).offsets)
    for signal in checked.logged:
        yield repr((signal.name, signal.block, signal.port, signal.elements, signal.shape))
    yield repr(schedule.rates)
    program = schedule.program
    for steps in (program.rhs, program.outputs, program.guards, program.tasks, program.resets):
        for step in steps:
            yield from _step(step)
        yield "."


def _step(step: Step) -> Iterator[str]:
    if isinstance(step, Loop):
        yield repr((step.number, step.torn, step.offset))
        for call in step.calls:
            yield from _step(call)
    elif isinstance(step, Copy):
        yield repr(step)
    elif isinstance(step, Call):
        yield f"{step.block} {step.equation} {step.kernel.key} {step[1:4]!r} {step[6:]!r}"


def _digest(parts: object) -> str:
    digest = hashlib.sha256()
    assert isinstance(parts, list | Iterator)
    for part in parts:
        digest.update(part.encode() + b"\n")
    return digest.hexdigest()[:LENGTH]
