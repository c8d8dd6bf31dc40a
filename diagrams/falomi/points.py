"""Contact points of falomi, sections 3 and 4: all methods of detection on the same poses.

The pair is S1002 on UIC60 at 1/40 and 1/20. The paper gives neither the radius of the wheel nor the
distance of the wheels nor the variant of the rail: 0.46 m, 1.5 m between the running circles, and
the head of the Manchester contact benchmark at a gauge of 1.435 m are taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from railblocks.blocks.rail.contact.detectors.batch import (
    diff_detection,
    diff_minima,
    dist_contacts,
    dist_detection,
)
from railblocks.blocks.rail.contact.detectors.classification import (
    Classification,
    branch_ends,
    fit_classification,
)
from railblocks.blocks.rail.contact.detectors.comparison import (
    Errors,
    classification_error,
    global_errors,
)
from railblocks.blocks.rail.contact.detectors.compass import compass_detection, compass_minima
from railblocks.blocks.rail.contact.detectors.grid import grid_detection, grid_minima
from railblocks.blocks.rail.contact.detectors.heights import (
    LARGEST_OVERLAP,
    height_of_contact,
    in_contact,
)
from railblocks.blocks.rail.contact.detectors.lookup import LookupTable
from railblocks.blocks.rail.contact.detectors.minima import Minima, poses_between, poses_of_table
from railblocks.blocks.rail.contact.detectors.simplex import simplex_detection, simplex_minima
from railblocks.blocks.rail.contact.detectors.training import TrainedNetworks, train_networks
from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.blocks.rail.contact.profiles.rails import left_rail, uic60
from railblocks.blocks.rail.contact.profiles.wheels import s1002
from railblocks.diagrams.runs import Tell

R_0, HALF_DISTANCE = 0.46, 0.75
CANTS = {"1/40": 1 / 40, "1/20": 1 / 20}
MAX_MINIMA = {"1/40": 2, "1/20": 3}
"""Largest number of minima with a network of its own; falomi neglects the rare poses above it."""
EXAMPLE = (np.radians(0.5), -0.5e-3, 5.5e-3)
"""Yaw, roll and shift of a pose with three contact points at 1/20."""
OVERLAP_PARTS = (0.25, 0.5, 0.75, 1.0)
"""Overlaps of DIST as parts of the bound p_l."""
TIMED_POSES, TIMED_GRID_POSES, TIMED_ROUNDS = 400, 20, 40
"""Poses of the times, and how often they are run: the shortest time counts."""
FULL = len(poses_of_table())


@dataclass(frozen=True)
class Study:
    """Study of one cant: what all methods find, and how it differs from GRID."""

    name: str
    pair: Pair
    poses: np.ndarray
    errors: dict[str, Errors]
    overlapped: tuple[Errors, ...]  # of DIST, by overlap
    lines: Classification
    classes: tuple[float, ...]  # errors of the number of minima, without and with yaw
    trained: TrainedNetworks
    table: LookupTable


def pair_of(cant: float) -> Pair:
    """The wheel over the left rail."""
    return Pair(s1002(R_0).moved(dy=HALF_DISTANCE), left_rail(uic60(), cant))


def studies(count: int, epochs: int, tell: Tell) -> list[Study]:
    """Studies of both cants, on all poses of Table 1 or on a random sample of them."""
    poses = poses_of_table()
    if count < len(poses):
        poses = np.random.default_rng(0).permutation(poses)[:count]
    return [_study(name, poses, epochs, tell) for name in CANTS]


def _study(name: str, poses: np.ndarray, epochs: int, tell: Tell) -> Study:
    pair = pair_of(CANTS[name])
    tell(f"cant {name}: GRID on {len(poses)} poses")
    grid = grid_minima(pair, poses)
    tell(f"cant {name}: other methods")
    table = LookupTable.of(pair)
    overlapped = tuple(_dist_errors(pair, poses, grid, part) for part in OVERLAP_PARTS)
    ends = branch_ends(pair)
    lines, planes = (fit_classification(ends, MAX_MINIMA[name], yaw) for yaw in (False, True))
    between = poses_between()
    trained = train_networks(
        pair, planes, between, diff_minima(pair, between), epochs=epochs,
        tell=lambda text: tell(f"cant {name}: {text}"),
    )  # fmt: skip
    minima_of = {
        "S": simplex_minima(pair, poses),
        "CS": compass_minima(pair, poses),
        "DIFF": diff_minima(pair, poses),
        "NN": trained.networks.minima(poses),
    }
    errors = {method: global_errors(minima, grid) for method, minima in minima_of.items()}
    errors["DIST"] = _together(overlapped)
    tell(f"cant {name}: classifying")
    classes = _class_errors(pair, (lines, planes), 4 if len(poses) == FULL else 1)
    return Study(name, pair, poses, errors, overlapped, lines, classes, trained, table)


def _class_errors(
    pair: Pair, classes: tuple[Classification, ...], refined: int
) -> tuple[float, ...]:
    """E_c on the poses of Table 1 with smaller steps, a yaw at a time."""
    poses = poses_of_table(refined)
    parts = np.split(poses, 20 * refined + 1)
    errors = []
    for part in parts:
        detection = diff_detection(pair, part)
        detection.run()
        errors.append([classification_error(one.counts(part), detection.counts) for one in classes])
    return tuple(np.mean(errors, axis=0).tolist())


def _dist_errors(pair: Pair, poses: np.ndarray, grid: Minima, part: float) -> Errors:
    """Errors of DIST against the points of GRID that touch at a height within the bound."""
    G_z = height_of_contact(grid, part * LARGEST_OVERLAP)
    return global_errors(dist_contacts(pair, poses, G_z), in_contact(grid, G_z))


def _together(parts: tuple[Errors, ...]) -> Errors:
    """Errors of several overlaps as those of one method."""
    missed, false, points = (
        np.sum([getattr(part, name) for part in parts], axis=0)
        for name in ("missed", "false", "points")
    )
    return Errors(missed, false, points)


def seconds_per_pose(study: Study) -> dict[str, float]:
    """Wall-clock seconds of each method on one core, for random poses of Table 1."""
    poses = np.random.default_rng(1).permutation(poses_of_table())[:TIMED_POSES]
    few, pair = poses[:TIMED_GRID_POSES], study.pair
    heights = height_of_contact(diff_minima(pair, poses))
    return {
        "GRID": grid_detection(pair, few).seconds(TIMED_ROUNDS // 4),
        "CS": compass_detection(pair, poses).seconds(TIMED_ROUNDS // 4),
        "S": simplex_detection(pair, poses).seconds(TIMED_ROUNDS // 4),
        "DIST": dist_detection(pair, poses, heights).seconds(TIMED_ROUNDS),
        "DIFF": diff_detection(pair, poses).seconds(TIMED_ROUNDS),
        "NN": study.trained.networks.detection(poses).seconds(TIMED_ROUNDS),
        "LUT": study.table.detection(poses).seconds(TIMED_ROUNDS),
    }
