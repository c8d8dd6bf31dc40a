"""One wheel on a rail, from Python: a pose and a load in; contacts, creepages and forces out.

```python
wheel = WheelOnRail(law="fastsim", normal="elliptic")
touch = wheel.touch(y="3 mm", yaw="2 mrad", load="50 kN", v=20)
print(touch.contacts[0].N, touch.F)
```

Parameters are those of the block `rail.contact_wheel_rail`, and so is what is computed; numbers are
in SI units, or text with a unit. Frames are those of `wheel_contact`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from railblocks.engine import DiagramBuilder, DiagramError, check
from railblocks.engine import compiled as compiled_function
from railblocks.engine.units import UnitError, parse_quantity, parse_unit

from .contact_methods import METHODS
from .geometry.contacts import HALF_LENGTH, MAX_ROWS, N_X, N_Y, N_Z, P_X, P_Z, Y_R, Y_W
from .normal_contacts import NORMALS
from .records import AxleMotion, Material, Profiles
from .static_contact import HEIGHT_STEP, LAST_HEIGHT, START_HEIGHT
from .tangential.laws import LAWS
from .touching import touch_wheel
from .wheel_forces import (
    COLUMNS,
    DELTA,
    ETA,
    LOAD,
    M_SP,
    PHI,
    SEMI_A,
    SEMI_B,
    T_X,
    T_Y,
    XI,
)

BLOCK = "rail.contact_wheel_rail"
VERTICAL = {"load": "N", "approach": "m", "height": "m"}
"""What may fix the wheel's height, and its unit."""
Number = float | str


class Contact(NamedTuple):
    """One contact of a wheel, in SI units; forces act on the wheel."""

    y_w: float
    """Position on the wheel's profile, from the running circle, towards the field side."""
    y_r: float
    """Position on the rail, from the middle of the track."""
    point: tuple[float, float, float]
    """Point of the rail in the track's frame."""
    normal: tuple[float, float, float]
    """Normal of the rail there, towards the wheel."""
    angle: float
    """Angle of the tangent plane across the rail, positive on the gauge side."""
    approach: float
    N: float
    """Normal force."""
    a: float
    """Semi-axis of the patch along rolling."""
    b: float
    """Semi-axis of the patch across."""
    p_0: float
    """Largest pressure."""
    xi: float
    """Longitudinal creepage."""
    eta: float
    """Lateral creepage."""
    phi: float
    """Spin creepage, in 1/m."""
    T_x: float
    """Longitudinal creep force."""
    T_y: float
    """Lateral creep force."""
    M_z: float
    """Moment about the normal."""


class Touch(NamedTuple):
    """A wheel in a pose: its contacts from the flange outwards, and their sums on the wheel."""

    contacts: tuple[Contact, ...]
    F: tuple[float, float, float]
    """Force on the wheel, in the track's frame."""
    M: tuple[float, float, float]
    """Moment on the wheel about the axle's middle."""
    height: float
    """Displacement of the axle's middle, upwards from r_0 above the rails."""


class WheelOnRail:
    """A wheel and its rail with given parameters; DiagramError tells all that is wrong with them.

    With `compiled` a `touch` takes less than a millisecond, and the first one some seconds.
    """

    def __init__(self, *, compiled: bool = False, **parameters: Any) -> None:
        values = _values_of(parameters)
        self.r_0, self.y_0 = values["r_0"], values["y_0"]
        self._side = 1.0 if values["side"] == "left" else -1.0
        self._h = values["h"] * values["scale"]
        self._profiles = Profiles(values["tread"], values["nodes"], values["head"])
        self._material = Material(*(values[name] for name in Material._fields))
        chosen = (METHODS[values["method"]], NORMALS[values["normal"]], LAWS[values["law"]])
        kernel = _kernel(*chosen)
        self._touch = compiled_function(kernel) if compiled else kernel

    def touch(
        self,
        y: Number = 0.0,
        yaw: Number = 0.0,
        roll: Number = 0.0,
        *,
        load: Number | None = None,
        approach: Number | None = None,
        height: Number | None = None,
        v: Number | Sequence[Number] = 0.0,
        omega: Number | Sequence[Number] | None = None,
    ) -> Touch:
        """Contacts of the wheel, its axle displaced by y, turned by yaw and rolled by roll.

        Its height follows from one of `load` (the vertical force of its contacts), `approach`
        (of its deepest contact) or `height`. v is the speed along the track, or three velocities
        of the axle's middle; omega the speed of the wheels about their axle, or three angular
        velocities. Without omega the wheel turns at v / r_0. DiagramError says what is wrong.
        """
        G_y, alpha, beta = _si("y", y, "m"), _si("yaw", yaw, "rad"), _si("roll", roll, "rad")
        velocity = self._velocity(v)
        angular = self._angular(omega, velocity, alpha, beta)

        def at(dz: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            contacts, F, M = np.zeros((MAX_ROWS, COLUMNS)), np.zeros(3), np.zeros(3)
            G = (0.0, G_y, self.r_0 + dz)
            axle = AxleMotion(G, alpha, beta, velocity, angular, 0.0)
            n = self._touch(axle, self._profiles, self._h, self._material, contacts, F, M)
            return contacts[: int(n)], F, M

        given = {"load": load, "approach": approach, "height": height}
        dz = self._height(at, {name: x for name, x in given.items() if x is not None})
        contacts, F, M = at(dz)
        rows = sorted((self._contact(row) for row in contacts), key=lambda contact: contact.y_w)
        return Touch(tuple(rows), _three(F), _three(M), dz)

    def _velocity(self, v: Number | Sequence[Number]) -> np.ndarray:
        if isinstance(v, (str, int, float)):
            return np.array([_si("v", v, "m/s"), 0.0, 0.0])
        return _vector("v", v, "m/s")

    def _angular(self, omega: Any, v: np.ndarray, alpha: float, beta: float) -> np.ndarray:
        """Angular velocity in the track's frame; one number is that about the axle."""
        if omega is not None and not isinstance(omega, (str, int, float)):
            return _vector("omega", omega, "rad/s")
        speed = v[0] / self.r_0 if omega is None else _si("omega", omega, "rad/s")
        across = math.cos(beta)
        axle = (-math.sin(alpha) * across, math.cos(alpha) * across, math.sin(beta))
        return speed * np.array(axle)

    def _height(self, at: Callable[[float], Any], given: dict[str, Number]) -> float:
        """The displacement at which the wheel has what is given."""
        from scipy.optimize import brentq

        if len(given) != 1:
            names = " and ".join(given) or "nothing"
            raise DiagramError(f"{names} given; expected one of load, approach and height")
        ((name, value),) = given.items()
        wanted = _si(name, value, VERTICAL[name])
        if name == "height":
            return wanted
        if not wanted > 0.0:
            raise DiagramError(f"{name} = {wanted:g} {VERTICAL[name]}; expected more than 0")

        def missing(dz: float) -> float:
            contacts, F, _ = at(dz)
            if name == "load":
                return float(F[2]) - wanted
            return float(np.max(contacts[:, DELTA], initial=0.0)) - wanted

        high, step = (START_HEIGHT - 1.0) * self.r_0, HEIGHT_STEP * self.r_0
        if missing(high) >= 0.0:
            raise DiagramError(
                f"already {high:.4g} m above its nominal height the wheel has more than {name} = "
                f"{wanted:g} {VERTICAL[name]}; expected its tread over the rail, not its flange: "
                "check y, y_0 and gauge"
            )
        low = high - step
        while missing(low) < 0.0:
            if low < (LAST_HEIGHT - 1.0) * self.r_0:
                raise DiagramError(
                    f"{-low:.4g} m below its nominal height the wheel still has less than {name} = "
                    f"{wanted:g} {VERTICAL[name]}; expected a wheel over the rail: check y, y_0 "
                    "and gauge"
                )
            low, high = low - step, low
        return float(brentq(missing, low, high, xtol=1e-15))

    def _contact(self, row: np.ndarray) -> Contact:
        a, b, N = float(row[SEMI_A]), float(row[SEMI_B]), float(row[LOAD])
        factor = 1.0 if row[HALF_LENGTH] > 0.0 else 1.5
        pressure = factor * N / (math.pi * a * b) if a > 0.0 and b > 0.0 else 0.0
        return Contact(
            self._side * float(row[Y_W]) - self.y_0,
            float(row[Y_R]),
            _three(row[P_X : P_Z + 1]),
            _three(row[N_X : N_Z + 1]),
            math.atan2(-self._side * float(row[N_Y]), math.hypot(row[N_X], row[N_Z])),
            float(row[DELTA]), N, a, b, pressure,
            float(row[XI]), float(row[ETA]), float(row[PHI]),
            float(row[T_X]), float(row[T_Y]), float(row[M_SP]),
        )  # fmt: skip


def wheel_on_rail(
    y: Number = 0.0, yaw: Number = 0.0, roll: Number = 0.0, *,
    load: Number | None = None, approach: Number | None = None, height: Number | None = None,
    v: Number | Sequence[Number] = 0.0, omega: Number | Sequence[Number] | None = None,
    **parameters: Any,
) -> Touch:  # fmt: skip
    """Contacts of one wheel in one pose, as `WheelOnRail.touch`; parameters as in the block."""
    wheel = WheelOnRail(**parameters)
    return wheel.touch(y, yaw, roll, load=load, approach=approach, height=height, v=v, omega=omega)


@cache
def _kernel(detect, normal, law):
    """The kernel of a wheel for one method, normal contact and law."""

    def touch(axle, profiles, h, material, contacts, F, M):
        n, _ = touch_wheel(detect, normal, law, axle, profiles, False, h, material, contacts, F, M)
        return n

    return touch


def _values_of(parameters: dict[str, Any]) -> dict[str, Any]:
    """All values of the block, with what it derives; DiagramError with all problems."""
    diagram = DiagramBuilder("one wheel")
    diagram.add("wheel", BLOCK, **parameters)
    for port in ("dG", "v", "omega"):
        diagram.add(port, "sources.constant", value=[0.0, 0.0, 0.0])
        diagram.connect(port, f"wheel.{port}")
    diagram.solver(stop=1)
    return dict(check(diagram.build()).model.blocks["wheel"].values)


def _vector(name: str, values: Sequence[Number], unit: str) -> np.ndarray:
    if len(values) != 3:
        raise DiagramError(f"{name} has {len(values)} numbers; expected one or three")
    return np.array([_si(name, value, unit) for value in values])


def _si(name: str, value: Number, unit: str) -> float:
    """A number in SI units, from a number or a text with a unit."""
    number: Any = value
    if isinstance(value, str):
        try:
            quantity = parse_quantity(value)
            number = float(value) if quantity is None else quantity.to(parse_unit(unit))
        except (UnitError, ValueError) as error:
            raise DiagramError(
                f"{name} = '{value}' ({error}); expected a number in {unit}, or one with a unit"
            ) from None
    if not isinstance(number, (int, float, np.number)) or not math.isfinite(number):
        raise DiagramError(f"{name} = {value!r}; expected a finite number in {unit}")
    return float(number)


def _three(values: np.ndarray) -> tuple[float, float, float]:
    x, y, z = map(float, values)
    return x, y, z
