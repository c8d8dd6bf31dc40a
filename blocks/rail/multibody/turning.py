"""Turning springs: moments between two bodies that are turned against each other.

For a turn R of body i against body j the energy and the moment on i, in the axes of j, are

    U = -sum of G_ab R_ab,   m = sum of R_b x G_b over the columns b       (1)
    G = diag(g) + [m_0]x / 2,   g_x = (k_y + k_z - k_x) / 2 and so on      (2)

so that a turn about one axis alone gives -k sin(angle) about that axis and nothing about the
others, whatever the other stiffnesses are. m_0 is the static moment, which is there without a turn:
turned about its own axis it is m_0 cos(angle), and about another it follows half of a small turn.
"""

from .bodies import cross


def turning_moment(R, k, m_0):
    """Moment on body i, of (1), in the axes of j."""
    a, b, c = _columns(k, m_0)
    x = cross((R[0], R[3], R[6]), a)
    y = cross((R[1], R[4], R[7]), b)
    z = cross((R[2], R[5], R[8]), c)
    return x[0] + y[0] + z[0], x[1] + y[1] + z[1], x[2] + y[2] + z[2]


def turning_energy(R, k, m_0):
    """U of (1), above its value without a turn."""
    a, b, c = _columns(k, m_0)
    x = a[0] * (1.0 - R[0]) - a[1] * R[3] - a[2] * R[6]
    y = b[1] * (1.0 - R[4]) - b[0] * R[1] - b[2] * R[7]
    z = c[2] * (1.0 - R[8]) - c[0] * R[2] - c[1] * R[5]
    return x + y + z


def _columns(k, m_0):
    """The columns of G."""
    return (
        (0.5 * (k[1] + k[2] - k[0]), 0.5 * m_0[2], -0.5 * m_0[1]),
        (-0.5 * m_0[2], 0.5 * (k[2] + k[0] - k[1]), 0.5 * m_0[0]),
        (0.5 * m_0[1], -0.5 * m_0[0], 0.5 * (k[0] + k[1] - k[2])),
    )
