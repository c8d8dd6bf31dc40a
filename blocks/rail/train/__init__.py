"""Trains as a whole: the virtual train of the rig, and trainsets."""
