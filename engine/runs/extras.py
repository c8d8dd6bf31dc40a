"""Packages that not everybody needs: extras of the installation."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..errors import DiagramError


def needed(package: str, extra: str | None = None) -> Any:
    """A package that is an extra; raises DiagramError with the command that installs it."""
    try:
        return import_module(package)
    except ImportError:
        extra = extra or package
        raise DiagramError(
            f"this needs {package}; install it by `pip install 'railblocks[{extra}]'`"
        ) from None
