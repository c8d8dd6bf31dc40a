"""Trains networks for a wheel over a rail and writes them to a file that blocks can name.

```sh
python -m railblocks.blocks.rail.contact.learnt_pairs my_networks.npz --cant 0.05
```

Without options the pair is that of the file shipped as `s1002_uic60`: S1002 on UIC60 at 1/40,
radius 0.46 m, running circles 1.5 m apart, gauge 1.435 m; the line above makes the one shipped as
`s1002_uic60_1_20`. On one machine the numbers come out the same each time. It takes two minutes. A
number of minima that fewer than `RARE_FRACTION` of the poses have gets no network, as in falomi.

The networks are larger than those of `reproduce falomi`, and half of their poses lie where a point
moves fast: more than twice as fast as the wheelset shifts, or where it jumps. There a wheel leans
on its flange, its point runs across the gauge corner within a few tenths of a millimetre of shift,
and networks trained on evenly spread poses let a vehicle leave the rails.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

import numpy as np
from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.blocks.rail.contact.wheel_contact import WheelOverRail, placed

from .detectors.batch import diff_minima
from .detectors.classification import branch_ends, fit_classification
from .detectors.comparison import total_network_error
from .detectors.minima import (
    ALPHA,
    LARGEST_ROLL,
    LARGEST_SHIFT,
    LARGEST_YAW,
    Y_B,
    Minima,
    poses_of_table,
)
from .detectors.training import TrainedNetworks, train_networks

RARE_FRACTION = 0.01
WIDTHS, TRAINING_POSES = (40, 28, 20), (4000, 2000, 1200)
"""Hyperbolic tangents, and poses to train on, for 1, 2 and 3 minima."""
REFINED = 2
FAST_RATIO = 2.0
"""A point is fast that moves by more than this times the shift."""
OPTIONS = {
    "wheel": (str, "s1002", "profile of the wheel: a name or a file of points"),
    "rail": (str, "uic60", "profile of the rail: a name or a file of points"),
    "smoothing": (float, 0.0, "root mean square that files of points may miss, m"),
    "r_0": (float, 0.46, "radius of the wheel at the running circle, m"),
    "y_0": (float, 0.75, "half of the distance between the running circles, m"),
    "cant": (float, 0.025, "inclination of the rail towards the middle"),
    "gauge": (float, 1.435, "track gauge, m"),
}


def learn(pair: Pair, tell: Callable[[str], None] = print) -> TrainedNetworks:
    """Networks for a pair; ValueError if it has no class of poses to learn from."""
    tell("looking for minima by DIFF")
    grid = poses_of_table(REFINED)
    minima = diff_minima(pair, grid)
    most = classes_worth_a_network(minima.counts)
    if most == 0:
        raise ValueError("too few poses have a contact point; check y_0, gauge and the profiles")
    poses = np.concatenate([grid, fast_poses(grid, minima)])
    classes = fit_classification(branch_ends(pair), most)
    return train_networks(
        pair, classes, poses, diff_minima(pair, poses), WIDTHS, TRAINING_POSES, tell=tell
    )


def fast_poses(grid: np.ndarray, minima: Minima, seed: int = 0) -> np.ndarray:
    """As many random poses as a grid has, near those of it where points move fast."""
    largest = np.array([LARGEST_YAW, LARGEST_ROLL, LARGEST_SHIFT])
    shape = (20 * REFINED + 1, 40 * REFINED + 1, 40 * REFINED + 1)
    steps = largest / (20 * REFINED)
    positions = np.nan_to_num(minima.points[..., Y_B]).reshape(*shape, -1)
    moved = np.abs(np.diff(positions, axis=2)).max(axis=3) > FAST_RATIO * steps[2]
    fast = np.zeros(shape, bool)
    fast[:, :, 1:] |= moved
    fast[:, :, :-1] |= moved
    if not fast.any():
        return grid
    random = np.random.default_rng(seed)
    chosen = random.choice(np.flatnonzero(fast.ravel()), len(grid))
    poses = grid[chosen] + random.uniform(-1.0, 1.0, grid.shape) * steps
    poses[:, ALPHA] = np.abs(poses[:, ALPHA])
    return np.clip(poses, grid.min(axis=0), grid.max(axis=0))


def classes_worth_a_network(counts: np.ndarray) -> int:
    """The largest number of minima that, with all below it, is not rare."""
    most = 0
    while most < len(WIDTHS) and np.mean(counts == most + 1) >= RARE_FRACTION:
        most += 1
    return most


def command(values: Sequence[object]) -> str:
    """What to type for a pair, its sizes in the order of `OPTIONS`."""
    chosen = [
        f"--{name} {value!r}" if isinstance(value, str) else f"--{name} {value:g}"
        for (name, (_, default, _)), value in zip(OPTIONS.items(), values, strict=True)
        if value != default
    ]
    return " ".join(["python -m railblocks.blocks.rail.contact.learnt_pairs FILE.npz", *chosen])


def main(texts: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="learn", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", help="the .npz file to write")
    for name, (kind, default, text) in OPTIONS.items():
        parser.add_argument(
            f"--{name}", type=kind, default=default, help=f"{text} (default {default})"
        )
    given = parser.parse_args(texts)
    try:
        if not os.path.isdir(os.path.dirname(os.path.abspath(given.file))):
            raise ValueError(f"{given.file}: there is no such folder; check the path")
        sizes = {name: getattr(given, name) for name in OPTIONS}
        pair = Pair(*placed(WheelOverRail(**sizes)))
        learnt = learn(pair)
        learnt.networks.save(given.file)
    except (OSError, ValueError) as error:
        print(f"learn: {error}", file=sys.stderr)
        return 2
    total = 100.0 * total_network_error(learnt.errors, learnt.available)
    print(f"{given.file}: {total:.2g} % of DIFF's points are missed by more than 1 mm")
    return 0


if __name__ == "__main__":
    sys.exit(main())
