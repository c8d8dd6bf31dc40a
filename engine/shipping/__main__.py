"""`python -m railblocks.engine.shipping FILE`: lowers the library and writes it into a file."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from ..program.lowering_processes import compiling_text, lower_all
from ..program.shipped import Shipped, write_shipped
from ..program.store import Store
from .library import library_parts


def main(path: str) -> int:
    """Lowers everything and writes the file; 1 if numba refused something."""
    parts = library_parts()
    with TemporaryDirectory() as folder:
        store = Store(Path(folder), Shipped())
        lower_all(list(parts.values()), store, _print)
        traits = {symbol: part.traits(store) for symbol, part in parts.items()}
        refused = [part for symbol, part in parts.items() if traits[symbol].refusal]
        for part in refused:
            reason = traits[part.symbol].refusal
            print(f"{part.function.__qualname__} is not lowered: {reason}", file=sys.stderr)
        kernels = {
            symbol: (part.code(store), traits[symbol].as_text())
            for symbol, part in parts.items()
            if part not in refused
        }
        write_shipped(Path(path), kernels)
    print(f"{len(kernels)} kernels: {path}", file=sys.stderr)
    return 1 if refused else 0


_last = [-1]


def _print(done: int, total: int) -> None:
    if done // 50 != _last[0]:
        _last[0] = done // 50
        print(compiling_text(done, total), file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
