"""A railway line as curves in space: its middle, its axes, and the path of each rail.

With s the length in plan, psi' = kappa, (X, Y)' = (cos psi, sin psi), Z' = g; curvature, gradient
and roll of the sleepers go over each segment as its shape says. The axes of the sleepers are

    R(s) = R_z(psi) R_y(-atan g) R_x(phi)                                  (1)
    R' = [w] R,   w = kappa e_z - (atan g)' R_z(psi) e_y + phi' R e_x      (2)

and a point of the left (right) rail's section, y outwards and z up, runs through space along

    p(s) = r + R ((0, lateral, vertical) + R_x(-asin(cross / base)) (0, +-(y + gauge / 2), z))  (3)

Its tangent p' is that of the curve itself, so that a rail that is displaced along the line is
turned by the slope of its displacement. Irregularities are cubic splines through the file's rows.
"""

import math
from pathlib import Path

import numpy as np
import yaml
from scipy.interpolate import CubicSpline, make_interp_spline

NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
SHAPES = {"bloss": [0, 0, 3, -2], "hermite_5": [0, 0, 0, 10, -15, 6]}
"""Parts of a change over parts of a length, as polynomials; others are linear."""
KINDS = ("lateral", "vertical", "cross_level", "gauge")


def turn_x(angle):
    return _turns(angle, 1, 2)


def turn_y(angle):
    return _turns(angle, 2, 0)


def turn_z(angle):
    return _turns(angle, 0, 1)


def _turns(angle, i, j):
    """Rotations that take axis i towards axis j, one for each angle."""
    angle = np.asarray(angle, dtype=float)
    result = np.zeros((*angle.shape, 3, 3))
    result[..., 3 - i - j, 3 - i - j] = 1.0
    result[..., i, i] = result[..., j, j] = np.cos(angle)
    result[..., j, i] = np.sin(angle)
    result[..., i, j] = -result[..., j, i]
    return result


def cross(a, b):
    """a x b of each row; faster than NumPy's for few rows."""
    (a_x, a_y, a_z), (b_x, b_y, b_z) = a.T, b.T
    return np.array([a_y * b_z - a_z * b_y, a_z * b_x - a_x * b_z, a_x * b_y - a_y * b_x]).T


def dot(a, b):
    return np.einsum("ni,ni->n", a, b)


def times(matrices, vectors):
    """One product for each row."""
    return np.einsum("nij,nj->ni", matrices, vectors)


def turned(quat, omega):
    """Rates of quaternions, scalar last, at angular velocities in space: q' = (omega, 0) q / 2."""
    result = np.empty_like(quat)
    result[:, :3] = 0.5 * (quat[:, 3:] * omega + cross(omega, quat[:, :3]))
    result[:, 3] = -0.5 * dot(omega, quat[:, :3])
    return result


class Line:
    """The line of a file in plain numbers; `degree` of the splines of irregularities."""

    def __init__(self, path, degree=3):
        given = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        self.base = given.get("base", 1.5)
        self.incline = math.atan(given["inclination"])
        self._lay(given["segments"])
        self.splines = {}
        rows = given.get("irregularities", {})
        for kind in set(KINDS) & set(rows):
            made = CubicSpline if degree == 3 else lambda *xy: make_interp_spline(*xy, k=degree)
            self.splines[kind] = made(np.array(rows["at"], float), np.array(rows[kind], float))

    def _lay(self, segments):
        """Curvature, gradient and roll at the ends of all segments; heading and place there."""
        ends = []
        for segment in segments:
            turn = {"left": 1.0, "right": -1.0}[segment.get("turn", "left")]
            kappa = turn / segment["radius"] if "radius" in segment else 0.0
            cant = segment.get("cant", 0.0) * (turn if kappa else 1.0)
            values = (kappa, segment.get("gradient", 0.0), -math.asin(cant / self.base))
            ends.append(None if segment.get("transition") else (values, values))
        level = ((0.0, 0.0, 0.0),) * 2
        for k, values in enumerate(ends):
            if values is None:
                before = ends[k - 1] if k else level
                after = ends[k + 1] if k + 1 < len(ends) else level
                ends[k] = (before[1], after[0])
        self.lengths = np.array([segment["length"] for segment in segments], float)
        self.starts = np.concatenate([[0.0], np.cumsum(self.lengths)[:-1]])
        self.first = np.array([values[0] for values in ends])
        self.change = np.array([values[1] for values in ends]) - self.first
        shapes = (SHAPES.get(segment.get("transition"), [0, 1]) for segment in segments)
        self.shapes = [np.polynomial.Polynomial(shape) for shape in shapes]
        self.heading = np.zeros(len(ends) + 1)
        self.origin = np.zeros((len(ends) + 1, 3))
        for k, length in enumerate(self.lengths):
            self.heading[k + 1], self.origin[k + 1] = (
                values[0] for values in self._along(np.array([k]), np.array([length]))
            )

    def _along(self, k, u):
        """Heading and middle of the line, u metres into segments k; (X, Y) by Gauss's rule."""

        def integral(k, u):
            """Of the segment's curvature and gradient, from its start to u."""
            L = self.lengths[k]
            gone = np.array([self.shapes[n].integ()(x) for n, x in zip(k, u / L, strict=True)])
            return self.first[k, :2] * u[:, None] + self.change[k, :2] * (L * gone)[:, None]

        nodes = [self.heading[k] + integral(k, 0.5 * u * (1.0 + node))[:, 0] for node in NODES]
        psi = np.array(nodes).T
        rise = integral(k, u)[:, 1]
        way = np.column_stack(
            [0.5 * u * (np.cos(psi) @ WEIGHTS), 0.5 * u * (np.sin(psi) @ WEIGHTS), rise]
        )
        return self.heading[k] + integral(k, u)[:, 0], self.origin[k] + way

    def axes(self, s):
        """r, R, r' and w of (1), (2); before its start and beyond its end the line is straight."""
        k = np.clip(np.searchsorted(self.starts, s, side="right") - 1, 0, len(self.starts) - 1)
        u = np.clip(s - self.starts[k], 0.0, self.lengths[k])
        beyond = s - self.starts[k] - u
        on = (beyond == 0.0)[:, None]
        psi, middle = self._along(k, u)
        x = u / self.lengths[k]
        part = np.array([self.shapes[n](at) for n, at in zip(k, x, strict=True)])
        rate = np.array([self.shapes[n].deriv()(at) for n, at in zip(k, x, strict=True)])
        kappa, grade, roll = (self.first[k] + self.change[k] * part[:, None]).T
        rate = np.where(on[:, 0], rate / self.lengths[k], 0.0)
        _, grade_1, roll_1 = (self.change[k] * rate[:, None]).T
        kappa = np.where(on[:, 0], kappa, 0.0)
        ahead = np.column_stack([np.cos(psi), np.sin(psi), grade])
        left = np.column_stack([-np.sin(psi), np.cos(psi), np.zeros_like(psi)])
        R = turn_z(psi) @ turn_y(-np.arctan(grade)) @ turn_x(roll)
        w = -left * (grade_1 / (1.0 + grade * grade))[:, None] + roll_1[:, None] * R[:, :, 0]
        w[:, 2] += kappa
        return middle + beyond[:, None] * ahead, R, ahead, w

    def deviation(self, kind, s):
        """An irregularity and its slope."""
        spline = self.splines.get(kind)
        return (np.zeros_like(s),) * 2 if spline is None else (spline(s), spline(s, 1))

    def rail(self, s, side, y, z):
        """p and p' of (3), and 0 for p''; `side` is +1 for left rails, -1 for right ones."""
        r, R, r_1, w = self.axes(s)
        zero = np.zeros_like(s)
        (lateral, lateral_1), (vertical, vertical_1), (level, level_1), (gauge, gauge_1) = (
            self.deviation(kind, s) for kind in KINDS
        )
        roll = -np.arcsin(level / self.base)
        roll_1 = -level_1 / np.sqrt(self.base**2 - level**2)
        tilt = turn_x(roll)
        section = np.column_stack([zero, side * (y + 0.5 * gauge), zero + z])
        section_1 = np.column_stack([zero, 0.5 * side * gauge_1, zero])
        tilted = times(tilt, section)
        turning = np.column_stack([zero, -roll_1 * tilted[:, 2], roll_1 * tilted[:, 1]])
        own = tilted + np.column_stack([zero, lateral, vertical])
        own_1 = turning + times(tilt, section_1) + np.column_stack([zero, lateral_1, vertical_1])
        out = times(R, own)
        return r + out, r_1 + cross(w, out) + times(R, own_1), np.zeros_like(r)

    def beside(self, r, s):
        """Where along the line points r lie, from guesses s; (y, z) beside it, and its axes."""
        for _ in range(20):
            middle, R, ahead, _ = self.axes(s)
            step = dot(R[:, :, 0], r - middle) / np.linalg.norm(ahead, axis=1)
            s = s + step
            if np.abs(step).max() < 1e-13:
                break
        middle, R, _, _ = self.axes(s)
        return s, np.einsum("nji,nj->ni", R, r - middle)[:, 1:], R
