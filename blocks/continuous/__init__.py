"""Blocks with continuous states: integrators, linear systems, controllers and delays."""
