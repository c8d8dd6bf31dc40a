"""Limits, hysteresis, friction and tables."""
