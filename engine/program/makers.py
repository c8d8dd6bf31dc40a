"""What makes the content of the cache: part of its names, so that old content is not found."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from ..numba_bridge.runtime import lowerer_key


@cache
def makers_key() -> str:
    """A hash of what lowers functions, and of the text of this package."""
    digest = hashlib.sha256(lowerer_key().encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
