"""Matrices: product, transpose, inverse, linear equations."""

from railblocks.blocks.base.elimination import ELEMENTS, LARGEST, factorise, substitute
from railblocks.engine.declaration import Block, In, Out, out
from railblocks.engine.functions.local_array import local_array


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


class Transpose(Block):
    """Matrix with its rows as columns.

    Y_ij = A_ji                                                            (1)
    """

    symbol = "Aᵀ"
    A = In("?a", "matrix", shape=("n", "m"))
    Y = Out("?a", "transpose", shape=("m", "n"))

    @out("Y")
    def turn(A, Y):
        for i in range(len(A)):
            for j in range(len(A[0])):
                Y[j, i] = A[i, j]  # (1)


class Inverse(Block):
    """Inverse of a square matrix, by elimination with row exchange.

    Y A = A Y = 1                                                          (1)

    At most 64 rows. Elements are infinite or nan where A is singular. For x = Y b take
    `math.solve`, which is faster and more accurate.
    """

    symbol = "A⁻¹"
    A = In("?a", "square matrix", shape=("n", "n"))
    Y = Out("1/?a", "inverse", shape=("n", "n"))

    @out("Y")
    def invert(A, Y):
        factors, rows = local_array(ELEMENTS), local_array(LARGEST)
        unit, column = local_array(LARGEST), local_array(LARGEST)
        n = len(A)
        factorise(A, factors, rows)
        for j in range(n):
            for i in range(n):
                unit[i] = 1.0 if i == j else 0.0
            substitute(factors, rows, unit, column[:n])
            for i in range(n):
                Y[i, j] = column[i]


class Solve(Block):
    """Solution of linear equations, by elimination with row exchange.

    A x = b                                                                (1)

    At most 64 unknowns. Elements are infinite or nan where A is singular.
    """

    symbol = "A⁻¹b"
    A = In("?a", "square matrix", shape=("n", "n"))
    b = In("?b", "right side", shape="n")
    x = Out("?b/?a", "solution", shape="n")

    @out("x")
    def solve(A, b, x):
        factors, rows = local_array(ELEMENTS), local_array(LARGEST)
        factorise(A, factors, rows)
        substitute(factors, rows, b, x)
