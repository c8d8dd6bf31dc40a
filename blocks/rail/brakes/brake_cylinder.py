"""What a brake makes of the commands of a wheel-slide protection: torque of each axle."""

import numpy as np
from railblocks.blocks.rail.brakes.wsp import FILL, VENT
from railblocks.engine.declaration import EACH, Block, In, Out, Param, State, der, out, validate


class BrakeCylinder(Block):
    """Torque of shoes and electrodynamic brake of each axle, filled, held or vented.

    fill:  C = C_lim - (C_lim - C_0) exp(-t / T_oi),  C_lim = u (C_bs_lim + C_ED_lim)     (1)
    vent:  C = C_0 exp(-t / T_od)                                          (2)
    hold:  C = C_0                                                         (3)
    C_bs : C_ED = C_bs_lim : C_ED_lim                                      (4)

    t counts from the last command and C_0 is the torque at that time, which the paper leaves out.
    Integrated as C' = (C_lim - C) / T_oi, C' = -C / T_od, C' = 0, so that the demand u may change.
    Torques are one number for all axles, or a list with one for each (`axles` makes sure that none
    is missing): driven axles, which have both brakes, can brake harder than those with shoes only.
    Both brakes follow the valve together, as the paper's total torque does; near standstill, where
    an electrodynamic brake has no torque, shoes are taken to make up for it. Source: Toumi et al.
    (2019), section 2.2. Time constants are proposals: the paper gives none.
    """

    symbol = "C(t)"
    example = {"C_bs_lim": 6166.0}
    valve = In("1", "command: 1 fill, 2 hold, 3 vent", shape=EACH, type=int, ge=1, le=3)
    u = In("1", "demand of the driver, a part of the full torque", shape=EACH, default=1.0, ge=0)
    C = Out("N*m", "torque against the rotation", shape=EACH)
    C_bs = Out("N*m", "part of the brake shoes", shape=EACH)
    C_ED = Out("N*m", "part of the electrodynamic brake", shape=EACH)
    C_bs_lim = Param("N*m", "full torque of the brake shoes", shape=EACH, ge=0)
    C_ED_lim = Param("N*m", "full electrodynamic torque", shape=EACH, default=0.0, ge=0)
    axles = Param("1", "number of axles; 0: as many as torques", type=int, default=0, ge=0)
    T_oi = Param("s", "time constant of filling", default=0.4, gt=0)
    T_od = Param("s", "time constant of venting", default=0.15, gt=0)
    C_0 = Param("N*m", "torque at the start", shape=EACH, default=0.0, ge=0)
    torque = State("N*m", "torque", shape=EACH, start="C_0", ge=0)

    @validate
    def every_axle_has_its_torque(C_bs_lim, C_ED_lim, C_0, axles):
        torques = {"C_bs_lim": C_bs_lim, "C_ED_lim": C_ED_lim, "C_0": C_0}
        for name, values in torques.items():
            n = np.size(values)
            if axles and np.ndim(values) and n != axles:
                return (
                    f"{name} has {n} torques for {axles} axles; give one number for all, or one "
                    "for each axle"
                )

    @der("torque")
    def follow(torque, valve, u, C_bs_lim, C_ED_lim, T_oi, T_od):
        if valve == FILL:
            return (u * (C_bs_lim + C_ED_lim) - torque) / T_oi  # (1)
        return -torque / T_od if valve == VENT else 0.0  # (2), (3)

    @out("C", "C_bs", "C_ED")
    def share(torque, C_bs_lim, C_ED_lim):
        both = C_bs_lim + C_ED_lim
        part = C_ED_lim / both if both > 0.0 else 0.0
        return torque, (1.0 - part) * torque, part * torque  # (4)
