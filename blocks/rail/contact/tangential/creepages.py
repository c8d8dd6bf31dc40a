"""Creepages from velocities at the contact.

    (xi, eta, phi) = (v_x, v_y, omega_n) / sqrt(V^2 + V_min^2)             (1)

v is the velocity of the wheel's surface over that of the rail or roller, omega_n its relative
angular speed about the normal, V the speed of rolling. V_min > 0 regularises standstill: creepages
stay finite and smooth, and for |V| >> V_min differ from v / V by V_min^2 / (2 V^2).
"""

import math


def creepages(v_x, v_y, omega_n, V, V_min):
    """Creepages xi, eta (plain numbers) and phi (1/m)."""
    speed = math.sqrt(V * V + V_min * V_min)
    return v_x / speed, v_y / speed, omega_n / speed  # (1)
