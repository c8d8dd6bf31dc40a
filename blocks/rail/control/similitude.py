"""Similitude of a scaled rig: the factor full scale / model of every mechanical quantity.

Three factors are chosen, those of length, time and mass; the others follow from the dimension
L^l T^t M^m of a quantity,

    phi = phi_l^l phi_t^t phi_m^m                                          (1)

Two quantities do not follow, since the rig has the gravity and the steel of the full scale:

    phi_weight = phi_m,  phi_young_modulus = 1                             (2)

They agree with (1) only if phi_force = phi_weight, that is phi_l = phi_t^2, and if phi_force =
phi_l^2. Source of the Iwnicki factors: Conti et al. (2012), Table 1.
"""

from dataclasses import dataclass

# powers of length, time and mass
DIMENSIONS = {
    "length": (1, 0, 0),
    "time": (0, 1, 0),
    "frequency": (0, -1, 0),
    "angular_velocity": (0, -1, 0),
    "angular_acceleration": (0, -2, 0),
    "velocity": (1, -1, 0),
    "acceleration": (1, -2, 0),
    "mass": (0, 0, 1),
    "density": (-3, 0, 1),
    "unbalance": (1, 0, 1),
    "inertia": (2, 0, 1),
    "force": (1, -2, 1),
    "contact_force": (1, -2, 1),
    "torque": (2, -2, 1),
    "stiffness": (0, -2, 1),
    "damping": (0, -1, 1),
    "rotational_stiffness": (2, -2, 1),
    "rotational_damping": (2, -1, 1),
    "power": (2, -3, 1),
    "energy": (2, -2, 1),
}
QUANTITIES = (*DIMENSIONS, "weight", "young_modulus")

TABLE_1 = {
    "length": 5.0,
    "time": 1.0,
    "velocity": 5.0,
    "acceleration": 5.0,
    "mass": 125.0,
    "force": 625.0,
    "density": 1.0,
    "young_modulus": 1.0,
    "weight": 125.0,
    "stiffness": 125.0,
    "contact_force": 625.0,
    "damping": 125.0,
    "torque": 3125.0,
}
"""Conti et al. (2012), Table 1, as printed."""


@dataclass(frozen=True)
class Similitude:
    """Factors of length, time and mass."""

    phi_l: float
    phi_t: float
    phi_m: float

    def factor(self, quantity: str) -> float:
        """The factor full scale / model of a quantity."""
        if quantity == "weight":
            return self.phi_m  # (2)
        if quantity == "young_modulus":
            return 1.0  # (2)
        length, time, mass = DIMENSIONS[quantity]
        return self.phi_l**length * self.phi_t**time * self.phi_m**mass  # (1)


SCALINGS = {"iwnicki": Similitude(5.0, 1.0, 125.0)}
