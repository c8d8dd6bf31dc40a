"""The shape of the project: who may import whom, and what ends up in the wheel."""

import ast
import subprocess
import sys
import tomllib
from functools import cache

import networkx
import pytest
from imports import FOLDERS, ROOT, imports_of, package_of, source_modules

from docs.layers import MAP, pages, read_layers, svg_lines

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
LAYERS = read_layers()
MODULES = source_modules()
BY_NAME = "railblocks.engine.plugins"
"""The one module that names others in texts, for those below them to open."""
OUTSIDE = {
    "engine": ("PySide6", "pyqtgraph"),
    "blocks": ("PySide6", "pyqtgraph", "numba", "llvmlite"),
    "diagrams": ("PySide6", "pyqtgraph", "numba", "llvmlite"),
}
LONGEST_FILE = 400


@cache
def used_modules(module):
    """The other modules of railblocks that a module imports or names."""
    if module == BY_NAME:
        return set()
    return {name for name in imports_of(module, MODULES) if name in MODULES} - {module}


def layer_of(module):
    return package_of(module, MODULES).removeprefix("railblocks.")


@cache
def used_layers():
    """The packages that each package imports."""
    used = {layer_of(module): set() for module in MODULES}
    for module in MODULES:
        mine = layer_of(module)
        used[mine] |= {layer_of(other) for other in used_modules(module)} - {mine}
    return used


def test_the_table_names_every_package_once():
    names = [layer.name for layer in LAYERS]
    assert len(names) == len(set(names))
    assert set(names) == set(used_layers())


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_a_package_imports_what_the_table_says(layer):
    assert set(layer.uses) == used_layers()[layer.name]


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_imports_go_down(layer):
    below = [other.name for other in LAYERS[: LAYERS.index(layer)]]
    assert set(layer.uses) <= set(below)


def test_no_modules_import_each_other_in_a_circle():
    graph = networkx.DiGraph()
    graph.add_edges_from((m, other) for m in MODULES for other in used_modules(m))
    circles = [sorted(c) for c in networkx.strongly_connected_components(graph) if len(c) > 1]
    assert circles == []


@pytest.mark.parametrize("folder", sorted(OUTSIDE))
def test_windows_and_compilers_are_imported_where_they_belong(folder):
    for module in MODULES:
        if module.startswith(f"railblocks.{folder}"):
            outside = {name.partition(".")[0] for name in imports_of(module, MODULES)}
            assert not outside & set(OUTSIDE[folder]), module


def test_the_map_and_the_tables_of_the_pages_are_those_of_the_layers():
    assert MAP.read_text() == "\n".join(svg_lines(LAYERS)) + "\n", "run `make docs`"
    for page, text in pages(LAYERS).items():
        assert page.read_text() == text, "run `make docs`"


def test_no_file_is_too_long_to_read():
    folders = (*FOLDERS, "tests", "docs")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    lengths = {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in files}
    assert {path: n for path, n in lengths.items() if n > LONGEST_FILE} == {}


def test_no_file_runs_text_as_code():
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "__import__"), path
        assert "pickle" not in list(imports_of(module, MODULES)), path


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
    packages = {m for m, path in MODULES.items() if path.name == "__init__.py"}
    assert listed == packages


def test_every_top_level_package_is_typed():
    for folder in SETTINGS["tool"]["setuptools"]["package-dir"].values():
        assert (ROOT / folder / "py.typed").exists()
