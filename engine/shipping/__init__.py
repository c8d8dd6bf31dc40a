"""Kernels that ship with the package: which ones there are, and the wheel that carries them."""
