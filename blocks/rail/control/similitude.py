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
        """Full scale / model."""
        if quantity == "weight":
            return self.phi_m  # (2)
        if quantity == "young_modulus":
            return 1.0  # (2)
        length, time, mass = DIMENSIONS[quantity]
        return self.phi_l**length * self.phi_t**time * self.phi_m**mass  # (1)

    def factors(self) -> dict[str, float]:
        return {quantity: self.factor(quantity) for quantity in QUANTITIES}

    @property
    def load_factor(self) -> float:
        """How much too heavy the model is for its forces: phi_force / phi_weight."""
        return self.factor("force") / self.factor("weight")

    def mismatches(self, rel: float = 1e-9) -> list[str]:
        """What cannot be similar at the same time, one sentence each."""
        force, weight = self.factor("force"), self.factor("weight")
        stress = force / self.factor("length") ** 2
        messages = []
        if abs(force - weight) > rel * force:
            messages.append(
                f"force has the factor {force:g}, weight {weight:g}: loads of the model count as "
                f"{force / weight:g} times those of the full scale"
            )
        if abs(stress - 1.0) > rel:
            messages.append(
                f"stress has the factor {stress:g}, Young's modulus 1: strains of the model are "
                f"1/{stress:g} of those of the full scale"
            )
        return messages


SCALINGS = {"iwnicki": Similitude(5.0, 1.0, 125.0)}


def inconsistencies(table: dict[str, float], rel: float = 1e-9) -> list[str]:
    """What a table of factors contradicts: (1) and (2) from its length, time and mass."""
    similitude = Similitude(table["length"], table["time"], table["mass"])
    messages = []
    for quantity, printed in table.items():
        expected = similitude.factor(quantity)
        if abs(printed - expected) > rel * abs(expected):
            messages.append(f"{quantity} has the factor {printed:g}; expected {expected:g}")
    return messages + similitude.mismatches(rel)
