"""Writing files in one step, locks, and reports of mistakes."""
