"""Kernels to LLVM: numba types and lowers each function once, the text is kept on disk.

A kernel's code is stored under the fingerprint of everything it depends on, so the store can never
be stale; a function that was compiled for one diagram is ready for every other. numba itself is
imported only when something is missing.

Inputs, parameters and states are typed as read-only arrays. What a kernel may do is read off its
lowered text and kept beside it as `Traits`: whether it can raise an exception, and which arrays
LLVM cannot prove to be left as they are. Kernels from outside of railblocks keep rules of Python:
their indices are checked, and so are quotients of whole numbers and names that may be unassigned.
Those of its own blocks are held to their bounds by the tests, which interpret them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from ..functions.functions import by_numba, fingerprint, rebound
from ..memory.externals import SIGNATURES
from ..schedule.calls import Kernel
from .optimiser import optimised_part, parsed
from .python_rules import (
    ERROR_MODEL,
    UnassignedName,
    declare_error_model,
    unassigned_names_refused,
)
from .store import Store, platform_key

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
READS_ONLY = re.compile(r"\breadonly\b|\breadnone\b")
DATA = 4  # number of the address of the elements among the five parts of an array
OPTIONS = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
CAREFUL = {**OPTIONS, "error_model": ERROR_MODEL, "boundscheck": True}  # for those from outside
MOMENTARY = (ImportError, MemoryError, OSError, RecursionError)


class NotCompilable(Exception):
    """numba refused the function; the message says why, `lasting` whether it always will."""

    def __init__(self, reason: str, lasting: bool):
        super().__init__(reason)
        self.lasting = lasting


@dataclass(frozen=True)
class Traits:
    """What a kernel's lowered text says about it.

    `refusal` is why numba cannot compile it, `changes` that it writes into what it may only read.
    `raises` says that it can raise an exception; `copied` are the numbers of the arguments whose
    arrays a kernel from outside of railblocks might change, so that it gets copies of them.
    """

    refusal: str = ""
    changes: bool = False
    raises: bool = False
    copied: tuple[int, ...] = ()

    @classmethod
    def from_text(cls, text: str) -> Traits:
        fields = json.loads(text)
        return cls(**fields | {"copied": tuple(fields["copied"])})

    def as_text(self) -> str:
        return json.dumps(asdict(self))


@cache
def symbol(key: str) -> str:
    """The linker's name for a kernel or solver function."""
    import hashlib

    return "k_" + hashlib.sha256(f"{key} {platform_key()}".encode()).hexdigest()[:24]


def kernel_code(kernel: Kernel, store: Store) -> tuple[str, str]:
    """Symbol and LLVM text of a kernel; raises `NotCompilable`."""
    name = symbol(kernel.key)
    return name, store.text(f"{name}.ll", lambda: _lowered_kernel(kernel, name, read_only=True))


def known_traits(kernel: Kernel, store: Store) -> Traits | None:
    """What is in the store about a kernel."""
    content = store.find(f"{symbol(kernel.key)}.traits")
    return None if content is None else Traits.from_text(content.decode())


def kernel_traits(kernel: Kernel, store: Store) -> Traits:
    """What a kernel may do; lowers it if that is not known.

    A refusal that may be due to the moment, such as a package that cannot be imported, is not kept.
    """
    known = known_traits(kernel, store)
    if known is not None:
        return known
    try:
        name, text = kernel_code(kernel, store)
        traits = _traits_of(kernel, name, text)
    except NotCompilable as error:
        traits = Traits(str(error), changes=_compiles_if_writable(kernel))
        if not error.lasting:
            return traits
    store.keep(f"{symbol(kernel.key)}.traits", traits.as_text())
    return traits


def _traits_of(kernel: Kernel, name: str, text: str) -> Traits:
    function = parsed(text).get_function(name)
    returns = {str(list(block.instructions)[-1]).strip() for block in function.blocks}
    raises = any(line.startswith("ret ") and line != "ret i32 0" for line in returns)
    attributes = [" ".join(map(str, argument.attributes)) for argument in function.arguments]
    copied, place = [], 2  # after the addresses of result and exception
    for number, rank in enumerate(kernel.ranks):
        data = attributes[place + DATA] if rank else ""
        read = bool(rank) and number not in kernel.fills
        if kernel.foreign and read and not READS_ONLY.search(data):
            copied.append(number)
        place += 5 + 2 * rank if rank else 1
    return Traits(raises=raises, copied=tuple(copied))


def _compiles_if_writable(kernel: Kernel) -> bool:
    """Whether numba refused a kernel only since it changes arrays that it may only read."""
    try:
        _lowered_kernel(kernel, symbol(kernel.key), read_only=False)
    except NotCompilable:
        return False
    return True


def solver_symbol(function: Any, arguments: str, result: str) -> str:
    return symbol(f"{fingerprint(function)} {arguments} {result}")


def solver_code(function: Any, arguments: str, result: str, store: Store) -> tuple[str, str]:
    """Symbol and LLVM text of a solver function; types as in `externals.SIGNATURES`."""
    name = solver_symbol(function, arguments, result)
    return name, store.text(
        f"{name}.ll", lambda: _lowered(function, _plain_signature(arguments, result), name, OPTIONS)
    )


def _lowered_kernel(kernel: Kernel, name: str, read_only: bool) -> str:
    """The text of a kernel; one from outside keeps rules of Python."""
    signature = _signature(kernel, read_only)
    if not kernel.foreign:
        return _lowered(kernel.function, signature, name, OPTIONS)
    declare_error_model()
    try:
        with unassigned_names_refused():
            return _lowered(kernel.function, signature, name, CAREFUL)
    except UnassignedName as error:
        raise NotCompilable(str(error), lasting=True) from None


def _lowered(
    function: Any, signature: Callable[[], Any], name: str, options: Mapping[str, Any]
) -> str:
    _declare_externals()
    try:
        with _unoptimised():
            compiled = rebound(function, _replace, by_numba(**options))
            compiled.compile(signature())
    except MemoryError:
        raise
    except Exception as error:  # whatever makes numba give up, the block can still run in Python
        raise NotCompilable(_reason(error), _is_lasting(error)) from None
    overload = compiled.overloads[signature().args]
    text = overload.library.get_llvm_str()
    text = _renamed(_borrowing(text), overload.fndesc.llvm_func_name, name)
    return optimised_part(text)


def _is_lasting(error: BaseException) -> bool:
    """Whether numba refuses for what the function is, and not for something of the moment."""
    from numba.core.errors import NumbaError

    causes: list[BaseException] = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) and cause not in causes:
        causes.append(cause)
    refused = isinstance(error, NumbaError | NotImplementedError)
    return refused and not any(isinstance(cause, MOMENTARY) for cause in causes)


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


def _signature(kernel: Kernel, read_only: bool) -> Callable[[], Any]:
    def build() -> Any:
        from numba import types

        table = _types()
        arguments = [
            types.Array(types.float64, rank, "C", readonly=read_only and number not in kernel.fills)
            if rank
            else table[kind]
            for number, (kind, rank) in enumerate(zip(kernel.types, kernel.ranks, strict=True))
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
