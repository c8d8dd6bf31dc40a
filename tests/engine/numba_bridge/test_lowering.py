"""What the bridge relies on in numba while it types and lowers functions."""

import os
import re

import llvmlite.binding as llvm
import numpy as np
import pytest
from numba import config
from numba.core import errors
from railblocks.engine.functions.functions import merged
from railblocks.engine.memory.externals import SIGNATURES, rhs
from railblocks.engine.numba_bridge.lowering import (
    Argument,
    NotCompilable,
    Signature,
    is_lasting,
    lowered,
)
from railblocks.engine.program.alone import compiled

ARRAY = Signature((Argument(float, 1, read_only=True),), (float,))
SCALAR = Signature((Argument(float),), (float,))


def first(u):
    return u[0]


def made(u):
    return np.zeros(3)[0] + u[0]


def calls_back(t):
    rhs(t, 0, 1, 2)
    return t


def writes(u):
    u[0] = 1.0
    return u[0]


def mixed(u):
    return 1 if u > 0.0 else "a"


def deep(u):
    return helper(u) + 1.0


def helper(u):
    return 2.0 * u


@merged
def part(u):
    total = 0.0
    for k in range(3):
        if u > k:
            return total
        total += u
    return total


def whole(u):
    return part(u) + 1.0


def enclosing(kernel):
    @merged
    def inner(u):
        return kernel(u) * 3.0

    def outer(u):
        return inner(u)

    return outer


def text_of(function, signature=SCALAR, **options):
    return lowered(function, signature, "k_name", SIGNATURES, **options)


def test_the_text_is_a_module_that_defines_the_function_under_the_given_name():
    def called(u):
        return 7.25 * u

    module = llvm.parse_assembly(text_of(lambda u: called(u) + 1.0))
    function = module.get_function("k_name")
    assert not function.is_declaration
    assert [str(a.type) for a in function.arguments][2:] == ["double"]
    defined = [f.name for f in module.functions if not f.is_declaration]
    assert any("called" in name for name in defined)  # not optimised: nothing was inlined


def test_a_function_has_the_result_type_that_is_asked_for_each_time():
    """The same function for the same arguments, once as a whole number and once as a float."""

    def one(u):
        return 1

    whole, real = (text_of(one, Signature((Argument(float),), (kind,))) for kind in (int, float))
    assert "store i64 1" in whole
    assert "store i64" not in real
    assert "store double" in real


def test_a_name_of_a_helper_is_seen_after_another_refusal():
    def sometimes(x):
        if x > 0.0:
            v = x
        return v

    def refused_for_another_reason(u):
        return sometimes(u) + len(u)

    def calling(u):
        return sometimes(u)

    with pytest.raises(NotCompilable):
        text_of(refused_for_another_reason, rules="Python")
    with pytest.raises(NotCompilable, match="before it is assigned"):
        text_of(calling, rules="Python")


def test_the_text_of_an_exception_does_not_tell_the_folder():
    def refusing(u):
        if u < 0.0:
            raise ValueError("below 0")
        return u

    text = text_of(refusing)
    assert "refusing" in text
    assert os.path.dirname(__file__) not in text
    assert os.path.dirname(__file__) in refusing.__code__.co_filename


def test_a_name_that_may_be_unassigned_is_seen_each_time():
    def unassigned(u):
        for _ in range(int(u)):
            z = u
        return z

    for _ in range(2):
        with pytest.raises(NotCompilable, match="before it is assigned"):
            text_of(unassigned, rules="Python")


@pytest.mark.parametrize(("function", "name"), [(whole, "part"), (enclosing(helper), "inner")])
def test_a_merged_function_is_part_of_its_caller(function, name):
    module = llvm.parse_assembly(text_of(function))
    defined = [f.name for f in module.functions if not f.is_declaration]
    assert not any(name in other for other in defined)


def test_a_merged_function_computes_the_same():
    for u in (-1.0, 0.5, 1.5, 7.0):
        assert compiled(whole)(u) == whole(u)
        assert compiled(enclosing(helper))(u) == 6.0 * u


def test_the_setting_of_optimisation_is_put_back():
    before = config.OPT
    text_of(deep)
    assert config.OPT is before
    with pytest.raises(NotCompilable):
        text_of(mixed)
    assert config.OPT is before


def test_a_function_that_borrows_its_arrays_counts_no_references():
    assert not re.search(r"call .*@NRT_(incref|decref)", text_of(first, ARRAY))


def test_a_function_that_allocates_keeps_its_reference_counts():
    text = text_of(made, ARRAY)
    assert "NRT_MemInfo_alloc" in text or "NRT_Allocate" in text
    assert re.search(r"call .*@NRT_decref", text)


def test_what_the_program_supplies_is_a_symbol():
    pointers = Signature.of_letters("p", "d")
    module = llvm.parse_assembly(lowered(steps, pointers, "k_name", SIGNATURES))
    assert module.get_function("rb_rhs").is_declaration


def steps(w):
    rhs(0.0, w, 0, 1)
    return 0.0


def test_writing_into_what_is_read_only_is_refused_for_good():
    with pytest.raises(NotCompilable) as caught:
        text_of(writes, ARRAY)
    assert caught.value.lasting
    writable = Signature((Argument(float, 1),), (float,))
    assert text_of(writes, writable)


def test_a_reason_is_one_plain_line():
    with pytest.raises(NotCompilable) as caught:
        text_of(mixed)
    assert caught.value.lasting
    reason = str(caught.value)
    assert reason
    assert "\n" not in reason
    assert "\x1b" not in reason
    assert not reason.startswith(("During", "Failed in"))


@pytest.mark.parametrize(
    "error",
    [
        errors.TypingError("no such method"),
        errors.LoweringError("cannot be lowered"),
        errors.UnsupportedError("a generator"),
        errors.UnsupportedBytecodeError("an import"),
        NotImplementedError("no implementation"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_of_typing_and_lowering_last(error):
    assert is_lasting(error)


@pytest.mark.parametrize(
    "error",
    [
        errors.InternalError(ValueError("a defect of numba")),
        errors.CompilerError("a defect of numba"),
        AssertionError("a defect of numba"),
        RuntimeError("of LLVM"),
        OSError("no space left"),
        MemoryError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_defects_and_the_state_of_the_machine_do_not_last(error):
    assert not is_lasting(error)


@pytest.mark.parametrize("hidden", [ModuleNotFoundError, MemoryError, OSError, RecursionError])
def test_what_hides_behind_an_error_counts(hidden):
    wrapping = errors.TypingError("Internal error")
    wrapping.__cause__ = hidden("behind it")
    assert not is_lasting(wrapping)
    lowering = errors.LoweringError("failed")
    lowering.__context__ = wrapping
    assert not is_lasting(lowering)
