"""The analysis of a diagram: flat, with values, ports and wires, and with everything wrong in it.

Check, drawing and editor read from the same analysis. A diagram with mistakes is analysed as far
as it goes. One that differs little from a diagram analysed before takes over the blocks that are
written alike, since some derive tables from their parameters, which takes time.
"""

from __future__ import annotations

from functools import cached_property

from ..checks.block_files import BlockFiles
from ..checks.resolve import resolve
from ..checks.wiring import find_port
from ..declaration.registry import Registry
from ..diagram.copies import without_copies
from ..diagram.diagram import BlockEntry, Diagram
from ..diagram.flatten import FlatBlock, FlatDiagram, flatten
from ..errors import DiagramError, Position, Problem
from ..model.model import Conditional, Instance, Port
from ..model.signals import LoggedSignal
from ..text.collecting import collection_paused
from ..text.files import FileRead, files_read
from .conditionals import read_conditionals
from .counted_times import refuse_uncountable
from .guesses import GUESS, Guesses, read_guesses
from .logged_signals import logged_signals
from .network import Network, connected
from .resolved import Resolved, example_values, is_unchanged, without_units_of
from .settings import Settings, read_settings
from .triggered import refuse_untriggerable


class Analysis:
    """What is known of a diagram.

    `flat` is None where not even the subsystems could be flattened. `network` has the blocks
    that could be resolved, `drawn` also those that lack values, with the values of their
    example: ports can be shown before all values are given.
    """

    def __init__(self, diagram: Diagram, registry: Registry, before: Analysis | None = None):
        """`before` is an analysis of a similar diagram, whose blocks may be taken over."""
        self.diagram = diagram
        self.registry = registry
        self.flat: FlatDiagram | None = None
        self.network = self.drawn = Network()
        self._resolved: dict[str, Resolved] = {}
        self._completed: dict[str, Resolved] = {}  # blocks that lack values, with an example's
        self._block_problems: dict[str, list[Problem]] = {}
        self._failure: tuple[Problem, ...] = ()
        earlier = before if before is not None and before.registry is registry else None
        with collection_paused():
            try:
                self.flat = flatten(diagram, strict=False)
            except DiagramError as error:
                self._failure = error.problems
                return
            self._resolve_blocks(self.flat, earlier)
            self._connect_blocks(self.flat)

    def _resolve_blocks(self, flat: FlatDiagram, earlier: Analysis | None) -> None:
        known = earlier._resolved if earlier is not None else {}
        completed = earlier._completed if earlier is not None else {}
        with files_read() as read:
            for name, block in flat.blocks.items():
                kept = known.get(name)
                if kept is not None and kept.holds_for(block):
                    self._resolved[name] = kept.renewed(block)
                    continue
                if block.kind is None and self.registry.get(block.type) is None:
                    continue  # `block_problems` names them
                read.clear()
                problems: list[Problem] = []
                instance = resolve(block, self.registry, problems)
                if instance is not None:
                    self._resolved[name] = Resolved.of(block, instance, read)
                    continue
                self._block_problems[name] = problems
                kept = completed.get(name)
                if kept is not None and kept.holds_for(block):
                    self._completed[name] = kept.renewed(block)
                else:
                    self._complete(block)

    def _complete(self, block: FlatBlock) -> None:
        """Gives a block that lacks values those of its example, so that it has ports."""
        filled = example_values(block, self.registry)
        if filled is None:
            return
        with files_read() as read:
            instance = resolve(filled, self.registry, [])
        if instance is not None:
            without_units_of(filled.values.keys() - block.values.keys(), instance)
            self._completed[block.name] = Resolved.of(block, instance, read)

    def _connect_blocks(self, flat: FlatDiagram) -> None:
        names = [name for name in flat.blocks if name in self._resolved]
        instances = {name: self._resolved[name].instance for name in names}
        self.network = self.drawn = connected(flat, instances)
        if self._completed:
            blocks = self._resolved | self._completed
            self.drawn = connected(flat, {n: blocks[n].copy() for n in flat.blocks if n in blocks})

    def current(self) -> Analysis:
        """This analysis, or a new one if files that blocks read may have changed since."""
        kept = self._resolved.values()
        complete = self.flat is not None and len(kept) == len(self.flat.blocks)
        if complete and all(is_unchanged(file) for one in kept for file in one.files):
            return self
        return Analysis(self.diagram, self.registry, self)

    # --- what is wrong -------------------------------------------------------------------------
    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that is wrong, in the order of the file, each once."""
        if self.flat is None:
            return self._failure
        problems = [
            *self.flat.problems,
            *self._settings[1],
            *self.block_problems(),
        ]
        refuse_uncountable(self.flat, self.network.instances, self.settings, problems)
        problems += self.network.problems
        problems += self._logged[1]
        problems += self._guesses[1]
        problems += self._conditionals[1]
        refuse_untriggerable(self.flat, self.network.instances, problems)
        return tuple(sorted(dict.fromkeys(problems), key=_position))

    def block_problems(self, inside: str = "") -> list[Problem]:
        """What is wrong with the values of all blocks, or of those inside one by its full name."""
        if self.flat is None:
            return list(self._failure)
        problems: list[Problem] = []
        files = BlockFiles(self.flat.file)
        for name, block in self.flat.blocks.items():
            if inside and name != inside and not name.startswith(f"{inside}."):
                continue
            if name in self._block_problems:
                problems += self._block_problems[name]
            elif name not in self._resolved:  # an unknown type; a file beside it may declare it
                resolve(block, self.registry, problems, files)
        return problems

    def sizes_from_values(self, block: str) -> dict[str, int]:
        """The sizes of a block that follow from its values alone."""
        return self._resolved[block].sizes

    # --- what a run needs ----------------------------------------------------------------------
    @property
    def settings(self) -> Settings:
        """The settings of solver and log; the default ones where they have problems."""
        return self._settings[0]

    @cached_property
    def _settings(self) -> tuple[Settings, tuple[Problem, ...]]:
        if self.flat is None:
            return Settings(), ()
        try:
            return read_settings(self.flat.solver, self.flat.log, Position(self.flat.file)), ()
        except DiagramError as error:
            return Settings(), error.problems

    @property
    def logged(self) -> tuple[LoggedSignal, ...]:
        """The signals that a run logs."""
        return self._logged[0]

    @cached_property
    def _logged(self) -> tuple[tuple[LoggedSignal, ...], list[Problem]]:
        problems: list[Problem] = []
        if self.flat is None:
            return (), problems
        return tuple(logged_signals(self.flat, self.network, problems)), problems

    @property
    def guesses(self) -> Guesses:
        """Start values of algebraic loops."""
        return self._guesses[0]

    @cached_property
    def _guesses(self) -> tuple[Guesses, list[Problem]]:
        problems: list[Problem] = []
        given = self.flat.solver.get(GUESS) if self.flat is not None else None
        return read_guesses(given, self.network.instances, problems), problems

    @property
    def conditionals(self) -> dict[str, Conditional]:
        """Subsystems that run only while a condition holds, by the names of their conditions."""
        return self._conditionals[0]

    @cached_property
    def _conditionals(self) -> tuple[dict[str, Conditional], list[Problem]]:
        problems: list[Problem] = []
        if self.flat is None:
            return {}, problems
        return read_conditionals(self.flat, self.network.instances, problems), problems

    @property
    def aliases(self) -> dict[str, tuple[str, str]]:
        """Outputs of subsystems by name, as block and port."""
        aliases = {}
        blocks = self.network.instances
        if self.flat is not None:
            known = set(self.flat.blocks)
            for name, end in self.flat.ports.items():
                port = find_port(end, blocks, known, "output", [])
                if port is not None:
                    aliases[name] = (port.block, port.name)
        return aliases

    @property
    def files(self) -> tuple[FileRead, ...]:
        """The files that the values of blocks were read from, each once."""
        files = (file for kept in self._resolved.values() for file in kept.files)
        return tuple({file.path: file for file in files}.values())

    # --- what is shown -------------------------------------------------------------------------
    @cached_property
    def copies(self) -> dict[str, str]:
        """The first copy of everything that is repeated, by its name without numbers."""
        names = [] if self.flat is None else [*self.flat.blocks, *self.flat.ports]
        firsts: dict[str, str] = {}
        for name in names:
            while "[" in name:
                firsts.setdefault(without_copies(name), name)
                name = name.rpartition(".")[0]
        return firsts

    def shown(self, block: str, entry: BlockEntry) -> BlockEntry:
        """A block as it is drawn: with its variant chosen, the first one if none could be."""
        while entry.variants:
            known = self.flat.variants.get(block) if self.flat is not None else None
            key = known[0] if known else next(iter(entry.variants))
            entry, block = entry.chosen(key), f"{block}.{key}"
        return entry

    def instance(self, block: str) -> Instance | None:
        """A block by its full name, as it is drawn; the first one of copies."""
        return self.drawn.instances.get(self.copies.get(block, block))

    def output(self, block: str, name: str) -> Port | None:
        """An output of a block or of a subsystem, by the full name of its block, as it is drawn.

        That of the first copy stands for all.
        """
        instances = self.drawn.instances
        block = self.copies.get(block, block)
        if block in instances:
            return instances[block].outputs.get(name)
        end = self.flat.ports.get(f"{block}.{name}") if self.flat else None
        if end is None or end.block not in instances:
            return None
        outputs = instances[end.block].outputs
        return outputs.get(end.port) if end.port else next(iter(outputs.values()), None)


def _position(problem: Problem) -> tuple[str, int, int]:
    position = problem.position
    return (position.file, position.line, position.column) if position else ("", 0, 0)
