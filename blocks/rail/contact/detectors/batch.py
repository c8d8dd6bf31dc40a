"""DIFF and DIST for many poses in one call."""

from __future__ import annotations

import math

import numpy as np
from railblocks.blocks.rail.contact.geometry.contacts import COLUMNS, GAP, MAX_ROWS, N_Z, X_R, Y_R
from railblocks.blocks.rail.contact.geometry.detection import rail_diff, rail_dist
from railblocks.blocks.rail.contact.geometry.pair import Pair

from .minima import ALPHA, BETA, G_Y, HEIGHT, X_B, Y_B, Detection, Minima


def diff_minima(pair: Pair, poses: np.ndarray) -> Minima:
    """All local minima of D, by DIFF; their heights are D for G_z = 0."""
    return diff_detection(pair, poses).minima()


def diff_detection(pair: Pair, poses: np.ndarray) -> Detection:
    return Detection(diff_batch, poses, *_prepared(pair))


def dist_contacts(pair: Pair, poses: np.ndarray, G_z: np.ndarray) -> Minima:
    """All contacts by DIST, with the wheelset at a given height in each pose."""
    return dist_detection(pair, poses, G_z).minima()


def dist_detection(pair: Pair, poses: np.ndarray, G_z: np.ndarray) -> Detection:
    return Detection(dist_batch, poses, np.ascontiguousarray(G_z), *_prepared(pair))


def _prepared(pair: Pair) -> tuple[np.ndarray, ...]:
    contacts = np.zeros((MAX_ROWS, COLUMNS))
    return pair.wheel.table, pair.nodes, pair.rail.table, contacts


def diff_batch(poses, wheel, nodes, rail, contacts, counts, points):
    """Kernel: DIFF for each row of poses; `contacts` is scratch for the contacts of one pose."""
    for k in range(len(poses)):
        alpha, beta, y = poses[k, ALPHA], poses[k, BETA], poses[k, G_Y]
        count = rail_diff(0.0, y, 0.0, alpha, beta, wheel, nodes, rail, math.inf, contacts)
        counts[k] = min(count, points.shape[1])
        for i in range(int(counts[k])):
            points[k, i, X_B], points[k, i, Y_B] = contacts[i, X_R], contacts[i, Y_R]
            points[k, i, HEIGHT] = contacts[i, GAP] / contacts[i, N_Z]


def dist_batch(poses, G_z, wheel, nodes, rail, contacts, counts, points):
    """Kernel: DIST for each row of poses at its height."""
    for k in range(len(poses)):
        alpha, beta, y = poses[k, ALPHA], poses[k, BETA], poses[k, G_Y]
        count = rail_dist(0.0, y, G_z[k], alpha, beta, wheel, nodes, rail, 0.0, contacts)
        counts[k] = min(count, points.shape[1])
        for i in range(int(counts[k])):
            points[k, i, X_B], points[k, i, Y_B] = contacts[i, X_R], contacts[i, Y_R]
            points[k, i, HEIGHT] = contacts[i, GAP]
