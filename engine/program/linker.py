"""Links kernels, solver and schedule, optimises the whole and loads it.

The object code is stored under a hash of all of its inputs; when it is there, neither numba nor the
optimiser is needed. Functions are called through ctypes, which releases the GIL.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Mapping
from typing import Any
from weakref import WeakValueDictionary

import llvmlite.binding as llvm

from ..numba_bridge.runtime import platform_key, supply_helpers
from .makers import makers_key
from .optimiser import machine, optimise, parsed
from .store import Store

PUBLIC = ("rb_alone", "rb_advance", "rb_rhs", "rb_outputs", "rb_guards", "rb_tasks", "rb_resets")
POINTER = ctypes.c_void_p
PROTOTYPES = {
    "rb_alone": ctypes.CFUNCTYPE(ctypes.c_int32, POINTER, POINTER),
    "rb_advance": ctypes.CFUNCTYPE(None, POINTER, POINTER, ctypes.c_int64),
    "rb_rhs": ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, ctypes.c_int64, ctypes.c_int64),
    "rb_outputs": ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, ctypes.c_int64),
    "rb_guards": ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, ctypes.c_int64, ctypes.c_int64),
    "rb_tasks": ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, ctypes.c_int64),
    "rb_resets": ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, ctypes.c_int64),
}


class Library:
    """Compiled functions in memory."""

    def __init__(self, code: bytes):
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine())
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        self._engine = engine
        self.functions: dict[str, Any] = {}
        for name in PUBLIC:
            if address := engine.get_function_address(name):
                self.functions[name.removeprefix("rb_")] = PROTOTYPES[name](address)


def program_key(text: str, symbols: list[str]) -> str:
    """The name of a program in the cache: a hash of its text, and of symbols, which are hashes."""
    content = "\n".join([platform_key(), makers_key(), *sorted(symbols), text])
    return "p_" + hashlib.sha256(content.encode()).hexdigest()[:32]


_loaded: WeakValueDictionary[str, Library] = WeakValueDictionary()


def link(text: str, codes: Mapping[str, Any], store: Store) -> Library:
    """The linked program; `codes` has for each symbol a function that returns its LLVM text."""

    def make() -> bytes:
        return _optimised(text, [code() for code in codes.values()])

    key = program_key(text, list(codes))
    library = _loaded.get(key)
    if library is None:
        code = store.data(f"{key}.o", make)
        supply_helpers(code)
        library = _loaded[key] = Library(code)
    return library


def _optimised(text: str, codes: list[str]) -> bytes:
    """Everything as one module, optimised as a whole, as object code."""
    target = machine()
    module = llvm.parse_assembly(text)
    module.triple = llvm.get_process_triple()
    for code in codes:
        module.link_in(parsed(code))
    for function in module.functions:
        if not function.is_declaration and function.name not in PUBLIC:
            function.linkage = "internal"
    optimise(module, target, final=True)
    return target.emit_object(module)
