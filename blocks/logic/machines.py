"""State machines declared in the diagram."""

from railblocks.blocks.variants import letter, variant
from railblocks.engine.declaration import Block, Discrete, In, Out, Param, Sample, out, update

TYPES = {"float": float, "int": int, "bool": bool}


class StateMachine(Block):
    """States, transitions between them, and the outputs of each state.

    At every sample the first transition out of the present state whose condition holds is taken:
    mode := to  if mode = from and when(inputs)                            (1)
    state = number of the mode after (1), counted from 0;  outputs = values of that mode   (2)

    `inputs` maps port names to float, int or bool; `states` maps names to the values of outputs;
    `transitions` are mappings with `from` (a state or "any"), `to` and `when`, an expression over
    the inputs. Transitions from "any" come after those of the state itself. The first state in
    `states` is the one at the start.
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
    mode = Discrete("1", "number of the state at the last sample", start=0.0)
    every = Sample()

    @classmethod
    def specialise(cls, values):
        from railblocks.engine.expressions import parse_expression

        inputs, states, transitions = (values[n] for n in ("inputs", "states", "transitions"))
        for problem in problems(inputs, states, transitions, taken=dir(cls)):
            raise ValueError(problem)

        def kernel(leaves):
            return parse_expression(tree(leaves, transitions)).function(("mode", *inputs))

        number = kernel({name: str(i) for i, name in enumerate(states)})
        members = {"tell": out("state")(number), "move": update("mode")(number)}
        for i, (name, kind) in enumerate(inputs.items()):
            members[name] = In(f"?{letter(i)}_in", f"input '{name}'", type=TYPES[kind])
        for i, name in enumerate(next(iter(states.values()))):
            leaves = {state: repr(float(outputs[name])) for state, outputs in states.items()}
            members[name] = Out(f"?{letter(i)}_out", f"value '{name}' of the present state")
            members[f"give_{name}"] = out(name)(kernel(leaves))
        return variant(cls, **members)


def tree(leaves, transitions):
    """(1) as one expression, whose value is the leaf of the state that is reached."""
    text = ""
    for number, state in enumerate(leaves):
        ways = [way for way in transitions if way["from"] == state]
        ways += [way for way in transitions if way["from"] == "any"]
        chosen = "".join(f"({leaves[way['to']]}) if ({way['when']}) else " for way in ways)
        text += f"({chosen}({leaves[state]})) if mode == {number} else "
    return text + "0"


def problems(inputs, states, transitions, taken):
    """What is wrong with the declaration of a machine."""
    if not isinstance(inputs, dict) or not set(inputs.values()) <= set(TYPES):
        yield f"inputs = {inputs}; expected names with float, int or bool, such as {{T: float}}"
        return
    if not isinstance(states, dict) or not states:
        yield f"states = {states}; expected names with values, such as {{idle: {{y: 0}}}}"
        return
    names = None
    for state, outputs in states.items():
        if not isinstance(outputs, dict):
            yield f"state '{state}' is {outputs}; expected the values of outputs, such as {{y: 0}}"
            return
        names = outputs.keys() if names is None else names
        if outputs.keys() != names:
            yield f"state '{state}' has outputs {list(outputs)}; expected {list(names)}"
        for name, value in outputs.items():
            if not isinstance(value, float | int):
                yield f"{name} of state '{state}' is {value}; expected a number"
    for name in (*inputs, *names):
        if name in taken or (name in inputs and name in names):
            yield f"'{name}' is taken; choose another name for that port"
    if not isinstance(transitions, list):
        yield f"transitions = {transitions}; expected a list of {{from, to, when}}"
        return
    for number, way in enumerate(transitions, 1):
        if not isinstance(way, dict) or way.keys() != {"from", "to", "when"}:
            yield f"transition {number} is {way}; expected from, to and when"
            return
        for key, known in (("from", (*states, "any")), ("to", states)):
            if way[key] not in known:
                yield f"transition {number}: {key} = '{way[key]}'; expected one of {list(known)}"
