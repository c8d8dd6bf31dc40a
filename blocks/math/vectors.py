"""Products and norms of vectors and matrices."""

from railblocks.blocks.base.kernels import dot, length, row_dot
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


class MatrixProduct(Block):
    """Product of two matrices.

    Y = A B                                                                (1)
    """

    symbol = "A·B"
    A = In("?a", "left factor", shape=("n", "k"))
    B = In("?b", "right factor", shape=("k", "m"))
    Y = Out("?a*?b", "product", shape=("n", "m"))

    @out("Y")
    def multiply(A, B, Y):
        for i in range(len(A)):
            for j in range(len(B[0])):
                total = 0.0
                for k in range(len(B)):
                    total += A[i, k] * B[k, j]
                Y[i, j] = total


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
