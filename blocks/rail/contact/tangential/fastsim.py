"""FASTSIM: creep forces by Kalker's simplified theory with one coefficient of friction.

The marching, its equations and both traction bounds are those of `strips`, the flexibilities those
of `flexibility`. Small creepages give the forces of linear theory, large ones mu N against the
slip. Source: J. J. Kalker, A fast algorithm for the simplified theory of rolling contact (1982):
paraboloid, three flexibilities.
"""

from railblocks.blocks.rail.contact.tangential.strips import march


def fastsim(creepages, patch, mu, elasticity, cells, fields):
    """Forces F_x and F_y on the wheel and moment M_z about the normal; zero if N <= 0.

    `fields` as in `strips.march`, with sliding and dissipation at a rolling speed of 1 m/s.
    """
    law = (mu, 0.0, 0.0, mu, 0.0, 0.0, 0.0)
    F_x, F_y, M_z, _, _ = march(creepages, patch, 1.0, elasticity, law, cells, fields)
    return F_x, F_y, M_z
