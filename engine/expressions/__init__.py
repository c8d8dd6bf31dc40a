"""Arithmetic in diagrams: a small grammar, evaluated with units or made into functions."""

from .expression import Expression, ExpressionError, parse_expression

__all__ = ["Expression", "ExpressionError", "parse_expression"]
