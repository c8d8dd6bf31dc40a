"""Studies on a Dask cluster of processes on this machine, some of which die."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from railblocks.engine import DiagramError, loads, simulate_many
from railblocks.engine.studies.cluster import Lots

pytest.importorskip("distributed")

TEXT = """\
diagram: 1
blocks:
  u:   {type: sources.sine, amplitude: 1, omega: 30}
  lag: {type: continuous.first_order_lag, T: 1 s}
wires: [u -> lag]
solver: {stop: 2 s, max_step: 2 ms}
log: {signals: [lag.y], every: 20 ms}
"""
SUMMARIES = ["end = final(lag.y)"]


@pytest.fixture(scope="module")
def cluster():
    import distributed

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.mark.slow
def test_a_cluster_has_the_bits_of_threads(cluster, tmp_path):
    vary = {"lag.T": "0.1..5:60"}
    here = simulate_many(loads(TEXT), vary, SUMMARIES, keep_signals=["lag.y"])
    there = simulate_many(
        loads(TEXT), vary, SUMMARIES, keep_signals=["lag.y"],
        workers=cluster.scheduler_address, output=tmp_path / "study.h5",
    )  # fmt: skip
    assert there.counts == {"done": 60}
    assert np.array_equal(here["end"], there["end"])
    for run in range(60):
        assert np.array_equal(here.run(run)["lag.y"], there.run(run)["lag.y"])


@pytest.mark.slow
def test_a_worker_that_dies_costs_no_run(cluster):
    vary = {"lag.T": "0.1..5:400"}
    workers = [worker.pid for worker in cluster.workers.values()]

    def kill():
        time.sleep(0.7)
        os.kill(workers[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    there = simulate_many(
        loads(TEXT).with_values({"solver.max_step": "0.05 ms"}), vary, SUMMARIES,
        workers=cluster.scheduler_address,
    )  # fmt: skip
    killer.join()
    here = simulate_many(loads(TEXT).with_values({"solver.max_step": "0.05 ms"}), vary, SUMMARIES)
    assert there.counts == {"done": 400}
    assert np.array_equal(here["end"], there["end"])


def test_an_address_at_which_nobody_answers_is_told(monkeypatch):
    monkeypatch.setattr("railblocks.engine.studies.cluster.CONNECT_SECONDS", 0.5)
    with pytest.raises(DiagramError, match=r"no scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        simulate_many(loads(TEXT), {"lag.T": [1]}, workers="tcp://127.0.0.1:9")


def test_lots_hand_out_every_run_once_also_where_some_are_divided():
    lots, handed = Lots(list(range(1000))), []
    while lots:
        lot = lots.next(2)
        if len(lot) > 10 and lot[0] % 3 == 0:
            lots.divide(lot)
            continue
        handed += lot
        lots.learn(len(lot), 0.1)
    assert sorted(handed) == list(range(1000))
