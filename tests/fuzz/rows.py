"""The rows of a results file, read as a user reads them."""

from __future__ import annotations

from typing import Any


def rows_of(path: str, most: int | None = None) -> Any:
    """Time and all signals, one row a time; of the first `most` times only."""
    import numpy as np
    from railblocks.engine import Results

    results = Results.load(path)
    columns = [results.time[:most], *(results[name][:most] for name in results.signals)]
    return np.column_stack(columns)
