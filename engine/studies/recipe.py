"""Studies as files beside a diagram: what varies, what is kept.

study: 1                            # file-format version
diagram: dc_motor.yaml
set: {load: 0.1 N*m}
vary:
  motor.J: 1e-4..4e-4:10
  pid.K_p: [0.1 V*s/rad, 0.2 V*s/rad]
way: grid                           # or zip, samples
samples: {count: 100, method: lhs, seed: 1}
own_seeds: true
summaries: {peak: max(motor.i)}
keep_signals: [motor.omega]
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..declaration.registry import Registry
from ..diagram.diagram import Diagram
from ..diagram.reader import load
from ..errors import DiagramError, suggestion
from ..errors.problems import Problems
from ..text.files import file_text
from ..text.nodes import Mapping as MappingNode
from ..text.nodes import Node, Scalar, Sequence, describe
from ..text.source import read_named
from .job import Job
from .plan import WAYS, Plan, Sampling, plan_of
from .samples import METHODS
from .summaries import read_summaries
from .variations import Variation, variation_of

FORMAT = 1
LARGEST_SEED = 10**9
FIELDS = (
    "study", "diagram", "set", "vary", "way", "samples", "own_seeds", "summaries", "keep_signals",
)  # fmt: skip


@dataclass(frozen=True)
class Recipe:
    """What a study file says; the diagram has the values of `set`."""

    diagram: Diagram
    plan: Plan
    summaries: dict[str, str] = field(default_factory=dict)
    keep_signals: tuple[str, ...] = ()

    def job(self, registry: Registry, compiled: bool = True) -> Job:
        measures = read_summaries(self.summaries, "summaries")
        return Job.of(self.diagram, registry, self.plan, measures, self.keep_signals, compiled)


def is_recipe(path: str) -> bool:
    """Whether a file is a study rather than a diagram; raises DiagramError if it is neither."""
    root = read_named(file_text(path), path, ("study", "diagram"), "a diagram or a study")
    return "study" in root.entries


def read_recipe(path: str | os.PathLike[str]) -> Recipe:
    """The study of a file; raises DiagramError with all problems."""
    name = os.fspath(path)
    root = read_named(file_text(name), name, ("study",), "a study")
    reader = _Reader(root)
    folder = os.path.dirname(name)
    reader.check_fields(root, FIELDS, "a study")
    if reader.number(root, "study", 1, FORMAT, FORMAT) is None:
        reader.problems.add(root.position, "expected `study: 1`, the only version there is")
    diagram_file = reader.text(root, "diagram", required=True)
    variations = reader.variations(root)
    way = reader.text(root, "way", choices=WAYS)
    sampling = reader.sampling(root)
    own_seeds = reader.flag(root, "own_seeds")
    summaries = reader.texts_by_name(root, "summaries")
    kept = reader.listed(root, "keep_signals")
    values = reader.nodes(root, "set")
    reader.problems.raise_any()
    if way == "samples" and not sampling.count:
        raise DiagramError("way: samples needs `samples: {count: ...}`", root.position)
    diagram = load(os.path.join(folder, diagram_file)).with_values(values)
    try:
        plan = plan_of(variations, way or None, sampling, own_seeds)
    except DiagramError as error:
        raise DiagramError(str(error), root.position) from None
    return Recipe(diagram, plan, summaries, tuple(dict.fromkeys(kept)))


class _Reader:
    """Takes the fields of a study; mistakes go into `problems`."""

    def __init__(self, root: MappingNode):
        self.root = root
        self.problems = Problems()

    def check_fields(self, node: MappingNode, known: tuple[str, ...], what: str) -> None:
        for key, entry in node.entries.items():
            if key not in known:
                near = suggestion(key, known) or f"; expected {', '.join(known)}"
                self.problems.add(entry.key_position, f"'{key}' is not a field of {what}{near}")

    def _node(self, parent: MappingNode, key: str, required: bool = False) -> Node | None:
        entry = parent.entries.get(key)
        if entry is None or (isinstance(entry.node, Scalar) and entry.node.value is None):
            if required:
                self.problems.add(parent.position, f"'{key}' is missing")
            return None
        return entry.node

    def text(
        self, parent: MappingNode, key: str, required: bool = False, choices: tuple[str, ...] = ()
    ) -> str:
        node = self._node(parent, key, required)
        if node is None:
            return ""
        if not isinstance(node, Scalar):
            self.problems.add(node.position, f"{key} is {describe(node)}; expected text")
            return ""
        if choices and node.text not in choices:
            near = suggestion(node.text, choices) or f"; expected one of {', '.join(choices)}"
            self.problems.add(node.position, f"{key} is '{node.text}'{near}")
        return node.text

    def number(
        self, parent: MappingNode, key: str, low: int, high: int, default: int | None = None
    ) -> int | None:
        node = self._node(parent, key)
        if node is None:
            return default
        value = node.value if isinstance(node, Scalar) else None
        number = float("nan")
        if isinstance(value, int | float) and not isinstance(value, bool):
            number = float(value)
        if not low <= number <= high or not number.is_integer():
            self.problems.add(
                node.position,
                f"{key} is {describe(node)}; expected a whole number from {low} to {high}",
            )
            return default
        return int(number)

    def flag(self, parent: MappingNode, key: str) -> bool:
        node = self._node(parent, key)
        if node is None:
            return False
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        self.problems.add(node.position, f"{key} is {describe(node)}; expected true or false")
        return False

    def _mapping(self, parent: MappingNode, key: str, required: bool = False) -> MappingNode | None:
        node = self._node(parent, key, required)
        if node is None or isinstance(node, MappingNode):
            return node
        self.problems.add(node.position, f"{key} is {describe(node)}; expected a mapping")
        return None

    def variations(self, parent: MappingNode) -> list[Variation]:
        node = self._mapping(parent, "vary", required=True)
        found = []
        for path, entry in (node.entries if node is not None else {}).items():
            try:
                found.append(variation_of(path, _plain(entry.node), entry.node.position))
            except DiagramError as error:
                for problem in error.problems:
                    self.problems.add(entry.node.position, f"{path}: {problem.message}")
        return found

    def sampling(self, parent: MappingNode) -> Sampling:
        node = self._mapping(parent, "samples")
        if node is None:
            return Sampling()
        self.check_fields(node, ("count", "method", "seed"), "samples")
        count = self.number(node, "count", 1, 10**7)
        if count is None:
            self.problems.add(node.position, "'count' is missing: how many samples")
        method = self.text(node, "method", choices=METHODS) or "lhs"
        return Sampling(count or 0, method, self.number(node, "seed", 0, LARGEST_SEED) or 0)

    def texts_by_name(self, parent: MappingNode, key: str) -> dict[str, str]:
        node = self._mapping(parent, key)
        return {name: self.text(node, name) for name in node.entries} if node is not None else {}

    def nodes(self, parent: MappingNode, key: str) -> Mapping[str, Any]:
        node = self._mapping(parent, key)
        return {name: e.node for name, e in node.entries.items()} if node is not None else {}

    def listed(self, parent: MappingNode, key: str) -> list[str]:
        node = self._node(parent, key)
        if node is None:
            return []
        items = node.items if isinstance(node, Sequence) else (node,)
        texts = []
        for item in items:
            if isinstance(item, Scalar):
                texts.append(item.text)
            else:
                self.problems.add(item.position, f"{describe(item)}; expected a signal")
        return texts


def _plain(node: Node) -> Any:
    """What varies: text, or a list of numbers and texts."""
    if isinstance(node, Sequence):
        return [item.text if isinstance(item, Scalar) else describe(item) for item in node.items]
    if isinstance(node, Scalar):
        return node.text
    raise DiagramError(f"{describe(node)}; expected values", node.position)


def schema() -> dict[str, Any]:
    """The JSON Schema of study files, draft 2020-12."""
    text = {"type": "string"}
    value = {"type": ["number", "string", "boolean"]}
    sampling = {
        "description": "how many samples are drawn, and how",
        "type": "object",
        "properties": {
            "count": {"type": "integer", "minimum": 1},
            "method": {"enum": list(METHODS)},
            "seed": {"type": "integer", "minimum": 0, "maximum": LARGEST_SEED},
        },
        "required": ["count"],
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "railblocks study",
        "type": "object",
        "properties": {
            "study": {"const": FORMAT, "description": "version of the file format"},
            "diagram": {**text, "description": "diagram file; its path starts at this file"},
            "set": {
                "description": "other values for all runs, by path",
                "type": ["object", "null"],
            },
            "vary": {
                "description": "values by parameter: LOW..HIGH:COUNT, a list, or a distribution",
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {
                    "anyOf": [value, {"type": "array", "items": value, "minItems": 1}]
                },
            },
            "way": {"enum": list(WAYS), "description": "combinations, side by side, or samples"},
            "samples": sampling,
            "own_seeds": {
                "type": "boolean",
                "description": "random sources of each run have a seed of their own",
            },
            "summaries": {
                "description": "measures by name: `peak: max(motor.i)`",
                "type": ["object", "null"],
                "additionalProperties": text,
            },
            "keep_signals": {
                "description": "signals that are kept row by row",
                "type": ["string", "array"],
                "items": text,
            },
        },
        "required": ["study", "diagram", "vary"],
        "additionalProperties": False,
    }
