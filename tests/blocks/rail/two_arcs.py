"""A wheel and a rail whose profiles are single arcs: their contact is known in closed form."""

from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.blocks.rail.contact.profiles.drawn import arc, table_of
from railblocks.blocks.rail.contact.profiles.profile import Profile

RHO_W, RHO_R = 0.2, 0.3


def two_arcs():
    """The lowest point of the wheel lies at y = 0.75, the crown of the rail at y = 0.75, z = 0."""
    wheel = arc(0.70, 0.80, RHO_W, (0.75, 0.46 - RHO_W))
    rail = arc(0.715, 0.785, RHO_R, (0.75, -RHO_R))
    return Pair(Profile("arc wheel", table_of([wheel])), Profile("arc rail", table_of([rail])))


def contact_of(G_y):
    """Without yaw and roll the slopes (y - 0.75 - G_y) / RHO_W and (y - 0.75) / RHO_R cancel."""
    return 0.75 + G_y * RHO_R / (RHO_R + RHO_W)
