"""numba's pipeline that ends with the text: complete modules, no machine code, nothing twice."""

import ctypes
import math

import llvmlite.binding as llvm
import pytest
from railblocks.engine.memory.externals import SIGNATURES
from railblocks.engine.numba_bridge.lowering import Argument, Signature, lowered
from railblocks.engine.program.alone import compiled

SCALAR = Signature((Argument(float),), (float,))


def helper(u):
    return 2.0 * u


def text_of(function, signature=SCALAR, **options):
    return lowered(function, signature, "k_name", SIGNATURES, **options)


def run(text, value):
    """The lowered function of one number, called by numba's convention."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    engine.finalize_object()
    pointer = ctypes.c_void_p
    prototype = ctypes.CFUNCTYPE(ctypes.c_int32, pointer, pointer, ctypes.c_double)
    result, error = ctypes.c_double(), ctypes.c_void_p()
    call = prototype(engine.get_function_address("k_name"))
    status = call(ctypes.addressof(result), ctypes.addressof(error), value)
    assert status == 0
    return result.value


def polynomial(u):
    total = 0.0
    for k in range(4):
        total += helper(u) ** k
    return total


def elementary(u):
    return math.exp(math.sin(u)) + math.hypot(u, 3.0) + math.atan2(u, 2.0)


def sorted_pair(u):
    low, high = min(u, 1.0), max(u, 1.0)
    return low + 10.0 * high


def small_array(u):
    values = (u, 2.0 * u, 3.0)
    total = 0.0
    for value in values:
        total += value
    return total


@pytest.mark.parametrize("function", [polynomial, elementary, sorted_pair, small_array])
@pytest.mark.parametrize("value", [-1.5, 0.25, 7.0])
def test_the_text_computes_what_numba_computes(function, value):
    assert run(text_of(function), value) == compiled(function)(value)


def test_the_text_has_all_that_it_calls_but_mathematics():
    module = llvm.parse_assembly(text_of(polynomial))
    declared = [f.name for f in module.functions if f.is_declaration]
    assert not [name for name in declared if "helper" in name or "cpython" in name]


def test_a_function_that_fails_may_be_lowered_later(monkeypatch):
    """A failure leaves nothing behind that a second try would take for done."""
    from numba.core.lowering import Lower

    def later(u):
        return helper(u) * 0.75

    with monkeypatch.context() as patch:
        patch.setattr(Lower, "lower_inst", lambda *_: 1 / 0)
        with pytest.raises(Exception, match="division"):
            text_of(later)
    assert run(text_of(later), 2.0) == 3.0


def test_the_same_function_for_other_types_is_another_one():
    signature = Signature((Argument(float, 1, read_only=True),), (float,))

    def plain(u):
        return u + u

    assert run(text_of(plain), 1.5) == 3.0
    whole = text_of(plain, Signature((Argument(int),), (int,)))
    assert "add" in whole
    assert "fadd" not in whole
    assert "define" in text_of(lambda u: u[0] * 2.0, signature)


def test_no_machine_code_is_made_of_what_is_lowered(monkeypatch):
    from numba.core.codegen import JITCodeLibrary

    def finalised(*_):
        raise AssertionError("numba makes code")

    monkeypatch.setattr(JITCodeLibrary, "_finalize_final_module", finalised)
    assert "define" in text_of(lambda u: helper(u) - 2.0)


def test_a_shared_function_is_typed_once_a_process(monkeypatch):
    from numba.core.typed_passes import NopythonTypeInference

    typed, run_pass = [], NopythonTypeInference.run_pass

    def noted(self, state):
        typed.append(state.func_id.func_name)
        return run_pass(self, state)

    def shared(u):
        return 5.5 * u

    monkeypatch.setattr(NopythonTypeInference, "run_pass", noted)
    text_of(lambda u: shared(u) + 1.0)
    text_of(lambda u: shared(u) + 2.0)
    assert typed.count("shared") == 1
    assert len(typed) == 3
