"""Rigid bodies, force elements and their equations of motion, all from tables."""
