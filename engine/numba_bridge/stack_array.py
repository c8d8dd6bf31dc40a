"""`local_array` as numba lowers it: an array on the stack, without a count of references."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def stack_array() -> Any:
    """The function that takes the place of `local_array` in compiled kernels."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.core.errors import TypingError
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array, populate_array

    @intrinsic(prefer_literal=True)
    def local_array(typing: Any, n: Any) -> Any:
        if not isinstance(n, types.IntegerLiteral):
            raise TypingError("local_array takes a constant number of elements")
        kind, size = types.Array(types.float64, 1, "C"), n.literal_value

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            memory = cgutils.alloca_once(builder, ir.ArrayType(ir.DoubleType(), size))
            array = make_array(kind)(context, builder)
            length, width = (context.get_constant(types.intp, k) for k in (size, 8))
            populate_array(
                array,
                data=builder.bitcast(memory, array.data.type),
                shape=[length],
                strides=[width],
                itemsize=width,
                meminfo=None,
            )
            return array._getvalue()

        return kind(n), code

    return local_array
