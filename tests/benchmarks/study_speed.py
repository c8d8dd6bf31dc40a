"""How fast studies are: a thousand runs, on one core and on two, and what a cluster costs."""

from __future__ import annotations

import time
from typing import Any

from measure import DIAGRAMS, Row, at_least, at_most
from railblocks.engine import load, simulate_many

MOTOR = {"motor.J": "1e-4..4e-4:1000"}
PEAK = ["peak = max(motor.i)"]


def timed(
    workers: Any, file: str, vary: dict[str, str], summaries: list[str]
) -> tuple[float, float]:
    """Seconds, and seconds of all cores."""
    begin, used = time.perf_counter(), time.process_time()
    study = simulate_many(load(DIAGRAMS / file), vary, summaries, workers=workers)
    assert study.counts == {"done": len(study)}
    return time.perf_counter() - begin, time.process_time() - used


def thousand_motors() -> list[Row]:
    """1000 runs of the DC motor, 2 s each at the shipped tolerances, with a summary."""
    timed(2, "dc_motor.yaml", {"motor.J": "1e-4..4e-4:2"}, PEAK)
    both = [timed(2, "dc_motor.yaml", MOTOR, PEAK) for _ in range(3)]
    one = [timed(1, "dc_motor.yaml", MOTOR, PEAK) for _ in range(3)]
    two = min(both)[0]
    return [
        at_most("1000 runs of the DC motor, two cores", two, "s", 1.0),
        Row("1000 runs of the DC motor, time of all cores", min(cpu for _, cpu in both), "s"),
        at_least("1000 runs of the DC motor, two cores for one", min(one)[0] / two, "x", 1.8),
    ]


def thousand_rigs() -> list[Row]:
    """1000 runs of the rig in the plane, 8 s each at the paper's tolerances."""
    vary = {"mu": "0.04..0.06:1000"}
    summaries = ["slip = final(simulator.control.speed_error.y[0])"]
    timed(2, "conti2012/fast_scenario_1.yaml", {"mu": "0.04..0.06:2"}, summaries)
    two, cpu = timed(2, "conti2012/fast_scenario_1.yaml", vary, summaries)
    return [
        at_most("1000 runs of the rig in the plane, two cores", two, "s", 25.0),
        Row("1000 runs of the rig in the plane, time of all cores", cpu, "s"),
    ]


def cluster() -> list[Row]:
    """What a cluster of two processes on this machine costs more than threads, as studies grow."""
    import distributed

    rows = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as local:
        address = local.scheduler_address
        timed(address, "dc_motor.yaml", {"motor.J": "1e-4..4e-4:4"}, PEAK)
        for count in (100, 1000, 10000):
            vary = {"motor.J": f"1e-4..4e-4:{count}"}
            there = timed(address, "dc_motor.yaml", vary, PEAK)[0]
            here = timed(2, "dc_motor.yaml", vary, PEAK)[0]
            name = f"{count} runs of the DC motor on a cluster"
            rows.append(Row(name, there, "s", "two threads", there / here))
    return rows


ALL = (thousand_motors, thousand_rigs, cluster)
