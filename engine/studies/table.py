"""The table of a study, as figures, frames and indices of sensitivity see it."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ..model.signals import LoggedSignal
from ..runs.results import Results
from .variations import Variation


class StudyTable(Protocol):
    """Columns by name, and the kept signals of each run."""

    file: str
    meta: dict[str, Any]
    table: np.ndarray
    variations: dict[str, Variation]
    summaries: dict[str, str]
    signals: dict[str, LoggedSignal]

    @property
    def parameters(self) -> tuple[str, ...]: ...

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def ended(self) -> np.ndarray: ...

    def __getitem__(self, name: str) -> np.ndarray: ...

    def __len__(self) -> int: ...

    def unit(self, name: str) -> str: ...

    def run(self, run: int) -> Results: ...

    def signal(self, name: str) -> LoggedSignal: ...
