"""Every sampled block with small and large inputs.

Sampled blocks compute without tolerances: a linear one, driven by a signal times a power of two,
gives its outputs times that power, to the last bit. A block that is in neither table fails.
"""

import numpy as np
import pytest
from bench import Bench
from railblocks.engine import standard_blocks
from railblocks.engine.shipping.driven import write_example_files

SAMPLED = sorted(kind.declaration.id for kind in standard_blocks() if kind.declaration.sampled)
LINEAR = {
    "discrete.delay", "discrete.derivative", "discrete.fir", "discrete.first_order_filter",
    "discrete.integrator", "discrete.moving_average", "discrete.pid", "discrete.rate_transition",
    "discrete.second_order_sections", "discrete.state_space", "discrete.transfer_function",
    "discrete.unit_delay", "discrete.zero_order_hold", "discrete.zero_pole_gain",
}  # fmt: skip
OWN_SCALE = {
    "discrete.rate_limiter": "a largest rate",
    "logic.edge_detector": "a threshold between two levels",
    "logic.state_machine": "conditions",
    "nonlinear.backlash": "a width",
    "rail.adhesion_estimate": "friction",
    "rail.adhesion_recovery": "energies at which adhesion recovers",
    "rail.sampled_estimator": "resolutions of sensors",
    "rail.sampled_multistate_filter": "speeds that select a band",
    "rail.sampled_sliding_mode": "a boundary layer",
    "rail.sampled_unbalance_observer": "speeds from which it works",
    "rail.wsp": "thresholds of slip",
    "sources.band_limited_white_noise": "no input",
    "sources.free_running_counter": "no input",
    "sources.gaussian_noise": "no input",
    "sources.uniform_noise": "no input",
}
"""Blocks with sizes of their own, and which these are; `test_coinciding_samples` iterates them."""
SAMPLES = 40


@pytest.fixture(autouse=True)
def example_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_example_files(tmp_path)


def test_every_sampled_block_is_linear_or_says_what_its_scale_is():
    assert set(SAMPLED) == LINEAR | set(OWN_SCALE)
    assert not LINEAR & set(OWN_SCALE)


def responses(block, size):
    """All outputs over some samples, by iterating the block's functions."""
    bench, rows = Bench(block, every=1e-3), []
    for k in range(SAMPLES):
        u = size * np.sin(2.3 * k + 0.4)
        present = {
            name: np.broadcast_to(u * (1 + n), bench.shape(port.item))[()]
            for n, (name, port) in enumerate(bench.instance.inputs.items())
        }
        outs = bench.run("out", t=k * 1e-3, **present)
        rows.append(np.concatenate([np.ravel(value) for value in outs.values()]))
        bench.states |= bench.run("update", t=k * 1e-3, **present)
    return np.array(rows, dtype=float)


@pytest.mark.parametrize("block", sorted(LINEAR))
@pytest.mark.parametrize("power", [-40, 40])
def test_outputs_of_a_linear_block_scale_with_its_inputs(block, power):
    whole, scaled = responses(block, 1.0), responses(block, 2.0**power)
    assert np.ptp(whole) > 0.0
    assert np.array_equal(scaled, whole * 2.0**power)
