"""Blocks where signals end: shown, logged, dropped, or ending the run."""

from railblocks.blocks.base.variants import letter, port_names, variant
from railblocks.engine.declaration import EACH, Block, In, Param, guard


class Scope(Block):
    """Shows its inputs over time; each may have its own type, shape and unit.

    u_1(t), u_2(t), ..., u_n(t)                                            (1)

    Without a `log:` section in the diagram, what goes into scopes and logs is what is recorded.
    """

    symbol = "∿▭"
    recorded = True
    u = In("?u", "signal to show", shape=EACH, type=object, many="n")
    n = Param("1", "number of inputs", type=int, default=1, ge=1)

    @classmethod
    def specialise(cls, values):
        ports = {
            name: In(f"?{letter(i)}", cls.u.doc, shape=f"size_{name}", type=object)
            for i, name in enumerate(port_names(values["n"]))
        }
        return variant(cls, u=None, **ports)


class Log(Scope):
    """Keeps its inputs in the results; each may have its own type, shape and unit.

    u_1(t), u_2(t), ..., u_n(t)                                            (1)

    Without a `log:` section in the diagram, what goes into scopes and logs is what is recorded.
    """

    symbol = "▤"
    u = In("?u", "signal to keep", shape=EACH, type=object, many="n")


class Terminator(Block):
    """Takes a signal that nobody needs; it may have any type and unit.

    u                                                                      (1)
    """

    symbol = "⊣"
    u = In("?u", "signal to drop", shape=EACH, type=object)


class Assertion(Block):
    """Ends the run with a message as soon as its input is false, also at the start.

    u must hold at all times                                               (1)
    """

    symbol = "assert"
    u = In("1", "what must hold", type=bool)
    message = Param("1", "what to tell the user", type=str, default="the assertion does not hold")

    @guard("violation", action="fail", message="{message}")
    def at_violation(u):
        return -0.5 if u else 0.5


class Stop(Block):
    """Ends the run, as if its stop time had come, as soon as its input is true, also at the start.

    the run ends when u                                                    (1)
    """

    symbol = "STOP"
    u = In("1", "whether to stop", type=bool)

    @guard("stop", action="stop")
    def at_stop(u):
        return 0.5 if u else -0.5
