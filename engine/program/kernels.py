"""Kernels to LLVM: numba types and lowers each function once, the text is kept on disk.

A kernel's code is stored under the fingerprint of everything it depends on, so the store can never
be stale; a function that was compiled for one diagram is ready for every other. numba itself is
imported only when something is missing. That numba refused a function is kept as well;
`RAILBLOCKS_RETRY=1` lets it try again.

Inputs, parameters and states are typed as read-only arrays. What a kernel may do is read off its
lowered text and kept beside it as `Traits`: whether it can raise an exception, and which arrays
LLVM cannot prove to be left as they are. Kernels from outside of railblocks keep rules of Python:
their indices are checked, and so are quotients of whole numbers and names that may be unassigned.
Those of its own blocks are held to their bounds by the tests, which interpret them.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from ..functions.functions import fingerprint
from ..memory.externals import SIGNATURES
from ..numba_bridge.convention import can_raise, maybe_changed
from ..numba_bridge.lowering import Argument, NotCompilable, Signature, lowered
from ..numba_bridge.runtime import platform_key
from ..schedule.calls import Kernel
from .optimiser import optimised_part, parsed
from .store import Store

RETRY = "RAILBLOCKS_RETRY"


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
    return "k_" + hashlib.sha256(f"{key} {platform_key()}".encode()).hexdigest()[:24]


def kernel_code(kernel: Kernel, store: Store) -> tuple[str, str]:
    """Symbol and LLVM text of a kernel; raises `NotCompilable`."""
    name = symbol(kernel.key)
    return name, store.text(f"{name}.ll", lambda: _lowered_kernel(kernel, name, read_only=True))


def known_traits(kernel: Kernel, store: Store) -> Traits | None:
    """What is in the store about a kernel; a refusal is forgotten where a retry is wanted."""
    name = f"{symbol(kernel.key)}.traits"
    content = store.find(name)
    if content is None:
        return None
    traits = Traits.from_text(content.decode())
    if traits.refusal and wants_retry():
        store.forget(name)
        return None
    return traits


def wants_retry() -> bool:
    """Whether functions that numba refused are to be tried again."""
    return os.environ.get(RETRY, "") not in ("", "0")


def kernel_traits(kernel: Kernel, store: Store) -> Traits:
    """What a kernel may do; lowers it if that is not known.

    A refusal that may be due to the moment, such as a package that cannot be imported, is not kept.
    """
    known = known_traits(kernel, store)
    if known is not None:
        return known
    try:
        name, text = kernel_code(kernel, store)
        traits, lasting = _traits_of(kernel, name, text), True
    except NotCompilable as error:
        changes, sure = _compiles_if_writable(kernel)
        traits, lasting = Traits(str(error), changes=changes), error.lasting and sure
    if lasting:
        store.keep(f"{symbol(kernel.key)}.traits", traits.as_text())
    return traits


def _traits_of(kernel: Kernel, name: str, text: str) -> Traits:
    function = parsed(text).get_function(name)
    changed = maybe_changed(function, kernel.ranks) if kernel.foreign else ()
    copied = tuple(number for number in changed if number not in kernel.fills)
    return Traits(raises=can_raise(function), copied=copied)


def _compiles_if_writable(kernel: Kernel) -> tuple[bool, bool]:
    """Whether numba refused a kernel only since it changes arrays that it may only read.

    The second answer says whether the first one will be the same tomorrow.
    """
    try:
        _lowered_kernel(kernel, symbol(kernel.key), read_only=False)
    except NotCompilable as error:
        return False, error.lasting
    return True, True


def solver_symbol(function: Any, arguments: str, result: str) -> str:
    return symbol(f"{fingerprint(function)} {arguments} {result}")


def solver_code(function: Any, arguments: str, result: str, store: Store) -> tuple[str, str]:
    """Symbol and LLVM text of a solver function; types as in `externals.SIGNATURES`."""
    name = solver_symbol(function, arguments, result)
    signature = Signature.of_letters(arguments, result)
    return name, store.text(f"{name}.ll", lambda: _lowered(function, signature, name))


def _lowered_kernel(kernel: Kernel, name: str, read_only: bool) -> str:
    """The text of a kernel; one from outside keeps rules of Python."""
    arguments = tuple(
        Argument(kind, rank, read_only and number not in kernel.fills)
        for number, (kind, rank) in enumerate(zip(kernel.types, kernel.ranks, strict=True))
    )
    signature = Signature(arguments, tuple(kernel.results))
    return _lowered(kernel.function, signature, name, kernel.foreign)


def _lowered(function: Any, signature: Signature, name: str, python_rules: bool = False) -> str:
    return optimised_part(lowered(function, signature, name, SIGNATURES, python_rules))
