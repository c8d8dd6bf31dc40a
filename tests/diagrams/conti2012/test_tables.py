"""Bands of the multistate filter, counted."""

import numpy as np
from paper_tables import reproduced, unrun
from railblocks.diagrams.conti2012.runs import RigRun


def test_bands_tile_the_range_of_the_filter():
    """Closed form: each is usable over Omega_max W, and they overlap by 2 %."""
    run = unrun(RigRun, "conti2012", "fast_scenario_2_filtered")
    width = run.blocks["simulator.estimation.filter_1"]["width"]
    bands = int(reproduced("conti2012", "--fast").ours("bands of the filter"))
    assert bands == 1 + np.ceil((32.0 - 10.0 - width) / (0.98 * width))
