"""Compiles half of the solver in a second process, while the first compiles all the rest.

Only ever needed once on a machine: the code is kept in the store. Where no process can be started,
the first one compiles everything itself.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from ..solvers.methods import METHODS
from .kernels import solver_code
from .solver_parts import SOLVER_SIGNATURES, solver_parts
from .store import Store

SHARE = ("advance", "step")
PATIENCE = 60.0  # seconds to wait for the other process before compiling here


class Ahead:
    """The other process, if there is one; it compiles the parts in `SHARE`."""

    def __init__(self, method: str, store: Store):
        self._process: Any = None
        if (os.cpu_count() or 1) < 2 or not sys.executable or hasattr(sys, "frozen"):
            return
        # -P: nothing is imported from the folder that the user happens to be in
        command = [sys.executable, "-P", "-m", __name__, method, str(store.folder)]
        quiet = subprocess.DEVNULL
        try:
            self._process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
        except OSError:
            return

    def wait(self) -> None:
        """Until the code is in the store, or it is clear that it will not be."""
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(PATIENCE)

    def end(self) -> None:
        """Ends the other process if it is still at work."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()


def main(method: str, folder: str) -> None:
    """Compiles the parts in `SHARE` of a method into the store in that folder."""
    parts = solver_parts(METHODS[method])
    for name in SHARE:
        solver_code(parts[name], *SOLVER_SIGNATURES[name], Store(Path(folder)))


if __name__ == "__main__":
    main(*sys.argv[1:])
