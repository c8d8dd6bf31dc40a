"""Show, empty or fill the cache of compiled code.

Kernels are kept as lowered text, whole programs as machine code. Everything in the cache is made
again when it is needed, so it can be emptied at any time.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import DiagramError
from .inputs import blocks_argument, diagram_of, registry_of, values_argument
from .progress import Progress
from .tables import print_error, print_json, print_line, print_table

if TYPE_CHECKING:
    from ..program.store import Store

NAME = "cache"
KINDS = {".ll": "kernels", ".o": "programs", ".bin": "tables"}
MEGABYTE = 1e6


def arguments(parser: argparse.ArgumentParser) -> None:
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--clear", action="store_true", help="empty the cache")
    action.add_argument(
        "--warm",
        metavar="FILE",
        nargs="+",
        help="compile these diagrams, so that runs start at once",
    )
    values_argument(parser)
    blocks_argument(parser)
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(options: argparse.Namespace) -> int:
    from ..program.store import Store

    store = Store()
    code = 0
    result: dict[str, Any] = {}
    if options.clear:
        result["deleted"] = store.clear()
    if not options.warm and (options.set or options.blocks):
        options.parser.error("--set and --blocks are for --warm")
    if options.warm:
        result["compiled"], code = _warm(options)
    result |= contents(store)
    if options.json:
        print_json(result)
    elif not options.quiet:
        _print(result)
    for notice in store.notices:
        print_error(f"note: {notice}")
    return code


def contents(store: Store) -> dict[str, Any]:
    """Folder, number of entries and bytes by kind, and the kernels that came with the package."""
    counts = dict.fromkeys(KINDS.values(), 0)
    sizes = dict.fromkeys((*KINDS.values(), "other"), 0)
    for path in store.files():
        kind = KINDS.get(path.suffix, "other")
        try:
            sizes[kind] += path.stat().st_size
        except OSError:
            continue
        if kind in counts:
            counts[kind] += 1
    return {
        "folder": str(store.folder),
        "bytes": sum(sizes.values()),
        "entries": counts,
        "entry_bytes": sizes,
        "shipped_kernels": len(store.shipped),
    }


def _warm(options: argparse.Namespace) -> tuple[int, int]:
    """Compiles diagrams; how many could be, and the exit code."""
    from ..analysis.checking import check
    from ..runs.simulation import Simulation

    registry = registry_of(options)
    compiled, code = 0, 0
    notices: list[str] = []
    for path in options.warm:
        with Progress(options.quiet or options.json) as progress:
            try:
                checked = check(diagram_of(options, path), registry)
                simulation = Simulation(checked, report=progress.show_compiling)
                notices += simulation.notices
                compiled += 1
            except DiagramError as error:
                progress.stop()
                print_error(error)
                code = 2
    for notice in dict.fromkeys(notices):
        print_error(f"note: {notice}")
    return compiled, code


def _print(result: dict[str, Any]) -> None:
    if "deleted" in result:
        print_line(f"files deleted: {result['deleted']}")
    if "compiled" in result:
        print_line(f"diagrams compiled: {result['compiled']}")
    rows = [
        (kind, str(count), f"{result['entry_bytes'][kind] / MEGABYTE:.1f} MB")
        for kind, count in result["entries"].items()
    ]
    rows.append(("all files", "", f"{result['bytes'] / MEGABYTE:.1f} MB"))
    if result["shipped_kernels"]:
        rows.append(("kernels of the package", str(result["shipped_kernels"]), ""))
    print_table(("", "entries", "size"), rows, result["folder"])
