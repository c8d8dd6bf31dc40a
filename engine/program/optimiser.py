"""LLVM's optimiser and code generator, set up the way this project needs them.

Nothing here reorders floating-point arithmetic: no fast-math, no contraction, so that compiled code
has the bits of interpreted code.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm


def machine() -> Any:
    """A target machine for this processor; new each time, since an engine takes its own over."""
    features = llvm.get_host_cpu_features().flatten()
    return _target().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=2, jit=True
    )


def common_machine() -> Any:
    """A target machine for every processor of this kind."""
    return _target().create_target_machine(opt=2, jit=True)


def _target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_triple(llvm.get_process_triple())


def parsed(text: str) -> Any:
    """A module with everything internal but the kernels and the program's own functions."""
    module = llvm.parse_assembly(text)
    for function in module.functions:
        if not function.is_declaration and not function.name.startswith(("k_", "rb_")):
            function.linkage = "internal"
    return module


def optimise(module: Any, target: Any, final: bool) -> None:
    """Optimises a module; parts keep their loops, whose lengths are known once all is linked."""
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.loop_unrolling = final
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)


def optimised_part(text: str) -> str:
    """A kernel or a solver function, simplified once before it is linked many times.

    The text is the same on every processor of a kind.
    """
    module = parsed(text)
    optimise(module, common_machine(), final=False)
    return str(module)
