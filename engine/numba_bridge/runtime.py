"""The compiler that is installed: its key for caches, and the helpers that its code calls."""

from __future__ import annotations

import hashlib
import platform
import re
from functools import cache
from pathlib import Path


@cache
def text_key() -> str:
    """What lowered text depends on beside the function: Python's code, LLVM, kind of processor."""
    import llvmlite.binding as llvm

    python = ".".join(platform.python_version_tuple()[:2])
    version = ".".join(map(str, llvm.llvm_version_info))
    kind = re.sub(r"(darwin|macosx)[\d.]+", r"\1", llvm.get_process_triple())
    return f"Python {python}, LLVM {version}, {kind}"


@cache
def lowerer_key() -> str:
    """A hash of what lowers functions here: the packages' versions, and this package's text."""
    digest = hashlib.sha256(f"{_version('numba')} {_version('llvmlite')}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


@cache
def platform_key() -> str:
    """A hash of the compiler and the processor that code was made for."""
    import llvmlite.binding as llvm

    parts = [lowerer_key(), text_key(), llvm.get_host_cpu_name()]
    parts.append(llvm.get_host_cpu_features().flatten())
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]


def _version(package: str) -> str:
    """The installed version; empty if the package is not there."""
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def supply_helpers(code: bytes) -> None:
    """Loads numba's extension modules if the object code calls helper functions of theirs."""
    if b"numba_" in code or b"NRT_" in code:
        import numba.core.runtime
        import numba.core.typing
        from numba.core.registry import cpu_target

        numba.core.runtime.rtsys.initialize(cpu_target.target_context)
