"""The tree of a diagram and its subsystems: parameters evaluated, variants chosen, copies made."""

from __future__ import annotations

from collections.abc import Mapping as Map
from dataclasses import dataclass, field, replace

from ..conditions.condition import ID as CONDITION
from ..conditions.condition import Direction, condition_block
from ..errors import DiagramError, Problem
from ..errors.problems import Problems
from ..text.nodes import Scalar
from .assignments import Assignment, ParameterScope
from .copies import copy_name, scope_of_copy, value_of_copy
from .diagram import BlockEntry, Diagram, Entries, parameter_names
from .enabling import ENABLE
from .flat import FlatBlock, FlatCondition
from .triggering import TRIGGER
from .variants import variant_named

LARGEST_BLOCKS = 200_000
SAMPLING = ("every", "offset")


@dataclass
class Instance:
    """A diagram as part of the tree; `prefix` is empty or ends with a dot.

    `inner` has the copies of each subsystem, one of those that are not repeated; `blocks` are
    those of the diagram, with variants chosen.
    """

    diagram: Diagram
    prefix: str
    scope: ParameterScope
    blocks: dict[str, BlockEntry]
    inner: dict[str, tuple[Instance, ...]]


@dataclass(frozen=True)
class Inherited:
    """What blocks have from the subsystems around them: sample times, and when they run."""

    sampling: Map[str, Assignment] = field(default_factory=dict)
    condition: str = ""
    trigger: str = ""


class Instances:
    """Makes the tree, and collects its blocks."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.problem = problems.add
        self.blocks: dict[str, FlatBlock] = {}
        self.variants: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.conditions: dict[str, FlatCondition] = {}
        self.count = 0

    def instance(
        self,
        diagram: Diagram,
        prefix: str,
        scope: ParameterScope,
        given: Map[str, Assignment],
        inherited: Inherited,
    ) -> Instance:
        """Fill the scope of a diagram and add its blocks."""
        own = scope.own
        for include in diagram.includes:
            for name, entry in include.parameters.items():
                folder = include.folders.get(name, "")
                own[name] = Assignment(entry.node, scope, entry.node.position, folder=folder)
        own.update(assignments_of(diagram.parameters, scope, diagram.folder))
        own.update((name, value) for name, value in given.items() if name in own)
        scope.evaluate_all()
        self.problems.extend(scope.problems)
        instance = Instance(diagram, prefix, scope, {}, {})
        for name, written in diagram.blocks.items():
            block = self.chosen(written, prefix + name, scope)
            if block is not None:
                instance.blocks[name] = block
                if not block.disabled:
                    self.add(instance, prefix + name, block, inherited)
        return instance

    def chosen(self, block: BlockEntry, name: str, scope: ParameterScope) -> BlockEntry | None:
        """The block, or the one of its variants that its value names; None if it names none."""
        path = name
        while block.variant is not None and not block.disabled:
            names = tuple(block.variants)
            try:
                key = variant_named(Assignment(block.variant, scope, block.variant.position))
            except DiagramError as error:
                self.problems.extend(error.problems)
                return None
            if key not in block.variants:
                self.problem(
                    block.variant.position,
                    f"{key!r} is not a variant of {name!r}{self.problems.near(key, names)}; "
                    f"known are {', '.join(names)}",
                )
                return None
            self.variants[path] = (key, names)
            block, path = block.chosen(key), f"{path}.{key}"
        return block

    def add(self, instance: Instance, name: str, block: BlockEntry, inherited: Inherited) -> None:
        inner = block.subsystem.diagram if block.subsystem else None
        if inner is not None:
            self.check_given(name, block, inner)
            instance.inner[block.name] = self.copies(instance, name, block, inner, inherited)
        elif block.type is not None:
            self.count_block(block)
            values = _block_values(block, instance.scope, instance.diagram.folder)
            self.blocks[name] = FlatBlock(
                name,
                block.type.text,
                block.position,
                values,
                inherited.sampling,
                inherited.condition,
                inherited.trigger,
            )

    def count_block(self, block: BlockEntry) -> None:
        self.count += 1
        if self.count > LARGEST_BLOCKS:
            message = f"more than {LARGEST_BLOCKS} blocks; simplify the diagram"
            raise DiagramError([*self.problems.all(), Problem(block.position, message)])

    def copies(
        self,
        instance: Instance,
        name: str,
        block: BlockEntry,
        inner: Diagram,
        inherited: Inherited,
    ) -> tuple[Instance, ...]:
        """A subsystem, or the copies of it."""
        if block.each is None:
            self.count_block(block)
            values = _block_values(block, instance.scope, instance.diagram.folder)
            return (self.subsystem(block, name, inner, instance.scope, values, inherited),)
        try:
            count = block.each.number_of_copies(instance.scope, block.name)
        except DiagramError as error:
            self.problems.extend(error.problems)
            return ()
        self.check_shared(block, inner)
        made = []
        for number in range(count):
            self.count_block(block)
            scope = scope_of_copy(block.each, number, instance.scope)
            values = _block_values(block, scope, instance.diagram.folder)
            try:
                values = {n: value_of_copy(v, (number, count)) for n, v in values.items()}
            except DiagramError as error:
                self.problems.extend(error.problems)
                return ()
            made.append(
                self.subsystem(block, copy_name(name, number), inner, scope, values, inherited)
            )
        return tuple(made)

    def check_shared(self, block: BlockEntry, inner: Diagram) -> None:
        for name in block.each.shared if block.each else ():
            if name not in inner.inputs and name not in block.conditions:
                self.problem(
                    block.each.node.position if block.each else None,
                    f"shared {name!r} is not an input of {block.name!r}"
                    f"{self.problems.near(name, inner.inputs)}; its inputs: "
                    f"{', '.join(inner.inputs) or 'none'}",
                )

    def subsystem(
        self,
        block: BlockEntry,
        name: str,
        inner: Diagram,
        around: ParameterScope,
        values: Map[str, Assignment],
        inherited: Inherited,
    ) -> Instance:
        inline = block.subsystem is not None and block.subsystem.path is None
        scope = ParameterScope({}, outer=around) if inline else ParameterScope({}, hidden=around)
        if "every" in values:
            sampling = {key: values[key] for key in SAMPLING if key in values}
            inherited = replace(inherited, sampling=sampling)
        if block.enabling is not None:
            nested = bool(inherited.condition)
            self.condition(block, ENABLE, name, around, inherited, nested=nested)
            shown = block.enabling.shown
            held = None if shown is None else Assignment(shown, around, shown.position)
            self.conditions[f"{name}.{ENABLE}"] = replace(
                self.conditions[f"{name}.{ENABLE}"], resets=block.enabling.resets, shown=held
            )
            inherited = replace(inherited, condition=f"{name}.{ENABLE}")
        if block.triggering is not None:
            self.condition(block, TRIGGER, name, around, inherited, block.triggering.direction)
            inherited = replace(inherited, trigger=f"{name}.{TRIGGER}")
        return self.instance(inner, name + ".", scope, values, inherited)

    def condition(
        self,
        block: BlockEntry,
        key: str,
        name: str,
        around: ParameterScope,
        inherited: Inherited,
        direction: Direction = "both",
        nested: bool = False,
    ) -> None:
        """Adds the block of a condition; one that is not nested runs only where its level runs."""
        own, position = block.conditions[key]
        parameters = frozenset(n for n in own.names if n in around)
        values = {
            argument: Assignment(Scalar(n, n, False, position), around, position)
            for n, argument in own.arguments(parameters).items()
            if n in parameters
        }
        kind = condition_block(own, parameters, nested, direction)
        if any(key in inner.blocks for inner in block.diagrams):
            message = f"{name!r} has an inner block named {key!r}, as its condition is; rename it"
            self.problem(position, message)
        path = f"{name}.{key}"
        self.blocks[path] = FlatBlock(
            path,
            CONDITION,
            position,
            values,
            condition="" if nested or key == ENABLE else inherited.condition,
            kind=kind,
        )
        arguments = own.arguments(parameters).items()
        self.conditions[path] = FlatCondition(
            name,
            {n: argument for n, argument in arguments if n not in parameters},
            inherited.condition if nested else "",
            resets=False,
            shown=None,
            triggers=key == TRIGGER,
        )

    def check_given(self, name: str, block: BlockEntry, inner: Diagram) -> None:
        known = parameter_names(inner)
        for key, entry in block.values.items():
            if key not in known and not (key in SAMPLING and "every" in block.values):
                listed = f"; known are {', '.join(known[:20])}" if known else "; it has none"
                self.problem(
                    entry.key_position,
                    f"{key!r} is not a parameter of subsystem {name!r}"
                    f"{self.problems.near(key, known)}{listed}",
                )


def _block_values(block: BlockEntry, scope: ParameterScope, folder: str) -> dict[str, Assignment]:
    values = assignments_of(block.values, scope, folder)
    if not block.includes:
        return values
    included: dict[str, Assignment] = {}
    inner = ParameterScope(included)
    for include in block.includes:
        for name, entry in include.parameters.items():
            start = include.folders.get(name, "")
            included[name] = Assignment(entry.node, inner, entry.node.position, True, start)
    included.update(values)
    return included


def assignments_of(
    entries: Entries, scope: ParameterScope, folder: str = ""
) -> dict[str, Assignment]:
    return {
        name: Assignment(entry.node, scope, entry.node.position, folder=folder)
        for name, entry in entries.items()
    }
