"""Runs and checks in the background: their threads, and the timers that poll them."""
