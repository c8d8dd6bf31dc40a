"""What a run took: steps, events, seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Statistics:
    """Counts of a run, and its wall-clock and simulated seconds."""

    steps: int
    rejected: int
    events: int
    evaluations: int
    hits: int
    jacobians: int
    wall: float
    compile_wall: float
    simulated: float

    @property
    def real_time_factor(self) -> float:
        """Simulated seconds per second of computing; pauses between chunks are left out."""
        return self.simulated / self.wall if self.wall > 0 else float("inf")

    def numbers(self) -> dict[str, Any]:
        """All numbers by name, with the real-time factor."""
        return asdict(self) | {"real_time_factor": float(self.real_time_factor)}

    @classmethod
    def from_numbers(cls, numbers: Mapping[str, Any]) -> Statistics | None:
        """Statistics from numbers by name, 0 for missing ones; None if there are no numbers."""
        if not numbers:
            return None
        kinds = {"int": int, "float": float}
        return cls(**{f.name: kinds[str(f.type)](numbers.get(f.name, 0)) for f in fields(cls)})
