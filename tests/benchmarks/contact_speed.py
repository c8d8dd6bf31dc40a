"""How long one contact takes: to find its points, and its forces on a grid of 25 x 25 cells."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory

import numpy as np
from measure import Row, at_most
from railblocks.blocks.rail.contact.detectors.batch import diff_detection as diff_detection_of
from railblocks.blocks.rail.contact.detectors.lookup import LookupTable
from railblocks.blocks.rail.contact.detectors.minima import (
    ALPHA,
    BETA,
    G_Y,
    HEIGHT,
    poses_of_table,
)
from railblocks.blocks.rail.contact.geometry.contacts import COLUMNS, MAX_ROWS
from railblocks.blocks.rail.contact.geometry.detection import rail_diff
from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.blocks.rail.contact.normal.hertz import composite_modulus, hertz_constants, patch
from railblocks.blocks.rail.contact.profiles import s1002, uic60
from railblocks.blocks.rail.contact.tangential.fastsim import fastsim as fastsim_kernel
from railblocks.blocks.rail.contact.tangential.flexibility import BLENDED, WEIGHTED
from railblocks.blocks.rail.contact.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.contact.tangential.local_adhesion import local_adhesion as local_kernel
from railblocks.blocks.rail.contact.tangential.records import (
    Cells,
    Creepages,
    Elasticity,
    LoadedPatch,
    LocalFriction,
)
from railblocks.blocks.rail.contact.wheel_contact import WheelOverRail, placed
from railblocks.diagrams.falomi.points import CANTS, pair_of
from railblocks.engine import compiled

CELLS = 25
N, G, NU = 43000.0 * 9.81 / 8.0, 8e10, 0.3
A, B, _, _ = patch(0.5 / 0.445, 0.5 / 0.3, N, composite_modulus(2.1e11, NU))
C11, C22, C23, _ = kalker(A, B, NU, kalker_table(NU))
NONE = None  # no tractions of cells are kept
XI = (1e-4, 1e-3, 2e-3, 4e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.3)
LATERAL = ((0.0, 0.0), (1e-3, 0.2), (-3e-3, 1.0))  # eta, phi
TAUS = (0.0, 8.1e-9, 3e-8)


def repeat_local(n, xi, eta, phi, V, tau, kind, fields):
    """The sum of n forces, so that the call from Python does not count."""
    total = 0.0
    for _ in range(n):
        total += local_kernel(
            Creepages(xi, eta, phi), LoadedPatch(A, B, N), V, Elasticity(G, C11, C22, C23), 0.06,
            LocalFriction(0.28, 0.4, 0.4, 0.2, 0.6, tau, 0.0),
            Cells(CELLS, CELLS, False, kind), fields,
        )[0]  # fmt: skip
    return total


def repeat_fastsim(n, creepages, patch, elasticity, cells, fields):
    """The same; all records are arguments, since constants would be worked out ahead."""
    total = 0.0
    for _ in range(n):
        total += fastsim_kernel(creepages, patch, 0.3, elasticity, cells, fields)[0]
    return total


def repeat_hertz(n, curvature, ratio):
    total = 0.0
    for _ in range(n):
        total += hertz_constants(curvature, curvature * ratio)[0]
    return total


def microseconds(function: Callable, *arguments: object, repeats: int = 4) -> float:
    """The least of many runs, per repeat; the first one compiles."""
    best = float("inf")
    for _ in range(25):
        begin = time.perf_counter()
        function(repeats, *arguments)
        best = min(best, time.perf_counter() - begin)
    return best / repeats * 1e6


def local_adhesion() -> list[Row]:
    """From adhesion to sliding, slow and fast, without and with recovery, both flexibilities."""
    run = compiled(repeat_local)

    def worst(speeds: tuple[float, ...]) -> tuple[float, float]:
        times = [
            microseconds(run, xi, eta, phi, V, tau, kind, NONE)
            for xi, (eta, phi), V, tau, kind in itertools.product(
                XI, LATERAL, speeds, TAUS, (WEIGHTED, BLENDED)
            )
        ]
        return max(times), sum(times) / len(times)

    most, mean = worst((5.0, 20.0, 32.5))
    fast, _ = worst((80.0,))
    name = f"local adhesion, {CELLS} x {CELLS}"
    return [
        at_most(f"{name}: worst state up to 32.5 m/s", most, "us", 60.0),
        Row(f"{name}: mean of these states", mean, "us"),
        Row(f"{name}: worst state at 80 m/s", fast, "us"),
    ]


def fastsim() -> list[Row]:
    run = compiled(repeat_fastsim)
    contact = LoadedPatch(A, B, N), Elasticity(G, C11, C22, C23), Cells(CELLS, CELLS, True, BLENDED)
    times = [
        microseconds(run, Creepages(xi, eta, phi), *contact, NONE)
        for xi in XI
        for eta, phi in LATERAL
    ]
    return [at_most(f"FASTSIM, {CELLS} x {CELLS}: worst state", max(times), "us", 15.0)]


def hertz() -> list[Row]:
    run = compiled(repeat_hertz)
    times = [microseconds(run, 1.1, 10.0**power, repeats=100) for power in range(13)]
    return [at_most("Hertz: worst ratio of curvatures from 1 to 1e12", max(times), "us", 1.0)]


def diff_detection() -> list[Row]:
    """All contact points of an S1002 wheel over UIC60 rails, in random poses of a wheelset."""
    rows = []
    poses = np.random.default_rng(1).permutation(poses_of_table())[:400]
    for name, cant in CANTS.items():
        mean = diff_detection_of(pair_of(cant), poses).seconds(60) * 1e6
        rows.append(at_most(f"DIFF, S1002 over UIC60 {name}: mean pose", mean, "us", 5.0))
    return rows


def repeat_contacts(n, poses, heights, wheel, nodes, rail, contacts):
    """The number of contacts in all poses, n times."""
    total = 0
    for _ in range(n):
        for k in range(len(poses)):
            total += rail_diff(
                0.0, poses[k, G_Y], heights[k], poses[k, ALPHA], poses[k, BETA], wheel, nodes, rail,
                0.0, contacts,
            )  # fmt: skip
    return total


def seconds_under_load(pair: Pair, poses: np.ndarray) -> float:
    """A call of DIFF as vehicles make it: only what touches, pressed in by 0.1 mm."""
    minima = diff_detection_of(pair, poses).minima()
    lowest = [minima.points[k, : int(n), HEIGHT].min() for k, n in enumerate(minima.counts)]
    heights, contacts = -np.array(lowest) - 1e-4, np.zeros((MAX_ROWS, COLUMNS))
    arguments = poses, heights, pair.wheel.table, pair.nodes, pair.rail.table, contacts
    return microseconds(compiled(repeat_contacts), *arguments) / len(poses) * 1e-6


def measured_profiles() -> list[Row]:
    """Detection on a wheel and a rail of 1001 measured points each, over that on drawn ones."""
    drawn = WheelOverRail("s1002", "uic60", 0.46, 0.75, 0.025, 1.435)
    random, ratios = np.random.default_rng(1), []
    poses = random.permutation(poses_of_table())[:400]
    with TemporaryDirectory() as folder:
        files = []
        for profile, low, high in ((s1002(0.0), -0.0645, 0.0595), (uic60(), -0.0369, 0.0369)):
            y = np.linspace(low, high, 20001)
            length = np.cumsum(np.hypot(np.diff(y, prepend=low), np.gradient(profile.height(y))))
            at = np.interp(np.linspace(length[0], length[-1], 1001), length, y)
            points = np.column_stack([at, profile.height(at) + random.normal(0.0, 2e-6, 1001)])
            files.append(os.path.join(folder, f"{profile.name}.csv"))
            np.savetxt(files[-1], 1e3 * points, delimiter=",")
        measured = drawn._replace(wheel=files[0], rail=files[1], smoothing=4e-6)
        begin = time.process_time()
        pairs = [Pair(*placed(pair)) for pair in (drawn, measured)]
        ready = time.process_time() - begin
        diff = [diff_detection_of(pair, poses).seconds(60) for pair in pairs]
        loaded = [seconds_under_load(pair, poses) for pair in pairs]
        table = [LookupTable.of(pair).detection(poses).seconds(60) for pair in pairs]
    ratios = [at_most(f"{name}, measured over drawn profiles", other / one, "", 1.2)
              for name, (one, other) in (("DIFF, all points", diff), ("DIFF, contacts", loaded),
                                         ("table", table))]  # fmt: skip
    return [at_most("profiles of 1001 points: ready", ready, "s", 1.0), *ratios]


ALL = (local_adhesion, fastsim, hertz, diff_detection, measured_profiles)
