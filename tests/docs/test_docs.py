"""The documentation holds: its code runs, what it shows is printed, its links lead somewhere.

How a page is run, from top to bottom, in a folder of its own that has the shipped `diagrams`:

- ```python runs, in one namespace a page; a ```text behind it is what it prints.
- ```yaml that is a whole diagram is checked and run; a ```text behind it is what is wrong with it.
- ```console has commands behind `$` and what they print, ```sh commands alone.
- A first line `# name.yaml` or `# name.py` names a file: the fence is written to it. Python files
  declare blocks for the diagrams that follow, or are tests.

In shown output `...` stands for anything, and times that a run took are not compared.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pages import FENCE, NAMED, PAGES, ROOT, Fence, fences, name_of
from railblocks.engine import DiagramError, Simulation, check, load, loads, standard_blocks
from railblocks.engine.analysis.settings import LOG, SOLVER
from railblocks.engine.cli import COMMANDS, main
from railblocks.engine.drawing import svg
from railblocks.engine.solvers.methods import METHODS

SKIPPED = ("make", "git", "pip", "cd", "mkdir", ".")  # see test_first_steps
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
TIMED = re.compile(r"^(wall time|compile time|real-time factor) .*$", re.MULTILINE)


COLUMN_GAP = re.compile(r"(?<=\S)(\\ ){2,}")


def is_same(printed: str, shown: str) -> bool:
    """Whether output is what a page shows.

    Blanks at line ends, the widths of gaps between columns and `...` do not count.
    """
    printed, shown = (TIMED.sub(r"\1", text) for text in (printed, shown))
    lines = [line.rstrip() for line in printed.strip("\n").split("\n")]
    pattern = r"\n".join(
        COLUMN_GAP.sub(" {2,}", re.escape(line.rstrip())).replace(r"\.\.\.", "(?s:.*)")
        for line in shown.strip("\n").split("\n")
    )
    return re.fullmatch(pattern, "\n".join(lines)) is not None


def compare(printed: str, shown: str | None, where: str) -> None:
    if shown is not None:
        assert is_same(printed, shown), f"{where} prints\n{printed}\nbut the page shows\n{shown}"


class Runner:
    """Runs the fences of one page in the current folder."""

    def __init__(self, page: Path):
        self.page = name_of(page)
        self.namespace: dict[str, Any] = {"__name__": "page"}
        self.registry = standard_blocks().copy()

    def check(self, fence: Fence) -> None:
        where = f"{self.page}:{fence.line}"
        named = NAMED.match(fence.text)
        if named:
            Path(named[1]).write_text(fence.text, encoding="utf-8")
        if fence.kind == "python":
            self.python(fence, named[1] if named else None, where)
        elif fence.kind == "yaml" and re.match(r"(#[^\n]*\n)*diagram:", fence.text):
            self.diagram(fence, named[1] if named else "<text>", where)
        elif fence.kind in ("console", "sh"):
            self.commands(fence, where)

    def python(self, fence: Fence, file: str | None, where: str) -> None:
        if file is not None:
            if not file.startswith("test_"):
                self.registry.add_path(file)
            return
        printed = io.StringIO()
        code = compile("\n" * (fence.line - 1) + fence.text, self.page, "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, self.namespace)
        compare(printed.getvalue(), fence.shown, where)

    def diagram(self, fence: Fence, file: str, where: str) -> None:
        if fence.shown is not None:
            with pytest.raises(DiagramError) as caught:
                check(loads(fence.text, file, "."), self.registry)
            compare(str(caught.value), fence.shown, where)
            return
        simulation = Simulation(check(loads(fence.text, file, "."), self.registry))
        for _ in simulation.chunks():
            pass

    def commands(self, fence: Fence, where: str) -> None:
        mark = r"^\$ " if fence.kind == "console" else "^"
        parts = re.split(mark, fence.text.replace("\\\n", ""), flags=re.MULTILINE)
        for part in filter(str.strip, parts):
            command, _, shown = part.partition("\n")
            words = shlex.split(command, comments=True)
            if not words or words[0] in SKIPPED:
                continue
            printed = self.command(words, where)
            compare(printed, shown if fence.kind == "console" else None, f"{where}: {command}")

    def command(self, words: list[str], where: str) -> str:
        if words[0] == "pytest":
            done = subprocess.run([sys.executable, "-m", *words, "-q"], capture_output=True)
            assert done.returncode == 0, f"{where}: {done.stdout.decode()}"
            return ""
        assert words[0] == "railblocks", f"{where}: cannot run {words[0]}"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            main(words[1:])
        assert "usage:" not in printed.getvalue() or "--help" in words, printed.getvalue()
        return printed.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_what_a_page_shows_is_what_happens(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    shutil.copytree(ROOT / "diagrams", tmp_path / "diagrams")
    runner = Runner(page)
    known = set(sys.modules)
    try:
        for fence in fences(page):
            runner.check(fence)
    finally:
        for name in set(sys.modules) - known:
            if hasattr(sys.modules[name], "railblocks_digest"):
                del sys.modules[name]


# --- links ---------------------------------------------------------------------------------------
def headings(page: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    titles = [re.sub(LINK, lambda link: link[0][1:].partition("]")[0], title) for title in
              re.findall(r"^#+ (.*)$", text, re.MULTILINE)]  # fmt: skip
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (page.parent / file).resolve() if file else page
        assert there.exists(), f"{name_of(page)}: {target} does not exist"
        if anchor and there.suffix == ".md":
            assert anchor in headings(there), f"{name_of(page)}: {target} has no such heading"


# --- completeness --------------------------------------------------------------------------------
def generator() -> Any:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_block_reference_is_up_to_date():
    pages = generator().pages()
    assert set(pages) == set((ROOT / "docs" / "blocks").glob("*.md")), "run `make docs`"
    stale = [name_of(path) for path, text in pages.items() if path.read_text("utf-8") != text]
    assert not stale, f"run `make docs`: {', '.join(stale)}"


def test_the_drawing_is_up_to_date():
    drawn = svg(load(ROOT / "diagrams" / "dc_motor.yaml"))
    shown = (ROOT / "docs" / "images" / "dc_motor.svg").read_text(encoding="utf-8")
    assert shown == drawn, "run `make docs`"


def test_every_command_is_in_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = [c.NAME for c in COMMANDS if f"| `railblocks {c.NAME}" not in text]
    assert not missing


def test_every_method_and_setting_is_documented():
    solvers = (ROOT / "docs" / "choosing_a_solver.md").read_text(encoding="utf-8")
    assert [name for name in METHODS if f"`{name}`" not in solvers] == []
    form = (ROOT / "docs" / "diagram_format.md").read_text(encoding="utf-8")
    assert [p.name for p in (*SOLVER, *LOG) if f"| `{p.name}`" not in form] == []


def test_every_page_can_be_reached_from_the_readme():
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        targets = LINK.findall(page.read_text(encoding="utf-8"))
        files = [target.partition("#")[0] for target in targets if ":" not in target]
        waiting += [(page.parent / file).resolve() for file in files if file]
    assert [name_of(page) for page in PAGES if page.resolve() not in reached] == []
