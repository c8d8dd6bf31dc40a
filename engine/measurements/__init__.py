"""Measured data beside runs: reading it, comparing, fitting parameters to it."""
