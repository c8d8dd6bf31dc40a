"""The kernel of a wheel on whatever is under it: its contacts, their forces, in one go."""

from railblocks.blocks.rail.contact.wheel_forces import wheel_forces
from railblocks.engine.functions.functions import merged


@merged
def touch_wheel(detect, normal, law, axle, profiles, on_roller, h, material, contacts, F, M):
    """Fills the table of contacts, the force F and its moment M about the axle's middle.

    `detect` finds contacts, as `rail_diff` does, `normal` is one of `normal_contacts`, `law` one of
    `tangential.laws`, and `axle` an `AxleMotion`; curvatures are means over h. The results are the
    number of contacts, and the torque on the roller.
    """
    x, y, z = axle.G
    n = detect(
        x, y, z, axle.alpha, axle.beta, profiles.tread, profiles.nodes, profiles.head, 0.0, contacts
    )
    normal(contacts, n, axle, profiles, on_roller, h)
    return n, wheel_forces(law, n, contacts, axle, material, F, M)
