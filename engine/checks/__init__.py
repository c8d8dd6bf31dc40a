"""From a flat diagram to a checked model: values, wires, shapes, units, settings."""
