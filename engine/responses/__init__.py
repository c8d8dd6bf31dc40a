"""Frequency responses of blocks, and their Bode plots."""
