"""State machines declared in the diagram."""

import ast
from dataclasses import replace
from keyword import iskeyword

from railblocks.blocks.base.checks import not_a_number
from railblocks.blocks.base.variants import SIGNAL_TYPES, function_of, letter, variant
from railblocks.engine.declaration import (
    Block,
    Derived,
    Discrete,
    In,
    Out,
    Param,
    Sample,
    derive,
    out,
    update,
    validate,
)
from railblocks.engine.functions.maker import Origin, assign, call, element, make_function, read

ORIGIN = Origin(__name__, "<state machine>")


class StateMachine(Block):
    """States, transitions between them, and the outputs of each state.

    At every sample the first transition out of the present state whose condition holds is taken:
    mode := to  if mode = from and when(inputs)                            (1)
    state = number of the mode after (1), counted from 0;  outputs = values of that mode   (2)

    `inputs` maps port names to float, int or bool; `states` maps names to the values of outputs,
    in SI units; `transitions` are mappings with `from` (a state or "any"), `to` and `when`, an
    expression over the inputs. Transitions from "any" come after those of the state itself. The
    first state in `states` is the one at the start, also until the first sample.
    """

    symbol = "○→○"
    example = {
        "inputs": {"T": "float", "off": "bool"},
        "states": {"idle": {"heat": 0}, "heating": {"heat": 1.5}},
        "transitions": [
            {"from": "idle", "to": "heating", "when": "T < 18 and not off"},
            {"from": "heating", "to": "idle", "when": "T > 22"},
            {"from": "any", "to": "idle", "when": "off"},
        ],
        "every": 0.1,
    }
    inputs = Param("1", "port names with their types", type=object)
    states = Param("1", "state names with the values of the outputs", type=object)
    transitions = Param("1", "list of from, to, when", type=object)
    state = Out("1", "number of the present state", type=int)
    table = Derived("1", "values of the outputs, a row for each state", shape=("k", "m"))
    mode = Discrete("1", "number of the state at the last sample", type=int, ge=0)
    every = Sample()

    @classmethod
    def specialise(cls, values):
        inputs, states = values["inputs"], values["states"]
        first = next(iter(states.values()))
        outputs = list(first)
        move = move_of(inputs, list(states), values["transitions"])
        tell = tell_of(move, len(outputs)) if outputs else move
        members = {"tell": out("state", *outputs)(tell), "move": update("mode")(move)}
        members["mode"] = replace(cls.mode, le=len(states) - 1)
        for i, (name, kind) in enumerate(inputs.items()):
            members[name] = In(f"?{letter(i)}_in", f"input '{name}'", type=SIGNAL_TYPES[kind])
        for i, name in enumerate(outputs):
            doc, start = f"value '{name}' of the present state", first[name]
            members[name] = Out(f"?{letter(i)}_out", doc, before=start)
        return variant(cls, **members, **({} if outputs else {"table": None, "rows": None}))

    @validate
    def machine_is_sound(inputs, states, transitions):
        return next(problems(inputs, states, transitions), None)

    @derive("table")
    def rows(states):
        names = next(iter(states.values()))
        return [[outputs[name] for name in names] for outputs in states.values()]

    @out("state")
    def tell(mode):
        return mode


def move_of(inputs, states, transitions):
    """The kernel of (1); the first transition is looked at last, so that it wins."""
    texts = list(dict.fromkeys(way["when"] for way in transitions))
    arguments = {text: [n for n in inputs if n in names_in(text)] for text in texts}
    scope = {f"_when_{i}": function_of(text, arguments[text]) for i, text in enumerate(texts)}
    body = [assign("_to", read("mode"))]
    ordered = sorted(transitions, key=lambda way: way["from"] == "any")
    for way in ordered[::-1]:
        when, names = texts.index(way["when"]), arguments[way["when"]]
        test = call(f"_when_{when}", [read(name) for name in names])
        if way["from"] != "any":
            here = ast.Constant(states.index(way["from"]))
            test = ast.BoolOp(ast.And(), [ast.Compare(read("mode"), [ast.Eq()], [here]), test])
        body.append(ast.If(test, [assign("_to", ast.Constant(states.index(way["to"])))], []))
    body.append(ast.Return(read("_to")))
    return make_function("move", ["mode", *inputs], body, scope, ORIGIN)


def tell_of(move, outputs):
    """The kernel of (2)."""
    arguments = move.__code__.co_varnames[: move.__code__.co_argcount]
    values = [element("table", read("_to"), ast.Constant(i)) for i in range(outputs)]
    body = [
        assign("_to", call("_move", [read(name) for name in arguments])),
        ast.Return(ast.Tuple([read("_to"), *values], ast.Load())),
    ]
    return make_function("tell", [*arguments, "table"], body, {"_move": move}, ORIGIN)


def names_in(text):
    from railblocks.engine.expressions.expression import parse_expression

    return parse_expression(text).names


def problems(inputs, states, transitions):
    """What is wrong with the declaration of a machine."""
    if not isinstance(inputs, dict) or not all(
        isinstance(kind, str) and kind in SIGNAL_TYPES for kind in inputs.values()
    ):
        yield f"inputs = {inputs}; expected names with float, int or bool, such as {{T: float}}"
        return
    if not isinstance(states, dict) or not states or "any" in states:
        yield f"states = {states}; expected names with values, such as {{idle: {{y: 0}}}}"
        return
    names = None
    for state, outputs in states.items():
        if not isinstance(outputs, dict):
            yield f"state '{state}' is {outputs}; expected the values of outputs, such as {{y: 0}}"
            return
        names = list(outputs) if names is None else names
        if set(outputs) != set(names):
            yield f"state '{state}' has the outputs {list(outputs)}; the first state has {names}"
        for name, value in outputs.items():
            if message := not_a_number(f"{name} of state '{state}'", value):
                yield message
    for name in (*inputs, *names):
        if name in dir(StateMachine) or (name in inputs and name in names) or name == "t":
            yield f"'{name}' is taken; choose another name for that port"
        if not name.isidentifier() or iskeyword(name) or name.startswith("_"):
            yield f"'{name}' cannot be a port; expected letters, digits and _, a letter first"
    if not isinstance(transitions, list):
        yield f"transitions = {transitions}; expected a list of {{from, to, when}}"
        return
    for number, way in enumerate(transitions, 1):
        yield from (f"transition {number}: {message}" for message in flaws(way, inputs, states))


def flaws(way, inputs, states):
    """What is wrong with one transition."""
    from railblocks.engine.expressions.expression import ExpressionError

    if not isinstance(way, dict) or way.keys() != {"from", "to", "when"}:
        yield f"{way}; expected a mapping with from, to and when"
        return
    for key, known in (("from", [*states, "any"]), ("to", list(states))):
        if way[key] not in known:
            yield f"{key} = {way[key]!r}; expected one of {', '.join(known)}"
    if not isinstance(way["when"], str):
        yield f"when = {way['when']}; expected an expression over the inputs, such as T > 22"
        return
    try:
        function_of(way["when"], inputs)
    except ExpressionError as error:
        yield f"when = '{way['when']}': {error.message}"
