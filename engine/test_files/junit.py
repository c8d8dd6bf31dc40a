"""Verdicts as JUnit XML, which servers for continuous integration read."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence

from ..errors.shown import shown_lines
from ..files.output_files import output_text
from .judging import Verdict


def junit_text(files: Iterable[tuple[str, Sequence[Verdict]]]) -> str:
    """The XML of all files: a suite for each, with a case for each test."""
    root = ET.Element("testsuites", name="railblocks test")
    for path, verdicts in files:
        suite = ET.SubElement(root, "testsuite", {"name": _plain(path)} | _counts(verdicts))
        for verdict in verdicts:
            case = ET.SubElement(
                suite,
                "testcase",
                classname=_plain(path),
                name=_plain(verdict.case.name),
                time=f"{verdict.seconds:.3f}",
            )
            wrong = [check for check in verdict.checks if not check.passed]
            if wrong:
                failure = ET.SubElement(case, "failure", message=_plain(wrong[0].text))
                failure.text = "\n".join(_plain(f"{c.text}: {c.message}") for c in wrong)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def write_junit(path: str, files: Iterable[tuple[str, Sequence[Verdict]]]) -> None:
    """Writes the XML; raises DiagramError where it cannot be written."""
    output_text(path, junit_text(files), "the report", (".xml",))


def _counts(verdicts: Sequence[Verdict]) -> dict[str, str]:
    return {
        "tests": str(len(verdicts)),
        "failures": str(sum(not verdict.passed for verdict in verdicts)),
        "errors": "0",
        "time": f"{sum(verdict.seconds for verdict in verdicts):.3f}",
    }


def _plain(text: str) -> str:
    """Text that XML can hold."""
    return shown_lines(text).replace("\ufffe", "?").replace("\uffff", "?")
