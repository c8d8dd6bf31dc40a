"""What the torque error of the roller rig consists of."""

import numpy as np
from railblocks.diagrams.conti2012.errors import envelope, error_parts
from railblocks.diagrams.conti2012.runs import run


def test_parts_of_the_error_add_up():
    one = run("fast_scenario_2_filtered", {"solver.stop": "4 s"})
    total = sum(error_parts(one).values())
    assert np.allclose(total, one.e_c[:, :2], atol=1e-8)


def test_an_envelope_has_the_largest_size_of_every_slice_and_no_short_one():
    class Run:
        t = np.arange(0.0, 2.2, 0.01)

        def window(self, start, stop):
            return (self.t >= start - 1e-9) & (self.t <= stop + 1e-9)

    sizes = envelope(Run(), -3.0 * Run.t, start=1.0, every=0.25)
    assert np.allclose(sizes, 3.0 * np.array([1.25, 1.5, 1.75, 2.0]))
