"""Numbers that a run or a measurement recorded."""
