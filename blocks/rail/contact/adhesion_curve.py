"""The adhesion coefficient of relative sliding, as a block."""

from railblocks.blocks.rail.contact.tangential.adhesion_curve import adhesion_curve
from railblocks.engine.declaration import Block, In, Out, Param, out


class AdhesionCurve(Block):
    """Adhesion coefficient of relative sliding, for traction and braking.

    delta = (r omega - v) / v_max,  v_max = max(|r omega|, |v|, V_min)     (1)
    |mu| = mu_0 |delta| / delta_0 for |delta| <= delta_0, else             (2)
    |mu| = mu_asy + (mu_0 - mu_asy) exp(-lambda (|delta| - delta_0) v_max)                (3)

    mu has the sign of delta: positive when the wheel pulls forwards. V_min regularises standstill,
    where delta would jump. Source: Conti et al. (2012), Eqs 24 and 25, with v in braking and the
    slope mu_0 / delta_0, which makes the curve continuous.
    """

    symbol = "µ(δ)"
    example = {"mu_0": 0.05, "mu_asy": 0.03, "delta_0": 0.02, "lam": 0.1}
    v_w = In("m/s", "speed r omega of the wheel's surface")
    v = In("m/s", "speed of the train")
    mu = Out("1", "adhesion coefficient, positive in traction")
    delta = Out("1", "relative sliding")
    mu_0 = Param("1", "static friction, at the top of the curve", ge=0)
    mu_asy = Param("1", "dynamic friction, at large sliding", ge=0)
    delta_0 = Param("1", "relative sliding at the top of the curve", gt=0, le=1)
    lam = Param("s/m", "fall of friction with the speed of sliding", ge=0)
    V_min = Param("m/s", "least speed that sliding is related to", default=1e-3, gt=0)

    @out("mu", "delta")
    def adhere(v_w, v, mu_0, mu_asy, delta_0, lam, V_min):
        return adhesion_curve(v_w, v, mu_0, mu_asy, delta_0, lam, V_min)  # (1) to (3)
