"""Any chain or tree of rigid bodies, from a list of links."""

from railblocks.blocks.rail.multibody.chain import (
    DAMPING,
    MOTION,
    STIFFNESS,
    C,
    R,
    T,
    W,
    accelerate_links,
    complement,
    move_links,
    place_links,
)
from railblocks.blocks.rail.multibody.chain_dynamics import (
    chain_terms,
    factor,
    kinetic_energy,
    potential_energy,
)
from railblocks.blocks.rail.multibody.chain_recursion import RECURSION, forward_dynamics
from railblocks.blocks.rail.multibody.listed_links import ListedLinks
from railblocks.engine.declaration import Block, In, Out, State, der, out

ROD = {"joint": "turns", "axis": [1, 0, 0], "centre": [0, 0, -0.5], "m": 1}


def copy_columns(motion, first, result):
    """Fills a table with columns of the table of motions."""
    for i in range(len(result)):
        for k in range(result.shape[1]):
            result[i, k] = motion[i, first + k]


def energy(links, g, motion, q):
    """Kinetic and potential energy, with that of the joints' springs."""
    total = kinetic_energy(links, motion) + potential_energy(links, g, motion)
    for i in range(len(q)):
        total += 0.5 * links[i, STIFFNESS] * q[i] * q[i]
    return total


def hold_joints(links, tau, q, u, push):
    """Forces of joints, less those of their springs and dampers."""
    for i in range(len(q)):
        push[i] = tau[i] - links[i, STIFFNESS] * q[i] - links[i, DAMPING] * u[i]


class SerialChain(ListedLinks, Block):
    """Chain or tree of rigid bodies with joints that turn or slide, by DeNOC.

    t = N theta',  N = N_l N_d: twists of all links, by recursion          (1)
    GIM theta'' + h = tau - k theta - c theta' + N^T w,  GIM = N^T M N     (2)

    `chain` lists the links from the ground on, in plain SI numbers: `joint` (turns or slides) and
    `axis`; where there is more than zeros `at` (the joint, from that of the link that carries it),
    `centre` (of mass, from its joint), `m`, `J` (xx, yy, zz and perhaps xy, yz, xz, about the
    centre of mass), `k` and `c` (stiffness and damping of the joint), `theta` and `rate` at the
    start. All axes are parallel to the ground's where theta = 0. Links without mass make joints
    with several axes. A link hangs from the one before it, or from its `parent`: the `name` of a
    link that is listed before, or ground. Links with the same parent are branches:

        - {name: bogie, joint: slides, axis: [0, 1, 0], m: 2615}
        - {name: front, parent: bogie, joint: slides, axis: [0, 1, 0], m: 1813, k: 7.8e6}
        - {name: rear, parent: bogie, joint: slides, axis: [0, 1, 0], m: 1813, k: 7.8e6}

    theta'' is found link by link, in a time that grows with their number; GIM, h, N and U are
    computed where they are used. w acts at the centres of mass of the links that `loaded` names.
    theta is in rad or m, tau in N m or N, as its joint is. Sources: Saha (1999); Shah, Saha, Dutt
    (2013); vishnu.
    """

    symbol = "chain"
    example = {"chain": [ROD | {"theta": 1.0}, ROD | {"at": [0, 0, -1]}]}
    tau = In("1", "force or moment of each joint, SI", shape="n", default=0.0)
    w = In("1", "moment and force on each loaded link, SI", shape=("m", 6), default=0.0)
    theta = Out("1", "positions of the joints, SI", shape="n")
    theta_dot = Out("1", "their rates, SI", shape="n")
    theta_ddot = Out("1", "their accelerations, SI", shape="n")
    c = Out("m", "centres of mass", shape=("n", 3))
    A = Out("1", "attitudes of the links, row by row", shape=("n", 9))
    twist = Out("1", "twists of the links: angular velocity, velocity; SI", shape=("n", 6))
    E = Out("J", "kinetic and potential energy, of the joints' springs too")
    N = Out("1", "twists of links by rates of joints, SI", shape=("n", 6, "n"))
    GIM = Out("1", "generalised inertia, SI", shape=("n", "n"))
    h = Out("1", "forces of Coriolis and gravity, SI", shape="n")
    U = Out("1", "factors of GIM = U D U^T, D on the diagonal", shape=("n", "n"))
    motion = Out("1", "poses, twists and their rates, SI", shape=("n", W))
    gathered = Out("1", "motion with the masses behind each link, SI", shape=("n", MOTION))
    recursion = Out("1", "motion with what joints let go, SI", shape=("n", RECURSION))
    push = Out("1", "tau less the springs and dampers of the joints, SI", shape="n")
    q = State("1", "positions of the joints", shape="n", start="start")
    u = State("1", "rates of the joints", shape="n", start="rate")

    @out("motion")
    def pose(q, u, none, links, motion):
        place_links(links, q, motion)
        move_links(links, u, motion)
        accelerate_links(links, u, none, motion)

    @out("push", "recursion", "theta_ddot")
    def accelerate(tau, w, q, u, loads, links, g, motion, push, recursion, theta_ddot):
        hold_joints(links, tau, q, u, push)
        forward_dynamics(links, g, push, loads, w, motion, recursion, theta_ddot)  # (2)

    @out("gathered", "GIM", "h", "N")
    def compose(q, u, none, links, g, gathered, GIM, h, N):
        chain_terms(links, g, q, u, none, gathered, GIM, h)
        complement(links, gathered, N)  # (1)

    @out("U")
    def decompose(GIM, U):
        factor(GIM, U)

    @out("theta", "theta_dot", "c", "A", "twist", "E")
    def read(q, u, links, g, motion, theta, theta_dot, c, A, twist):
        theta[:], theta_dot[:] = q, u
        copy_columns(motion, C, c)
        copy_columns(motion, R, A)
        copy_columns(motion, T, twist)
        return energy(links, g, motion, q)

    @der("q", "u")
    def move(u, theta_ddot, der_q, der_u):
        der_q[:], der_u[:] = u, theta_ddot
