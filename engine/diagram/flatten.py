"""A nested diagram to a flat one: blocks with full names (`ctl.pid`), wires between them.

Subsystem boundaries vanish: a wire that enters or leaves a subsystem is joined with what the
port stands for inside. Of variants the chosen one stays, repeated subsystems become as many as
there are copies. Disabled blocks are left out with their wires. Block types are not known here, so
neither are their ports and parameters.
"""

from __future__ import annotations

from dataclasses import replace

from ..errors.problems import Problems
from ..text.collecting import collection_paused
from .assignments import Assignment, ParameterScope
from .diagram import Diagram
from .endpoints import Endpoint
from .flat import FlatBlock, FlatDiagram, FlatWire
from .instances import Inherited, Instances, assignments_of
from .joining import Joining

__all__ = ["Assignment", "Endpoint", "FlatBlock", "FlatDiagram", "FlatWire", "flatten"]


def flatten(diagram: Diagram, strict: bool = True, wired: bool = True) -> FlatDiagram:
    """Flatten a diagram; problems are raised at once, or kept if not strict.

    Not `wired`, it has blocks with values and settings only.
    """
    problems = Problems()
    instances = Instances(problems)
    joining = Joining(problems, instances.conditions)
    with collection_paused():
        root = instances.instance(diagram, "", ParameterScope({}), {}, Inherited())
        if wired:
            joining.connect(root)
    signals = diagram.log_signals if wired else None
    log = assignments_of(diagram.log, root.scope)
    flat = FlatDiagram(
        title=diagram.title.text if diagram.title else "",
        file=diagram.file,
        blocks=instances.blocks,
        wires=tuple(joining.wires),
        solver=assignments_of(diagram.solver, root.scope),
        log_signals=signals
        if signals is None or isinstance(signals, str)
        else tuple(inner for end in signals for inner in joining.signal(root, end)),
        log={name: value for name, value in log.items() if name != "signals"},
        ports=joining.ports,
        variants=instances.variants,
        conditions={
            name: replace(condition, ports=tuple(joining.shown.get(condition.subsystem, ())))
            for name, condition in instances.conditions.items()
        },
        problems=problems.all(),
    )
    if strict:
        problems.raise_any()
    return flat
