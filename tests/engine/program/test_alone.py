"""Functions compiled alone: all kinds of arguments and results, shared by processes."""

import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from railblocks.engine.program import alone
from railblocks.engine.program.alone import Call, Compiled, compiled
from railblocks.engine.program.parts import Part
from railblocks.engine.schedule.calls import Kernel


class Wheel(NamedTuple):
    r: float
    teeth: int


class Pair(NamedTuple):
    left: float
    right: float


def helper(u):
    return 2.0 * u


def scalars(x, n, flag):
    return helper(x) + n if flag else -x


def many(x):
    return x, x > 2.0, 7, (x + 1.0, (3, x < 0.0))


def record(wheel, pair):
    return wheel.r * wheel.teeth + pair.left - pair.right


def nested(values):
    (a, b), c = values
    return a + 10.0 * b + 100.0 * c


def summed(table, index):
    total = 0.0
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            total += (10.0 * i + j) * table[i, j]
    return total + index[1]


def filled(target, values):
    for i in range(len(values)):
        target[i] = 3.0 * values[i]


def absent(x, fields):
    if fields is not None:
        fields[0] = x
    return x


CASES = [
    (scalars, (1.5, 3, True)),
    (scalars, (np.float64(1.5), np.int64(3), np.bool_(False))),
    (many, (3.0,)),
    (many, (-1.0,)),
    (record, (Wheel(0.5, 12), Pair(1.0, 2.0))),
    (nested, (((1.0, 2.0), 3.0),)),
    (summed, (np.arange(12.0).reshape(3, 4), np.array([5, 6]))),
    (absent, (2.5, None)),
]


@pytest.fixture
def no_numba(monkeypatch):
    """What does not travel in slots fails the test."""

    def refused(*_):
        raise AssertionError("left to numba")

    monkeypatch.setattr(Compiled, "_call_by_numba", refused)


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_it_returns_what_python_returns(function, arguments, no_numba):
    result = compiled(function)(*arguments)
    assert result == function(*arguments)
    assert type(result) is type(function(*arguments)) or isinstance(result, float)


def test_an_array_is_filled_in_place_and_nothing_is_none(no_numba):
    target = np.zeros(3)
    assert compiled(filled)(target, np.array([1.0, 2.0, 3.0])) is None
    assert list(target) == [3.0, 6.0, 9.0]


def test_other_types_of_arguments_are_compiled_anew(no_numba):
    def plus(a, b):
        return a + b

    fast = compiled(plus)
    assert fast(1, 2) == 3
    assert isinstance(fast(1, 2), int)
    assert fast(1.0, 2) == 3.0
    assert isinstance(fast(1.0, 2), float)


def test_a_function_is_compiled_once_however_often_it_is_asked_for():
    assert compiled(helper) is compiled(helper)
    assert compiled(compiled(helper)) is compiled(helper)
    assert compiled(helper).py_func is helper


def test_what_cannot_travel_is_left_to_numba():
    values = np.arange(6.0)[::2]
    assert compiled(lambda v: v[1])(values) == 2.0
    assert list(compiled(lambda x: np.full(2, x))(3.0)) == [3.0, 3.0]
    apply = compiled(lambda function, x: function(x) + 1.0)
    assert apply(compiled(helper), 4.0) == 9.0


def test_an_array_of_another_byte_order_is_not_misread():
    def total(values):
        return values[0] + values[1]

    swapped = np.array([1.0, 2.0], dtype=">f8")
    assert compiled(total)(np.array([1.0, 2.0])) == 3.0
    assert alone._type_of(swapped) is None
    assert alone._type_of(np.array([1, 2], dtype=np.int32)) is None


def test_a_record_that_is_returned_is_a_record():
    def made(x):
        return Pair(x, 2.0 * x)

    assert compiled(made)(1.5) == Pair(1.5, 3.0)
    assert compiled(made)(1.5).right == 3.0


def test_an_exception_is_that_of_python():
    def refusing(x):
        if x < 0.0:
            raise ValueError("x is below 0")
        return x

    assert compiled(refusing)(2.0) == 2.0
    with pytest.raises(ValueError, match="below 0"):
        compiled(refusing)(-1.0)


def test_a_kernel_is_called_as_a_program_calls_it():
    kernel = Kernel(filled, (1, 1), (float, float), (), fills=(0,))
    values = np.array([1.0, 2.0])
    values.flags.writeable = False
    target = np.zeros(2)
    Call(Part.of_kernel(kernel))(target, values)
    assert list(target) == [3.0, 6.0]


def test_records_with_other_fields_are_other_types():
    class Other(NamedTuple):
        teeth: int
        r: float

    def first(record):
        return record[0] * 2

    assert compiled(first)(Wheel(0.5, 12)) == 1.0
    assert compiled(first)(Other(12, 0.5)) == 24


@pytest.mark.parametrize(
    ("returned", "struct", "paths"),
    [
        ("d", "double", [("d", ())]),
        ("n", "ptr", []),
        ("(di)", "{double, i64}", [("d", (0,)), ("i", (1,))]),
        ("(d(ib)d)", "{double, {i64, i8}, double}",
         [("d", (0,)), ("i", (1, 0)), ("b", (1, 1)), ("d", (2,))]),
        ("((dd)i)", "{{double, double}, i64}", [("d", (0, 0)), ("d", (0, 1)), ("i", (1,))]),
    ],
)  # fmt: skip
def test_what_is_returned_is_found_in_nested_tuples(returned, struct, paths):
    assert alone._struct(returned) == struct
    assert list(alone._paths(returned)) == paths


AGAIN = """
import sys
from railblocks.engine import compiled
def doubled(u):
    return 2.0 * u
print(compiled(doubled)(21.0), "numba" in sys.modules)
"""


def test_another_process_needs_no_numba(tmp_path, monkeypatch):
    monkeypatch.setenv("RAILBLOCKS_CACHE", str(tmp_path))
    runs = [
        subprocess.run([sys.executable, "-c", AGAIN], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert [run.stdout.split() for run in runs] == [["42.0", "True"], ["42.0", "False"]]
