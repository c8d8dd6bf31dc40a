"""Open the editor."""

from __future__ import annotations

import argparse
import os

from ..errors import DiagramError, Position
from ..plugins import EDITOR
from .inputs import blocks_argument, registry_of

NAME = "edit"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="diagram file (YAML)")
    blocks_argument(parser)


def main(options: argparse.Namespace) -> int:
    from importlib import import_module

    if options.file and not os.path.exists(options.file):
        raise DiagramError("no such file", Position(options.file))
    try:
        application = import_module(EDITOR)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("PySide6", "pyqtgraph"):
            raise
        raise DiagramError(
            f"the editor needs {error.name}; install it with `pip install 'railblocks[gui]'`"
        ) from None
    except ImportError as error:
        raise DiagramError(
            f"Qt cannot be loaded: {error}; on Debian and Ubuntu: apt install libglib2.0-0 libgl1 "
            "libegl1 libxkbcommon0 libfontconfig1 libdbus-1-3 libxcb-cursor0 libxkbcommon-x11-0 "
            "libxcb-icccm4 libxcb-keysyms1 libxcb-shape0"
        ) from None
    return int(application.run(options.file, registry_of(options)))
