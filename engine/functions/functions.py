"""Functions as data: what a kernel depends on, and the same kernel over other helpers.

A kernel is a plain function that may call other plain functions and read constants. `fingerprint`
is equal for two kernels just when everything they can reach is equal; `rebound` copies a kernel
with every function it reaches replaced, which is how one text runs interpreted and compiled.
"""

from __future__ import annotations

import dis
import hashlib
import math
import types
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, EnumType
from functools import lru_cache
from typing import Any

import numpy as np

KNOWN_MODULES = (math, np)
"""Modules whose functions mean the same in every version."""
CONSTANTS = (int, float, complex, str, bytes, tuple, np.ndarray, np.generic, EnumType)
"""What a kernel may take from another module, beside functions that numba compiled."""


def plain(function: Any) -> Any:
    """The Python function behind a numba dispatcher, or the thing itself."""
    return getattr(function, "py_func", function)


def inlined(function: Any) -> Any:
    """Marks a small kernel of an inner loop: compiled into its callers, never called."""
    function.inlined = True
    return function


def merged(function: Any) -> Any:
    """Marks a function with one caller: its text becomes part of that, before it is compiled.

    Each level of calls costs time to compile.
    """
    function.merged = True
    return function


def on_stack(function: Any) -> Any:
    """Marks a function that makes an array: compiled it is one on the stack (`local_array`)."""
    function.on_stack = True
    return function


def references(function: Any) -> Iterator[tuple[str, Any]]:
    """Every global and closure name that the function's code reads, with its value."""
    code = function.__code__
    for name in sorted(_global_names(code)):
        if name in function.__globals__:
            yield name, function.__globals__[name]
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


@lru_cache(maxsize=16384)
def _global_names(code: types.CodeType) -> frozenset[str]:
    names = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return frozenset(names.union(*map(_global_names, inner)))


def _attribute_names(code: types.CodeType) -> set[str]:
    """Every name that the code may read as an attribute."""
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return set(code.co_names).union(*(_attribute_names(c) for c in inner))


@lru_cache(maxsize=4096)
def fingerprint(function: Any) -> str:
    """A hash of the code, its constants and everything it reaches."""
    digest = hashlib.sha256()
    _digest(plain(function), digest, set())
    return digest.hexdigest()


def _digest(value: Any, digest: Any, seen: set[int]) -> None:
    value = plain(value)
    if isinstance(value, types.FunctionType):
        if id(value) in seen:
            return
        seen.add(id(value))
        _digest_code(value.__code__, digest)
        marks = [value.__dict__.get(mark) for mark in ("inlined", "merged", "on_stack")]
        digest.update(repr(marks).encode())
        _digest(value.__defaults__ or (), digest, seen)
        _digest(tuple(sorted((value.__kwdefaults__ or {}).items())), digest, seen)
        for name, reached in references(value):
            digest.update(name.encode())
            _digest(reached, digest, seen)
            if isinstance(reached, types.ModuleType):
                _digest_module(reached, _attribute_names(value.__code__), digest, seen)
    elif isinstance(value, types.ModuleType):
        digest.update(f"module {value.__name__}".encode())
    elif isinstance(value, np.ndarray):
        digest.update(repr((value.dtype.str, value.shape)).encode() + value.tobytes())
    elif isinstance(value, type) and issubclass(value, Enum):
        members = [(name, member.value) for name, member in value.__members__.items()]
        digest.update(repr((value.__name__, members)).encode())
    elif isinstance(value, type) and hasattr(value, "_fields"):
        defaults = getattr(value, "_field_defaults", {})
        digest.update(repr((value.__name__, value._fields, defaults)).encode())
    elif isinstance(value, tuple | list):
        fields = getattr(value, "_fields", "")
        digest.update(f"{type(value).__name__}{len(value)}{fields}".encode())
        for item in value:
            _digest(item, digest, seen)
    else:
        digest.update(repr(value).encode())


def _digest_module(module: Any, names: set[str], digest: Any, seen: set[int]) -> None:
    """What code that reads these names may take from a module and from modules in it."""
    if module in KNOWN_MODULES:
        return
    for name in sorted(names & vars(module).keys()):
        part = getattr(module, name)
        if isinstance(part, types.ModuleType):
            digest.update(name.encode())
            _digest_module(part, names - {name}, digest, seen)
        elif isinstance(part, CONSTANTS) or hasattr(part, "py_func"):
            digest.update(name.encode())
            _digest(part, digest, seen)


def _digest_code(code: types.CodeType, digest: Any) -> None:
    digest.update(code.co_code)
    digest.update(getattr(code, "co_exceptiontable", b""))
    digest.update(repr((code.co_names, code.co_varnames, code.co_argcount)).encode())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _digest_code(constant, digest)
        else:
            digest.update(repr(constant).encode())


@lru_cache(maxsize=4096)
def reached_size(function: Any) -> int:
    """Bytes of Python's code in the function and in all that it reaches, each counted once."""
    waiting, seen = [plain(function)], set()
    while waiting:
        reached = waiting.pop()
        if isinstance(reached, types.FunctionType) and reached not in seen:
            seen.add(reached)
            waiting += [plain(value) for _, value in references(reached)]
    return sum(len(function.__code__.co_code) for function in seen)


def loops(function: Any) -> bool:
    """Whether the function, or one that it reaches, jumps back in its code."""
    return _loops(plain(function), {})


def _loops(function: Any, known: dict[int, bool]) -> bool:
    """`known` has what was found; a function that is still looked at counts as looping."""
    if id(function) in known:
        return known[id(function)]  # True if it reaches itself
    known[id(function)] = True
    known[id(function)] = _jumps_back(function) or any(
        _loops(reached, known)
        for reached in (plain(value) for _, value in references(function))
        if isinstance(reached, types.FunctionType)
    )
    return known[id(function)]


def _jumps_back(function: Any) -> bool:
    codes = [function.__code__]
    for code in codes:
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        for instruction in dis.get_instructions(code):
            if instruction.opcode in dis.hasjrel and instruction.argval < instruction.offset:
                return True
    return False


def rebound(
    function: Any,
    replace: Callable[[str, Any], Any],
    wrap: Callable[[Any], Any],
    known: dict[str, Any] | None = None,
) -> Any:
    """The function over other references: `replace` maps values, `wrap` every function reached.

    What `wrap` made of the functions that it reaches is put into `known` by fingerprint, and taken
    from there; the function itself is always made anew.
    """
    shared = known if known is not None else {}
    return _rebound(plain(function), replace, wrap, {}, shared, outermost=True)


def _rebound(
    function: Any,
    replace: Callable[[str, Any], Any],
    wrap: Callable[[Any], Any],
    done: dict[int, Any],
    known: dict[str, Any],
    outermost: bool = False,
) -> Any:
    if id(function) in done:
        return done[id(function)]
    key = fingerprint(function)
    if key in known and not outermost:
        return known[key]
    done[id(function)] = function

    def swapped(name: str, value: Any) -> Any:
        value = plain(value)
        other = replace(name, value)
        if other is value and isinstance(value, types.FunctionType):
            return _rebound(value, replace, wrap, done, known)
        return other

    names: Mapping[str, Any] = {name: swapped(name, value) for name, value in references(function)}
    cells = tuple(types.CellType(names[name]) for name in function.__code__.co_freevars)
    scope = {"__builtins__": __builtins__, "__name__": function.__module__, **names}
    copy = types.FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, cells
    )
    copy.__module__ = function.__module__
    copy.__dict__.update(function.__dict__)
    done[id(function)] = wrapped = wrap(copy)
    if not outermost:
        known[key] = wrapped
    return wrapped


class CMath:
    """`math` with the results of C where Python raises: nan, inf, as compiled code has them."""

    def __getattr__(self, name: str) -> Any:
        original = getattr(math, name)
        if not callable(original):
            return original
        if name in ("floor", "ceil", "trunc"):
            return original
        pole = {"exp": math.inf, "sinh": math.nan, "cosh": math.inf, "expm1": math.inf}
        poles = {"log": 0.0, "log2": 0.0, "log10": 0.0, "log1p": -1.0}

        def total(*arguments: Any) -> Any:
            try:
                result = original(*arguments)
            except OverflowError:
                if name == "sinh":
                    return np.float64(math.copysign(math.inf, arguments[0]))
                return np.float64(pole.get(name, math.inf))
            except ValueError:
                at_pole = name in poles and arguments[0] == poles[name]
                return np.float64(-math.inf if at_pole else math.nan)
            return np.float64(result) if isinstance(result, float) else result

        total.__name__ = name
        setattr(self, name, total)
        return total


C_MATH = CMath()


def interpreted(function: Any, replacements: Mapping[str, Any] | None = None) -> Any:
    """The kernel for plain Python, with C's arithmetic; `replacements` by global name."""
    given = replacements or {}

    def replace(name: str, value: Any) -> Any:
        if name in given:
            return given[name]
        return C_MATH if value is math else value

    return rebound(function, replace, lambda copy: copy)
