"""The compiler that is installed: its key for caches, and the helpers that its code calls."""

from __future__ import annotations

import hashlib
import platform
from functools import cache


@cache
def platform_key() -> str:
    """A hash of the compiler and the processor that code was made for."""
    from importlib.metadata import version

    import llvmlite.binding as llvm

    parts = [version("numba"), version("llvmlite"), platform.python_version()]
    parts += [llvm.get_process_triple(), llvm.get_host_cpu_name()]
    parts.append(llvm.get_host_cpu_features().flatten())
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]


def supply_helpers(code: bytes) -> None:
    """Loads numba's extension modules if the object code calls helper functions of theirs."""
    if b"numba_" in code or b"NRT_" in code:
        import numba.core.runtime
        import numba.core.typing
        from numba.core.registry import cpu_target

        numba.core.runtime.rtsys.initialize(cpu_target.target_context)
