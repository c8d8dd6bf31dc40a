"""Newton's and Euler's equations of a tree of bodies with all its reactions, as is conventional.

Unknown are the rates of all twists, the wrenches of all joints and theta''. For every link

    M t' - (wrench of its joint) + (wrenches of joints that it carries) = w + (0, m g) - W M t  (1)

and for every joint six equations that its two links move against each other along its axis only,
and one that the wrench has the joint's own force along that axis. Written with NumPy, apart from
the recursions of `chain`, of which it knows the columns of the table of links.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from railblocks.blocks.rail.multibody.chain import (
    AT,
    AXIS,
    BACK,
    CENTRE,
    INERTIA,
    KIND,
    MASS,
    TURNS,
)
from scipy.spatial.transform import Rotation

GRAVITY = np.array([0.0, 0.0, -9.81])


class Frame(NamedTuple):
    """Attitude, joint, centre of mass and axis of a link, in the ground's axes."""

    R: np.ndarray
    o: np.ndarray
    cm: np.ndarray
    e: np.ndarray


def carriers_of(links: np.ndarray) -> list[int]:
    """The link that carries each one; -1 for the ground."""
    return [i - 1 - int(row[BACK]) for i, row in enumerate(links)]


def skew(v: np.ndarray) -> np.ndarray:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def frames(links: np.ndarray, theta: np.ndarray) -> list[Frame]:
    """Where all links are."""
    found: list[Frame] = []
    for row, angle, b in zip(links, theta, carriers_of(links), strict=True):
        R, o = found[b][:2] if b >= 0 else (np.eye(3), np.zeros(3))
        axis = row[AXIS : AXIS + 3]
        e = R @ axis
        o = o + R @ row[AT : AT + 3]
        if row[KIND] == TURNS:
            R = R @ Rotation.from_rotvec(axis * angle).as_matrix()
        else:
            o = o + e * angle
        found.append(Frame(R, o, o + R @ row[CENTRE : CENTRE + 3], e))
    return found


def free_accelerations(
    links: np.ndarray,
    theta: np.ndarray,
    theta_dot: np.ndarray,
    tau: np.ndarray,
    g: np.ndarray = GRAVITY,
    w: np.ndarray | None = None,
) -> np.ndarray:
    """Accelerations of the joints, by all equations at once; w are wrenches on all links."""
    n, places, carriers = len(links), frames(links, theta), carriers_of(links)
    omega, e_dot = _turning(links, places, theta_dot)
    A, b = np.zeros((13 * n, 13 * n)), np.zeros(13 * n)
    for i, (row, (R, o, cm, e)) in enumerate(zip(links, places, strict=True)):
        link, joint, force = _six(i), _six(n + i), 12 * n + i
        A[link, link], b[link] = _alone(row, R, omega[i], g)  # (1)
        A[link, joint] = -_at(o - cm)
        if w is not None:
            b[link] += w[i]
        A[joint, link] = _at(o - cm).T
        b[joint] = -_inwards(omega[i], o - cm)
        if (k := carriers[i]) >= 0:
            carrier, arm = _six(k), o - places[k].cm
            A[carrier, joint] = _at(arm)
            A[joint, carrier] = -_at(arm).T
            b[joint] += _inwards(omega[k], arm)
        axis = np.zeros(6)
        if row[KIND] == TURNS:
            axis[:3] = e
            b[joint] += np.r_[e_dot[i] * theta_dot[i], np.zeros(3)]
        else:
            axis[3:] = e
            b[joint] += np.r_[np.zeros(3), 2.0 * e_dot[i] * theta_dot[i]]
        A[joint, force] = -axis
        A[force, joint] = axis
        b[force] = tau[i]
    return np.linalg.solve(A, b)[12 * n :]


def _six(i: int) -> slice:
    """Equations or unknowns of the twist of a link, or of the wrench of a joint."""
    return slice(6 * i, 6 * i + 6)


def _turning(
    links: np.ndarray, places: list[Frame], theta_dot: np.ndarray
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Angular velocities of all links, and rates of their axes."""
    omega: list[np.ndarray] = []
    e_dot: list[np.ndarray] = []
    for row, frame, rate, b in zip(links, places, theta_dot, carriers_of(links), strict=True):
        before = omega[b] if b >= 0 else np.zeros(3)
        e_dot.append(np.cross(before, frame.e))
        omega.append(before + frame.e * rate if row[KIND] == TURNS else before)
    return omega, e_dot


def _alone(
    row: np.ndarray, R: np.ndarray, omega: np.ndarray, g: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """M of a link, and (0, m g) - W M t."""
    xx, yy, zz, xy, yz, xz = row[INERTIA : INERTIA + 6]
    J = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    M = np.zeros((6, 6))
    M[:3, :3], M[3:, 3:] = J, row[MASS] * np.eye(3)
    return M, np.r_[-np.cross(omega, J @ omega), row[MASS] * g]


def _at(arm: np.ndarray) -> np.ndarray:
    """Wrench at a centre of mass by one at a point; its transpose takes twists to the point."""
    X = np.eye(6)
    X[:3, 3:] = skew(arm)
    return X


def _inwards(omega: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """Acceleration of a point by the turning of its body."""
    return np.r_[np.zeros(3), np.cross(omega, np.cross(omega, arm))]
