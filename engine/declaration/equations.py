"""Functions of a block and what each of them computes: the decorators of a declaration."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

STREAM_NUMBER = "stream_number"
IMPLICIT = ("t", "run_seed", STREAM_NUMBER)
FREQUENCY = "j_omega"
FIGURE = "figure"
VALUES = "values"

Kind = Literal[
    "out", "der", "update", "guard", "reset", "derive", "validate", "notice", "response", "picture",
    "modes",
]  # fmt: skip


@dataclass(frozen=True)
class Equation:
    """One pure function of a block and what it computes.

    Where it takes records, `spellings` are the items that it reads and how its text writes them:
    `mu` as `material.mu`.
    """

    kind: Kind
    targets: tuple[str, ...]
    function: Callable[..., Any]
    arguments: tuple[str, ...]
    guard: str = ""
    direction: Literal["rising", "falling", "both"] = "rising"
    action: Literal["reset", "stop", "fail"] = "reset"
    message: str = ""
    initial: bool = False
    spellings: tuple[tuple[str, str], ...] = ()


def _equation(kind: Kind, targets: tuple[str, ...], **options: Any) -> Callable[[Any], Equation]:
    def mark(function: Callable[..., Any]) -> Equation:
        arguments = tuple(inspect.signature(function).parameters)
        return Equation(kind, targets, function, arguments, **options)

    return mark


def out(*outputs: str) -> Any:
    """The function computes these outputs."""
    return _equation("out", outputs)


def der(*states: str) -> Any:
    """The function computes the time derivatives of these continuous states."""
    return _equation("der", states)


def update(*states: str) -> Any:
    """The function computes these discrete states' next values, at every sample hit."""
    return _equation("update", states)


def guard(
    name: str,
    direction: Literal["rising", "falling", "both"] = "rising",
    action: Literal["reset", "stop", "fail"] = "reset",
    message: str = "",
    initial: bool = False,
) -> Any:
    """The function's zero crossings are located; what happens there says `@reset` or `action`.

    A guard that stops or fails the run, or is `initial`, also fires where it is not negative at
    the start of the run.
    """
    options = {"guard": name, "direction": direction, "action": action, "message": message}
    return _equation("guard", (), **options, initial=initial or action != "reset")


def reset(guard: str, *states: str) -> Any:
    """The function computes these states' new values at the guard's event."""
    return _equation("reset", states, guard=guard)


def derive(*names: str) -> Any:
    """The function computes derived parameters, in Python, when parameters are set."""
    return _equation("derive", names)


def validate(function: Callable[..., Any]) -> Equation:
    """The function returns what is wrong with the parameters together, or None."""
    return _equation("validate", ())(function)


def notice(function: Callable[..., Any]) -> Equation:
    """The function returns what to know about the results at the end of a run, or None.

    It takes parameters and discrete states, in Python; the run puts the block's name before it.
    """
    return _equation("notice", ())(function)


def response(function: Callable[..., Any]) -> Equation:
    """The function gives frequency responses of a linear block, for Bode plots.

    It takes parameters and `j_omega`, an array of complex frequencies, and returns a mapping
    from names to responses at these frequencies; a row for each response of a family.
    """
    return _equation("response", ())(function)


def picture(function: Callable[..., Any]) -> Equation:
    """The function draws what the block's parameters describe.

    It takes parameters and `figure`, an empty figure of matplotlib, whose size it may change.
    """
    return _equation("picture", ())(function)


def modes(function: Callable[..., Any]) -> Equation:
    """The function gives the modes of small motions of the block, as `Modes`.

    It takes parameters, and `values`, a mapping of all of them.
    """
    return _equation("modes", ())(function)


def filled(kind: Kind, target: str) -> str:
    """The argument under which a vector result is filled in."""
    return {"der": f"der_{target}", "update": f"next_{target}", "reset": f"next_{target}"}.get(
        kind, target
    )
