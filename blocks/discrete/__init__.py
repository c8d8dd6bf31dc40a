"""Sampled blocks: they run at multiples of their sample time and hold their outputs in between."""
