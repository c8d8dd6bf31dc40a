"""Scopes: recorded signals, thinned out for the screen, and their views."""
