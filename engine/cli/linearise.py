"""Linear model of a diagram about a point: matrices, poles, zeros, margins, root loci.

What is changed by a little is named by --from, what is read by --to: an output, for all that it
drives, or an input, for its block alone. Wires of --open are cut and hold their value; --loop cuts
one wire and gives the gain of the loop through it, with the sign of negative feedback. The
point is the start of a run, a time of it (--at), a file (--point), or a steady state (--trim).
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import DiagramError, Position
from .inputs import (
    diagram_and_point,
    diagram_arguments,
    diagram_of,
    output_path,
    registry_of,
)
from .progress import Progress
from .tables import print_error, print_json, print_line, print_table, problem_data
from .trim import condition_arguments, conditions_of

if TYPE_CHECKING:
    from ..linear.linearise import Ends
    from ..linear.locus import RootLocus
    from ..linear.model import LinearModel

NAME = "linearise"
ALIASES = ("linearize",)
KINDS = ("bode", "nyquist", "poles", "step", "modes")
LARGEST_SHOWN = 8  # states of a model whose matrices are printed


def arguments(parser: argparse.ArgumentParser) -> None:
    diagram_arguments(parser)
    for option, dest, help_text in (
        ("--from", "inputs", "a port that is changed by a little (repeatable)"),
        ("--to", "outputs", "a port that is read (repeatable)"),
        ("--open", "opened", "a wire that is cut: an input, an output, or 'a.y -> b.u'"),
    ):
        parser.add_argument(
            option, dest=dest, metavar="PORT", action="append", default=[], help=help_text
        )
    parser.add_argument("--loop", metavar="WIRE", help="the loop through this wire")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--at", metavar="TIME", help="a time of a run, as in 2s")
    place.add_argument("--point", metavar="POINT.yaml", help="an operating point from a file")
    place.add_argument("--trim", action="store_true", help="the steady state; with --over always")
    condition_arguments(parser)
    parser.add_argument(
        "--over",
        metavar="PATH=A..B[:N]",
        help="root locus over a parameter, as in V='10 m/s'..'80 m/s'",
    )
    parser.add_argument("--plot", metavar="FILE", help="draw a figure: PNG, SVG, PDF, JPG")
    parser.add_argument("--kind", choices=KINDS, help="of the figure (default: bode, or poles)")
    parser.add_argument(
        "--range", metavar=("LOW", "HIGH"), nargs=2, help="frequencies of the figure, in Hz"
    )
    parser.add_argument("--interpret", action="store_true", help="work in Python, not compiled")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(options: argparse.Namespace) -> int:
    try:
        return _linearise(options)
    except DiagramError as error:
        if options.json:
            print_json({"outcome": "invalid", "problems": problem_data(error)})
        raise


def _linearise(options: argparse.Namespace) -> int:
    from ..plots.plotting import check_format, save_figure

    if options.plot is not None:
        options.plot = output_path(options.plot, "", ".png", options.file)
        check_format(options.plot)
    ends = _ends(options)
    if options.over is not None:
        return _locus(options, ends)
    with Progress(options.json) as progress:
        model = _model(options, ends, progress)
    if options.plot is not None:
        from ..linear.figures import figure_of

        kind = options.kind or ("bode" if model.inputs and model.outputs else "poles")
        save_figure(figure_of(model, kind, band_of(options)), options.plot)
    _report(options, model)
    return 0


def _ends(options: argparse.Namespace) -> Ends:
    from ..linear.linearise import Ends

    if options.loop is None:
        return Ends(tuple(options.inputs), tuple(options.outputs), tuple(options.opened))
    if options.inputs or options.outputs or options.opened:
        raise DiagramError(
            "a loop says by itself from where to where; leave out --from, --to and --open",
            Position("--loop"),
        )
    return Ends.of_loop(options.loop)


def band_of(options: argparse.Namespace) -> tuple[float, float] | None:
    """The frequencies of `--range`, in Hz."""
    from ..units.unit import UnitError, parse_unit
    from .inputs import quantity_of

    if options.range is None:
        return None
    try:
        low, high = (
            float(quantity_of(text, "--range").to(parse_unit("Hz"))) for text in options.range
        )
    except (UnitError, TypeError) as error:
        raise DiagramError(str(error), Position("--range")) from None
    if not 0.0 < low < high < float("inf"):
        raise DiagramError(
            f"frequencies from {low:g} to {high:g} Hz; expected a rising pair above 0",
            Position("--range"),
        )
    return low, high


def _model(options: argparse.Namespace, ends: Ends, progress: Progress) -> LinearModel:
    from ..analysis.checking import check
    from ..linear.linearise import Linearisation
    from ..operating_points.trim import steady_state

    checked, point = diagram_and_point(options, options.point)
    report, compiled = progress.show_compiling, not options.interpret
    at = options.at
    _refuse_idle_conditions(options)
    if options.trim:
        steady = steady_state(checked, conditions_of(options, checked), at, None, compiled, report)
        point, at = steady.point, None
        for note in steady.notes:
            print_error(f"note: {note}")
        if point.parameters:
            checked = check(checked.diagram.with_values(point.parameters), checked.registry)
    return Linearisation(checked, ends, point, at, compiled, report).model()


def _refuse_idle_conditions(options: argparse.Namespace) -> None:
    for name in ("hold", "free", "rate"):
        if getattr(options, name) and not options.trim:
            raise DiagramError(
                "belongs to a steady state; add --trim, which seeks one", Position(f"--{name}")
            )


def _locus(options: argparse.Namespace, ends: Ends) -> int:
    from ..linear.locus import ModelsOver, read_over, root_locus
    from ..plots.plotting import save_figure

    if options.point is not None:
        raise DiagramError(
            "a point is steady for one value only; leave it out, and the steady state is sought "
            "at each",
            Position("--point"),
        )
    over = read_over(options.over)
    steady = options.at is None
    models = ModelsOver(
        diagram_of(options, options.file),
        over,
        ends,
        registry_of(options),
        options.at,
        (lambda checked: conditions_of(options, checked)) if steady else None,
        not options.interpret,
    )
    with Progress(options.json) as progress:

        def tell(done: int, total: int) -> None:
            progress.tell("root locus", f"{done} of {total} values", done / total)

        locus = root_locus(models, over, tell)
    if options.plot is not None:
        from ..linear.locus_figure import locus_figure

        save_figure(locus_figure(locus), options.plot)
    _report_locus(options, locus)
    return 0


def _report_locus(options: argparse.Namespace, locus: RootLocus) -> None:
    if options.json:
        print_json({"diagram": options.file, **locus.data(), "figure": options.plot})
        return
    rows = []
    for critical in locus.criticals:
        what = "begins to grow" if critical.grows else "begins to decay"
        hertz = abs(critical.rate.imag) / 6.283185307179586
        rows.append((locus.over.shown(critical.value), what, f"{hertz:.6g} Hz"))
    title = f"{options.file} over {locus.over.path}: {len(locus.values)} values"
    if rows:
        print_line(title)
        print_table((locus.over.path, "a motion", "at"), rows)
    else:
        most = int(locus.growth.argmax())
        print_line(
            f"{title}; no motion begins to grow or to decay: the largest growth is "
            f"{locus.growth[most]:.3g} 1/s, at {locus.over.shown(locus.values[most])}"
        )
    _tell_warnings(locus.warnings, ())
    if options.plot:
        print_line(options.plot)


def _report(options: argparse.Namespace, model: LinearModel) -> None:
    from ..linear.margins import margins

    loop = len(model.inputs) == 1 and model.inputs == model.outputs
    edge = margins(model) if loop else None
    if options.json:
        data = {"diagram": options.file, **model.data()}
        data["margins"] = edge.data() if edge is not None else None
        print_json({**data, "figure": options.plot})
        return
    from ..linear.figures import pole_rows, zero_texts

    sampled = f", every {model.sample_time:g} s" if model.sample_time is not None else ""
    title = f"{options.file}: linear model about t = {model.time:g} s{sampled}"
    heads = ("rate / (1/s)", "frequency / Hz", "damping", "states that take part")
    print_line(title)
    print_table(heads, pole_rows(model))
    zeros = zero_texts(model)
    if zeros:
        print_line(f"zeros / (1/s): {', '.join(zeros)}")
    if edge is not None:
        print_table(("margin", "", "at"), margin_rows(edge))
    if len(model.states) <= LARGEST_SHOWN:
        _print_matrices(model)
    _tell_warnings(model.warnings, model.notes)
    if options.plot:
        print_line(options.plot)


def margin_rows(edge: Any) -> list[tuple[str, str, str]]:
    """Margins as rows of a table, with the frequencies in Hz."""

    def hertz(omega: float) -> str:
        return f"{omega / 6.283185307179586:.5g} Hz" if omega == omega else "nowhere"

    return [
        ("gain", f"{edge.gain:.5g} ({edge.gain_db:.4g} dB)", hertz(edge.gain_omega)),
        ("phase", f"{edge.phase_deg:.5g}°", hertz(edge.phase_omega)),
        ("delay", f"{edge.delay:.5g} s", ""),
        ("distance from -1", f"{edge.distance:.5g}", hertz(edge.distance_omega)),
    ]


def _print_matrices(model: LinearModel) -> None:
    sides = (
        ("A", model.A, model.states, model.states), ("B", model.B, model.states, model.inputs),
        ("C", model.C, model.outputs, model.states), ("D", model.D, model.outputs, model.inputs),
    )  # fmt: skip
    for name, matrix, rows, columns in sides:
        if matrix.size:
            cells = [
                (label, *(f"{x + 0.0:.8g}" for x in row), "")
                for label, row in zip(rows, matrix, strict=True)
            ]
            print_table((name, *columns, ""), cells)


def _tell_warnings(warnings: Any, notes: Any) -> None:
    for text in warnings:
        print_error(f"warning: {text}")
    for text in notes:
        print_error(f"note: {text}")
