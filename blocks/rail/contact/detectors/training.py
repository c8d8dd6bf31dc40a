"""Training of the contact networks: Levenberg-Marquardt with early stopping, on data of DIFF.

Each network sees poses with its own number of minima: some to train on, half as many to validate
with, all others to test. SciPy's Levenberg-Marquardt makes the mean square error of the first set
small; an epoch is one step that it accepts. The weights kept are those with the least error on the
second set; the training ends when that error has grown in five epochs on end, or after 150 of them.

Where such a training ends depends on the random weights that it starts from. So three are begun,
and after 20 epochs the one with the least error on the second set goes on.

The poses of a class may fill a thin strip. So they are turned and scaled to have no correlation and
a variance of one, which becomes part of the weights.

falomi (section 4.2) gives the algorithm, both limits and the shape of the networks, and leaves open
how many tangents there are, how many poses are trained on, what is started from and how inputs are
scaled. The numbers here are a compromise with the time that it takes: of those that were tried they
have the least error on the second set, and no others were looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from railblocks.blocks.rail.contact.geometry.pair import Pair

from .classification import Classification
from .comparison import network_error
from .minima import ALPHA, X_B, Y_B, Minima
from .networks import INPUTS, Networks

MAX_EPOCHS = 150
PATIENCE_EPOCHS = 5
TRIALS, TRIAL_EPOCHS = 3, 20
WIDTHS = (32, 20, 16)
"""Hyperbolic tangents of the networks for 1, 2 and 3 minima."""
TRAINING_POSES = (3600, 1200, 900)
"""Poses to train on, for 1, 2 and 3 minima."""
OUTPUT_SCALE = 0.01

Weights = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Trained:
    """A trained network: its weights, and the mean square errors after each epoch (scaled)."""

    weights: Weights
    training: tuple[float, ...]
    validation: tuple[float, ...]
    stopped_early: bool


@dataclass(frozen=True)
class TrainedNetworks:
    """Networks of all classes, with E_k and A_k of `comparison.py` by class."""

    networks: Networks
    trained: tuple[Trained, ...]
    errors: dict[int, float]
    available: dict[int, int]


@dataclass(frozen=True)
class Scaling:
    """Inputs axes (p - middle) without correlation and with a variance of one; p has |alpha|."""

    middle: np.ndarray
    axes: np.ndarray

    @classmethod
    def of(cls, poses: np.ndarray) -> Scaling:
        mirrored = _mirrored(poses)
        middle = mirrored.mean(axis=0)
        units = mirrored.std(axis=0)
        _, sizes, turn = np.linalg.svd((mirrored - middle) / units, full_matrices=False)
        spread = sizes / np.sqrt(len(poses))
        return cls(middle, turn / spread[:, None] / units)

    def inputs(self, poses: np.ndarray) -> np.ndarray:
        """Scaled inputs, with a column of ones behind them."""
        scaled = (_mirrored(poses) - self.middle) @ self.axes.T
        return np.column_stack([scaled, np.ones(len(poses))])


def _mirrored(poses: np.ndarray) -> np.ndarray:
    inputs = poses.copy()
    inputs[:, ALPHA] = np.abs(inputs[:, ALPHA])
    return inputs


class _Ended(Exception):
    """Raised inside SciPy's iteration to end it."""


def train_networks(
    pair: Pair,
    classes: Classification,
    poses: np.ndarray,
    minima: Minima,
    widths: tuple[int, ...] = WIDTHS,
    numbers: tuple[int, ...] = TRAINING_POSES,
    seed: int = 0,
    epochs: int = MAX_EPOCHS,
    tell: Callable[[str], None] = lambda text: None,
) -> TrainedNetworks:
    """A network for each class, from many poses and their minima by DIFF."""
    trained, tests = [], []
    for k in range(1, classes.most + 1):
        tell(f"training the network for {k} {'minimum' if k == 1 else 'minima'}")
        random = np.random.default_rng((seed, k))
        chosen = random.permutation(np.flatnonzero(minima.counts == k))
        number = min(numbers[k - 1], len(chosen) // 2)
        parts = np.split(chosen, [number, number + number // 2])
        sets = [(poses[part], targets(minima[part], k)) for part in parts[:2]]
        trained.append(train(*sets[0], *sets[1], widths[k - 1], random, epochs))
        tests.append(parts[2])
    networks = Networks.of(pair, classes, [network.weights for network in trained])
    errors = {
        k: network_error(networks.minima_of_class(poses[test], k), minima[test])
        for k, test in enumerate(tests, 1)
    }
    present, numbers_of = np.unique(minima.counts, return_counts=True)
    available = dict(zip(present.tolist(), numbers_of.tolist(), strict=True))
    return TrainedNetworks(networks, tuple(trained), errors, available)


def targets(minima: Minima, k: int) -> np.ndarray:
    """x_b and y_b of k minima, a row each pose."""
    return minima.points[:, :k][..., [X_B, Y_B]].reshape(len(minima), 2 * k)


def train(
    poses: np.ndarray,
    goals: np.ndarray,
    check_poses: np.ndarray,
    check_goals: np.ndarray,
    width: int,
    random: np.random.Generator,
    most_epochs: int = MAX_EPOCHS,
) -> Trained:
    """One network, trained on some poses and validated on others."""
    centre = goals.mean(axis=0)
    scaling = Scaling.of(poses)
    inputs, wanted = scaling.inputs(poses), (goals - centre) / OUTPUT_SCALE
    checks = scaling.inputs(check_poses), (check_goals - centre) / OUTPUT_SCALE
    first = min(TRIAL_EPOCHS, most_epochs)
    trials = [
        _descent(_random_weights(width, goals.shape[1], random), inputs, wanted, *checks, first)
        for _ in range(TRIALS)
    ]
    best, training, validation = min(trials, key=lambda trial: min(trial[2]))
    if most_epochs > first and not grown(validation):
        best, more, checked = _descent(best, inputs, wanted, *checks, most_epochs - first)
        training, validation = training + more[1:], validation + checked[1:]
    weights = _unscaled(best, scaling, centre)
    return Trained(weights, tuple(training), tuple(validation), grown(validation))


def _random_weights(width: int, outputs: int, random: np.random.Generator) -> Weights:
    hidden = 0.6 * random.normal(size=(width, INPUTS + 1))
    return hidden, 0.1 * random.normal(size=(outputs, width + 1))


def _descent(
    start: Weights,
    inputs: np.ndarray,
    wanted: np.ndarray,
    check_inputs: np.ndarray,
    check_wanted: np.ndarray,
    epochs: int,
) -> tuple[Weights, list[float], list[float]]:
    """The weights of the least validation error, and both errors at the start and each epoch."""
    from scipy.optimize import least_squares

    width = len(start[0])
    training: list[float] = []
    validation: list[float] = []
    best = [start]

    def residuals(flat: np.ndarray) -> np.ndarray:
        return (_outputs(_split(flat, width), inputs) - wanted).T.ravel()

    def jacobian(flat: np.ndarray) -> np.ndarray:
        weights = _split(flat, width)
        error = float(np.mean((_outputs(weights, check_inputs) - check_wanted) ** 2))
        if not validation or error != validation[-1]:
            if not validation or error < min(validation):
                best[0] = _split(flat.copy(), width)
            training.append(float(np.mean(residuals(flat) ** 2)))
            validation.append(error)
            if len(validation) > epochs or grown(validation):
                raise _Ended
        return _jacobian(weights, inputs)

    flat = np.concatenate([part.ravel() for part in start])
    with suppress(_Ended):
        least_squares(residuals, flat, jacobian, method="lm", max_nfev=10 * epochs)
    return best[0], training, validation


def grown(validation: list[float]) -> bool:
    """Whether the error has grown in each of the last epochs."""
    last = validation[-PATIENCE_EPOCHS - 1 :]
    return len(last) > PATIENCE_EPOCHS and all(b > a for a, b in pairwise(last))


def _split(flat: np.ndarray, width: int) -> Weights:
    cut = width * (INPUTS + 1)
    return flat[:cut].reshape(width, INPUTS + 1), flat[cut:].reshape(-1, width + 1)


def _outputs(weights: Weights, inputs: np.ndarray) -> np.ndarray:
    hidden, outputs = weights
    return np.tanh(inputs @ hidden.T) @ outputs[:, :-1].T + outputs[:, -1]


def _jacobian(weights: Weights, inputs: np.ndarray) -> np.ndarray:
    """Derivatives of all outputs, one output after the other, by all weights."""
    hidden, outputs = weights
    layer = np.tanh(inputs @ hidden.T)
    count, cut, width = len(outputs), hidden.size, len(hidden)
    jacobian = np.zeros((count, len(inputs), cut + outputs.size))
    for k in range(count):
        slopes = outputs[k, :-1] * (1.0 - layer**2)
        jacobian[k, :, :cut] = (slopes[:, :, None] * inputs[:, None, :]).reshape(len(inputs), cut)
        own = cut + k * (width + 1)
        jacobian[k, :, own : own + width] = layer
        jacobian[k, :, own + width] = 1.0
    return jacobian.reshape(count * len(inputs), -1)


def _unscaled(weights: Weights, scaling: Scaling, centre: np.ndarray) -> Weights:
    """The network for radians and metres, without scaling."""
    hidden, outputs = np.empty_like(weights[0]), OUTPUT_SCALE * weights[1]
    hidden[:, :INPUTS] = weights[0][:, :INPUTS] @ scaling.axes
    hidden[:, INPUTS] = weights[0][:, INPUTS] - hidden[:, :INPUTS] @ scaling.middle
    outputs[:, -1] += centre
    return hidden, outputs
