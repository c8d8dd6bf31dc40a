"""Fingerprints: equal just when everything that a function can reach is equal."""

import math
import types
from enum import IntEnum

import numpy as np
import pytest
from railblocks.engine.functions.functions import fingerprint, reached_size, rebound


def made(text, **names):
    """A new function `f` with its own globals."""
    scope = dict(names)
    exec(text, scope)
    return scope["f"]


CALLER = "def f(u):\n    return g(u) + 1.0\n"


def test_the_same_text_has_the_same_fingerprint():
    helper = made("def f(u):\n    return u\n")
    assert fingerprint(made(CALLER, g=helper)) == fingerprint(made(CALLER, g=helper))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"k": 2.0}, {"k": 3.0}),
        ({"k": 2.0}, {"k": 2}),
        ({"k": (1.0, 2.0)}, {"k": (1.0, 2.5)}),
        ({"k": np.array([1.0])}, {"k": np.array([2.0])}),
        ({"k": np.array([1.0])}, {"k": np.array([1.0], dtype=np.float32)}),
    ],
)
def test_a_constant_that_is_read_counts(one, other):
    text = "def f(u):\n    return u * k\n"
    assert fingerprint(made(text, **one)) != fingerprint(made(text, **other))
    assert fingerprint(made(text, **one)) == fingerprint(made(text, **one, unread=1.0))


def test_a_helper_of_a_helper_counts():
    def chain(number):
        inner = made(f"def f(u):\n    return u + {number}\n")
        return made(CALLER, g=made(CALLER, g=inner))

    assert fingerprint(chain(1.0)) == fingerprint(chain(1.0))
    assert fingerprint(chain(1.0)) != fingerprint(chain(2.0))


def test_a_constant_of_another_module_counts():
    def using(value):
        module = types.ModuleType("constants")
        module.K, module.unread = value, object()
        return made("def f(u):\n    return u * constants.K\n", constants=module)

    assert fingerprint(using(2.0)) == fingerprint(using(2.0))
    assert fingerprint(using(2.0)) != fingerprint(using(3.0))


def test_constants_of_a_module_in_a_module_of_numpy_and_of_an_enum_count():
    def using(value, text):
        outer, inner = types.ModuleType("outer"), types.ModuleType("inner")
        inner.K, outer.inner, outer.N = value, inner, np.int64(value)
        return made(text, outer=outer, Kind=IntEnum("Kind", {"A": value}))

    for read in ("outer.inner.K", "outer.N", "Kind.A"):
        text = f"def f(u):\n    return u * {read}\n"
        assert fingerprint(using(2, text)) == fingerprint(using(2, text)), read
        assert fingerprint(using(2, text)) != fingerprint(using(3, text)), read


def test_a_long_array_as_a_default_counts_whole():
    def with_default(last):
        values = np.zeros(5000)
        values[2500] = last
        return made("def f(u, v=values):\n    return u + v[0]\n", values=values)

    assert fingerprint(with_default(1.0)) == fingerprint(with_default(1.0))
    assert fingerprint(with_default(1.0)) != fingerprint(with_default(2.0))


def test_the_version_of_numpy_does_not_count(monkeypatch):
    text = "def f(u):\n    return np.sqrt(u) + math.pi\n"
    before = fingerprint(made(text, np=np, math=math))
    monkeypatch.setattr(np, "__version__", "9.9")
    assert fingerprint(made(text, np=np, math=math)) == before


def test_what_was_wrapped_is_taken_by_its_fingerprint():
    wrapped, known = [], {}

    def wrap(function):
        wrapped.append(function.__name__)
        return function

    def shared(u):
        return 4.0 * u

    first = made(CALLER, g=shared)
    second = made("def f(u):\n    return g(u) + 2.0\n", g=shared)
    for function in (first, second, first):
        assert rebound(function, lambda _, value: value, wrap, known)(2.0) == function(2.0)
    assert wrapped == ["shared", "f", "f", "f"], "the outermost function is made anew"


def test_the_size_counts_each_function_once():
    helper = made("def f(u):\n    return u\n")
    once = made("def f(u):\n    return g(u)\n", g=helper)
    twice = made("def f(u):\n    return g(u) + h(u)\n", g=helper, h=helper)
    size = len(helper.__code__.co_code)
    assert reached_size(helper) == size
    assert reached_size(once) == size + len(once.__code__.co_code)
    assert reached_size(twice) == size + len(twice.__code__.co_code)
