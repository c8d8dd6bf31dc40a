"""railblocks: block diagrams that are plain files, compiled and simulated.

    import railblocks as rb

    results = rb.simulate(rb.load("dc_motor.yaml"))

Everything public is here, for users and for authors of blocks; what is public is listed in
`railblocks.engine`. Names are imported when they are first used, so that programs start quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from railblocks.engine import __all__ as __all__

if TYPE_CHECKING:
    from railblocks.engine import *  # noqa: F403


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module("railblocks.engine"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "blocks", "diagrams", "engine", "gui"])
