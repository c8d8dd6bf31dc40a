"""Run tests that are files.

A file *.test.yaml names a diagram and says what its runs must meet: limits such as
`max(motor.i) < 10 A`, signals as in a baseline file, or the message by which a run must fail.
Exit code 0 if all tests pass, 1 if one does not, 2 if a file cannot be read.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from .inputs import blocks_argument, output_path, registry_of
from .progress import Progress
from .tables import print_error, print_json, print_line, print_table

if TYPE_CHECKING:
    from ..test_files.case import CaseFile
    from ..test_files.judging import Verdict

NAME = "test"
PASSED, FAILED = 0, 1


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", default=["."], help="files, or folders with *.test.yaml"
    )
    parser.add_argument(
        "--update", action="store_true", help="write baselines anew, after showing what differs"
    )
    parser.add_argument("--junit", metavar="FILE", help="write JUnit XML")
    blocks_argument(parser)
    parser.add_argument("--interpret", action="store_true", help="run in Python, not compiled")
    parser.add_argument("--quiet", action="store_true", help="print only what failed")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(options: argparse.Namespace) -> int:
    from ..errors.problems import Problems
    from ..test_files.junit import write_junit
    from ..test_files.reading import files_meant, read_cases

    paths, problems = files_meant(options.paths), Problems()
    if options.junit is not None:
        output_path(options.junit, "", ".xml", paths[0])
    files: list[CaseFile] = []
    for path in paths:
        with problems.collected():
            files.append(read_cases(path))
    problems.raise_any()
    begin = time.perf_counter()
    judged = [(file.path, _judged(options, file)) for file in files]
    if options.junit is not None:
        write_junit(options.junit, judged)
    verdicts = [verdict for _, of_file in judged for verdict in of_file]
    failed = sum(not verdict.passed for verdict in verdicts)
    if options.json:
        print_json({"passed": len(verdicts) - failed, "failed": failed, "files": _data(judged)})
    elif not options.quiet:
        seconds = time.perf_counter() - begin
        print_line(f"{len(verdicts) - failed} passed, {failed} failed in {seconds:.2g} s")
    return FAILED if failed else PASSED


def _judged(options: argparse.Namespace, file: CaseFile) -> list[Verdict]:
    """Runs the tests of a file, and prints what came of them."""
    from ..test_files.judging import judge, update

    registry = registry_of(options)
    verdicts: list[Verdict] = []
    for case in file.cases:
        with Progress(options.quiet or options.json, case.name) as progress:
            verdict = judge(case, registry, not options.interpret, progress.show)
        _print(options, file, verdict, first=not verdicts)
        if options.update and update(verdict):
            assert case.baseline is not None
            print_error(f"{case.baseline.path}: written")
            verdict = judge(case, registry, not options.interpret)
        verdicts.append(verdict)
    return verdicts


def _print(options: argparse.Namespace, file: CaseFile, verdict: Verdict, first: bool) -> None:
    if options.json or (options.quiet and verdict.passed):
        return
    if first or options.quiet:
        print_line(file.path)
    outcome = "passed" if verdict.passed else "FAILED"
    print_line(f"  {outcome}  {verdict.case.name}")
    rows = [
        ["        " + ("ok" if check.passed else "FAILED"), check.value, check.text]
        for check in verdict.checks
        if not (options.quiet and check.passed)
    ]
    print_table(("", "", ""), rows)
    for check in verdict.checks:
        if not check.passed:
            place = f"{check.position}: {verdict.case.name}"
            print_error(f"{place}: {check.text}: {check.message}")


def _data(judged: list[tuple[str, list[Verdict]]]) -> list[dict[str, Any]]:
    return [
        {
            "file": path,
            "tests": [
                {
                    "name": verdict.case.name,
                    "diagram": verdict.case.diagram,
                    "passed": verdict.passed,
                    "seconds": verdict.seconds,
                    "checks": [
                        {
                            "text": check.text,
                            "line": check.position.line,
                            "passed": check.passed,
                            "value": check.value,
                            "message": check.message,
                        }
                        for check in verdict.checks
                    ],
                }
                for verdict in verdicts
            ],
        }
        for path, verdicts in judged
    ]
