"""Types of blocks for some values, made once for what a block looks at."""

import pytest
from railblocks.engine import Block, Out, Param, out
from railblocks.engine.checks.specialisation import LookedAt, specialised


class Source(Block):
    """Source that is quiet, or not."""

    y = Out("1", "output")
    k = Param("1", "value", default=1.0)
    quiet = Param("1", "whether it is off", type=bool, default=False)
    limit = Param("1", "limit", default=2.0)
    made = 0

    @out("y")
    def give(k):
        return k

    @classmethod
    def specialise(cls, values):
        Source.made += 1
        if values["quiet"]:
            return type("Quiet", (cls,), {})
        return type("Limited", (cls,), {}) if values["limit"] > 1.0 else cls


def test_values_that_a_block_does_not_look_at_make_no_other_type():
    values = {"k": 1.0, "quiet": True, "limit": 2.0}
    first = specialised(Source, values)
    assert specialised(Source, values | {"k": 2.0, "limit": 0.0}) is first
    loud = specialised(Source, values | {"quiet": False})
    assert loud is not first
    assert specialised(Source, values | {"quiet": False, "k": 7.0}) is loud
    assert specialised(Source, values | {"quiet": False, "limit": 0.5}) is Source
    assert specialised(Source, values | {"quiet": True, "limit": 0.5}) is first
    assert Source.made == 3


@pytest.mark.parametrize(
    "look", [dict, list, len, lambda v: v | {}, lambda v: v.items() and list(v)]
)
def test_whoever_looks_at_all_values_has_looked_at_each(look):
    values = LookedAt({"a": 1, "b": 2})
    look(values)
    assert values.names == {"a", "b"}


def test_a_missing_name_is_looked_at_too():
    values = LookedAt({"a": 1})
    assert values.get("b") is None
    assert "c" not in values
    assert values.names == {"b", "c"}
