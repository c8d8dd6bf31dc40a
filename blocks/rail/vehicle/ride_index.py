"""Ride comfort from accelerations, by Sperling's index."""

import math

from railblocks.engine.declaration import EACH, Block, In, Out, Param, State, der, out, response

SQUARE, ROOT = 0.25, math.sqrt(1.911)
CUBIC, QUADRATIC, LINEAR = 0.0368, 0.277, 1.563
POWER = 1.0 / 6.67
CM = 100.0


class RideIndex(Block):
    """Sperling's ride index W_z of an acceleration, from the start of the run on.

    B = k (b_1 p + b_2 p^2) / (1 + a_1 p + a_2 p^2 + a_3 p^3),  p = s / (2 pi)            (1)
    W_z = (2 times the mean square of B a, in cm/s^2)^(1 / 6.67)           (2)

    with b_1 = sqrt(1.911), b_2 = 0.25, a_1 = 1.563, a_2 = 0.277, a_3 = 0.0368: |B| is the weighting
    of passengers' comfort, k = 0.737 for accelerations across the vehicle and 0.588 for vertical
    ones. Sperling's W_z^6.67 is the sum of squares of the amplitudes of B a over frequencies, a
    sine's being its peak: that is twice the mean square. About 2 is clearly felt, 2.5 not
    unpleasant yet, 3 strong but bearable. W_z is 0 at the start.

    a is what an accelerometer on the floor of the car body measures, as a rule above the bogies'
    centres and in the middle. Across the vehicle that has g times the roll of the floor in it, and
    the roll acceleration times the height of the floor: `body_a_y` of a `rail.vehicle`, the
    acceleration of the centre of mass, has neither. Source: Sperling's index as public codes for
    railway vehicles have it.
    """

    symbol = "W_z"
    a = In("m/s^2", "acceleration measured on the floor", shape=EACH)
    a_w = Out("m/s^2", "weighted acceleration", shape=EACH)
    W_z = Out("1", "ride index", shape=EACH)
    k = Param("1", "size of the weighting: 0.737 lateral, 0.588 vertical", default=0.737, gt=0)
    x_1 = State("m/s^2", "state of the weighting", shape=EACH)
    x_2 = State("m/s^2", "state of the weighting", shape=EACH)
    x_3 = State("m/s^2", "state of the weighting", shape=EACH)
    square = State(
        "m^2/s^3", "integral of the weighted acceleration squared", shape=EACH, ge=0, size=CM**-2
    )

    @der("x_1", "x_2", "x_3")
    def weigh(a, x_1, x_2, x_3):
        turn = 2.0 * math.pi
        last = (a - x_1 - LINEAR * x_2 - QUADRATIC * x_3) / CUBIC
        return turn * x_2, turn * x_3, turn * last  # (1)

    @der("square")
    def gather(a_w):
        return a_w * a_w

    @out("a_w")
    def weighted(k, x_2, x_3):
        return k * (ROOT * x_2 + SQUARE * x_3)  # (1)

    @out("W_z")
    def index(t, square):
        return math.pow(2.0 * CM * CM * max(square, 0.0) / t, POWER) if t > 0.0 else 0.0  # (2)

    @response
    def weighting(j_omega, k):
        p = j_omega / (2.0 * math.pi)
        below = 1.0 + LINEAR * p + QUADRATIC * p**2 + CUBIC * p**3
        return {"a_w": k * (ROOT * p + SQUARE * p**2) / below}
