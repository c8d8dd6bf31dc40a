"""How a block is declared: ports, parameters and states as data, behaviour as pure functions.

A function's arguments are matched by name with what the block declares, so that direct
feedthrough is read off the signature. Some names need no declaration: `t`, the time; `run_seed`,
the seed of the run; `stream_number`, the number of the random stream of this block and element; and
the names of the block's guards that fire in both directions, which stand for their sides: True
while the guard is not negative, and never changing within a step.

A scalar result is returned (several as a tuple, in the order of the decorator). A vector result is
an argument to fill: an output under its own name, a derivative as `der_x`, the next value of a
state as `next_x`. A shape is `()`, `3`, `"n"`, `("n", 3)`, `"n-1"`, or `EACH`: the equations are
scalar and hold for every element of whatever is connected.

A function may also read an output that another one computes: that one runs first. What belongs
together is declared as a `Record`, and reaches a function as one named tuple.
"""

from .block import Block, snake
from .declaration import Declaration
from .equations import (
    FIGURE,
    FREQUENCY,
    IMPLICIT,
    STREAM_NUMBER,
    VALUES,
    Equation,
    Kind,
    der,
    derive,
    filled,
    guard,
    modes,
    notice,
    out,
    picture,
    reset,
    response,
    update,
    validate,
)
from .items import (
    EACH,
    Bounds,
    Derived,
    Discrete,
    In,
    Item,
    Out,
    Param,
    Sample,
    Shape,
    State,
)
from .mode_shapes import Modes, modes_of_matrix
from .records import Record

__all__ = [
    "EACH", "FIGURE", "FREQUENCY", "IMPLICIT", "STREAM_NUMBER", "VALUES",
    "Block", "Bounds", "Declaration", "Derived", "Discrete", "Equation", "In", "Item", "Kind",
    "Modes", "Out", "Param", "Record", "Sample", "Shape", "State",
    "der", "derive", "filled", "guard", "modes", "modes_of_matrix", "notice", "out", "picture",
    "reset", "response", "snake", "update", "validate",
]  # fmt: skip
