"""numba's calling convention, in LLVM text.

A function is `i32 f(result*, exception**, arguments...)` and returns 0 if it raised no exception;
an array is passed as (meminfo, parent, size, itemsize, data, shape..., strides...). Ours are only
borrowed: they have neither meminfo nor parent.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

LLVM_TYPES: dict[Any, str] = {
    float: "double", int: "i64", bool: "i8", "d": "double", "i": "i64", "p": "ptr", "v": "void",
}  # fmt: skip
FIRST_ARGUMENT = 2  # after the addresses of result and exception
DATA = 4  # index of the address of the elements among the parts of an array
ITEM_SIZE = 8
READS_ONLY = re.compile(r"\breadonly\b|\breadnone\b")


def argument_types(kinds: Sequence[Any], ranks: Sequence[int]) -> list[str]:
    """The LLVM types of all parts of the arguments."""
    types: list[str] = []
    for kind, rank in zip(kinds, ranks, strict=True):
        if rank:
            types += ["ptr", "ptr", "i64", "i64", "ptr", *["i64"] * (2 * rank)]
        else:
            types.append(LLVM_TYPES[kind])
    return types


def array_parts(data: str, shape: Sequence[int]) -> list[str]:
    """The parts of a C-contiguous array of doubles whose elements begin at the address `data`."""
    sizes = [math.prod(shape[axis:]) for axis in range(len(shape) + 1)]
    strides = [ITEM_SIZE * size for size in sizes[1:]]
    numbers = [f"i64 {n}" for n in (*shape, *strides)]
    return ["ptr null", "ptr null", f"i64 {sizes[0]}", f"i64 {ITEM_SIZE}", f"ptr {data}", *numbers]


def result_type(kinds: Sequence[Any]) -> str:
    """What the address of the result points to."""
    names = [LLVM_TYPES[kind] for kind in kinds]
    if len(names) > 1:
        return "{" + ", ".join(names) + "}"
    return names[0] if names else "ptr"


def declaration(name: str, arguments: Sequence[str]) -> str:
    """The declaration of a function whose arguments have these LLVM types."""
    return f"declare i32 @{name}({', '.join(['ptr', 'ptr', *arguments])})"


def c_wrapper(name: str, target: str, arguments: str, result: str) -> str:
    """A function of C's convention around one of numba's; types by their letters."""
    types = [LLVM_TYPES[letter] for letter in arguments]
    typed = [f"{kind} %a{i}" for i, kind in enumerate(types)]
    slot = "double" if result == "d" else "ptr"
    ending = "  %v = load double, ptr %r\n  ret double %v" if result == "d" else "  ret void"
    passed = ", ".join(["ptr %r", "ptr %e", *typed])
    return (
        f"{declaration(target, types)}\n"
        f"define {LLVM_TYPES[result]} @{name}({', '.join(typed)}) {{\n"
        f"  %r = alloca {slot}\n  %e = alloca ptr\n"
        f"  %s = call i32 @{target}({passed})\n{ending}\n}}"
    )


def can_raise(function: Any) -> bool:
    """Whether an optimised function, as llvmlite parsed it, may return anything but 0."""
    endings = {str(list(block.instructions)[-1]).strip() for block in function.blocks}
    return any(line.startswith("ret ") and line != "ret i32 0" for line in endings)


def maybe_changed(function: Any, ranks: Sequence[int]) -> Iterator[int]:
    """The numbers of the arrays that LLVM cannot prove to be left as they are."""
    attributes = [" ".join(map(str, argument.attributes)) for argument in function.arguments]
    index = FIRST_ARGUMENT
    for number, rank in enumerate(ranks):
        if rank and not READS_ONLY.search(attributes[index + DATA]):
            yield number
        index += 5 + 2 * rank if rank else 1
