"""Any chain or tree of rigid bodies, from a list of links."""

import numpy as np
from railblocks.blocks.rail.multibody.chain import (
    COLUMNS,
    DAMPING,
    MOTION,
    STIFFNESS,
    C,
    R,
    T,
    accelerate_links,
    complement,
    move_links,
    place_links,
)
from railblocks.blocks.rail.multibody.chain_branches import loaded_links, loaded_problem
from railblocks.blocks.rail.multibody.chain_dynamics import (
    chain_terms,
    factor,
    kinetic_energy,
    potential_energy,
)
from railblocks.blocks.rail.multibody.chain_links import chain_tables, link_problems
from railblocks.blocks.rail.multibody.chain_recursion import RECURSION, forward_dynamics
from railblocks.engine.declaration import (
    Block,
    Derived,
    In,
    Out,
    Param,
    State,
    der,
    derive,
    out,
    validate,
)


class SerialChain(Block):
    """Chain or tree of rigid bodies with joints that turn or slide, by DeNOC.

    t = N theta',  N = N_l N_d: twists of all links, by recursion          (1)
    GIM theta'' + h = tau - k theta - c theta' + N^T w,  GIM = N^T M N     (2)

    `chain` lists the links from the ground on, in plain SI numbers: `joint` (turns or slides) and
    `axis`; where there is more than zeros `at` (the joint, from that of the link that carries it),
    `centre` (of mass, from its joint), `m`, `J` (xx, yy, zz and perhaps xy, yz, xz, about the
    centre of mass), `k` and `c` (stiffness and damping of the joint), and `theta`, `rate` at the
    start. All axes are parallel to the ground's where theta = 0. Links without mass make joints
    with several axes.

    A link hangs from the one before it, or from the one that is its `parent`: the `name` of a link
    that is listed before, or ground. Two links with the same parent are branches:

        chain:
          - {name: bogie, joint: slides, axis: [0, 1, 0], m: 2615}
          - {name: front, parent: bogie, joint: slides, axis: [0, 1, 0], m: 1813, k: 7.8e6}
          - {name: rear, parent: bogie, joint: slides, axis: [0, 1, 0], m: 1813, k: 7.8e6}

    theta'' is found link by link, in a time that grows with their number and without GIM; GIM, h, N
    and U are computed only where they are used. w are moments and forces at the centres of mass of
    the links that `loaded` names, t angular velocities and velocities of all links. theta is in rad
    or m, tau in N m or N, as its joint is. Sources: Saha (1999), Shah et al. (2013), vishnu.
    """

    symbol = "chain"
    example = {
        "chain": [
            {"joint": "turns", "axis": [1, 0, 0], "centre": [0, 0, -0.5], "m": 1, "theta": 1.0},
            {"joint": "turns", "axis": [1, 0, 0], "at": [0, 0, -1], "centre": [0, 0, -0.5], "m": 1},
        ]
    }
    tau = In("1", "force or moment of each joint, SI", shape="n", default=0.0)
    w = In("1", "moment and force on each loaded link, SI", shape=("m", 6), default=0.0)
    theta = Out("1", "positions of the joints, SI", shape="n")
    theta_dot = Out("1", "their rates, SI", shape="n")
    theta_ddot = Out("1", "their accelerations, SI", shape="n")
    c = Out("m", "centres of mass", shape=("n", 3))
    A = Out("1", "attitudes of the links, row by row", shape=("n", 9))
    t = Out("1", "twists of the links: angular velocity, velocity; SI", shape=("n", 6))
    E = Out("J", "kinetic and potential energy, of the joints' springs too")
    N = Out("1", "twists of links by rates of joints, SI", shape=("n", 6, "n"))
    GIM = Out("1", "generalised inertia, SI", shape=("n", "n"))
    h = Out("1", "forces of Coriolis and gravity, SI", shape="n")
    U = Out("1", "factors of GIM = U D U^T, D on the diagonal", shape=("n", "n"))
    motion = Out("1", "poses and twists of all links, SI", shape=("n", MOTION))
    gathered = Out("1", "motion with the masses behind each link, SI", shape=("n", MOTION))
    recursion = Out("1", "motion with what joints let go, SI", shape=("n", RECURSION))
    push = Out("1", "tau less the springs and dampers of the joints, SI", shape="n")
    chain = Param("1", "list of links", type=object)
    loaded = Param("1", "names of the links that w acts on; none: all", type=object, default=[])
    g = Param("m/s^2", "gravity", shape=(3,), default=[0.0, 0.0, -9.81])
    links = Derived("1", "table of links", shape=("n", COLUMNS))
    start = Derived("1", "positions at the start", shape="n")
    rate = Derived("1", "rates at the start", shape="n")
    none = Derived("1", "zeros", shape="n")
    loads = Derived("1", "numbers of the loaded links", shape="m")
    q = State("1", "positions of the joints", shape="n", start="start")
    u = State("1", "rates of the joints", shape="n", start="rate")

    @validate
    def links_are_sound(chain, loaded):
        return next(link_problems(chain), None) or loaded_problem(chain, loaded)

    @derive("links", "start", "rate", "none")
    def tables(chain):
        links, start, rate = chain_tables(chain)
        return links, start, rate, 0.0 * start

    @derive("loads")
    def number(chain, loaded):
        return np.array(loaded_links(chain, loaded), dtype=float)

    @out("motion")
    def pose(q, u, none, links, motion):
        place_links(links, q, motion)
        move_links(links, u, motion)
        accelerate_links(links, u, none, motion)

    @out("push", "recursion", "theta_ddot")
    def accelerate(tau, w, q, u, loads, links, g, motion, push, recursion, theta_ddot):
        for i in range(len(q)):
            push[i] = tau[i] - links[i, STIFFNESS] * q[i] - links[i, DAMPING] * u[i]
        forward_dynamics(links, g, push, loads, w, motion, recursion, theta_ddot)  # (2)

    @out("gathered", "GIM", "h", "N")
    def compose(q, u, none, links, g, gathered, GIM, h, N):
        chain_terms(links, g, q, u, none, gathered, GIM, h)
        complement(links, gathered, N)  # (1)

    @out("U")
    def decompose(GIM, U):
        factor(GIM, U)

    @out("theta", "theta_dot", "c", "A", "t", "E")
    def read(q, u, links, g, motion, theta, theta_dot, c, A, t):
        springs = 0.0
        for i in range(len(q)):
            theta[i], theta_dot[i] = q[i], u[i]
            springs += 0.5 * links[i, STIFFNESS] * q[i] * q[i]
            for k in range(3):
                c[i, k] = motion[i, C + k]
            for k in range(9):
                A[i, k] = motion[i, R + k]
            for k in range(6):
                t[i, k] = motion[i, T + k]
        return kinetic_energy(links, motion) + potential_energy(links, g, motion) + springs

    @der("q", "u")
    def move(u, theta_ddot, der_q, der_u):
        for i in range(len(u)):
            der_q[i], der_u[i] = u[i], theta_ddot[i]
