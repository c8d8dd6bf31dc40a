"""How the surfaces of a wheel and of a rail or roller move over each other at a contact.

P is the point of the rail or roller, n its normal towards the wheel. The wheel's own surface, as it
would be without the load, lies there by the approach delta deeper, at

    P_w = P - delta n                                                      (1)

With the tangents t_x = e_y x n / |e_y x n| (rolling) and t_y = n x t_x (lateral), the surface of
the one moves over that of the other by

    d = v + omega x (P_w - G) - Omega e_y x P                              (2)
    delta' = -d . n,  v_x = d . t_x,  v_y = d . t_y,  omega_n = (omega - Omega e_y) . n   (3)

with Omega = 0 for a rail. So a wheel that turns at V / r does not slide, r being the radius of its
surface there without load: in theories of rolling contact creepages are those of rigid bodies, and
the approach flattens both alike. Forces act on each body at its own surface, on the wheel at P_w
and on the roller at P: then what they take is force times (3), to the last digit. The moments
of action and reaction differ by delta times the creep force, of the order of delta / r that
half-spaces leave out.
"""

import math

from railblocks.blocks.rail.contact.geometry.contacts import GAP, N_X, N_Y, N_Z, P_X, P_Y, P_Z


def lever(contacts, k, G):
    """The lever P_w - G of (1)."""
    gap = contacts[k, GAP]
    return (
        contacts[k, P_X] + gap * contacts[k, N_X] - G[0],
        contacts[k, P_Y] + gap * contacts[k, N_Y] - G[1],
        contacts[k, P_Z] + gap * contacts[k, N_Z] - G[2],
    )


def tangents(contacts, k):
    """The tangents: x and z of t_x, whose y is 0, and all of t_y."""
    n_x, n_y, n_z = contacts[k, N_X], contacts[k, N_Y], contacts[k, N_Z]
    level = math.sqrt(n_x * n_x + n_z * n_z)
    t_x, t_z = n_z / level, -n_x / level
    return t_x, t_z, n_y * t_z, n_z * t_x - n_x * t_z, -n_y * t_x


def sliding(contacts, k, axle):
    """delta', v_x, v_y and omega_n of (3); `axle` is an `AxleMotion`."""
    G, v, omega, Omega = axle.G, axle.v, axle.omega, axle.Omega
    n_x, n_y, n_z = contacts[k, N_X], contacts[k, N_Y], contacts[k, N_Z]
    x, y, z = lever(contacts, k, G)
    d_x = v[0] + omega[1] * z - omega[2] * y - Omega * contacts[k, P_Z]  # (2)
    d_y = v[1] + omega[2] * x - omega[0] * z
    d_z = v[2] + omega[0] * y - omega[1] * x + Omega * contacts[k, P_X]
    t_x, t_z, s_x, s_y, s_z = tangents(contacts, k)
    return (
        -(d_x * n_x + d_y * n_y + d_z * n_z),  # (3)
        d_x * t_x + d_z * t_z,
        d_x * s_x + d_y * s_y + d_z * s_z,
        omega[0] * n_x + (omega[1] - Omega) * n_y + omega[2] * n_z,
    )
