"""Kernels and solver functions to LLVM: numba types and lowers each once, the text is kept.

A text is stored under the fingerprint of everything that the function depends on, so the store can
never be stale; a function that was lowered for one diagram is ready for every other. Those of the
library come with the package (`shipped`). numba itself is imported only when something is missing.
That numba refused a function is kept as well; `RAILBLOCKS_RETRY=1` lets it try again.

Inputs, parameters and states are typed as read-only arrays. What a kernel may do is read off its
lowered text and kept beside it as `Traits`: whether it can raise an exception, and which arrays
LLVM cannot prove to be left as they are. Kernels from outside of railblocks keep rules of Python:
their indices are checked, and so are quotients of whole numbers and names that may be unassigned.
Those of its own blocks are held to their bounds by the tests, which interpret them.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from ..functions.functions import fingerprint, reached_size
from ..memory.externals import SIGNATURES
from ..numba_bridge.lowering import (
    RETURNS,
    Argument,
    NotCompilable,
    Signature,
    lowered,
    returned_letters,
)
from ..numba_bridge.runtime import text_key
from ..schedule.calls import Kernel
from .makers import makers_key
from .optimiser import optimised_part
from .store import Store
from .traits import Traits

RETRY = "RAILBLOCKS_RETRY"
_retried: set[str] = set()
"""Names of refusals that were forgotten: each is tried again once a process."""


@cache
def symbol(key: str) -> str:
    """The linker's name for a function with this key."""
    return "k_" + hashlib.sha256(f"{key} {text_key()}".encode()).hexdigest()[:24]


@dataclass(frozen=True, eq=False)
class Part:
    """A function that is lowered by itself: a kernel of a block, or a function of the solver.

    `fills` are the numbers of the arrays that it may change, `rules` those of `lowering.RULES`.
    """

    function: Any
    key: str
    signature: Signature
    fills: tuple[int, ...] = ()
    rules: str = "C"

    @classmethod
    def of_kernel(cls, kernel: Kernel) -> Part:
        arguments = tuple(
            Argument(kind, rank, read_only=number not in kernel.fills)
            for number, (kind, rank) in enumerate(zip(kernel.types, kernel.ranks, strict=True))
        )
        signature = Signature(arguments, tuple(kernel.results))
        rules = "Python" if kernel.foreign else "C"
        return cls(kernel.function, kernel.key, signature, kernel.fills, rules)

    @classmethod
    def of_solver(cls, function: Any, arguments: str, result: str) -> Part:
        """Types are letters as in `externals.SIGNATURES`."""
        key = f"{fingerprint(function)} {arguments} {result}"
        return cls(function, key, Signature.of_letters(arguments, result))

    @cached_property
    def symbol(self) -> str:
        return symbol(self.key)

    @property
    def effort(self) -> int:
        """How much there is to lower, for the order of work: bytes of Python's code."""
        return reached_size(self.function)

    # --- what is kept --------------------------------------------------------------------------
    def name(self, ending: str) -> str:
        """The name of an entry of the cache."""
        return f"{self.symbol}_{makers_key()[:8]}.{ending}"

    def is_kept(self, store: Store) -> bool:
        """Whether there is nothing left to lower."""
        traits = self.known_traits(store)
        return traits is not None and (bool(traits.refusal) or self._has_text(store))

    def _has_text(self, store: Store) -> bool:
        return self.symbol in store.shipped or store.holds(self.name("ll"))

    def known_traits(self, store: Store) -> Traits | None:
        """What is known without lowering; a refusal is forgotten where a retry is wanted."""
        name = self.name("traits")
        content = store.find(name)
        if content is None:
            shipped = store.shipped.traits(self.symbol)
            if shipped is None:
                return None
            store.keep(name, shipped)  # the next run does not open the shipped file
            return Traits.from_text(shipped)
        traits = Traits.from_text(content.decode())
        if traits.refusal and wants_retry() and name not in _retried:
            _retried.add(name)
            store.forget(name)
            return None
        return traits

    def traits(self, store: Store) -> Traits:
        """What the function may do; lowers it if that is not known.

        A refusal that may be due to the moment, such as a package that cannot be imported, is not
        kept beyond this store.
        """
        known = self.known_traits(store)
        if known is not None and (known.refusal or self._has_text(store)):
            return known
        try:
            text = self.code(store)
            traits, lasting = Traits.of_code(text, self.symbol, self._ranks(), self.fills), True
        except NotCompilable as error:
            changes, sure = self._compiles_if_writable()
            traits, lasting = Traits(str(error), changes=changes), error.lasting and sure
        store.keep(self.name("traits"), traits.as_text(), lasting)
        return traits

    def code(self, store: Store) -> str:
        """The LLVM text; raises `NotCompilable`."""
        shipped = store.shipped.text(self.symbol)
        return shipped or store.text(self.name("ll"), lambda: self._lowered(self.signature))

    # --- making it -----------------------------------------------------------------------------
    def _lowered(self, signature: Signature) -> str:
        text = lowered(self.function, signature, self.symbol, SIGNATURES, self.rules)
        return optimised_part(text) + RETURNS + returned_letters(text)

    def _ranks(self) -> list[int]:
        """The ranks of all arguments of a kernel from outside, whose arrays are watched."""
        if self.rules != "Python":
            return []
        return [a.rank for a in self.signature.arguments if isinstance(a, Argument)]

    def _compiles_if_writable(self) -> tuple[bool, bool]:
        """Whether numba refused a kernel only since it changes arrays that it may only read.

        The second answer says whether the first one will be the same tomorrow.
        """
        given = self.signature.arguments
        writable = [a._replace(read_only=False) if isinstance(a, Argument) else a for a in given]
        try:
            self._lowered(self.signature._replace(arguments=tuple(writable)))
        except NotCompilable as error:
            return False, error.lasting
        return True, True


def wants_retry() -> bool:
    """Whether functions that numba refused are to be tried again."""
    return os.environ.get(RETRY, "") not in ("", "0")
