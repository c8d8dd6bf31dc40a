"""Reading `*.test.yaml`: a strict form, all problems at once, each with its position.

    test: 1
    diagram: dc_motor.yaml
    values: {load: 0.1 N*m}             # for all tests
    tests:
      speed:
        values: {omega_ref: 100 rad/s}
        limits: [max(motor.i) < 10 A]
        baseline: {file: speed.csv, signals: [motor.omega], relative: 1 %}
      no voltage:
        values: {V_max: 0 V}
        fails: V_max

Paths start at the folder of the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from ..errors import DiagramError, Position
from ..errors.problems import Problems
from ..measures.limit import Limit, parse_limits
from ..text.files import file_text, starting_at
from ..text.nodes import Entry, Mapping, Node, Scalar, Sequence, describe
from ..text.source import read_named
from ..units.quantity import Quantity, parse_quantity
from ..units.unit import UnitError, parse_unit
from .case import ENDING, Baseline, Case, CaseFile, Tolerance

VERSION = 1
TOP = ("test", "diagram", "values", "tests")
PARTS = ("diagram", "values", "limits", "baseline", "fails")
TOLERANCES = ("absolute", "relative", "leading", "lagging")
BASELINE = ("file", "signals", *TOLERANCES)
BASELINE_ENDINGS = (".csv", ".h5")
SKIPPED = ("node_modules", "__pycache__")


def files_meant(paths: Iterable[str]) -> list[str]:
    """The files that are meant: those named, and all `*.test.yaml` in the folders named."""
    found: dict[str, None] = {}
    for path in paths:
        if not os.path.isdir(path):
            found[path] = None
            continue
        inside = sorted(_files_in(path))
        if not inside:
            raise DiagramError(
                f"there is no file *{ENDING} in this folder; `railblocks new` writes one",
                Position(path),
            )
        found |= dict.fromkeys(inside)
    return list(found)


def _files_in(folder: str) -> Iterator[str]:
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name[0] != "." and name not in SKIPPED]
        for name in files:
            if name.endswith(ENDING):
                yield os.path.normpath(os.path.join(root, name))


def read_cases(path: str) -> CaseFile:
    """The tests of a file; raises DiagramError with all problems."""
    root = read_named(file_text(path, "a test file"), path, ("test",), "a line `test: 1`")
    reader = _Reader(path, Problems())
    cases = reader.cases(root)
    reader.problems.raise_any()
    return CaseFile(path, cases)


class _Reader:
    """Reads the parts of one file; mistakes go into the problems."""

    def __init__(self, path: str, problems: Problems):
        self.path, self.problems = path, problems
        self.folder = os.path.dirname(path)
        self.baselines: dict[str, Position] = {}

    def cases(self, root: Mapping) -> tuple[Case, ...]:
        self.refuse_others(root, TOP, "a test file")
        version = root.entries.get("test")
        if version is None or not _is_version(version.node):
            where = version.node.position if version else root.position
            self.problems.add(where, f"expected `test: {VERSION}`, the only version there is")
        shared = self.entries(root, "values", "values, as {load: 0.1 N*m}")
        tests = self.entries(root, "tests", "tests by their names")
        if not tests and "tests" not in root.entries:
            self.problems.add(root.position, "'tests' is missing; expected tests by their names")
        return tuple(
            self.case(name, entry, root, shared)
            for name, entry in tests.items()
            if self.is_mapping(entry.node, f"the test '{name}'", "limits, baseline or fails")
        )

    def case(self, name: str, entry: Entry, root: Mapping, shared: dict[str, Entry]) -> Case:
        node = entry.node
        assert isinstance(node, Mapping)
        self.refuse_others(node, PARTS, "a test")
        own = node.entries.get("diagram") or root.entries.get("diagram")
        diagram = self.text(own.node, "diagram") if own else ""
        if own is None:
            self.problems.add(
                entry.key_position, f"the test '{name}' has no diagram; expected `diagram: FILE`"
            )
        if not set(node.entries) & {"limits", "baseline", "fails"}:
            self.problems.add(
                entry.key_position,
                f"the test '{name}' expects nothing; expected limits, a baseline or fails",
            )
        fails = node.entries.get("fails")
        if fails and len(set(node.entries) & {"limits", "baseline"}):
            self.problems.add(
                fails.key_position, "a run that fails has no limits and no baseline; remove them"
            )
        values = {**shared, **self.entries(node, "values", "values, as {load: 0.1 N*m}")}
        return Case(
            name,
            entry.key_position,
            starting_at(self.folder, diagram) if self.folder else diagram,
            {key: value.node for key, value in values.items()},
            tuple(self.limits(node.entries.get("limits"))),
            self.baseline(node.entries.get("baseline"), name),
            self.text(fails.node, "fails") if fails else "",
        )

    def limits(self, entry: Entry | None) -> Iterator[tuple[Position, Limit]]:
        nodes: tuple[Node, ...] = ()
        if entry is not None:
            nodes = entry.node.items if isinstance(entry.node, Sequence) else (entry.node,)
        for node in nodes:
            text = self.text(node, "a limit")
            try:
                yield from ((node.position, limit) for limit in parse_limits(text) if text)
            except DiagramError as error:
                cut = text.count("(") != text.count(")")
                hint = (
                    "; a comma in a list ends a text: quote it, or write `- ` lines" if cut else ""
                )
                self.problems.add(node.position, error.problems[0].message + hint)

    def baseline(self, entry: Entry | None, name: str) -> Baseline | None:
        expected = "{file: speed.csv, signals: [motor.omega], relative: 1 %}"
        if entry is None or not self.is_mapping(entry.node, "baseline", expected):
            return None
        node = entry.node
        self.refuse_others(node, BASELINE, "a baseline")
        path = self.text(node.entries["file"].node, "file") if "file" in node.entries else ""
        if not path.lower().endswith(BASELINE_ENDINGS):
            where = node.entries["file"].node.position if path else node.position
            self.problems.add(where, f"file is '{path}'; expected a file of ending .csv or .h5")
        path = starting_at(self.folder, path) if self.folder else path
        if path in self.baselines:
            self.problems.add(
                node.position, f"'{path}' is the baseline of another test; choose another name"
            )
        self.baselines[path] = node.position
        common = self.tolerance(node, Tolerance())
        return Baseline(path, node.position, self.signals(node, common))

    def signals(self, node: Mapping, common: Tolerance) -> dict[str, Tolerance]:
        entry = node.entries.get("signals")
        if entry is not None and isinstance(entry.node, Mapping):
            own: dict[str, Tolerance] = {}
            for name, one in entry.node.entries.items():
                own[name] = common
                if self.is_mapping(one.node, name, "{absolute: 0.1 A, relative: 1 %}"):
                    self.refuse_others(one.node, TOLERANCES, "a tolerance")
                    own[name] = self.tolerance(one.node, common)
            return own
        if entry is None or not isinstance(entry.node, Sequence) or not entry.node.items:
            where = entry.node.position if entry else node.position
            self.problems.add(where, "expected signals, as [motor.omega, motor.i]")
            return {}
        return {self.text(item, "a signal"): common for item in entry.node.items}

    def tolerance(self, node: Mapping, common: Tolerance) -> Tolerance:
        absolute = self.quantity(node, "absolute", "a value in the unit of the signal")
        return Tolerance(
            common.absolute if absolute is None else absolute,
            self.number(node, "relative", "1", common.relative),
            self.number(node, "leading", "s", common.leading),
            self.number(node, "lagging", "s", common.lagging),
        )

    def number(self, node: Mapping, key: str, unit: str, default: float) -> float:
        quantity = self.quantity(node, key, parse_unit(unit).describe())
        if quantity is None:
            return default
        try:
            return float(quantity.to(parse_unit(unit)))
        except UnitError as error:
            self.problems.add(node.entries[key].node.position, f"{key}: {error}")
            return default

    def quantity(self, node: Mapping, key: str, expected: str) -> Quantity | None:
        """A number that is not negative, with the unit that stands behind it."""
        if key not in node.entries:
            return None
        given, quantity = node.entries[key].node, None
        if isinstance(given, Scalar) and not isinstance(given.value, bool):
            try:
                if isinstance(given.value, str):
                    quantity = parse_quantity(given.text)
                elif given.value is not None:
                    quantity = Quantity(float(given.value))
            except UnitError as error:
                self.problems.add(given.position, str(error))
                return None
        if quantity is None or not 0.0 <= float(quantity.value) < float("inf"):
            self.problems.add(
                given.position, f"{key} is {describe(given)}; expected {expected}, 0 or more"
            )
            return None
        return quantity

    # --- what any file has ---------------------------------------------------------------------
    def entries(self, node: Mapping, key: str, expected: str) -> dict[str, Entry]:
        if key not in node.entries:
            return {}
        inner = node.entries[key].node
        if not self.is_mapping(inner, key, expected):
            return {}
        return dict(inner.entries)

    def is_mapping(self, node: Node, what: str, expected: str) -> TypeGuard[Mapping]:
        if isinstance(node, Mapping):
            return True
        self.problems.add(node.position, f"{what} is {describe(node)}; expected {expected}")
        return False

    def text(self, node: Node, what: str) -> str:
        if isinstance(node, Scalar) and node.text:
            return node.text
        self.problems.add(node.position, f"{what} is {describe(node)}; expected text")
        return ""

    def refuse_others(self, node: Mapping, known: tuple[str, ...], what: str) -> None:
        for key, entry in node.entries.items():
            if key not in known:
                near = self.problems.near(key, known)
                self.problems.add(
                    entry.key_position,
                    f"'{key}' is not a part of {what}{near}; expected {', '.join(known)}",
                )


def _is_version(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value == VERSION and not isinstance(node.value, bool)
