"""Check diagrams: all mistakes at once, or what there is to know about them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import DiagramError, Problem
from .inputs import blocks_argument, diagram_of, registry_of, values_argument
from .tables import print_error, print_json, print_line, problem_data

if TYPE_CHECKING:
    from ..declaration.registry import Registry
    from ..diagram.diagram import Diagram

NAME = "check"
QUOTES = "'"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="diagram files (YAML)")
    values_argument(parser)
    blocks_argument(parser)
    parser.add_argument(
        "--all-variants", action="store_true", help="check every variant, not only the chosen ones"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per file")


def main(options: argparse.Namespace) -> int:
    registry = registry_of(options)
    code = 0
    for path in options.files:
        try:
            summary = facts(options, path, registry)
            if options.all_variants:
                summary["variants"] = check_variants(diagram_of(options, path), registry)
        except DiagramError as error:
            code = 2
            if options.json:
                print_json({"file": path, "ok": False, "problems": problem_data(error)})
            else:
                print_error(error)
            continue
        if options.json:
            print_json({"file": path, "ok": True, **summary})
        else:
            _print_summary(path if len(options.files) > 1 else "", summary)
    return code


def facts(options: argparse.Namespace, path: str, registry: Any) -> dict[str, Any]:
    """What a diagram consists of; raises DiagramError."""
    from ..analysis.advice import crossings_seen
    from ..analysis.checking import check
    from ..model.streams import equal_streams
    from ..units.times import time_text

    diagram = diagram_of(options, path)
    checked = check(diagram, registry)
    schedule, flat = checked.schedule, checked.analysis.flat
    assert flat is not None
    return {
        "blocks": len(checked.model.blocks),
        "wires": len(flat.wires),
        "states": schedule.sections["X"],
        "discrete_states": schedule.sections["Z"],
        "guards": len(schedule.guards),
        "algebraic_loops": [" -> ".join(loop.chain) for loop in schedule.program.loops],
        "sample_rates": [
            {
                "period": float(period),
                "offset": float(offset),
                "period_text": time_text(period),
                "offset_text": time_text(offset),
            }
            for period, offset in schedule.rates
        ],
        "equal_streams": equal_streams(checked.model.blocks.values()),
        "crossings": crossings_seen(schedule, checked.settings),
        "signals": [signal.name for signal in checked.logged],
        "warnings": [str(warning) for warning in checked.warnings],
    }


def check_variants(diagram: Diagram, registry: Registry) -> list[str]:
    """The variants that are not chosen, as `plant.variant=full`; raises DiagramError."""
    from ..analysis.checking import check
    from ..diagram.choices import every_choice

    problems, checked = [], []
    for choices, changed in every_choice(diagram):
        name = ", ".join(f"{path}={value.strip(QUOTES)}" for path, value in choices.items())
        checked.append(name)
        try:
            check(changed, registry)
        except DiagramError as error:
            problems += [Problem(p.position, f"with {name}: {p.message}") for p in error.problems]
    if problems:
        raise DiagramError(problems)
    return checked


def _print_summary(path: str, summary: dict[str, Any]) -> None:
    start = f"{path}: " if path else ""
    print_line(
        f"{start}ok: {_number(summary['blocks'], 'block')}, {_number(summary['wires'], 'wire')}, "
        f"{_number(summary['states'], 'state')}"
    )
    for choice in summary.get("variants", ()):
        print_line(f"  ok too: {choice}")
    for loop in summary["algebraic_loops"]:
        print_line(f"  algebraic loop: {loop}")
    for rate in summary["sample_rates"]:
        offset = f", offset {rate['offset_text']}" if rate["offset"] else ""
        print_line(f"  sample rate: every {rate['period_text']}{offset}")
    for names in summary["equal_streams"]:
        print_line(f"  equal noise, since stream and seed are equal: {', '.join(names)}")
    if summary["crossings"]:
        apart, blocks = summary["crossings"]
        print_line(
            f"  no continuous states: crossings are looked for every {apart:g} s, a quarter of the "
            f"longest step (solver.step or max_step), by {', '.join(blocks)}"
        )
    for warning in summary["warnings"]:
        print_error(f"warning: {warning}")


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
