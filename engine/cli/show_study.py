"""What a study says of itself: what varied, what came out, what failed and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .tables import print_line, print_table

if TYPE_CHECKING:
    from ..studies.study import Study

SHOWN_REASONS = 5


def show_study(path: str) -> None:
    """Prints tables; raises DiagramError for a file that is something else."""
    from ..studies.study import Study

    study = Study.load(path)
    meta = study.meta
    versions = ", ".join(f"{name} {number}" for name, number in meta["versions"].items())
    about = [
        ("diagram", str(meta.get("file", ""))),
        ("created", str(meta.get("created", ""))),
        ("kept signals", ", ".join(study.signals)),
        ("versions", versions),
    ]
    print_table(("", ""), [row for row in about if row[1]], str(meta.get("title") or path))
    print_line("")
    show_table(study, path)
    for lines in _sensitivities(study):
        print_line("")
        print_table(*lines)


def show_table(study: Study, path: str) -> None:
    """Prints a line for each column, and the reasons of runs that came to nothing."""
    rows = []
    for name in study.names:
        column = study[name]
        kind = "parameter" if name in study.variations else study.summaries[name]
        unit = study.unit(name)
        if column.dtype.kind in "UO":
            words = ", ".join(study.variations[name].words)
            rows.append([name, kind, words, "", "", ""])
            continue
        numbers = column[np.isfinite(column)]
        cells = [f"{f(numbers):.6g}" if numbers.size else "" for f in (np.min, np.mean, np.max)]
        rows.append([name, kind, *cells, unit if unit != "1" else ""])
    counts = ", ".join(f"{count} {name}" for name, count in study.counts.items())
    print_table(
        ("column", "what", "smallest", "mean", "largest", "unit"), rows, f"{path}: {counts}"
    )
    outcomes, reasons = study["outcome"], study["reason"]
    lacking = [run for run, reason in enumerate(reasons) if reason]
    for run in lacking[:SHOWN_REASONS]:
        print_line(f"run {run} {outcomes[run]}: {reasons[run]}")
    if len(lacking) > SHOWN_REASONS:
        print_line(f"and {len(lacking) - SHOWN_REASONS} more with a reason, in {path}")


def _sensitivities(study: Study) -> list[tuple[tuple[str, ...], list[list[str]], str]]:
    """Tables of the indices that a study was designed for."""
    method = study.meta["sampling"].get("method")
    if study.meta.get("way") != "samples" or method not in ("saltelli", "morris"):
        return []
    from ..studies.sensitivity import Index, indices

    tables = []
    for name in study.summaries:
        rows = []
        for index in indices(study, name):
            rows.append([index.parameter, *map(_number, index.numbers)])
        heads = ("parameter", *Index.heads(str(method)))
        tables.append((heads, rows, f"{method}: {name}"))
    return tables


def _number(number: float) -> str:
    return f"{number:.4g}"
