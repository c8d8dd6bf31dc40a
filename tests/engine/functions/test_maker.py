"""The maker of functions: what it makes runs as it says, and nothing else gets in."""

import ast
import math

import numba
import numpy as np
import pytest
from imports import imports_of, source_modules
from railblocks.engine.functions.maker import (
    Origin,
    UnsafeTree,
    assign,
    call,
    element,
    make_function,
    read,
)

ORIGIN = Origin("railblocks.tests", "<made>", 7)
HOSTILE = [
    "a b",
    "a\nimport os",
    "a): pass\ndef b(",
    "a=print('!')",
    "__import__('os')",
    "os.system",
    "1a",
    "",
    "a;b",
    "lambda",
    "None",
    "True",
    "__class__",
    "__builtins__",
    "a\0",
    "*a",
    "a: int",
    "a#",
    7,
    None,
]


def made(body, arguments=("x",), scope=None):
    return make_function("made", arguments, body, scope or {}, ORIGIN)


def parsed(text):
    return ast.parse(text).body


def test_a_function_from_parts_runs_interpreted_and_compiled_alike():
    large = ast.Compare(read("y"), [ast.Gt()], [ast.Constant(2.0)])
    body = [
        assign("y", call("scaled", [read("x"), element("m", read("k"), ast.Constant(1))])),
        ast.If(large, [ast.Return(read("x"))], []),
        ast.Return(read("y")),
    ]
    scaled = numba.njit(lambda a, b: a * b)
    function = made(body, ("x", "m", "k"), {"scaled": scaled})
    table = np.array([[0.0, 0.5], [0.0, 4.0]])
    assert [function(3.0, table, k) for k in (0, 1)] == [1.5, 3.0]
    assert [numba.njit(function)(3.0, table, k) for k in (0, 1)] == [1.5, 3.0]
    assert function.__module__ == ORIGIN.module
    assert (function.__code__.co_filename, function.__code__.co_firstlineno) == ("<made>", 7)


def test_math_and_a_few_builtins_are_there():
    text = "y = 0.0\nfor i in range(3):\n    y += max(x, _m.sqrt(4.0))\nreturn y"
    (definition,) = parsed("def f():\n" + "\n".join("    " + line for line in text.split("\n")))
    assert made(definition.body, scope={"_m": math})(1.0) == 6.0


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_refused_wherever_it_comes(name):
    harmless = [ast.Return(ast.Constant(1.0))]
    for make in (
        lambda: made(harmless, (name,)),
        lambda: make_function(name, (), harmless, {}, ORIGIN),
        lambda: made(harmless, (), {name: math}),
        lambda: made([ast.Return(ast.Name(name, ast.Load()))], (name,)),
        lambda: made([ast.Assign([ast.Name(name, ast.Store())], ast.Constant(1))]),
        lambda: read(name),
        lambda: assign(name, ast.Constant(1)),
        lambda: call(name, []),
        lambda: element(name, ast.Constant(0)),
    ):
        with pytest.raises((UnsafeTree, TypeError)):
            make()


@pytest.mark.parametrize(
    "text",
    [
        "import os",
        "from os import system",
        "x.__class__",
        "x.real",
        "_m.__loader__",
        "_m.sqrt = 1",
        "_m.no_such",
        "x()",
        "(lambda: 1)()",
        "[i for i in x]",
        "open('file')",
        "eval('1')",
        "print(x)",
        "range = x\nrange(3)",
        "_m = x\n_m.sqrt(4.0)",
        "y = 'text'",
        "y = b'bytes'",
        "y = None",
        "y = ...",
        "y = 1j",
        "max(*x)",
        "max(x, key=x)",
        "x[0:1]",
        "while x: x = 0",
        "def f(): pass",
        "class C: pass",
        "global x",
        "del x",
        "raise x",
        "assert x",
        "with x: pass",
        "try:\n    x\nexcept: pass",
        "(y := x)",
        "f'{x}'",
        "unknown",
    ],
)
def test_what_is_not_on_the_list_is_refused(text):
    with pytest.raises(UnsafeTree):
        made(parsed(text), scope={"_m": math})


def test_arguments_differ_from_each_other_and_from_the_scope():
    with pytest.raises(UnsafeTree, match="appears twice"):
        made([ast.Return(read("x"))], ("x", "x"))
    with pytest.raises(UnsafeTree, match="in the scope"):
        made([ast.Return(read("x"))], ("x",), {"x": math})


def test_only_what_the_scope_and_the_list_have_is_reachable():
    function = made([ast.Return(read("x"))], scope={"_m": math})
    assert function.__globals__.keys() == {"_m", "__builtins__"}
    assert function.__globals__["__builtins__"] == {}


def test_nobody_else_turns_data_into_code():
    """`compile` and `FunctionType` are called by the maker; `rebound` copies a function."""
    makers = set()
    modules = source_modules()
    for module, path in modules.items():
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            function = node.func
            name = function.id if isinstance(function, ast.Name) else ""
            name = function.attr if isinstance(function, ast.Attribute) else name
            if name in ("FunctionType", "CodeType") or ast.unparse(function) == "compile":
                makers.add((module.removeprefix("railblocks.engine."), name))
    assert makers == {
        ("functions.maker", "compile"),
        ("functions.maker", "FunctionType"),
        ("functions.functions", "FunctionType"),
    }
    assert all("codeop" not in list(imports_of(module, modules)) for module in modules)
