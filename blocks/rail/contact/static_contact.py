"""How an axle stands on rails or rollers at rest."""

import numpy as np
from railblocks.blocks.rail.contact.geometry.contacts import MAX_ROWS
from railblocks.blocks.rail.contact.records import AxleMotion, Material, Profiles
from railblocks.blocks.rail.contact.touching import touch_wheel
from railblocks.blocks.rail.contact.wheel_forces import COLUMNS

START_HEIGHT, LAST_HEIGHT, HEIGHT_STEP = 1.02, 0.97, 5e-3
"""Where the search for a height begins and ends, and its steps, as parts of the nominal height."""
MAX_ROLL_RAD = 0.01
"""Largest roll, in radians."""
MAX_NEWTON_STEPS, LAST_NEWTON_STEP = 40, 1e-13
"""Newton's steps, in metres and radians: how many, and the last one."""
DIFFERENCE = 1e-8
DIFFERENCES = ((DIFFERENCE, 0.0), (0.0, DIFFERENCE))
"""Differences of height and roll for slopes."""


def at_rest(detect, normal, roller, load, x, y, top, h, E_star, sides, moment=0.0):
    """Height and roll of an axle under a load and a moment about x, at x and y, without yaw.

    `detect` and `normal` are as in `touch_wheel`. The moment is what the rails have to give. `top`
    is the height at which nominal circles touch, `sides` the tables (wheel, nodes, rail) of its
    wheels; curvatures are means over h. ValueError says why there is no rest.
    """
    from scipy.optimize import brentq

    lowering = HEIGHT_STEP * top
    axle = (
        f"an axle under {load:g} N, displaced by {x * 1e3:g} mm and {y * 1e3:g} mm, finds no rest"
    )
    if load <= 0.0:
        raise ValueError(f"{axle}; expected a load that presses it down: check what it carries")

    def forces(z, beta):
        both = [
            reaction(detect, normal, roller, (x, y, z), beta, h, E_star, side) for side in sides
        ]
        return np.sum(both, axis=0)

    def height(beta):
        """Height at which the wheels carry the load, by lowering the axle."""
        z = START_HEIGHT * top
        if forces(z, beta)[0] >= load:
            raise ValueError(
                f"{axle}: already {z - top:.4g} m above its nominal height its wheels press more "
                "than that; expected treads on their rails, not flanges: check gauge and profiles"
            )
        while forces(z, beta)[0] < load:
            z -= lowering
            if z < LAST_HEIGHT * top:
                raise ValueError(
                    f"{axle}: {top - z:.4g} m below its nominal height its wheels still press "
                    "less than that; expected wheels over rails: check gauge and profiles"
                )
        return brentq(lambda z: forces(z, beta)[0] - load, z, z + lowering, xtol=1e-16)

    z, beta = height(0.0), 0.0
    if y == 0.0 and moment == 0.0:
        return z, beta
    for _ in range(MAX_NEWTON_STEPS):
        given = forces(z, beta)
        slope = (
            np.column_stack([forces(z + d, beta + b) - given for d, b in DIFFERENCES]) / DIFFERENCE
        )
        if np.linalg.det(slope) == 0.0:
            break
        step = np.linalg.solve(slope, given - (load, moment))
        step *= min(1.0, MAX_ROLL_RAD / max(np.abs(step).max(), 1e-300))
        z, beta = z - step[0], beta - step[1]
        if abs(beta) > MAX_ROLL_RAD:
            break
        if np.abs(step).max() < LAST_NEWTON_STEP:
            return z, beta
    raise ValueError(
        f"{axle}: no roll within {MAX_ROLL_RAD:g} rad balances {moment:g} N m about its middle; "
        "expected both wheels on their rails: check where its load lies, and the profiles"
    )


def reaction(*pose):
    """Vertical force and roll moment of one wheel at rest, without friction."""
    F, M, _ = pressed(*pose)
    return F[2], M[0]


def pressed(detect, normal, roller, G, beta, h, E_star, side):
    """Force and moment of one wheel at rest, without friction, and all its contacts."""
    contacts, still = np.zeros((MAX_ROWS, COLUMNS)), np.zeros(3)
    F, M = np.zeros(3), np.zeros(3)
    axle = AxleMotion(G, 0.0, beta, still, still, 0.0)
    smooth = Material(E_star, c=0.0, t_c=0.0, V_min=1.0, mu=0.0, constants=None, table=None)
    touch_wheel(
        detect, normal, _frictionless, axle, Profiles(*side), roller, h, smooth, contacts, F, M
    )
    return F, M, contacts


def _frictionless(*_):
    return 0.0, 0.0, 0.0
