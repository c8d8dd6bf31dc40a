"""The bridge to numba is the only way to it."""

from imports import imports_of, source_modules

BRIDGE = "railblocks.engine.numba_bridge"
ONLY_LLVM = {"railblocks.engine.program.optimiser", "railblocks.engine.program.linker"}
"""They call llvmlite by its documented interface: parse, link, optimise, load."""


def test_nobody_else_imports_numba_or_llvmlite():
    modules = source_modules()
    users = {"numba": set(), "llvmlite": set()}
    for module in modules:
        for name in imports_of(module, modules):
            users.get(name.partition(".")[0], set()).add(module)
    assert users["numba"]
    assert all(module.startswith(f"{BRIDGE}.") for module in users["numba"])
    assert {m for m in users["llvmlite"] if not m.startswith(f"{BRIDGE}.")} == ONLY_LLVM
