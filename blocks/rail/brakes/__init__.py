"""Brakes: wheel-slide protection, cylinders, friction, and adhesion that recovers."""
