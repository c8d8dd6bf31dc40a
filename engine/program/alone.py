"""Functions outside of diagrams: a pure function, compiled, called from Python.

It is lowered, kept and linked as kernels are, once for the types that it is called with: another
process takes it from the cache without numba. Numbers, arrays and tuples of these travel as slots
of eight bytes; a small wrapper takes them out and calls the function by numba's convention. What
cannot travel so, such as arrays that are not contiguous, is left to numba itself.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from types import FunctionType
from typing import Any

import numpy as np

from ..functions.functions import fingerprint, plain, rebound
from ..numba_bridge.convention import declaration
from ..numba_bridge.lowering import (
    Argument,
    NotCompilable,
    Signature,
    TupleArgument,
    by_numba,
    returned_letters,
)
from .linker import link
from .lowering_processes import lower_all, unreported
from .parts import Part
from .store import Store

SLOTS = {"d": "double", "i": "i64", "u": "i64", "b": "i8", "p": "ptr"}
"""LLVM types by letter: floats, whole numbers with and without sign, truth values, pointers."""
PACKING = {"d": "d", "i": "q", "u": "Q", "b": "q", "p": "Q"}
SLOT_OF = {float: "d", int: "i", bool: "b", type(None): "p"}
SCALARS = {
    float: float, np.float64: float, int: int, np.int64: int,
    bool: bool, np.bool_: bool, type(None): type(None),
}  # fmt: skip
ELEMENTS = {np.dtype(np.float64): float, np.dtype(np.int64): int, np.dtype(bool): bool}
NOT_PACKED = (np.bool_, type(None))
NO_PARENTHESES = str.maketrans("", "", "()n")
END = object()


def compiled(function: Any) -> Compiled:
    """The function with everything that it calls, compiled for C's arithmetic.

    It is compiled at its first call with given types and releases the interpreter lock.
    """
    return _compiled(plain(function))


@cache
def _compiled(function: Any) -> Compiled:
    return Compiled(function)


class Compiled:
    """A function of Python that runs as machine code; `py_func` is the function itself."""

    def __init__(self, function: Any):
        self.py_func = function
        self._calls: dict[Any, Callable[..., Any]] = {}
        self.__name__, self.__doc__ = function.__name__, function.__doc__

    def __call__(self, *arguments: Any) -> Any:
        types = tuple(map(_type_of, arguments))
        call = self._calls.get(types)
        if call is None:
            call = self._calls[types] = self._made(types)
        return call(*arguments)

    def _made(self, types: tuple[Any, ...]) -> Callable[..., Any]:
        if None in types:
            return self._call_by_numba
        key = f"{fingerprint(self.py_func)} alone {_names(types)}"
        try:
            return Call(Part(self.py_func, key, Signature(types, None)))
        except NotCompilable:
            return self._call_by_numba  # which says why, and where

    def _call_by_numba(self, *arguments: Any) -> Any:
        """For what does not travel in slots; functions may be arguments too."""
        given = [a.by_numba if isinstance(a, Compiled) else a for a in arguments]
        return self.by_numba(*given)

    @cached_property
    def by_numba(self) -> Any:
        """numba's own version of the function."""

        def replace(_: str, value: Any) -> Any:
            return _compiled(value).by_numba if isinstance(value, FunctionType) else value

        return rebound(self.py_func, replace, by_numba(error_model="numpy", nogil=True))


class Call:
    """A compiled function for given types of its arguments; raises `NotCompilable`."""

    def __init__(self, part: Part):
        self._function, store = part.function, Store()
        lower_all([part], store, unreported)
        refusal = part.traits(store).refusal
        if refusal:
            raise NotCompilable(refusal, lasting=True)
        text = part.code(store)
        self._returned = returned_letters(text)
        taken = "".join(_slots(part.signature.arguments))
        given = self._returned.translate(NO_PARENTHESES)
        wrapper = _wrapper(part.symbol, taken, self._returned)
        self._library = link(wrapper, {part.symbol: lambda: text}, store)
        self._run = self._library.functions["alone"]
        self._pack = struct.Struct("=" + "".join(PACKING[letter] for letter in taken)).pack
        self._unpack = struct.Struct("=" + "".join(PACKING[letter] for letter in given)).unpack
        self._size = 8 * len(given)

    def __call__(self, *arguments: Any) -> Any:
        numbers = self._pack(*_numbers(arguments))
        results = ctypes.create_string_buffer(max(self._size, 1))
        if self._run(numbers, results):
            self._function(*arguments)  # raises what it raised
            raise RuntimeError(f"{self._function.__name__} raised an exception, compiled only")
        values = iter(self._unpack(results.raw[: self._size]))
        return _result(iter(self._returned), values)


# --- arguments ---------------------------------------------------------------------------------
def _type_of(value: Any) -> Argument | TupleArgument | None:
    """The type under which a value travels; None for what does not."""
    if isinstance(value, tuple):
        members = [of for of in map(_type_of, value) if of is not None]
        if len(members) < len(value):
            return None
        return TupleArgument(tuple(members), type(value) if hasattr(value, "_fields") else None)
    if isinstance(value, np.ndarray):
        kind = ELEMENTS.get(value.dtype)
        if kind is None or not value.ndim or not value.flags.c_contiguous:
            return None
        return Argument(kind, value.ndim, not value.flags.writeable)
    kind = SCALARS.get(type(value))
    return None if kind is None else Argument(kind)


def _names(types: Sequence[Any]) -> str:
    """The types as a text, in which a record stands with its fields."""
    names = []
    for of in types:
        if isinstance(of, TupleArgument):
            fields = getattr(of.record, "_fields", ())
            names.append(f"{getattr(of.record, '__name__', '')}{fields}({_names(of.members)})")
        else:
            names.append(f"{of.kind.__name__}{of.rank}{'r' if of.read_only else ''}")
    return ",".join(names)


def _slots(types: Sequence[Any]) -> Iterator[str]:
    """The letters of all slots, in order."""
    for of in types:
        if isinstance(of, TupleArgument):
            yield from _slots(of.members)
        elif of.rank:
            yield "ppiip" + "i" * (2 * of.rank)
        else:
            yield SLOT_OF[of.kind]


def _numbers(values: Sequence[Any]) -> Iterator[Any]:
    """What is put into the slots; an array is borrowed."""
    for value in values:
        if isinstance(value, tuple):
            yield from _numbers(value)
        elif isinstance(value, np.ndarray):
            yield from (0, 0, value.size, value.itemsize, value.ctypes.data)
            yield from value.shape
            yield from value.strides
        else:
            yield int(value or 0) if isinstance(value, NOT_PACKED) else value


# --- the wrapper -------------------------------------------------------------------------------
def _wrapper(symbol: str, taken: str, returned: str) -> str:
    """`i32 rb_alone(arguments, results)`, both slots, around a function of numba's convention."""
    types = [SLOTS[letter] for letter in taken]
    lines = [declaration(symbol, types), "define i32 @rb_alone(ptr %slots, ptr %results) {"]
    for i, letter in enumerate(taken):
        lines.append(f"  %p{i} = getelementptr i64, ptr %slots, i64 {i}")
        lines.append(f"  %a{i} = load {SLOTS[letter]}, ptr %p{i}")
    lines += [f"  %r = alloca {_struct(returned)}", "  %e = alloca ptr"]
    passed = ", ".join(["ptr %r", "ptr %e", *(f"{t} %a{i}" for i, t in enumerate(types))])
    lines.append(f"  %s = call i32 @{symbol}({passed})")
    for number, (letter, path) in enumerate(_paths(returned)):
        steps = "".join(f", i32 {index}" for index in (0, *path))
        kind = SLOTS[letter]
        lines += [
            f"  %q{number} = getelementptr {_struct(returned)}, ptr %r{steps}",
            f"  %v{number} = load {kind}, ptr %q{number}",
            f"  %t{number} = getelementptr i64, ptr %results, i64 {number}",
        ]
        if letter == "b":
            lines.append(f"  %w{number} = zext i8 %v{number} to i64")
            lines.append(f"  store i64 %w{number}, ptr %t{number}")
        else:
            lines.append(f"  store {kind} %v{number}, ptr %t{number}")
    return "\n".join([*lines, "  ret i32 %s\n}"])


def _struct(returned: str) -> str:
    """The LLVM type of what is returned: `(d(ib))` is {double, {i64, i8}}."""
    text = ""
    for letter in returned:
        if letter == "(":
            text += ("" if text.endswith("{") or not text else ", ") + "{"
        elif letter == ")":
            text += "}"
        else:
            text += ("" if text.endswith("{") or not text else ", ") + SLOTS.get(letter, "ptr")
    return text


def _paths(returned: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every number that is returned, with its indices in nested tuples."""
    path: list[int] = []
    for letter in returned:
        if letter == "(":
            path.append(0)
            continue
        if letter == ")":
            path.pop()
        elif letter != "n":
            yield letter, tuple(path)
        if path:
            path[-1] += 1


def _result(letters: Iterator[str], numbers: Iterator[Any]) -> Any:
    """The value of the next letters, or END after the last one of a tuple."""
    letter = next(letters)
    if letter == ")":
        return END
    if letter == "(":
        members = []
        while (member := _result(letters, numbers)) is not END:
            members.append(member)
        return tuple(members)
    if letter == "n":
        return None
    return bool(next(numbers)) if letter == "b" else next(numbers)
