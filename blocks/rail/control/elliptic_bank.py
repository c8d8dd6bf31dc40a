"""A bank of sixth-order elliptic band-passes that share their states.

The prototype is an elliptic low-pass of third order with the edge 1, x' = A x + b u, y = c x. With
j Omega = (s^2 + w^2) / (B s) it becomes a band-pass about w,

    x' = B (A x + b u) - w z,  z' = w x,  y = c x                          (1)

B is its bandwidth. Up to |Omega| = Omega_max the phase of the prototype is within +-phi, and its
size above a limit; this is where the band-pass is usable, from f_a to f_b with

    (2 pi)^2 f_a f_b = w^2,  2 pi (f_b - f_a) = B Omega_max                (2)

so that all bands of one bandwidth have the same usable width B Omega_max. Bands differ in w alone.
In coordinates with A + A^T = -c^T c,

    (x.x + z.z)' = -B y^2 + 2 B x.b u                                      (3)

whatever w does: states may be carried over from band to band at any time. They stay bounded, and y
is continuous. A bank of filters that all run, one of which is chosen, would jump by up to 2 phi
times the amplitude, and have six states for each band.

Sampled by the trapezoidal rule, (1) keeps its limits exactly if frequencies f in (2) are warped to
tan(pi f h) / (pi h). SciPy's ellipap designs the prototype.
"""

import numpy as np

MAX_BANDS = 1000  # bands


def prototype(ripple, stop):
    """A, b, c of the elliptic low-pass; ripple and attenuation in dB."""
    from scipy import linalg, signal

    A, b, c, _ = signal.zpk2ss(*signal.ellipap(3, ripple, stop))
    gramian = linalg.solve_continuous_lyapunov(A.T, -c.T @ c)
    root = linalg.cholesky(gramian)
    back = linalg.inv(root)
    return root @ A @ back, (root @ b).ravel(), (c @ back).ravel()


def omega_max(A, b, c, phase, amplitude):
    """Largest Omega up to which phase, in rad, and amplitude keep their limits."""
    from scipy import optimize

    def excess(omega):
        H = c @ np.linalg.solve(1j * omega * np.eye(3) - A, b)
        return max(abs(np.angle(H)) - phase, amplitude - abs(H))

    omegas = np.linspace(0.0, 1.0, 1001)
    outside = np.flatnonzero([excess(omega) > 0.0 for omega in omegas])
    if not len(outside):
        return 1.0
    if outside[0] == 0:
        return 0.0
    return optimize.brentq(excess, omegas[outside[0] - 1], omegas[outside[0]], xtol=1e-14)


def lower_edges(f_low, f_high, width, overlap):
    """Where usable intervals of this width begin, that overlap by a part of it, up to f_high."""
    step = (1.0 - overlap) * width
    number = 1 + max(0, int(np.ceil((f_high - f_low - width) / step - 1e-9)))
    return f_low + step * np.arange(number)


def design(f_low, f_high, ripple, stop, amplitude, phase, overlap, W):
    """Prototype A, b, c, its Omega_max, and where bands begin and how far they are usable."""
    A, b, c = prototype(ripple, stop)
    reach = omega_max(A, b, c, phase, amplitude)
    return A, b, c, reach, lower_edges(f_low, f_high, reach * W, overlap), reach * W


def design_problem(f_low, f_high, ripple, stop, amplitude, phase, overlap, W):
    """What is wrong with the limits of a bank, or None."""
    if f_high <= f_low:
        return f"f_high = {f_high:g} Hz; expected more than f_low = {f_low:g} Hz"
    reach = omega_max(*prototype(ripple, stop), phase, amplitude)
    number = (f_high - f_low) / max((1.0 - overlap) * reach * W, 1e-12)
    if number > MAX_BANDS:
        return (
            f"the limits need {number:.0f} bands with {reach * W:.3g} Hz of use in each; expected "
            f"up to {MAX_BANDS}: raise W, or `phase`"
        )


def tuned(edges, width, omega_max, warp=0.0):
    """w and B of the bands that are usable from `edges` over `width`; warped for a sample time."""
    low, high = 2.0 * np.pi * edges, 2.0 * np.pi * (edges + width)
    if warp > 0.0:
        low, high = (2.0 / warp * np.tan(0.5 * warp * w) for w in (low, high))
    return np.sqrt(low * high), (high - low) / omega_max  # (2)


def band_response(s, A, b, c, w, B):
    """y / u of (1) at complex frequencies s: that of the prototype at (s^2 + w^2) / (B s)."""
    poles, residues = _partial_fractions(A, b, c)
    p = (s * s + w * w) / (B * s)
    return np.sum(residues[:, None] / (p - poles[:, None]), axis=0)


def bank_responses(s, A, b, c, w, B, f_noise):
    """Responses of the low-pass, unless f_noise is None, and of all bands, by name."""
    low = {} if f_noise is None else {"low-pass": low_pass_response(s, f_noise)}
    return low | {"band": np.array([band_response(s, A, b, c, w_i, B) for w_i in w])}


def low_pass_response(s, f):
    """y / u of a Butterworth low-pass of second order with the corner f."""
    p = s / (2.0 * np.pi * f)
    return 1.0 / (p * p + np.sqrt(2.0) * p + 1.0)


def sampled_response(z, Phi, Gamma, c):
    """y / u of x_k = Phi x_{k-1} + Gamma (u_k + u_{k-1}), y = c x, at complex z."""
    poles, residues = _partial_fractions(Phi, Gamma, c)
    return np.sum(residues[:, None] * (z + 1.0) / (z - poles[:, None]), axis=0)


def _partial_fractions(A, b, c):
    """Poles and residues of c (p - A)^-1 b."""
    poles, vectors = np.linalg.eig(A)
    return poles, (c @ vectors) * np.linalg.solve(vectors, b)


def trapezoidal(A, b, h):
    """Phi, Gamma of x_k = Phi x_{k-1} + Gamma (u_k + u_{k-1}) for x' = A x + b u."""
    half = 0.5 * h * A
    left = np.eye(len(A)) - half
    return np.linalg.solve(left, np.eye(len(A)) + half), np.linalg.solve(left, 0.5 * h * b)


def sampled_bands(A, b, w, B, h):
    """The matrices of trapezoidal() for (x, z) of each band."""
    matrices = []
    for w_i, B_i in zip(w, B, strict=True):
        turn = w_i * np.eye(3)
        system = np.block([[B_i * A, -turn], [turn, np.zeros((3, 3))]])
        matrices.append(trapezoidal(system, np.concatenate([B_i * b, np.zeros(3)]), h))
    return np.array([m[0] for m in matrices]), np.array([m[1] for m in matrices])


def sampled_low_pass(f, h):
    """The matrices of trapezoidal() for the output of a low-pass and its rate over 2 pi f."""
    w = 2.0 / h * np.tan(np.pi * f * h)
    return trapezoidal(w * np.array([[0.0, 1.0], [-1.0, -np.sqrt(2.0)]]), np.array([0.0, w]), h)


def band_holding(f, edges, width, margin):
    """The band that holds f best, by overlapping intervals; -1 below the first."""
    if f < edges[0] + 0.5 * margin:
        return -1
    band = int((f - edges[0] - 0.5 * margin) / (width - margin))
    return min(band, len(edges) - 1)


def outside(f, band, edges, width, margin):
    """How far f is outside of its band, negative inside; the last band has no upper end."""
    if band < 0:
        return f - edges[0] - margin
    if band >= len(edges) - 1:
        return edges[len(edges) - 1] - f
    return max(f - edges[band] - width, edges[band] - f)
