"""The first pages, typed into a new shell: every command is found and ends well.

`make` and `git` are left out (a clone with an installed environment stands there instead); all
else runs as printed, one page in one shell whose PATH has no environment of ours on it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from pages import NAMED, ROOT, fences

MADE = {"README.md": "car.png", "docs/getting_started.md": "../first/position.png"}


def script(page: Path) -> str:
    """What a reader types and saves, in order."""
    lines = ["set -eu", "make() { :; }", "git() { :; }"]
    for fence in fences(page):
        if named := NAMED.match(fence.text):
            lines.append(f"printf %s {shlex.quote(fence.text)} > {named[1]}")
        elif fence.kind == "python":
            lines.append(f"python -c {shlex.quote(fence.text)}")
        elif fence.kind == "sh":
            lines.append(fence.text)
        elif fence.kind == "console":
            lines += re.findall(r"^\$ (.*)$", fence.text, re.MULTILINE)
    return "\n".join(lines)


@pytest.mark.skipif(os.name == "nt", reason="the pages show a Unix shell")
@pytest.mark.parametrize("page", sorted(MADE))
def test_page_works_as_printed_in_a_new_shell(page, tmp_path):
    clone = tmp_path / "railblocks"
    clone.mkdir()
    (clone / ".venv").symlink_to(sys.prefix)
    (clone / "diagrams").symlink_to(ROOT / "diagrams")
    start = tmp_path if "cd railblocks\n" in script(ROOT / page) else clone
    kept = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", script(ROOT / page)],
        cwd=start,
        env=kept | {"PATH": "/usr/bin:/bin", "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (clone / MADE[page]).exists()


def test_make_run_ends_with_what_to_try_next():
    shown = subprocess.run(["make", "-n", "run"], cwd=ROOT, capture_output=True, text=True).stdout
    last = shown[shown.index("To try next") :]
    for path in re.findall(r"\S+\.(?:yaml|md)\b", last):
        assert (ROOT / path.removeprefix("FILE=")).exists()
    assert "activate" in last
    assert "Picture: build/scenario_1.png" in shown
    assert "-o build/scenario_1.png" in shown
