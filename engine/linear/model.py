"""Linear models: x' = A x + B u, y = C x + D u, or in steps of a sample time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DiagramError

if TYPE_CHECKING:
    from control import StateSpace

CONTROL_MISSING = "python-control is not installed; pip install 'railblocks[control]'"


@dataclass(frozen=True, eq=False)
class LinearModel:
    """A linear model with names and units of states, inputs and outputs.

    Without sample time x' = A x + B u and y = C x + D u; with one, x is that of the next sample and
    inputs are held from sample to sample. Small changes about `time` of the diagram `title` are
    what it describes. `error` is the estimated relative error of the matrices, and `warnings` say
    what a linear model leaves out.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    units: dict[str, str] = field(default_factory=dict)
    sample_time: float | None = None
    title: str = ""
    time: float = 0.0
    error: float = 0.0
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def poles(self) -> np.ndarray:
        """Eigenvalues of A, the least damped first."""
        return sorted_poles(np.linalg.eigvals(self.A), self.sample_time)

    @property
    def zeros(self) -> np.ndarray:
        """Transmission zeros: where outputs can stay at rest while inputs do not."""
        from .zeros import transmission_zeros

        return sorted_poles(transmission_zeros(self.A, self.B, self.C, self.D), self.sample_time)

    @property
    def rates(self) -> np.ndarray:
        """Poles as rates in 1/s: those themselves, or ln(z) / T of a sampled model."""
        return as_rates(self.poles, self.sample_time)

    @property
    def is_stable(self) -> bool:
        """Whether all small motions decay."""
        return bool(np.all(self.rates.real < 0.0))

    def response(self, omega: np.ndarray | float) -> np.ndarray:
        """Complex responses at frequencies in rad/s: an axis of frequencies, outputs, inputs."""
        from .response import response

        s = 1j * np.atleast_1d(np.asarray(omega, dtype=float))
        points = s if self.sample_time is None else np.exp(s * self.sample_time)
        return response(self.A, self.B, self.C, self.D, points)

    def only(self, output: str | int = 0, input: str | int = 0) -> LinearModel:
        """The model of one output and one input."""
        i = _index(output, self.outputs, "output")
        j = _index(input, self.inputs, "input")
        return replace(
            self,
            B=self.B[:, j : j + 1],
            C=self.C[i : i + 1],
            D=self.D[i : i + 1, j : j + 1],
            inputs=self.inputs[j : j + 1],
            outputs=self.outputs[i : i + 1],
        )

    def data(self) -> dict[str, Any]:
        """The model as lists and texts, for JSON."""
        return {
            "title": self.title,
            "time": self.time,
            "sample_time": self.sample_time,
            "states": list(self.states),
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
            "units": dict(self.units),
            "A": self.A.tolist(),
            "B": self.B.tolist(),
            "C": self.C.tolist(),
            "D": self.D.tolist(),
            "poles": pairs(self.poles),
            "zeros": pairs(self.zeros),
            "stable": self.is_stable,
            "error": self.error,
            "warnings": list(self.warnings),
            "notes": list(self.notes),
        }

    def to_scipy(self) -> Any:
        """The model as `scipy.signal.StateSpace`."""
        from scipy.signal import StateSpace

        matrices = (self.A, self.B, self.C, self.D)
        if self.sample_time is None:
            return StateSpace(*matrices)
        return StateSpace(*matrices, dt=self.sample_time)

    def to_control(self) -> StateSpace:
        """The model as `control.StateSpace`, with the names; needs python-control."""
        try:
            import control
        except ImportError:
            raise DiagramError(CONTROL_MISSING) from None
        return control.StateSpace(
            *(self.A, self.B, self.C, self.D),
            0 if self.sample_time is None else self.sample_time,
            states=[_control_name(n) for n in self.states],
            inputs=[_control_name(n) for n in self.inputs],
            outputs=[_control_name(n) for n in self.outputs],
            remove_useless_states=False,
        )


def sorted_poles(values: np.ndarray, sample_time: float | None = None) -> np.ndarray:
    """Poles or zeros, the least damped first; of a pair, the one above the real axis."""
    values = np.asarray(values, dtype=complex)
    growth = values.real if sample_time is None else np.abs(values)
    scale = 1e-9 * max(float(np.abs(values).max(initial=0.0)), 1e-300)
    return values[np.lexsort((-values.imag, np.abs(values.imag), -np.round(growth / scale)))]


def as_rates(values: np.ndarray, sample_time: float | None) -> np.ndarray:
    """Eigenvalues in 1/s: themselves, or ln(z) / T; minus infinity of what is gone in a step."""
    if sample_time is None:
        return values
    values = np.asarray(values, dtype=complex)
    rates = np.full(values.shape, complex(-np.inf, 0.0))
    rates[values != 0.0] = np.log(values[values != 0.0]) / sample_time
    return rates


def pairs(values: np.ndarray) -> list[list[float]]:
    """Complex numbers as pairs of real and imaginary part."""
    return [[float(value.real), float(value.imag)] for value in values]


def _index(name: str | int, names: tuple[str, ...], what: str) -> int:
    if isinstance(name, int):
        if not -len(names) <= name < len(names):
            raise DiagramError(f"there are {len(names)} {what}s; {name} is none of them")
        return name % len(names)
    if name not in names:
        raise DiagramError(f"'{name}' is not an {what}; known are {', '.join(names) or 'none'}")
    return names.index(name)


def _control_name(name: str) -> str:
    """python-control keeps dots for itself."""
    return name.replace(".", "_")
