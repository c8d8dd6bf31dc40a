"""The JSON Schema of diagram files: what editors need to complete and check them.

Generated from the registry, so that it always fits the blocks that there are. A value with a
unit or an expression is text, so numbers, text and lists are all allowed where a number is meant;
what a text says is checked by `railblocks check` only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..declaration import Block, Param
from ..declaration.registry import Registry
from ..diagram.reader import FORMAT, KINDS
from .settings import LOG, SOLVER

Schema = dict[str, Any]
NAME = "^[A-Za-z_][A-Za-z0-9_]*$"
TEXT: Schema = {"type": ["string", "number", "boolean"]}
VALUE: Schema = {"type": ["number", "string", "boolean", "array"]}
_EACH: Schema = {
    "description": "how many copies of a subsystem there are",
    "type": ["integer", "string", "object"],
    "properties": {
        "count": {"type": ["integer", "string"]},
        "index": {"type": "string", "pattern": NAME, "description": "name of a copy's number"},
        "shared": {
            "description": "inputs that all copies have in common",
            "type": ["string", "array"],
            "items": {"type": "string"},
        },
    },
    "required": ["count"],
    "additionalProperties": False,
}
_TYPES = {
    float: ["number", "string", "array"],
    int: ["integer", "string"],
    bool: ["boolean", "string"],
    str: ["string", "number", "boolean"],
}


def schema(registry: Registry) -> Schema:
    """The schema of a diagram file, draft 2020-12."""
    parts = _parts()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "railblocks diagram",
        "type": "object",
        "properties": {
            "diagram": {"const": FORMAT, "description": "version of the file format"},
            **parts,
            "solver": _settings("how to integrate", SOLVER),
            "log": _log(),
        },
        "required": ["diagram"],
        "additionalProperties": False,
        "$defs": {
            "inline": {"type": "object", "properties": parts, "additionalProperties": False},
            "block": _block(registry),
            **{block.declaration.id: _block_type(block) for block in registry},
        },
    }


def _parts() -> Schema:
    ends = {"type": ["string", "array"], "items": {"type": "string"}}
    return {
        "title": TEXT,
        "description": TEXT,
        "include": _include("parameter sets, merged before `parameters`"),
        "parameters": _named("values that expressions may use", VALUE),
        "inputs": _named("outer inputs of a subsystem: `e: pid.u`", ends),
        "outputs": _named("outer outputs of a subsystem: `u: pid.y`", {"type": "string"}),
        "blocks": _named("blocks by name", {"$ref": "#/$defs/block"}),
        "wires": {
            "description": "lines such as `a.y -> b.u, c.u`",
            "type": ["array", "null"],
            "items": {"type": "string", "pattern": "->"},
        },
        "annotations": {"description": "texts on the canvas"},
        "layout": {"description": "positions of blocks, written by the editor"},
    }


def _named(description: str, value: Schema) -> Schema:
    return {
        "description": description,
        "type": ["object", "null"],
        "patternProperties": {NAME: value},
        "additionalProperties": False,
    }


def _include(description: str) -> Schema:
    return {
        "description": description,
        "type": ["string", "array"],
        "items": {"type": "string"},
    }


def _settings(description: str, declared: Iterable[Param]) -> Schema:
    return {
        "description": description,
        "type": ["object", "null"],
        "properties": {param.name: _param(param) for param in declared},
        "additionalProperties": False,
    }


def _log() -> Schema:
    log = _settings("what to record", LOG)
    log["properties"]["signals"] = {
        "description": "signals such as `motor.omega`, or `all`",
        "type": ["string", "array"],
        "items": {"type": "string"},
    }
    return log


def _block(registry: Registry) -> Schema:
    ids = registry.ids()
    families = "|".join(sorted({name.partition(".")[0] for name in ids}))
    return {
        "type": "object",
        "properties": {
            "type": {
                "description": "block type; `railblocks list` shows all",
                "anyOf": [
                    {"enum": ids},
                    {"type": "string", "pattern": f"^(?!({families})\\.)[A-Za-z_][\\w.]*$"},
                ],
            },
            "subsystem": {
                "description": "a diagram file, or a diagram",
                "anyOf": [{"type": "string"}, {"$ref": "#/$defs/inline"}],
            },
            "variants": _named("blocks or subsystems to choose from", {"$ref": "#/$defs/block"}),
            "variant": {"description": "which of the variants stands here", **TEXT},
            "each": _EACH,
            "enable": {"description": "a condition: the subsystem runs while it holds", **TEXT},
            "when_disabled": {"description": "whether its states hold or start anew"},
            "outputs": {"description": "hold, or what it shows while it does not run"},
            "trigger": {"description": "rising, falling or either, and a condition", **TEXT},
            **_reserved(),
        },
        "oneOf": [{"required": [kind]} for kind in KINDS],
        "allOf": [
            {
                "if": {"properties": {"type": {"const": name}}, "required": ["type"]},
                "then": {"$ref": f"#/$defs/{name}"},
            }
            for name in ids
        ],
    }


def _reserved() -> Schema:
    return {
        "include": _include("parameter sets that fill this block's parameters"),
        "comment": TEXT,
        "disabled": {"type": "boolean", "description": "left out, with its wires"},
    }


def _block_type(block: type[Block]) -> Schema:
    declaration = block.declaration
    params = {name: _param(param, True) for name, param in declaration.params.items()}
    described: Schema = {
        "description": declaration.doc,
        "properties": {"type": True, **_reserved(), **params},
        "additionalProperties": False,
    }
    needed = [name for name, param in declaration.params.items() if param.required]
    if needed:
        described["anyOf"] = [{"required": needed}, {"required": ["include"]}]
    return described


def _param(param: Param, of_block: bool = False) -> Schema:
    unit = "" if param.unit in ("", "1") else f" ({param.unit})"
    described: Schema = {"description": param.doc + unit}
    if param.type in _TYPES:
        described["type"] = _TYPES[param.type]
    if param.choices:
        described = {"description": param.doc, "enum": list(param.choices)}
    if param.choices and of_block:
        named: Schema = {"type": "string", "pattern": NAME}
        choices = {"anyOf": [{"enum": list(param.choices)}, named]}
        described = {"description": f"{param.doc}; or the name of a parameter", **choices}
    default = param.default
    plain = isinstance(default, bool | int | str | list | tuple)
    if not param.required and (plain or (isinstance(default, float) and math.isfinite(default))):
        described["default"] = list(default) if isinstance(default, tuple) else default
    words = {"gt": "exclusiveMinimum", "ge": "minimum", "lt": "exclusiveMaximum", "le": "maximum"}
    for bound, word in words.items():
        limit = getattr(param, bound)
        if limit is not None and math.isfinite(limit):
            described[word] = limit
    return described
