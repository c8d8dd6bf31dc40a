"""The command `railblocks`.

Exit codes: 0 done, 1 the simulation failed, 2 bad input, 70 a mistake of railblocks itself, 130
interrupted. A mistake of the user is told in a line `place: what is wrong; what was expected; what
to do next`, never as a traceback; for one of ours, the line names a report with the traceback.
Only what a command needs is imported, when it runs.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from ..errors import DiagramError, RailblocksError, SimulationError
from ..errors.shown import shown
from ..files.last_resort import goes_through, last_words
from . import (
    cache,
    calibrate,
    check,
    compare,
    edit,
    export,
    graph,
    linearise,
    list_blocks,
    new,
    optimise,
    plot,
    reproduce,
    respond,
    resume,
    run,
    schema,
    show,
    sweep,
    test,
    trim,
)
from .interrupts import INTERRUPTED, Watch
from .tables import print_error

COMMANDS = (
    *(run, resume, edit, check, list_blocks, show, graph, plot, export, compare, calibrate),
    *(test, sweep, optimise, trim, linearise, respond, reproduce, new, schema, cache),
)
DONE, FAILED, BAD_INPUT, OWN_MISTAKE = 0, 1, 2, 70


class Parser(argparse.ArgumentParser):
    """A parser of arguments that reports mistakes in one sentence.

    A default `epilogue` is a function whose text ends the help, found only when that is asked for.
    """

    def format_help(self) -> str:
        epilogue = self.get_default("epilogue")
        if epilogue is not None:
            self.epilog = epilogue()
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, shown(f"{self.prog}: {message}; see `{self.prog} --help`") + "\n")


class Version(argparse.Action):
    """Prints the version; reading it takes time that other commands do not need."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        print(f"railblocks {version('railblocks')}")
        parser.exit()


def parser() -> argparse.ArgumentParser:
    top = Parser(prog="railblocks", description="Block diagrams, compiled and simulated.")
    top.add_argument("--version", action=Version, nargs=0, help="show the version and exit")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        summary = (command.__doc__ or "").strip().partition("\n")[0]
        sub = commands.add_parser(
            command.NAME,
            aliases=getattr(command, "ALIASES", ()),
            help=summary[:1].lower() + summary[1:].rstrip("."),
            description=command.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.arguments(sub)
        sub.set_defaults(command=command.main, parser=sub)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """The program: runs one command; the result is the exit code, whatever happens."""
    try:
        return run_command(argv)
    except Exception as error:
        if goes_through():
            raise
        command = ["railblocks", *(sys.argv[1:] if argv is None else argv)]
        print_error(last_words(error, command))
        return OWN_MISTAKE


def run_command(argv: Sequence[str] | None = None) -> int:
    """Runs one command; mistakes of railblocks itself go through as exceptions."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        options = parser().parse_args(argv)
        if options.command is edit.main:  # Qt has its own way with signals
            return int(options.command(options))
        with Watch() as options.watch:
            return int(options.command(options))
    except SystemExit as stop:
        return int(stop.code or 0)
    except DiagramError as error:
        return _print_error(error, BAD_INPUT)
    except SimulationError as error:
        return _print_error(error, FAILED)
    except RailblocksError as error:
        return _print_error(error, BAD_INPUT)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        print_error(f"{error.filename or 'railblocks'}: {error.strerror or error}")
        return BAD_INPUT


def _print_error(error: Exception, code: int) -> int:
    print_error(error)
    return code
