"""Products, norms and elements of vectors."""

from railblocks.blocks.base.kernels import dot, length, row_dot
from railblocks.blocks.base.variants import variant
from railblocks.engine.declaration import Block, In, Out, Param, out


class MatrixGain(Block):
    """Constant matrix times a vector.

    y = K u                                                                (1)
    """

    symbol = "K·u"
    example = {"K": [[1.0, 2.0, 0.0], [0.0, -1.0, 0.5]]}
    u = In("?u", "input", shape="n")
    y = Out("?k*?u", "output", shape="m")
    K = Param("?k", "matrix", shape=("m", "n"))

    @out("y")
    def multiply(u, K, y):
        for i in range(len(y)):
            y[i] = row_dot(K, i, u)  # (1)


class Dot(Block):
    """Scalar product of two vectors.

    y = u1 . u2                                                            (1)
    """

    symbol = "dot"
    u1 = In("?a", "one vector", shape="n")
    u2 = In("?b", "other vector", shape="n")
    y = Out("?a*?b", "scalar product")

    @out("y")
    def multiply(u1, u2):
        return dot(u1, u2)


class Cross(Block):
    """Vector product in three dimensions.

    y = u1 x u2                                                            (1)
    """

    symbol = "cross"
    u1 = In("?a", "left factor", shape=(3,))
    u2 = In("?b", "right factor", shape=(3,))
    y = Out("?a*?b", "vector product", shape=(3,))

    @out("y")
    def multiply(u1, u2, y):
        y[0] = u1[1] * u2[2] - u1[2] * u2[1]
        y[1] = u1[2] * u2[0] - u1[0] * u2[2]
        y[2] = u1[0] * u2[1] - u1[1] * u2[0]


class Norm(Block):
    """Length of a vector, without overflow or underflow in between.

    y = sqrt(u_1^2 + u_2^2 + ...)                                          (1)
    """

    symbol = "‖u‖"
    u = In("?u", "vector", shape="n")
    y = Out("?u", "length")

    @out("y")
    def length(u):
        return length(u)


class SumOfElements(Block):
    """Sum of all elements of a vector.

    y = u_1 + u_2 + ...                                                    (1)
    """

    symbol = "Σuᵢ"
    u = In("?u", "vector", shape="n")
    y = Out("?u", "sum")

    @out("y")
    def add(u):
        total = 0.0
        for i in range(len(u)):
            total += u[i]
        return total


def largest_of(u):
    index = 0
    for i in range(1, len(u)):
        index = i if u[i] > u[index] else index
    return u[index], index


class MinMaxOfElements(Block):
    """Least or largest element of a vector, and which one it is.

    y = min(u_0, u_1, ...)  or  max(u_0, u_1, ...),  y = u_index           (1)

    Elements are counted from 0; the first of equal ones counts. That of the absolute values: put
    math.abs before it.
    """

    symbol = "min uᵢ"
    u = In("?u", "vector", shape="n")
    y = Out("?u", "least or largest element")
    index = Out("1", "its number, counted from 0", type=int)
    function = Param("1", "which one", type=str, default="min", choices=("min", "max"))

    @classmethod
    def specialise(cls, values):
        largest = values["function"] == "max"
        return variant(cls, choose=out("y", "index")(largest_of)) if largest else cls

    @out("y", "index")
    def choose(u):
        index = 0
        for i in range(1, len(u)):
            index = i if u[i] < u[index] else index
        return u[index], index
