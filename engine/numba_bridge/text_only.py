"""A pipeline of numba that ends with the lowered text: no machine code is made of it.

numba links into every function all that it calls, optimises that and makes code of it, level by
level. Here each function keeps the text of its own alone; the texts are linked once, for a kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any


@cache
def text_only() -> Any:
    """numba's own pipeline, with a library and a last pass that only keep the text."""
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import register_pass
    from numba.core.typed_passes import NoPythonBackend

    class Text(JITCodeLibrary):
        def add_llvm_module(self, module: Any) -> None:
            self._final_module.link_in(module)

        def finalize(self) -> None:
            self._finalized = True

    @register_pass(mutates_CFG=True, analysis_only=False)
    class KeepText(NoPythonBackend):
        _name = "railblocks_text"

        def run_pass(self, state: Any) -> bool:
            lowered = state.cr
            never_called = _function_without_code(lowered.fndesc, lowered.env, state.library)
            state.library._ensure_finalized()
            state.targetctx.insert_user_function(never_called, lowered.fndesc, [state.library])
            state.cr = lowered._replace(cfunc=never_called)
            return super().run_pass(state)

    class TextOnly(CompilerBase):
        def __init__(self, typing: Any, target: Any, library: Any, *others: Any):
            super().__init__(typing, target, library, *others)
            self.state.library = Text(target.codegen(), "text")
            self.state.flags.no_compile = True

        def define_pipelines(self) -> list[Any]:
            pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
            pipeline.passes = [
                (KeepText, "text instead of code") if which is NoPythonBackend else (which, why)
                for which, why in pipeline.passes
            ]
            pipeline._finalized = False
            pipeline.finalize()
            return [pipeline]

    return TextOnly


def linked_text(library: Any) -> str:
    """The text of a library that `text_only` filled, with all that it calls."""
    whole = library._final_module.clone()
    for other in _reached(library, set()):
        whole.link_in(other._get_module_for_linking(), preserve=True)
    return str(whole)


def _reached(library: Any, seen: set[int]) -> Iterator[Any]:
    """The libraries that a library calls, each once; numba's own hold all that they call."""
    for other in library._linking_libraries:
        if id(other) not in seen:
            seen.add(id(other))
            yield other
            if type(other) is type(library):
                yield from _reached(other, seen)


def _function_without_code(description: Any, environment: Any, library: Any) -> Any:
    """What numba takes for the compiled function: a key of its own that cannot be called."""
    from numba import _dynfunc

    name = description.qualname.split(".")[-1]
    module = description.lookup_module()
    return _dynfunc.make_function(module, name, "lowered only", 0, environment, (library,))
