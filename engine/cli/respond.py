"""Frequency response of a diagram as it is, by sines or a chirp that are added to a signal.

What is changed and read are ports as for `railblocks linearise`, whose linear model is shown beside
the response. The coherence is the part of the output that the wave explains: 1 where the diagram is
linear and quiet.
"""

from __future__ import annotations

import argparse
import math

from ..errors import DiagramError, Position
from .inputs import diagram_and_point, diagram_arguments, output_path, quantity_of
from .linearise import band_of
from .progress import Progress
from .tables import print_error, print_json, print_line, print_table, problem_data

NAME = "respond"


def arguments(parser: argparse.ArgumentParser) -> None:
    diagram_arguments(parser)
    parser.add_argument("--from", dest="input", metavar="PORT", required=True, help="shaken port")
    parser.add_argument("--to", dest="output", metavar="PORT", required=True, help="port read")
    parser.add_argument("--range", metavar=("LOW", "HIGH"), nargs=2, help="frequencies, in Hz")
    parser.add_argument("--points", metavar="N", type=int, default=25, help="frequencies (25)")
    parser.add_argument("--amplitude", metavar="A", help="of the wave, as in '2 V'")
    parser.add_argument("--method", choices=("sines", "chirp"), default="sines")
    parser.add_argument("--point", metavar="POINT.yaml", help="start at an operating point")
    parser.add_argument("--plot", metavar="FILE", help="draw a figure: PNG, SVG, PDF, JPG")
    parser.add_argument("--interpret", action="store_true", help="run in Python, not compiled")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(options: argparse.Namespace) -> int:
    try:
        return _respond(options)
    except DiagramError as error:
        if options.json:
            print_json({"outcome": "invalid", "problems": problem_data(error)})
        raise


def _respond(options: argparse.Namespace) -> int:
    from ..frequency_responses.figure import response_figure
    from ..frequency_responses.respond import respond
    from ..operating_points.ports import find_elements
    from ..plots.plotting import check_format, save_figure

    if options.plot is not None:
        options.plot = output_path(options.plot, "", ".png", options.file)
        check_format(options.plot)
    checked, point = diagram_and_point(options, options.point)
    unit = find_elements(checked.model, options.input, "--from").unit
    with Progress(options.json) as progress:

        def tell(done: int, total: int) -> None:
            progress.tell(options.method, f"{done} of {total}", done / total)

        response = respond(
            checked,
            options.input,
            options.output,
            band=band_of(options),
            points=options.points,
            amplitude=_amplitude(options.amplitude, unit),
            method=options.method,
            point=point,
            compiled=not options.interpret,
            tell=tell,
        )
    if options.plot is not None:
        save_figure(response_figure(response), options.plot)
    if options.json:
        print_json({"diagram": options.file, **response.data(), "figure": options.plot})
        return 0
    linear = response.linear
    rows = []
    for k, f in enumerate(response.frequencies):
        cells = [f"{f:.6g}", *_polar(response.values[k]), f"{response.coherence[k]:.6f}"]
        rows.append([*cells, *(_polar(linear[k]) if linear is not None else ("", ""))])
    print_line(
        f"{options.file}: {response.output} / {response.input}, {response.method} of "
        f"{response.amplitude:g} {response.unit}".rstrip()
    )
    heads = ("frequency / Hz", "amplitude", "phase", "coherence", "linear", "")
    print_table(heads, rows)
    for note in response.notes:
        print_error(f"note: {note}")
    if options.plot:
        print_line(options.plot)
    return 0


def _polar(value: complex) -> tuple[str, str]:
    return f"{abs(value):.6g}", f"{math.degrees(math.atan2(value.imag, value.real)):.3f}°"


def _amplitude(text: str | None, unit: str) -> float | None:
    from ..units.unit import UnitError, parse_unit

    if text is None:
        return None
    quantity = quantity_of(text, "--amplitude")
    try:
        return float(quantity.to(parse_unit(unit)) if unit else quantity.si().value)
    except (UnitError, TypeError) as error:
        raise DiagramError(str(error), Position("--amplitude")) from None
