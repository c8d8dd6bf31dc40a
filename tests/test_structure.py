"""The shape of the project: who may import whom, and what ends up in the wheel."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
FORBIDDEN = {
    "engine": (
        "railblocks.blocks",
        "railblocks.gui",
        "railblocks.diagrams",
        "PySide6",
        "pyqtgraph",
    ),
    "blocks": ("railblocks.gui", "railblocks.diagrams", "PySide6", "pyqtgraph", "numba"),
}


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@pytest.mark.parametrize("folder", sorted(FORBIDDEN))
def test_imports_go_one_way(folder):
    for path in sorted((ROOT / folder).rglob("*.py")):
        for name in imports_of(path):
            for other in FORBIDDEN[folder]:
                assert not (name + ".").startswith(other + "."), f"{path} imports {name}"


def test_no_file_runs_text_as_code():
    for folder in ("engine", "blocks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    assert node.func.id not in ("eval", "exec", "__import__"), path
            assert "pickle" not in list(imports_of(path)), path


def test_engine_runs_a_diagram_without_qt_numba_or_matplotlib_when_it_is_warm():
    """A warm run needs neither the compiler nor a window."""
    code = """
import sys
blocked = ("PySide6", "pyqtgraph") + tuple(sys.argv[1:])
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in blocked:
            raise ImportError(f"{name} is blocked")
sys.meta_path.insert(0, Block())
from railblocks.engine import Simulation, check, loads
text = "diagram: 1\\nblocks: {c: {type: sources.sine}, x: {type: continuous.integrator}}\\n"
text += "wires: [c -> x]\\nsolver: {stop: 1}"
simulation = Simulation(check(loads(text)))
list(simulation.chunks())
print(simulation.outcome)
"""
    for blocked in ([], ["numba", "matplotlib", "scipy"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *blocked], capture_output=True, text=True, check=False
        )
        assert done.stdout.strip() == "done", done.stderr


def test_every_package_is_in_the_wheel():
    listed = set(SETTINGS["tool"]["setuptools"]["packages"])
    found = set()
    for folder in SETTINGS["tool"]["setuptools"]["package-dir"].values():
        for init in (ROOT / folder).rglob("__init__.py"):
            found.add(".".join(("railblocks", *init.parent.relative_to(ROOT).parts)))
    assert listed == found


def test_every_top_level_package_is_typed():
    for folder in SETTINGS["tool"]["setuptools"]["package-dir"].values():
        assert (ROOT / folder / "py.typed").exists()
