"""Everything that knows numba: typing, lowering, its calling convention and its runtime.

No other module imports numba. What is relied upon beyond its documented interface, each with a test
of its own in `tests/engine/numba_bridge`:

- `lowering`: a dispatcher compiled for one signature keeps `overloads[args]` with the text of its
  LLVM module and the name of the function in it; reference counts are calls of `NRT_incref` and
  `NRT_decref`; `config.OPT` is read while a function is lowered; `types.ExternalFunction` is a
  symbol that is resolved later; errors derive from `numba.core.errors.NumbaError`.
- `text_only`: a dispatcher takes a pipeline class; `CompilerBase` makes its state with a library,
  which collects modules by `add_llvm_module`, may be finalised without code, and is linked into the
  caller's by `_linking_libraries`; `NoPythonBackend` is the last pass, which may be replaced.
- `convention`: `i32 f(result*, exception**, arguments...)`, 0 for no exception, an array as
  (meminfo, parent, size, itemsize, data, shape..., strides...).
- `python_rules`: error models are registered by name in `numba.core.callconv`, and one may override
  `fp_zero_division`; names that may be unassigned are warned of under a setting.
- `runtime`: helpers with names `numba_...` and `NRT_...` are symbols once the runtime is there.
- `llvm_lock`: llvmlite works under `ffi.lib._lock._lock`.
"""
