"""Where signals end: to be looked at, kept, dropped, or to end the run."""

from railblocks.blocks.variants import letter, variant
from railblocks.engine.declaration import EACH, Block, In, Param, guard


def separate(block, values):
    """The block with one port of its own unit for each input: u1, u2, ..."""
    ports = {
        f"u{i + 1}": In(f"?{letter(i)}", block.u.doc, shape=EACH, type=object)
        for i in range(values["n"])
    }
    return variant(block, u=None, **ports)


class Scope(Block):
    """Shows its inputs over time; inputs may have any type and unit.

    u_1(t), u_2(t), ..., u_n(t)                                            (1)
    """

    symbol = "∿▭"
    recorded = True
    u = In("?u", "signal to show", shape=EACH, type=object, many="n")
    n = Param("1", "number of inputs", type=int, default=1, ge=1)

    @classmethod
    def specialise(cls, values):
        return separate(cls, values)


class Log(Block):
    """Keeps its inputs in the results; inputs may have any type and unit.

    u_1(t), u_2(t), ..., u_n(t)                                            (1)
    """

    symbol = "▤"
    recorded = True
    u = In("?u", "signal to keep", shape=EACH, type=object, many="n")
    n = Param("1", "number of inputs", type=int, default=1, ge=1)

    @classmethod
    def specialise(cls, values):
        return separate(cls, values)


class Terminator(Block):
    """Takes a signal that nobody needs; it may have any type and unit.

    u                                                                      (1)
    """

    symbol = "⊣"
    u = In("?u", "signal to drop", shape=EACH, type=object)


def violated(u):
    return -0.5 if u else 0.5


class Assertion(Block):
    """Ends the run with a message as soon as its input is false, also at the start.

    u must hold at all times                                               (1)
    """

    symbol = "assert"
    u = In("1", "what must hold", type=bool)
    message = Param("1", "what to tell the user", type=str, default="the assertion does not hold")

    @classmethod
    def specialise(cls, values):
        return variant(
            cls, at_violation=guard("violation", action="fail", message=values["message"])(violated)
        )

    at_violation = guard("violation", action="fail", message=message.default)(violated)


class Stop(Block):
    """Ends the run, as if its stop time had come, as soon as its input is true.

    the run ends when u                                                    (1)
    """

    symbol = "STOP"
    u = In("1", "whether to stop", type=bool)

    @guard("stop", action="stop")
    def at_stop(u):
        return 0.5 if u else -0.5
