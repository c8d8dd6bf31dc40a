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

from .store import Store, platform_key

SMALL = 400_000  # characters of text up to which the optimiser may take its time
PUBLIC = ("rb_advance", "rb_rhs", "rb_outputs", "rb_guards", "rb_tasks", "rb_resets")
POINTER = ctypes.c_void_p
PROTOTYPES = {
    "rb_advance": ctypes.CFUNCTYPE(None, POINTER, POINTER, ctypes.c_int64),
    "rb_rhs": ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, ctypes.c_int64, ctypes.c_int64),
    "rb_outputs": ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, ctypes.c_int64),
    "rb_guards": ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, ctypes.c_int64, ctypes.c_int64),
    "rb_tasks": ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, ctypes.c_int64),
    "rb_resets": ctypes.CFUNCTYPE(None, ctypes.c_double, POINTER, ctypes.c_int64),
}


def _machine(level: int) -> Any:
    """A new one each time: an execution engine takes its machine over."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        jit=True,
    )


class Library:
    """Compiled functions in memory."""

    def __init__(self, code: bytes):
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(2))
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        self._engine = engine
        self.functions: dict[str, Any] = {}
        for name in PUBLIC:
            if address := engine.get_function_address(name):
                self.functions[name.removeprefix("rb_")] = PROTOTYPES[name](address)


def program_key(text: str, symbols: list[str]) -> str:
    """Symbols are hashes themselves, so this names everything that goes into the program."""
    content = "\n".join([platform_key(), *sorted(symbols), text])
    return "p_" + hashlib.sha256(content.encode()).hexdigest()[:32]


_loaded: WeakValueDictionary[str, Library] = WeakValueDictionary()


def link(text: str, codes: Mapping[str, Any], store: Store) -> Library:
    """`codes` gives for each symbol a function that returns its LLVM text."""

    def make() -> bytes:
        return _optimised(text, [code() for code in codes.values()])

    key = program_key(text, list(codes))
    library = _loaded.get(key)
    if library is None:
        code = store.data(f"{key}.o", make)
        _supply_helpers(code)
        library = _loaded[key] = Library(code)
    return library


def _optimised(text: str, codes: list[str]) -> bytes:
    level = 3 if len(text) < SMALL else 2
    machine = _machine(min(level, 2))
    module = llvm.parse_assembly(text)
    module.triple = llvm.get_process_triple()
    for code in codes:
        part = llvm.parse_assembly(code)
        for function in part.functions:
            if not function.is_declaration and not function.name.startswith("k_"):
                function.linkage = "internal"
        _optimise(part, machine, 1 if len(code) > 100_000 else 2)
        module.link_in(part)
    for function in module.functions:
        if not function.is_declaration and function.name not in PUBLIC:
            function.linkage = "internal"
    _optimise(module, machine, level, final=True)
    return machine.emit_object(module)


def _optimise(module: Any, machine: Any, level: int, final: bool = False) -> None:
    """Parts keep their loops: their lengths are known only once all is linked."""
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.slp_vectorization = options.loop_vectorization = level > 2
    options.loop_unrolling = final
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _supply_helpers(code: bytes) -> None:
    """numba's own helper functions are symbols of its extension modules: load those if needed."""
    if b"numba_" in code or b"NRT_" in code:
        import numba.core.runtime
        import numba.core.typing

        numba.core.runtime.rtsys.initialize(_cpu_context())


def _cpu_context() -> Any:
    from numba.core.registry import cpu_target

    return cpu_target.target_context
