"""Any serial chain of rigid bodies, from a list of links."""

from railblocks.blocks.rail.multibody.chain import COLUMNS, MOTION, C, R, complement
from railblocks.blocks.rail.multibody.chain_dynamics import (
    chain_terms,
    eliminate,
    kinetic_energy,
    potential_energy,
)
from railblocks.blocks.rail.multibody.chain_links import chain_tables, link_problems
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
    """Serial chain of rigid bodies with joints that turn or slide, by DeNOC.

    t = N theta',  N = N_l N_d: twists of all links, by recursion          (1)
    GIM theta'' + h = tau + N^T w,  GIM = N^T M N                          (2)

    `chain` lists the links from the ground on, in plain SI numbers: `joint` (turns or slides) and
    `axis`; where there is more than zeros `at` (the joint, from that of the link before), `centre`
    (of mass, from its joint), `m`, `J` (xx, yy, zz and perhaps xy, yz, xz, about the centre of
    mass), and `theta`, `rate` at the start. All axes are parallel to the ground's where theta = 0.
    Links without mass make joints with several axes. w are moments and forces at the centres of
    mass. theta is in rad or m, tau in N m or N, as its joint is. Sources: Saha (1999), vishnu.
    """

    symbol = "chain"
    example = {
        "chain": [
            {"joint": "turns", "axis": [1, 0, 0], "centre": [0, 0, -0.5], "m": 1, "theta": 1.0},
            {"joint": "turns", "axis": [1, 0, 0], "at": [0, 0, -1], "centre": [0, 0, -0.5], "m": 1},
        ]
    }
    tau = In("1", "force or moment of each joint, SI", shape="n", default=0.0)
    w = In("1", "moment and force on each link, SI", shape=("n", 6), default=0.0)
    theta = Out("1", "positions of the joints, SI", shape="n")
    theta_dot = Out("1", "their rates, SI", shape="n")
    theta_ddot = Out("1", "their accelerations, SI", shape="n")
    c = Out("m", "centres of mass", shape=("n", 3))
    A = Out("1", "attitudes of the links, row by row", shape=("n", 9))
    E = Out("J", "kinetic and potential energy")
    N = Out("1", "twists of links by rates of joints, SI", shape=("n", 6, "n"))
    GIM = Out("1", "generalised inertia, SI", shape=("n", "n"))
    h = Out("1", "forces of Coriolis and gravity, SI", shape="n")
    U = Out("1", "factors of GIM = U D U^T, D on the diagonal", shape=("n", "n"))
    motion = Out("1", "poses, twists and masses of all links, SI", shape=("n", MOTION))
    chain = Param("1", "list of links", type=object)
    g = Param("m/s^2", "gravity", shape=(3,), default=[0.0, 0.0, -9.81])
    links = Derived("1", "table of links", shape=("n", COLUMNS))
    start = Derived("1", "positions at the start", shape="n")
    rate = Derived("1", "rates at the start", shape="n")
    none = Derived("1", "zeros", shape="n")
    q = State("1", "positions of the joints", shape="n", start="start")
    u = State("1", "rates of the joints", shape="n", start="rate")

    @validate
    def links_are_sound(chain):
        return next(link_problems(chain), None)

    @derive("links", "start", "rate", "none")
    def tables(chain):
        links, start, rate = chain_tables(chain)
        return links, start, rate, 0.0 * start

    @out("motion", "GIM", "h", "N")
    def compose(q, u, none, links, g, motion, GIM, h, N):
        chain_terms(links, g, q, u, none, motion, GIM, h)
        complement(motion, N)  # (1)

    @out("U", "theta_ddot")
    def accelerate(tau, w, GIM, h, N, U, theta_ddot):
        for i in range(len(h)):
            theta_ddot[i] = tau[i] - h[i]
            for link in range(i, len(h)):
                for k in range(6):
                    theta_ddot[i] += N[link, k, i] * w[link, k]
        eliminate(GIM, U, theta_ddot)  # (2)

    @out("theta", "theta_dot", "c", "A", "E")
    def read(q, u, links, g, motion, theta, theta_dot, c, A):
        for i in range(len(q)):
            theta[i], theta_dot[i] = q[i], u[i]
            for k in range(3):
                c[i, k] = motion[i, C + k]
            for k in range(9):
                A[i, k] = motion[i, R + k]
        return kinetic_energy(links, motion) + potential_energy(links, g, motion)

    @der("q", "u")
    def move(u, theta_ddot, der_q, der_u):
        for i in range(len(u)):
            der_q[i], der_u[i] = u[i], theta_ddot[i]
