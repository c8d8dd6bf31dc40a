"""What a results file says of itself: what ran, how it ended, what it logged, what it read."""

from __future__ import annotations

from typing import Any

from .tables import print_line, print_table

SHORT_SUM = 12
"""Characters of a checksum in a table; the file has all of them."""


def show_results(path: str) -> None:
    """Prints tables; raises DiagramError for a file that is something else."""
    from ..runs.results import Results

    results = Results.load(path)
    meta = results.meta
    versions = ", ".join(f"{name} {number}" for name, number in meta["versions"].items())
    times = results.time
    about = [
        ("diagram", str(meta.get("file", ""))),
        ("created", str(meta.get("created", ""))),
        ("outcome", _outcome(meta)),
        ("rows", f"{len(times)}, from {times[0]:g} s to {times[-1]:g} s" if len(times) else "none"),
        ("seed", str(meta["seed"])),
        ("versions", versions),
    ]
    print_table(("", ""), [row for row in about if row[1]], str(meta.get("title") or path))
    rows = [
        (" x ".join(map(str, signal.shape)) or "scalar", signal.type.__name__, signal.unit, name)
        for name, signal in results.signals.items()
    ]
    print_line("")
    print_table(("shape", "type", "unit", "signal"), rows, "Signals")
    if meta["files"]:
        files = [(str(f["size"]), f["sha256"][:SHORT_SUM], f["path"]) for f in meta["files"]]
        print_line("")
        print_table(("bytes", "SHA-256", "path"), files, f"Files read, from {meta['folder']}")


def _outcome(meta: dict[str, Any]) -> str:
    """How the run ended; a killed one left no record of that."""
    if not meta.get("finished"):
        return "unfinished"
    reason = f" ({meta['reason']})" if meta.get("reason") else ""
    return f"{meta.get('outcome', '')}{reason}"
