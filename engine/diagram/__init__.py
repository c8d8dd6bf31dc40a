"""Diagrams as data: read, built, flattened and saved."""

from .diagram import Diagram

__all__ = ["Diagram"]
