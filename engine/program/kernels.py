"""Kernels to LLVM: numba types and lowers each function once, the text is kept on disk.

A kernel's code is stored under the fingerprint of everything it depends on, so the store can never
be stale; a function that was compiled for one diagram is ready for every other. numba itself is
imported only when something is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .calls import Kernel
from .externals import SIGNATURES
from .functions import by_numba, fingerprint, rebound
from .optimiser import optimised_part
from .store import Store, platform_key

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
OPTIONS = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class NotCompilable(Exception):
    """numba refused the function; the message says why."""


def symbol(key: str) -> str:
    """The linker's name for a kernel or solver function."""
    import hashlib

    return "k_" + hashlib.sha256(f"{key} {platform_key()}".encode()).hexdigest()[:24]


def kernel_code(kernel: Kernel, store: Store) -> tuple[str, str]:
    """Symbol and LLVM text of a kernel."""
    name = symbol(kernel.key)
    return name, store.text(
        f"{name}.ll", lambda: _lowered(kernel.function, _signature(kernel), name)
    )


def solver_symbol(function: Any, arguments: str, result: str) -> str:
    return symbol(f"{fingerprint(function)} {arguments} {result}")


def solver_code(function: Any, arguments: str, result: str, store: Store) -> tuple[str, str]:
    """Symbol and LLVM text of a solver function; types as in `externals.SIGNATURES`."""
    name = solver_symbol(function, arguments, result)
    return name, store.text(
        f"{name}.ll", lambda: _lowered(function, _plain_signature(arguments, result), name)
    )


def _lowered(function: Any, signature: Callable[[], Any], name: str) -> str:
    _declare_externals()
    try:
        with _unoptimised():
            compiled = rebound(function, _replace, by_numba(**OPTIONS))
            compiled.compile(signature())
    except Exception as error:  # whatever makes numba give up, the block can still run in Python
        raise NotCompilable(_reason(error)) from None
    overload = compiled.overloads[signature().args]
    text = overload.library.get_llvm_str()
    text = _renamed(_borrowing(text), overload.fndesc.llvm_func_name, name)
    return optimised_part(text)


@contextmanager
def _unoptimised() -> Iterator[None]:
    """numba's text as it is lowered: the linker optimises once, with all sizes known."""
    from numba import config

    level = config.OPT
    config.OPT = type(level)(0)
    try:
        yield
    finally:
        config.OPT = level


def _borrowing(text: str) -> str:
    """Without reference counts, where the function allocates nothing: it only borrows arrays."""
    if "NRT_Allocate" in text or "NRT_MemInfo_alloc" in text:
        return text
    return re.sub(r"^ +(tail )?call void @NRT_(incref|decref)\(.*\n", "", text, flags=re.MULTILINE)


def _renamed(text: str, old: str, new: str) -> str:
    return re.sub(rf'@"?{re.escape(old)}"?(?=[\s(,])', f"@{new}", text)


def _reason(error: Exception) -> str:
    plain = COLOUR.sub("", str(error))  # numba paints its messages where colorama is installed
    lines = [line.strip() for line in plain.splitlines() if line.strip()]
    told = [line for line in lines if not line.startswith(("During", "Failed in"))]
    reason = told[0] if told else type(error).__name__
    return re.sub(r"<module '([^']+)' from '[^']*'>", r"'\1'", reason)


def _types() -> dict[Any, Any]:
    from numba import types

    return {
        "d": types.float64,
        "i": types.int64,
        "p": types.CPointer(types.float64),
        "v": types.void,
        float: types.float64,
        int: types.int64,
        bool: types.boolean,
    }


def _signature(kernel: Kernel) -> Callable[[], Any]:
    def build() -> Any:
        from numba import types

        table = _types()
        arguments = [
            types.Array(types.float64, rank, "C") if rank else table[kind]
            for kind, rank in zip(kernel.types, kernel.ranks, strict=True)
        ]
        results = [table[kind] for kind in kernel.results]
        result = types.void if not results else results[0]
        if len(results) > 1:
            result = types.Tuple(results)
        return result(*arguments)

    return build


def _plain_signature(arguments: str, result: str) -> Callable[[], Any]:
    def build() -> Any:
        table = _types()
        return table[result](*[table[a] for a in arguments])

    return build


def _replace(name: str, value: Any) -> Any:
    """External functions become symbols that the linker resolves."""
    if name in SIGNATURES and getattr(value, "__module__", "").endswith(".externals"):
        from numba import types

        arguments, result = SIGNATURES[name]
        table = _types()
        return types.ExternalFunction(f"rb_{name}", table[result](*[table[a] for a in arguments]))
    return value


def _declare_externals() -> None:
    """Gives numba's own JIT an address for the symbols that only the final program has."""
    import ctypes

    import llvmlite.binding as llvm

    nowhere = ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value
    for name in SIGNATURES:
        if llvm.address_of_symbol(f"rb_{name}") is None:
            llvm.add_symbol(f"rb_{name}", nowhere)
