"""Wheelsets whose axles carry boxes: bodies that share all motion but one rotation.

A box at c = y a on the axle a turns about it by sigma beside the wheelset:

    v_b = v + omega x c,   omega_b = omega + sigma a                       (1)
    v_b' = v' + omega' x c + omega x (omega x c)                           (2)
    omega_b' = omega' + sigma' a + sigma omega x a                         (3)

With u = (v, omega, sigma_1, ...) and each body's velocities as G u, the principle of virtual power
gives sum of G^T (inertia forces - loads) = 0: linear equations for u'.    (4)
"""

import numpy as np


def matrix(c):
    """[c] of c x w = [c] w."""
    x, y, z = c
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def accelerations(m, J, R, omega, F, M, y):
    """v', omega' of a wheelset (first row) and its boxes, which lie at y along its axle.

    J are main inertias; F and M are loads and their moments about each body's own centre.
    """
    n = len(m)
    a = R[0][:, 1]
    sigma = (omega - omega[0]) @ a
    lhs, rhs = np.zeros((5 + n, 5 + n)), np.zeros(5 + n)
    forms = []
    for k in range(n):
        c = y[k] * a
        G_v, G_w = np.zeros((3, 5 + n)), np.zeros((3, 5 + n))
        G_v[:, :3], G_v[:, 3:6], G_w[:, 3:6] = np.eye(3), -matrix(c), np.eye(3)
        if k:
            G_w[:, 5 + k] = a
        a_0 = np.cross(omega[0], np.cross(omega[0], c))
        alpha_0 = sigma[k] * np.cross(omega[0], a)
        inertia = R[k] @ np.diag(J[k]) @ R[k].T
        turn = inertia @ alpha_0 + np.cross(omega[k], inertia @ omega[k])
        lhs += m[k] * G_v.T @ G_v + G_w.T @ inertia @ G_w
        rhs += G_v.T @ (F[k] - m[k] * a_0) + G_w.T @ (M[k] - turn)
        forms.append((G_v, G_w, a_0, alpha_0))
    rates = np.linalg.solve(lhs, rhs)  # (4)
    return (
        np.array([G_v @ rates + a_0 for G_v, _, a_0, _ in forms]),
        np.array([G_w @ rates + alpha_0 for _, G_w, _, alpha_0 in forms]),
    )
