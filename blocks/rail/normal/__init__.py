"""The normal problem: load, approach and patch."""
