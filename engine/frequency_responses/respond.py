"""Frequency responses of a diagram as it is, nonlinear and sampled, by shaking it.

A sine is added to a signal until what follows repeats; then, by least squares,

    y = a + Im(Y exp(j omega t)),  H = Y / A                               (1)

once the drift from window to window is taken off. The windows are whole numbers of periods, and the
coherence is the part of what varies in y that the sine explains. A chirp
sweeps over all frequencies again and again; with U and Y the transforms of one of its periods, in
bands about each frequency,

    H = sum Y U* / sum |U|^2,  coherence = |sum Y U*|^2 / (sum |U|^2 sum |Y|^2)      (2)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..analysis.checking import Checked
from ..diagram.diagram import Diagram
from ..errors import DiagramError, Position, SimulationError
from ..linear.frequencies import frequencies_of
from ..linear.linearise import Ends, Linearisation, checked_at
from ..linear.model import LinearModel
from ..linear.sampled import Period
from ..operating_points.point import OperatingPoint
from ..operating_points.starting import starting_at
from .recording import Shaken

METHODS = ("sines", "chirp")
POINTS, MOST_POINTS = 25, 2000
PER_PERIOD = 256
WINDOW_PERIODS, LEAST_ROWS = 3, 48
MOST_WINDOWS, SETTLED = 60, 1e-5
CHIRP_TURNS, MOST_CHIRPS = 10.0, 12
BAND = 0.03
"""Half the width of a band of a chirp's frequencies, over its frequency."""
AMPLITUDE = 0.01
"""Amplitude over the size of a signal, or over 1 if that is larger."""

Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class FrequencyResponse:
    """A response over frequencies in Hz, its coherence, and what the linear model says.

    `settled` tells where what followed did repeat. Angles of `values` are those of the output
    against what was added to the input.
    """

    input: str
    output: str
    frequencies: np.ndarray
    values: np.ndarray
    coherence: np.ndarray
    settled: np.ndarray
    amplitude: float
    method: str
    unit: str = ""
    sample_time: float | None = None
    model: LinearModel | None = None
    title: str = ""
    notes: tuple[str, ...] = ()

    @property
    def linear(self) -> np.ndarray | None:
        """The response of the linear model at the same frequencies; None where there is none."""
        if self.model is None:
            return None
        return self.model.response(2.0 * np.pi * self.frequencies)[:, 0, 0]

    def data(self) -> dict[str, Any]:
        """The response as lists, for JSON."""
        linear = self.linear
        return {
            "input": self.input,
            "output": self.output,
            "method": self.method,
            "amplitude": self.amplitude,
            "sample_time": self.sample_time,
            "frequencies": self.frequencies.tolist(),
            "response": [[float(v.real), float(v.imag)] for v in self.values],
            "coherence": self.coherence.tolist(),
            "settled": [bool(s) for s in self.settled],
            "linear": None if linear is None else [[float(v.real), float(v.imag)] for v in linear],
            "notes": list(self.notes),
        }


def respond(
    diagram: Diagram | Checked,
    input: str,
    output: str,
    *,
    band: tuple[float, float] | None = None,
    points: int = POINTS,
    amplitude: float | None = None,
    method: str = "sines",
    point: OperatingPoint | None = None,
    compiled: bool = True,
    tell: Tell = lambda done, total: None,
) -> FrequencyResponse:
    """The frequency response from what is added at one port to what is read at another.

    `band` are frequencies in Hz, by default those about the poles of the linear model; `amplitude`
    is in the unit of the input, by default a hundredth of its signal. Where sampled blocks lie on
    the way, the wave is held over their common period and the output read at its beginning, as in
    the linear model.
    """
    if method not in METHODS:
        raise DiagramError(f"'{method}' is not a method; expected {' or '.join(METHODS)}")
    if not 2 <= points <= MOST_POINTS:
        raise DiagramError(f"{points} frequencies; expected 2 to {MOST_POINTS}")
    checked = diagram if isinstance(diagram, Checked) else checked_at(diagram, point)
    shaking = _Shaking(checked, input, output, point, compiled)
    low, high = shaking.band(band)
    size = shaking.amplitude(amplitude)
    frequencies = np.geomspace(low, high, points)
    if method == "sines":
        found = [shaking.sine(f, size, tell, k, points) for k, f in enumerate(frequencies)]
        f, values, coherence, settled = (np.array(part) for part in zip(*found, strict=True))
    else:
        f, values, coherence, settled = shaking.chirp(frequencies, size, tell)
    step = None if shaking.period is None else float(shaking.period.length)
    return FrequencyResponse(
        shaking.input.names[0], shaking.output_name, f, values, coherence, settled, size, method,
        shaking.input.unit, step, shaking.model, checked.model.title or checked.model.file,
        tuple(shaking.notes(settled)),
    )  # fmt: skip


class _Shaking:
    """A diagram with the two ports, its linear model, and runs with waves."""

    def __init__(
        self,
        checked: Checked,
        input: str,
        output: str,
        point: OperatingPoint | None,
        compiled: bool,
    ):
        linearisation = Linearisation(checked, Ends((input,), (output,)), point, None, compiled)
        self.input, read = linearisation.inputs[0], linearisation.outputs[0]
        for end, option in ((self.input, "--from"), (read, "--to")):
            if len(end.elements) != 1:
                raise DiagramError(
                    f"{end.name} has {len(end.elements)} elements; name one, as {end.name}[0]",
                    Position(option),
                )
        self.output_name = read.names[0]
        self.period: Period | None = linearisation.period
        self.present = linearisation.input_value()
        try:
            self.model: LinearModel | None = linearisation.model()
        except SimulationError:
            self.model = None
        self._places = linearisation.places_behind_waves()
        self._checked = starting_at(checked, point) if point is not None else checked
        self._compiled = compiled

    def band(self, given: tuple[float, float] | None) -> tuple[float, float]:
        """Frequencies in Hz, rising, below half the sample rate."""
        highest = math.inf if self.period is None else 0.5 / float(self.period.length)
        if given is None:
            omega = frequencies_of(self.model) if self.model is not None else np.array([0.1, 100.0])
            low, high = float(omega[0]) * 10.0, float(omega[-1]) / 10.0
            given = low / (2.0 * math.pi), min(high / (2.0 * math.pi), 0.8 * highest)
        low, high = given
        if not 0.0 < low < high < highest:
            below = f" and below {highest:g} Hz" if highest < math.inf else ""
            raise DiagramError(
                f"frequencies from {low:g} to {high:g} Hz; expected a rising pair above 0{below}",
                Position("--range"),
            )
        return low, high

    def amplitude(self, given: float | None) -> float:
        if given is None:
            return AMPLITUDE * max(abs(self.present), 1.0)
        if not 0.0 < given < math.inf:
            raise DiagramError(
                f"an amplitude of {given:g}; expected one above 0", Position("--amplitude")
            )
        return given

    def notes(self, settled: np.ndarray) -> list[str]:
        texts = []
        if self.model is None:
            texts.append("there is no linear model to compare with")
        else:
            texts += [*self.model.warnings, *self.model.notes]
        if not np.all(settled):
            texts.append(
                f"at {int(np.sum(~settled))} of {len(settled)} frequencies what follows did not "
                "repeat within the time that was given to it"
            )
        return texts

    # --- sines ---------------------------------------------------------------------------------
    def sine(
        self, frequency: float, size: float, tell: Tell, done: int, total: int
    ) -> tuple[float, complex, float, bool]:
        """The response at a frequency, its coherence, and whether it did settle."""
        if self.period is None:
            step = Fraction(1.0 / frequency / PER_PERIOD).limit_denominator(10**12)
            frequency = float(1 / (step * PER_PERIOD))
            count = WINDOW_PERIODS * PER_PERIOD
        else:
            step = self.period.length
            per_second = 1.0 / float(step)
            count = max(math.ceil(WINDOW_PERIODS * per_second / frequency), LEAST_ROWS)
            frequency = max(round(frequency * count / per_second), 1) * per_second / count
        values = {"amplitude": size, "frequency": frequency}
        shaken = Shaken(
            self._checked, self.input, self._places, self.period, step, values,
            compiled=self._compiled,
        )  # fmt: skip
        begin = float(shaken.begin)
        before: complex | None = None
        found, coherence, mean = 0j, 0.0, math.nan
        for _ in range(MOST_WINDOWS):
            tell(done, total)
            times, signals = shaken.take(count)
            y = signals[:, 0]
            drift = 0.0 if math.isnan(mean) else (float(y.mean()) - mean) / count
            mean = float(y.mean())
            y = y - drift * np.arange(count)
            found, coherence = _fitted(times - begin, y, frequency, size)
            if before is not None and abs(found - before) <= SETTLED * abs(found) + 1e-300:
                return frequency, found, coherence, True
            before = found
        return frequency, found, coherence, False

    # --- chirp ---------------------------------------------------------------------------------
    def chirp(self, frequencies: np.ndarray, size: float, tell: Tell) -> tuple[np.ndarray, ...]:
        """The response over all frequencies from periods of a chirp."""
        low, high = float(frequencies[0]), float(frequencies[-1])
        ratio = high / low
        turns = max(round(CHIRP_TURNS * (ratio - 1.0) / math.log(ratio)), 1)
        length = turns * math.log(ratio) / (low * (ratio - 1.0))
        if self.period is None:
            count = 2 ** math.ceil(math.log2(16.0 * high * length))
            step = Fraction(length / count).limit_denominator(10**15)
        else:
            step = self.period.length
            count = max(round(length / float(step)), 4)
        length = float(count * step)
        low = turns * math.log(ratio) / (length * (ratio - 1.0))
        values = {"amplitude": size, "frequency": low, "ratio": ratio, "length": length}
        shaken = Shaken(
            self._checked, self.input, self._places, self.period, step, values, True,
            self._compiled,
        )  # fmt: skip
        wave = _chirp(np.arange(count) * float(step), values)
        bins = np.fft.rfftfreq(count, float(step))
        U = np.fft.rfft(wave)
        before: np.ndarray | None = None
        settled = False
        last: list[np.ndarray] = []
        for done in range(MOST_CHIRPS):
            tell(done, MOST_CHIRPS)
            _, signals = shaken.take(count)
            Y = np.fft.rfft(_without_line(signals[:, 0]))
            last = [*last[-1:], Y]
            if before is not None:
                inside = (bins >= low) & (bins <= low * ratio)
                change = np.linalg.norm((Y - before)[inside])
                settled = bool(change <= SETTLED * np.linalg.norm(Y[inside]))
            if settled:
                break
            before = Y
        return _in_bands(frequencies, bins, U, last, settled)


def _fitted(
    times: np.ndarray, y: np.ndarray, frequency: float, size: float
) -> tuple[complex, float]:
    """The response (1) and its coherence, over times from the beginning of the wave."""
    turn = 2.0 * math.pi * np.modf(times * frequency)[0]
    basis = np.stack([np.ones_like(times), np.sin(turn), np.cos(turn)], axis=1)
    fit = np.linalg.lstsq(basis, y, rcond=None)[0]
    explained = basis[:, 1:] @ fit[1:]
    rest = y - basis @ fit
    power, left = float(explained @ explained), float(rest @ rest)
    coherence = power / (power + left) if power + left > 0.0 else 0.0
    return complex(fit[1], fit[2]) / size, coherence


def _without_line(y: np.ndarray) -> np.ndarray:
    return y - y.mean()


def _chirp(times: np.ndarray, values: dict[str, float]) -> np.ndarray:
    ratio, length = values["ratio"], values["length"]
    turns = values["frequency"] * length / math.log(ratio) * (ratio ** (times / length) - 1.0)
    return values["amplitude"] * np.sin(2.0 * math.pi * turns)


def _in_bands(
    frequencies: np.ndarray,
    bins: np.ndarray,
    U: np.ndarray,
    last: Sequence[np.ndarray],
    settled: bool,
) -> tuple[np.ndarray, ...]:
    """Responses (2) in narrow bands about frequencies; those without a wave are left out."""
    rows = []
    for f in frequencies:
        inside = np.abs(bins - f) <= max(BAND * f, 1.5 * bins[1])
        inside &= np.abs(U) > 1e-9 * np.abs(U).max()
        if not np.any(inside):
            continue
        own = np.abs(U[inside]) ** 2
        cross = sum(np.sum(Y[inside] * U[inside].conj()) for Y in last)
        power = sum(float(np.sum(np.abs(Y[inside]) ** 2)) for Y in last)
        total = len(last) * float(own.sum())
        centre = float(np.sum(bins[inside] * own) / own.sum())
        coherence = abs(cross) ** 2 / (total * power) if power > 0.0 else 0.0
        rows.append((centre, complex(cross / total), min(float(coherence), 1.0), settled))
    centres, values, coherences, flags = zip(*rows, strict=True)
    return np.array(centres), np.array(values), np.array(coherences), np.array(flags)
