"""Functions to LLVM text by numba, and why it refuses one.

The text is what numba lowers, before any optimisation, under a name of our own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..functions.functions import rebound
from ..text.collecting import collection_paused
from .interruptions import interruptions_deferred
from .numba_lock import AT_WORK
from .python_rules import (
    ERROR_MODEL,
    UnassignedName,
    declare_error_model,
    unassigned_names_refused,
)
from .stack_array import stack_array
from .text_only import linked_text, text_only

OPTIONS = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
RULES = {
    "C": OPTIONS,
    "Python": {**OPTIONS, "error_model": ERROR_MODEL, "boundscheck": True},
}
"""Of C, and of Python, which checks indices, quotients of whole numbers and names."""
MOMENTARY = (ImportError, MemoryError, OSError, RecursionError)
LETTERS = {"float64": "d", "int64": "i", "boolean": "b", "none": "n", "uint64": "u"}
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
REFERENCE_COUNTS = re.compile(r"^ +(tail )?call void @NRT_(incref|decref)\(.*\n", re.MULTILINE)

RETURNS = "; returns "

Kind = type | str
"""A scalar: float, int, bool, type(None); or d, i, p (pointer to doubles), v (nothing) of C."""


class Argument(NamedTuple):
    """The type of an argument: a scalar, or with a rank a C-contiguous array of such."""

    kind: Kind
    rank: int = 0
    read_only: bool = False


class TupleArgument(NamedTuple):
    """A tuple as an argument, or a named tuple of the type `record`."""

    members: tuple[Argument | TupleArgument, ...]
    record: type | None = None


class Signature(NamedTuple):
    """Types of arguments and results; several results are returned as a tuple.

    Without results it is left to numba what the function returns.
    """

    arguments: tuple[Argument | TupleArgument, ...]
    results: tuple[Kind, ...] | None = ()

    @classmethod
    def of_letters(cls, arguments: str, result: str) -> Signature:
        """From letters of C, such as ("dpi", "v")."""
        return cls(tuple(map(Argument, arguments)), (result,))


class NotCompilable(Exception):
    """numba refused the function; the message says why, `lasting` whether it always will."""

    def __init__(self, reason: str, lasting: bool):
        super().__init__(reason)
        self.lasting = lasting


_dispatchers: dict[str, dict[str, Any]] = {}
"""What numba has of each function, by rules and fingerprint: it is typed once a process."""


def lowered(
    function: Any,
    signature: Signature,
    name: str,
    externals: Mapping[str, tuple[str, str]],
    rules: str = "C",
) -> str:
    """The LLVM text of a function and of all that it calls, under the given name.

    Globals that are named in `externals`, with the letters of their arguments and result, and come
    from a module of that name become symbols `rb_NAME`. `rules` are one of `RULES`. The last line
    is a comment with what the function returns. Raises `NotCompilable`.
    """
    with interruptions_deferred(), AT_WORK, _names_checked(rules):
        return _lowered(function, signature, name, externals, rules)


@contextmanager
def _names_checked(rules: str) -> Iterator[None]:
    """By the rules of Python, refuses what reads names that may be unassigned."""
    if rules != "Python":
        yield
        return
    declare_error_model()
    try:
        with unassigned_names_refused():
            yield
    except NotCompilable:
        _dispatchers.pop(rules, None)  # what was typed before the refusal was not looked at
        raise
    except UnassignedName as error:
        _dispatchers.pop(rules, None)  # numba says so only when it types a function
        raise NotCompilable(str(error), lasting=True) from None


def by_numba(**options: Any) -> Callable[[Any], Any]:
    """A `wrap` for `rebound` that compiles each function, as it is marked."""
    import numba

    def wrap(function: Any) -> Any:
        if hasattr(function, "on_stack"):
            return stack_array()
        inline = "always" if hasattr(function, "merged") else "never"
        forced = hasattr(function, "inlined")
        return numba.njit(forceinline=forced, inline=inline, **options)(function)

    return wrap


def is_lasting(error: BaseException) -> bool:
    """Whether numba refuses for what the function is, and not for something of the moment.

    Errors of typing and lowering last, unless a failed import, missing memory or the system is
    behind them; numba's internal errors do not.
    """
    from numba.core import errors

    causes: list[BaseException] = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) and cause not in causes:
        causes.append(cause)
    refused = isinstance(error, errors.NumbaError | errors.UnsupportedBytecodeError)
    refused = refused or isinstance(error, NotImplementedError)
    internal = isinstance(error, errors.InternalError | errors.CompilerError)
    return refused and not internal and not any(isinstance(c, MOMENTARY) for c in causes)


def _lowered(
    function: Any,
    signature: Signature,
    name: str,
    externals: Mapping[str, tuple[str, str]],
    rules: str,
) -> str:
    try:
        with _unoptimised(), collection_paused():
            types = _numba_signature(signature)
            wrap = by_numba(**RULES[rules], pipeline_class=text_only())
            known = _dispatchers.setdefault(rules, {})
            compiled = rebound(
                function, _replace_by_symbols(externals), lambda f: wrap(_without_folder(f)), known
            )
            compiled.compile(types)
            overload = compiled.overloads[getattr(types, "args", types)]
            returned = _letters(overload.signature.return_type)
    except MemoryError:
        raise
    except Exception as error:  # whatever makes numba give up, the block can still run in Python
        raise NotCompilable(_reason(error), is_lasting(error)) from None
    text = _without_reference_counts(linked_text(overload.library))
    return _renamed(text, overload.fndesc.llvm_func_name, name) + f"{RETURNS}{returned}\n"


def _without_folder(function: Any) -> Any:
    """The function, as if of a file named as its module: numba writes files into exceptions."""
    function.__code__ = function.__code__.replace(co_filename=function.__module__ or "")
    return function


def returned_letters(text: str) -> str:
    """What a lowered function returns: d, i, b, n for nothing, and these in parentheses."""
    return text.rpartition(RETURNS)[2].strip()


def _letters(kind: Any) -> str:
    from numba import types

    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return f"({''.join(map(_letters, kind.types))})"
    for known, letter in LETTERS.items():
        if types.unliteral(kind) == getattr(types, known):
            return letter
    raise NotImplementedError(f"it returns {kind}")


@contextmanager
def _unoptimised() -> Iterator[None]:
    """numba's text as it is lowered: the linker optimises once, with all sizes known."""
    from numba import config

    level = config.OPT
    config.OPT = type(level)(0)
    try:
        yield
    finally:
        config.OPT = level


def _without_reference_counts(text: str) -> str:
    """The text of a function that only borrows arrays; one that allocates keeps its counts."""
    if "NRT_Allocate" in text or "NRT_MemInfo_alloc" in text:
        return text
    return REFERENCE_COUNTS.sub("", text)


def _renamed(text: str, old: str, new: str) -> str:
    return re.sub(rf'@"?{re.escape(old)}"?(?=[\s(,])', f"@{new}", text)


def _reason(error: Exception) -> str:
    """The first line of numba's message that says something about the function."""
    plain = COLOUR.sub("", str(error))  # numba paints its messages where colorama is installed
    lines = [line.strip() for line in plain.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("During", "Failed in"))]
    reason = telling[0] if telling else type(error).__name__
    return re.sub(r"<module '([^']+)' from '[^']*'>", r"'\1'", reason)


# --- types -------------------------------------------------------------------------------------
def _scalar_types() -> dict[Kind, Any]:
    from numba import types

    return {
        "d": types.float64,
        "i": types.int64,
        "p": types.CPointer(types.float64),
        "v": types.void,
        float: types.float64,
        int: types.int64,
        bool: types.boolean,
        type(None): types.none,
    }


def _numba_signature(signature: Signature) -> Any:
    from numba import types

    scalars = _scalar_types()
    arguments = tuple(_numba_type(argument) for argument in signature.arguments)
    if signature.results is None:
        return arguments
    results: Sequence[Any] = [scalars[kind] for kind in signature.results]
    result = results[0] if results else types.void
    return (types.Tuple(results) if len(results) > 1 else result)(*arguments)


def _numba_type(argument: Argument | TupleArgument) -> Any:
    from numba import types

    if isinstance(argument, TupleArgument):
        members = [_numba_type(member) for member in argument.members]
        if argument.record is None:
            return types.BaseTuple.from_types(members)
        alike = len(set(members)) == 1
        record = argument.record
        if alike:
            return types.NamedUniTuple(members[0], len(members), record)
        return types.NamedTuple(members, record)
    kind = _scalar_types()[argument.kind]
    if not argument.rank:
        return kind
    return types.Array(kind, argument.rank, "C", readonly=argument.read_only)


# --- functions that the program supplies -------------------------------------------------------
def _replace_by_symbols(externals: Mapping[str, tuple[str, str]]) -> Callable[[str, Any], Any]:
    """External functions become symbols that the linker resolves."""

    def replace(name: str, value: Any) -> Any:
        if name not in externals or not getattr(value, "__module__", "").endswith(".externals"):
            return value
        from numba import types

        signature = _numba_signature(Signature.of_letters(*externals[name]))
        return types.ExternalFunction(f"rb_{name}", signature)

    return replace
