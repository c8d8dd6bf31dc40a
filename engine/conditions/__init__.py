"""Conditions under which subsystems run, as blocks that the engine adds to a diagram."""
