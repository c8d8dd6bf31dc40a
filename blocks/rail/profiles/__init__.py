"""Profiles of wheels, rails and rollers."""
