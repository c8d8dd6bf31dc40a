"""No function takes more arguments than a reader can keep apart; records hold the rest."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST = 12


def signatures(folder):
    """Functions of all files in a folder: file and line, name, number of arguments."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                a = node.args
                count = len(a.posonlyargs) + len(a.args) + len(a.kwonlyargs)
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                yield where, node.name, count + (a.vararg is not None) + (a.kwarg is not None)


@pytest.mark.parametrize("folder", ["blocks", "diagrams", "engine", "gui"])
def test_no_function_takes_more_than_a_dozen_arguments(folder):
    functions = list(signatures(folder))
    assert len(functions) > 100
    long = [f"{where}: {name} takes {count}" for where, name, count in functions if count > MOST]
    assert not long, "declare a Record, or pass a named tuple: " + ", ".join(long)
