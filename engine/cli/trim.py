"""Find a steady state of a diagram.

All rates of states become zero, or what --rate says, and states of sampled blocks stay from sample
to sample. What is sought beside the states is named by --free: a port, which then takes a value of
its own in place of what drives it, or a parameter; as many as there are values to --hold.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import DiagramError
from .inputs import diagram_arguments, diagram_of, output_path, registry_of
from .progress import Progress
from .tables import print_error, print_json, print_line, print_table, problem_data

if TYPE_CHECKING:
    from ..analysis.checking import Checked
    from ..operating_points.conditions import Conditions
    from ..operating_points.trim import Steady

NAME = "trim"


def arguments(parser: argparse.ArgumentParser) -> None:
    diagram_arguments(parser)
    condition_arguments(parser)
    parser.add_argument("--at", metavar="TIME", help="begin at this time of a run, as in 2s")
    parser.add_argument("-o", "--output", metavar="POINT.yaml", help="write the operating point")
    parser.add_argument("--interpret", action="store_true", help="work in Python, not compiled")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def condition_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say what a steady state is."""
    parser.add_argument(
        "--hold",
        metavar="PORT=VALUE",
        action="append",
        default=[],
        help="a signal with a given value, as in motor.omega='100 rad/s' (repeatable)",
    )
    parser.add_argument(
        "--free",
        metavar="NAME[=START][:LOW..HIGH]",
        action="append",
        default=[],
        help="a port or parameter that is sought too, or where a state begins (repeatable)",
    )
    parser.add_argument(
        "--rate",
        metavar="STATE=VALUE",
        action="append",
        default=[],
        help="a rate that is not zero, as in wheel.phi='150 rad/s', or `any` (repeatable)",
    )


def conditions_of(options: argparse.Namespace, checked: Checked) -> Conditions:
    from ..operating_points.conditions import read_conditions

    return read_conditions(checked, options.hold, options.free, options.rate)


def main(options: argparse.Namespace) -> int:
    try:
        return _trim(options)
    except DiagramError as error:
        if options.json:
            print_json({"outcome": "invalid", "problems": problem_data(error)})
        raise


def _trim(options: argparse.Namespace) -> int:
    from ..analysis.checking import check
    from ..operating_points.point_file import save_point
    from ..operating_points.trim import steady_state

    path = None
    if options.output is not None:
        path = output_path(options.output, "", ".yaml", options.file)
        refuse_other_than_point(path)
    checked = check(diagram_of(options, options.file), registry_of(options))
    conditions = conditions_of(options, checked)
    with Progress(options.json) as progress:
        steady = steady_state(
            checked, conditions, options.at, None, not options.interpret, progress.show_compiling
        )
    if path is not None:
        save_point(steady.point, path)
    _report(options, checked, steady, path)
    return 0


def refuse_other_than_point(path: str) -> None:
    """A point replaces points, but no other file."""
    import os

    from ..errors import Position
    from ..operating_points.point_file import read_point_file

    if not os.path.exists(path):
        return
    try:
        read_point_file(path)
    except DiagramError:
        raise DiagramError(
            "the file exists and is not an operating point; choose another name, or delete the "
            "file",
            Position(path),
        ) from None


def _report(
    options: argparse.Namespace, checked: Checked, steady: Steady, path: str | None
) -> None:
    if options.json:
        print_json(_data(options, steady, path))
        return
    rows = []
    point = steady.point
    for (block, name), numbers in (*point.states.items(), *point.discretes.items()):
        values = ", ".join(f"{x:.8g}" for x in numbers[:8]) + (", ..." if numbers.size > 8 else "")
        rows.append((f"{block}.{name}", values, point.units.get(f"{block}.{name}", "")))
    for name, value in point.ports.items():
        rows.append((f"{name} (free)", f"{value:.8g}", point.units.get(name, "")))
    for name, text in point.parameters.items():
        number, _, unit = text.partition(" ")
        rows.append((f"{name} (free)", f"{float(number):.8g}", unit))
    print_line(f"{options.file}: steady at t = {point.time:g} s, {steady.steps} steps")
    print_table(("state", "value", "unit"), rows)
    for note in steady.notes:
        print_error(f"note: {note}")
    if path is not None:
        print_line(path)


def _data(options: argparse.Namespace, steady: Steady, path: str | None) -> dict[str, Any]:
    point = steady.point

    def plain(group: Any) -> dict[str, Any]:
        return {
            ".".join(key): float(v[0]) if v.size == 1 else v.tolist() for key, v in group.items()
        }

    return {
        "outcome": "steady",
        "diagram": options.file,
        "time": point.time,
        "states": plain(point.states),
        "discretes": plain(point.discretes),
        "held": plain(point.held),
        "units": dict(point.units),
        "ports": dict(point.ports),
        "parameters": dict(point.parameters),
        "residuals": [
            {"equation": r.name, "value": r.value, "unit": r.unit} for r in steady.residuals
        ],
        "steps": steady.steps,
        "notes": steady.notes,
        "point": path,
    }
