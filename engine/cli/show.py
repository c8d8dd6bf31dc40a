"""Show a block: its equations, ports, parameters and states, or its plot; or a results file.

With --in, BLOCK is the name of a block in a diagram (motor, rig.filter), and the values of its
parameters are those that it has there. --set changes some; without a diagram, parameters that have
no default have the value of the block's example. --plot draws the amplitude and phase of blocks
that have a frequency response, and the picture of those that have one, such as rail.track. --modes
shows the modes of small motions of a block that has them, such as rail.vehicle at its speed v_0:
frequencies, damping ratios and who takes part; with --plot, their shapes.
OUT.h5 instead of a block shows what ran, how it ended, and the signals and files of the run.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..errors import DiagramError, Position, suggestion
from ..errors.shown import shown_lines
from .inputs import blocks_argument, diagram_of, registry_of, values_argument, with_values
from .tables import print_line, print_table

if TYPE_CHECKING:
    from ..declaration import Block, Declaration, Item, Param
    from ..declaration.registry import Registry
    from ..diagram.diagram import Diagram
    from ..model.model import Instance

NAME = "show"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "block",
        metavar="BLOCK",
        help="block type, as in math.gain; with --in, a block's name; or a results file (.h5)",
    )
    parser.add_argument("--in", dest="file", metavar="FILE", help="the diagram of the block")
    values_argument(parser)
    parser.add_argument(
        "--plot", metavar="FILE", help="draw it, or its Bode plot: PNG, SVG, PDF, JPG"
    )
    parser.add_argument(
        "--modes", action="store_true", help="the modes of its small motions, or their shapes"
    )
    parser.add_argument(
        "--range", metavar=("LOW", "HIGH"), nargs=2, type=float,
        help="frequencies in Hz, of the Bode plot (default: where the phase turns) or of modes",
    )  # fmt: skip
    blocks_argument(parser)


def main(options: argparse.Namespace) -> int:
    if options.block.lower().endswith((".h5", ".hdf5")) and not options.file:
        from ..studies.study_tables import is_study
        from .show_results import show_results
        from .show_study import show_study

        (show_study if is_study(options.block) else show_results)(options.block)
        return 0
    registry = registry_of(options)
    instance: Instance | None = None
    if options.range and not (options.plot or options.modes):
        options.parser.error("--range is for --plot FILE and --modes")
    if options.file:
        kind, instance = _placed(options, registry)
    else:
        kind = _known(options.block, registry)
        if options.plot or options.set or options.modes:
            instance = _alone(options, kind, registry)
    if options.modes:
        return _modes(options, kind, instance)
    if options.plot:
        return _plotted(options, kind, instance)
    declaration = kind.declaration
    print_line(declaration.id)
    print()
    print(shown_lines(declaration.doc))
    _ports(declaration)
    _parameters(declaration.params.values(), instance)
    _states(declaration)
    _example(kind)
    return 0


def _known(name: str, registry: Registry) -> type[Block]:
    block = registry.get(name)
    if block is None:
        ids = registry.ids()
        ends = [known for known in ids if known.partition(".")[2] == name]
        near = f"; did you mean '{ends[0]}'?" if ends else suggestion(name, ids)
        raise DiagramError(f"'{name}' is not a known block type{near}; see `railblocks list`")
    return block


def _alone(options: argparse.Namespace, kind: type[Block], registry: Registry) -> Instance:
    """The block with the values of its example and those of `--set`."""
    from ..diagram.builder import DiagramBuilder

    name = kind.declaration.id.partition(".")[2]
    diagram = DiagramBuilder().add(name, kind.declaration.id, **kind.example).build()
    own = [given if "." in given.partition("=")[0] else f"{name}.{given}" for given in options.set]
    return _resolved(with_values(diagram, own), name, registry)


def _placed(options: argparse.Namespace, registry: Registry) -> tuple[type[Block], Instance]:
    """A block of a diagram, by its path."""
    diagram = diagram_of(options, options.file)
    instance = _resolved(diagram, options.block, registry)
    kind = registry.get(instance.declaration.id)
    assert kind is not None
    return kind, instance


def _resolved(diagram: Diagram, name: str, registry: Registry) -> Instance:
    from ..analysis.analysis import Analysis

    analysis = Analysis(diagram, registry)
    if analysis.flat is None:
        raise DiagramError(analysis.problems)
    blocks = analysis.flat.blocks
    if name not in blocks:
        raise DiagramError(
            f"'{name}' is not a block of the diagram{suggestion(name, blocks)}; see "
            f"`railblocks check {diagram.file}`",
            Position(diagram.file),
        )
    if problems := analysis.block_problems(name):
        raise DiagramError(problems)
    instance = analysis.instance(name)
    assert instance is not None
    return instance


def _plotted(options: argparse.Namespace, kind: type[Block], instance: Instance | None) -> int:
    from ..plots.plotting import check_format, save_figure
    from ..responses.bode import bode
    from ..responses.picture import has_picture, picture_of
    from ..responses.response import can_respond, responses

    assert instance is not None
    declaration = kind.declaration
    if not can_respond(declaration) and not has_picture(declaration):
        raise DiagramError(
            f"{declaration.id} has no plot; blocks with a frequency response or a picture have "
            "one, such as continuous.transfer_function and rail.track"
        )
    check_format(options.plot)
    if has_picture(declaration):
        if options.range:
            raise DiagramError("a picture has no frequencies; leave it out", Position("--range"))
        figure = picture_of(instance, declaration)
    else:
        band = tuple(options.range) if options.range else None
        title = declaration.id if not options.file else f"{options.block} ({declaration.id})"
        figure = bode(responses(instance, declaration, band), title)
    save_figure(figure, options.plot)
    print_line(options.plot)
    return 0


def _modes(options: argparse.Namespace, kind: type[Block], instance: Instance | None) -> int:
    """Prints the table of modes, or draws their shapes."""
    from ..plots.plotting import check_format, save_figure
    from ..responses.modes import HEADS, has_modes, mode_figure, mode_rows, modes_of, still_text

    assert instance is not None
    declaration = kind.declaration
    if not has_modes(declaration):
        raise DiagramError(f"{declaration.id} has no modes; some blocks have, such as rail.vehicle")
    if options.plot:
        check_format(options.plot)
    modes = modes_of(instance, declaration, tuple(options.range) if options.range else None)
    if options.plot:
        save_figure(mode_figure(modes), options.plot)
        print_line(options.plot)
        return 0
    print_table(HEADS, mode_rows(modes), modes.title)
    print_line(still_text(modes))
    return 0


def _ports(declaration: Declaration) -> None:
    rows = [
        (
            kind,
            item.name,
            _unit(item),
            item.shape_text or "scalar",
            item.type_text,
            item.doc + _default(item),
        )
        for kind, items in (("in", declaration.inputs), ("out", declaration.outputs))
        for item in items.values()
    ]
    if rows:
        print()
        print_table(("", "port", "unit", "shape", "type", ""), rows, "Ports")


def _default(item: Item) -> str:
    many = getattr(item, "many", None)
    default = getattr(item, "default", None)
    text = f"; as many as `{many}` says" if many else ""
    return text + ("" if default is None else f"; {default:g} if not connected")


def _parameters(params: Iterable[Param], instance: Instance | None) -> None:
    """Prints the table of parameters; with an instance, also their values."""
    rows = [
        (
            param.name,
            _unit(param),
            *([] if instance is None else [_value(instance.values[param.name])]),
            "required" if param.required else _value(param.default),
            str(param.bounds) or ", ".join(param.choices),
            param.doc,
        )
        for param in params
    ]
    heads = ("parameter", "unit", *([] if instance is None else ["value"]), "default", "range", "")
    if rows:
        print()
        print_table(heads, rows, "Parameters")


def _states(declaration: Declaration) -> None:
    groups = (("continuous", declaration.states), ("discrete", declaration.discretes))
    rows = [
        (item.name, _unit(item), item.shape_text or "scalar", kind, _value(item.start), item.doc)
        for kind, items in groups
        for item in items.values()
    ]
    if rows:
        print()
        print_table(("state", "unit", "shape", "", "start", ""), rows, "States")


def _example(kind: type[Block]) -> None:
    """How a diagram writes the block, also with parameters that are lists or mappings."""
    from ..diagram.examples import example_lines

    print("\nExample:\n")
    for line in example_lines(kind):
        print(f"  {line}")


def _unit(item: Item) -> str:
    return "" if item.unit == "1" else item.unit


def _value(value: Any) -> str:
    if value is None:
        return "none"
    if hasattr(value, "tolist"):
        value = value.tolist()
    return f"{value:g}" if isinstance(value, float) else str(value)
