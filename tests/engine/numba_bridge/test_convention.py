"""numba's calling convention as we write it is that of the functions that it lowers."""

import ctypes

import llvmlite.binding as llvm
import numpy as np
import pytest
from railblocks.engine.memory.externals import SIGNATURES
from railblocks.engine.numba_bridge.convention import (
    argument_types,
    array_parts,
    c_wrapper,
    can_raise,
    declaration,
    maybe_changed,
    result_type,
)
from railblocks.engine.numba_bridge.lowering import Argument, Signature, lowered
from railblocks.engine.program.optimiser import machine, optimised_part, parsed


def optimised(function, signature, **options):
    return optimised_part(lowered(function, signature, "k_f", SIGNATURES, **options))


def weighted(m, k, flag, out):
    out[0] = m[1, 2] if flag else float(k)
    return m[0, 1], k + 1, not flag


SHAPES = (2, 3)
KINDS, RANKS = (float, int, bool, float), (2, 0, 0, 1)
SIGNATURE = Signature(
    (Argument(float, 2, True), Argument(int), Argument(bool), Argument(float, 1)),
    (float, int, bool),
)


def test_argument_types_are_those_of_the_lowered_function():
    function = parsed(optimised(weighted, SIGNATURE)).get_function("k_f")
    types = [str(argument.type).removesuffix("*") for argument in function.arguments]
    expected = ["ptr", "ptr", *argument_types(KINDS, RANKS)]
    assert [t if t in ("i64", "i8", "double") else "ptr" for t in types] == expected
    assert len(array_parts("%a", SHAPES)) == len(argument_types([float], [2]))


def test_a_call_written_by_us_gives_what_python_gives():
    """A C function around the lowered one: arrays from addresses, three results."""
    struct = result_type((float, int, bool))
    passed = [*array_parts("%m", SHAPES), "i64 %k", "i8 %b", *array_parts("%o", (1,))]
    text = f"""
{declaration("k_f", argument_types(KINDS, RANKS))}
define i32 @entry(ptr %m, i64 %k, i8 %b, ptr %o, ptr %r) {{
  %e = alloca ptr
  %s = call i32 @k_f(ptr %r, ptr %e, {", ".join(passed)})
  ret i32 %s
}}"""
    module = llvm.parse_assembly(text)
    module.link_in(parsed(optimised(weighted, SIGNATURE)))
    engine = llvm.create_mcjit_compiler(module, machine())
    engine.finalize_object()
    pointer = ctypes.c_void_p
    entry = ctypes.CFUNCTYPE(
        ctypes.c_int32, pointer, ctypes.c_int64, ctypes.c_int8, pointer, pointer
    )(engine.get_function_address("entry"))

    class Results(ctypes.Structure):
        _fields_ = [("a", ctypes.c_double), ("b", ctypes.c_int64), ("c", ctypes.c_int8)]

    assert struct == "{double, i64, i8}"
    matrix, out, results = np.arange(6.0).reshape(SHAPES), np.zeros(1), Results()
    status = entry(matrix.ctypes.data, 7, 1, out.ctypes.data, ctypes.addressof(results))
    assert status == 0
    assert (results.a, results.b, results.c) == (1.0, 8, 0)
    assert out[0] == 5.0


def halved(x, p):
    return 0.5 * x + p[1]


def test_a_c_wrapper_passes_numbers_and_returns_the_result():
    text = c_wrapper("rb_halved", "k_f", "dp", "d")
    module = llvm.parse_assembly(text)
    module.link_in(parsed(optimised(halved, Signature.of_letters("dp", "d"))))
    engine = llvm.create_mcjit_compiler(module, machine())
    engine.finalize_object()
    call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_void_p)(
        engine.get_function_address("rb_halved")
    )
    assert call(3.0, np.array([0.0, 4.0]).ctypes.data) == 5.5


def limited(u):
    if u > 5.0:
        raise ValueError("too much")
    return u


def doubled(u):
    return 2.0 * u


@pytest.mark.parametrize(("function", "raises"), [(limited, True), (doubled, False)])
def test_whether_a_function_can_raise_is_read_off_its_returns(function, raises):
    text = optimised(function, Signature((Argument(float),), (float,)))
    assert can_raise(parsed(text).get_function("k_f")) == raises


def reads_and_fills(u, y):
    y[0] = u[0]


def test_arrays_that_may_be_changed_are_told_from_those_that_are_only_read():
    signature = Signature((Argument(float, 1, True), Argument(float, 1)))
    function = parsed(optimised(reads_and_fills, signature)).get_function("k_f")
    assert list(maybe_changed(function, (1, 1))) == [1]
