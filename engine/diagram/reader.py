"""Node tree to `Diagram`: the file format, version 1. All problems are reported at once.

`load` also reads the files that a diagram names (subsystems, parameter sets), relative to the
file that names them, so that a `Diagram` is complete in itself.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace

from ..text.collecting import collection_paused
from ..text.files import file_text, files_read
from ..text.nodes import Entry, Mapping, Scalar, Sequence, describe, short
from ..text.source import read_text
from .copies import Repetition, read_repetition
from .diagram import (
    BlockEntry,
    Diagram,
    Entries,
    Include,
    PortEntry,
    Source,
    Subsystem,
    WireLine,
)
from .enabling import ENABLE, ENABLING_KEYS, Enabling, read_enabling
from .endpoints import DOTTED_NAME
from .entries import EntryReader, is_null, is_text
from .file_chain import LARGEST_NESTING, FileChain
from .triggering import TRIGGER, Triggering, read_triggering

FORMAT = 1
_COMMON = ("title", "description", "include", "parameters")
_PARTS = ("inputs", "outputs", "blocks", "wires", "annotations", "layout")
ROOT_KEYS = ("diagram", *_COMMON, *_PARTS, "solver", "log")
INLINE_KEYS = (*_COMMON, *_PARTS)
SET_KEYS = ("diagram", *_COMMON)
KINDS = ("type", "subsystem", "variants")
BLOCK_KEYS = (*KINDS, "include", "comment", "disabled")
_OWN_KEYS = {"subsystem": ("each", TRIGGER), "variants": ("variant", "each", TRIGGER)}
VARIANT_NAME = re.compile(r"[A-Za-z0-9_]+")
EXPRESSION_WORDS = ("if", "else", "and", "or", "not", "true", "false", "True", "False", "None")


def load(path: str | os.PathLike[str]) -> Diagram:
    """Read a diagram file and all files that it names; raises `DiagramError`."""
    name = os.fspath(path)
    with files_read() as read:
        diagram = loads(file_text(name), name)
    return replace(diagram, files=tuple(read.values()))


def loads(text: str, file: str = "<text>", folder: str | os.PathLike[str] | None = None) -> Diagram:
    """Read a diagram from text; `folder` is where relative paths start (the file's own)."""
    with collection_paused():
        root = read_text(text, file)
        return read_tree(root, file, folder, Source(text, root))


def read_tree(
    root: Mapping,
    file: str,
    folder: str | os.PathLike[str] | None = None,
    source: Source | None = None,
) -> Diagram:
    """The diagram of a tree, for those who built the tree themselves."""
    chain = FileChain(file)
    start = os.path.dirname(file) if folder is None else os.fspath(folder)
    with files_read() as read:
        diagram = _Reader(_Shared(chain), file, start).diagram(root, ROOT_KEYS, source)
    chain.problems.raise_any()
    return replace(diagram, files=tuple(read.values()))


@dataclass
class _Shared:
    """What the readers of all files of one diagram share."""

    chain: FileChain
    diagrams: dict[str, Diagram | None] = field(default_factory=dict)
    sets: dict[str, Entries | None] = field(default_factory=dict)
    depth: int = 0
    disabled: bool = False


class _Reader(EntryReader):
    """Reads the entries of one file."""

    def __init__(self, shared: _Shared, file: str, folder: str):
        super().__init__(shared.chain.problems)
        self.shared = shared
        self.file = file
        self.folder = folder

    # -- a diagram ---------------------------------------------------------------------------

    def diagram(
        self, root: Mapping, keys: tuple[str, ...], source: Source | None = None
    ) -> Diagram:
        entries = root.entries
        self.check_keys(root, keys, "of a diagram" if keys is ROOT_KEYS else "of a subsystem")
        if keys is ROOT_KEYS:
            self.version(root)
        diagram = Diagram(
            file=self.file,
            title=self.text_of(entries.get("title"), "title"),
            description=self.text_of(entries.get("description"), "description"),
            includes=self.includes(entries.get("include")),
            parameters=self.parameters(entries.get("parameters")),
            inputs=self.ports(entries.get("inputs"), "input"),
            outputs=self.ports(entries.get("outputs"), "output"),
            blocks=self.blocks(entries.get("blocks")),
            wires=self.wires(entries.get("wires")),
            solver=self.named(entries.get("solver"), "solver", "method: ode45, stop: 10 s"),
            log=self.named(entries.get("log"), "log", "signals: [a.y], every: 1 ms"),
            annotations=self.kept(entries.get("annotations")),
            layout=self.kept(entries.get("layout")),
            position=root.position,
            folder=os.path.abspath(self.folder),
        )
        with self.problems.collected():
            _ = diagram.log_signals
        if source is None:
            return diagram
        return replace(diagram, source=replace(source, parts=diagram.parts()))

    def version(self, root: Mapping) -> None:
        entry = root.entries.get("diagram")
        if entry is None:
            self.problem(
                root.position, f"the format version is missing; start with `diagram: {FORMAT}`"
            )
        elif not isinstance(entry.node, Scalar) or entry.node.text != str(FORMAT):
            self.problem(
                entry.node.position,
                f"format version {describe(entry.node)} is not known; expected {FORMAT}",
            )

    def parameters(self, entry: Entry | None) -> Entries:
        parameters = self.named(entry, "parameters", "mu_0: 0.05")
        for name, parameter in parameters.items():
            if name in EXPRESSION_WORDS:
                self.problem(
                    parameter.key_position,
                    f"{name!r} is a word of expressions; choose another name",
                )
        return parameters

    def blocks(self, entry: Entry | None) -> dict[str, BlockEntry]:
        blocks = {}
        for name, block in self.named(entry, "blocks", "gain: {type: math.gain, k: 2}").items():
            if isinstance(block.node, Mapping):
                blocks[name] = self.block(name, block, block.node)
            else:
                self.problem(
                    block.node.position,
                    f"block {name!r} is {describe(block.node)}; expected "
                    "`{type: ...}` or `{subsystem: ...}`",
                )
        return blocks

    def block(self, name: str, entry: Entry, node: Mapping) -> BlockEntry:
        entries = node.entries
        kinds = [key for key in KINDS if key in entries]
        if len(kinds) != 1:
            given = f"both `{kinds[0]}` and `{kinds[1]}`" if kinds else "no `type`"
            near = "" if kinds else self.problems.near("type", entries)
            self.problem(
                entry.key_position,
                f"block {name!r} has {given}; expected one of `type`, `subsystem` and "
                f"`variants`{near}",
            )
        own = (*BLOCK_KEYS, *_OWN_KEYS.get(kinds[0] if kinds else "", ()))
        if kinds and ENABLE in entries and kinds[0] != "type":
            own = (*own, *ENABLING_KEYS)
        values = {key: value for key, value in entries.items() if key not in own}
        self.check_names(values, f"parameter of block {name!r}")
        disabled = self.flag(entries.get("disabled"), f"{name}.disabled")
        outside, self.shared.disabled = self.shared.disabled, self.shared.disabled or disabled
        block = BlockEntry(
            name=name,
            position=entry.key_position,
            type=self.block_type(entries.get("type"), name),
            subsystem=self.subsystem(entries.get("subsystem"), name),
            variant=self.variant(entries, name),
            variants=self.variants(entries.get("variants"), name),
            each=self.each(entries.get("each"), name) if "each" in own else None,
            enabling=self.enabling(entries, name) if ENABLE in own else None,
            triggering=self.triggering(entries.get(TRIGGER), name) if TRIGGER in own else None,
            includes=self.includes(entries.get("include")),
            values=values,
            comment=self.text_of(entries.get("comment"), f"{name}.comment"),
            disabled=disabled,
        )
        self.shared.disabled = outside
        return block

    def variant(self, entries: Entries, name: str) -> Scalar | None:
        if "variants" not in entries:
            return None
        entry = entries.get("variant")
        if entry is not None and isinstance(entry.node, Scalar) and not is_null(entry.node):
            return entry.node
        found = "no `variant`" if entry is None else f"the variant {describe(entry.node)}"
        self.problem(
            entries["variants"].key_position if entry is None else entry.node.position,
            f"block {name!r} has {found}; expected the name of one, or a parameter that says which",
        )
        return None

    def variants(self, entry: Entry | None, name: str) -> dict[str, BlockEntry]:
        if entry is None:
            return {}
        if not isinstance(entry.node, Mapping) or not entry.node.entries:
            self.problem(
                entry.node.position,
                f"variants of {name!r} are {describe(entry.node)}; expected "
                "`{plain: {subsystem: a.yaml}, full: {subsystem: b.yaml}}`",
            )
            return {}
        variants = {}
        for key, inner in entry.node.entries.items():
            if VARIANT_NAME.fullmatch(key) is None:
                message = (
                    f"{short(key)} is not a name for a variant; expected letters, digits and _"
                )
                self.problem(inner.key_position, message)
            elif isinstance(inner.node, Mapping):
                variants[key] = self.block(key, inner, inner.node)
            else:
                message = (
                    f"variant {key!r} is {describe(inner.node)}; expected `{{subsystem: ...}}`"
                )
                self.problem(inner.node.position, message)
        return variants

    def each(self, entry: Entry | None, name: str) -> Repetition | None:
        if entry is None:
            return None
        with self.problems.collected():
            return read_repetition(entry.node, name)
        return None

    def enabling(self, entries: Entries, name: str) -> Enabling | None:
        nodes = {key: entries[key].node for key in ENABLING_KEYS if key in entries}
        with self.problems.collected():
            return read_enabling(nodes, name)
        return None

    def triggering(self, entry: Entry | None, name: str) -> Triggering | None:
        if entry is None:
            return None
        with self.problems.collected():
            return read_triggering(entry.node, name)
        return None

    def block_type(self, entry: Entry | None, name: str) -> Scalar | None:
        if entry is None:
            return None
        node = entry.node
        if not isinstance(node, Scalar) or DOTTED_NAME.fullmatch(node.text) is None:
            self.problem(
                node.position,
                f"type of block {name!r} is {describe(node)}; expected for example math.gain",
            )
            return None
        return node

    def ports(self, entry: Entry | None, kind: str) -> dict[str, PortEntry]:
        ports = {}
        for name, port in self.named(entry, kind + "s", "e: pid.u").items():
            declared = PortEntry(name, port.node, port.key_position)
            if kind == "output" and isinstance(port.node, Sequence) and port.node.items:
                message = f"output {name!r} is a list; expected one `block.port`"
                self.problem(port.node.position, message)
                continue
            with self.problems.collected():
                _ = declared.ends
                ports[name] = declared
        return ports

    def wires(self, entry: Entry | None) -> tuple[WireLine, ...]:
        if entry is None or is_null(entry.node):
            return ()
        if not isinstance(entry.node, Sequence):
            self.problem(
                entry.node.position,
                f"wires is {describe(entry.node)}; expected a list of `- a.y -> b.u`",
            )
            return ()
        lines = []
        for item in entry.node.items:
            if not isinstance(item, Scalar) or not isinstance(item.value, str):
                self.problem(
                    item.position,
                    f"the wire is {describe(item)}; expected `block.port -> block.port`",
                )
                continue
            line = WireLine(item)
            with self.problems.collected():
                _ = line.wires
                lines.append(line)
        return tuple(lines)

    # -- other files -------------------------------------------------------------------------

    def subsystem(self, entry: Entry | None, name: str) -> Subsystem | None:
        if entry is None:
            return None
        node = entry.node
        if isinstance(node, Sequence) or (isinstance(node, Scalar) and not is_text(node)):
            self.problem(
                node.position,
                f"subsystem of {name!r} is {describe(node)}; expected a path or a mapping",
            )
            return None
        if self.shared.depth >= LARGEST_NESTING:
            self.problem(node.position, f"subsystems are nested deeper than {LARGEST_NESTING}")
            return None
        self.shared.depth += 1
        diagram: Diagram | None
        if isinstance(node, Mapping):
            path, diagram = None, self.diagram(node, INLINE_KEYS)
        else:
            path, diagram = node, None
            if not self.shared.disabled:
                known = self.shared.diagrams
                diagram = self.shared.chain.read(
                    node, self.folder, known, self.read_diagram, ROOT_KEYS, "a diagram"
                )
        self.shared.depth -= 1
        return Subsystem(diagram, path)

    def includes(self, entry: Entry | None) -> tuple[Include, ...]:
        if entry is None:
            return ()
        node = entry.node
        items = node.items if isinstance(node, Sequence) else (node,)
        includes = []
        for item in items:
            if not isinstance(item, Scalar) or not is_text(item):
                self.problem(item.position, f"include is {describe(item)}; expected a path")
                continue
            parameters = None
            if not self.shared.disabled:
                known = self.shared.sets
                parameters = self.shared.chain.read(
                    item, self.folder, known, self.read_set, SET_KEYS, "a parameter set"
                )
            folders = {
                name: os.path.abspath(os.path.dirname(value.node.position.file))
                for name, value in (parameters or {}).items()
            }
            includes.append(Include(item, parameters or {}, folders))
        return tuple(includes)

    def read_diagram(self, source: Source, file: str) -> Diagram:
        reader = _Reader(self.shared, file, os.path.dirname(file))
        return reader.diagram(source.root, ROOT_KEYS, source)

    def read_set(self, source: Source, file: str) -> Entries:
        reader = _Reader(self.shared, file, os.path.dirname(file))
        entries = source.root.entries
        reader.check_keys(source.root, SET_KEYS, "of a parameter set")
        inner = reader.includes(entries.get("include"))
        merged = {name: entry for include in inner for name, entry in include.parameters.items()}
        return merged | reader.parameters(entries.get("parameters"))
