"""The tangential problem: creep forces."""
