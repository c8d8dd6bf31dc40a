"""Checks that make a model of a flat diagram: values, wires, shapes, units, settings."""
