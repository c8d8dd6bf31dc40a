"""What the modules of railblocks import: from their text, wherever an import stands in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("engine", "blocks", "diagrams", "gui")
PUBLIC = "railblocks.engine.public"  # installed as railblocks itself
NAMED = re.compile(r"railblocks(\.\w+)+")


def source_modules(root: Path = ROOT) -> dict[str, Path]:
    """The file of every module, by its full name; a package goes by the name of its folder."""
    modules = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            parts = ["railblocks", *path.relative_to(root).with_suffix("").parts]
            modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    modules["railblocks"] = modules.pop(PUBLIC)
    return modules


def package_of(module: str, modules: dict[str, Path]) -> str:
    """The package that a module belongs to; a package is its own."""
    return module if modules[module].name == "__init__.py" else module.rpartition(".")[0]


def imports_of(module: str, modules: dict[str, Path]) -> Iterator[str]:
    """Names of all that a module imports, or names in a text: of modules where they are modules.

    Absolute and relative imports, also inside functions and under TYPE_CHECKING.
    """
    tree = ast.parse(modules[module].read_text())
    texts = _documentation(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, module, modules)
            for alias in node.names:
                name = f"{base}.{alias.name}"
                yield name if name in modules else base
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in texts:
            yield from _named(node.value, modules)


def _base(node: ast.ImportFrom, module: str, modules: dict[str, Path]) -> str:
    """The module that an import takes its names from."""
    if not node.level:
        return node.module or ""
    parts = package_of(module, modules).split(".")
    parts = parts[: len(parts) - (node.level - 1)]
    return ".".join([*parts, *([node.module] if node.module else [])])


def _documentation(tree: ast.AST) -> set[ast.Constant]:
    """Texts that stand by themselves: docstrings."""
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def _named(text: str, modules: dict[str, Path]) -> Iterator[str]:
    """Modules whose names stand in a text; the longest name that is a module counts."""
    for match in NAMED.finditer(text):
        name = match.group()
        while name not in modules and "." in name:
            name = name.rpartition(".")[0]
        if name in modules:
            yield name
