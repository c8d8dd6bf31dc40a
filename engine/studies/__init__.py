"""Studies: one diagram run many times with other values."""
