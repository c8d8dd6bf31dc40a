"""Truth values: comparisons, gates, memory, timing and state machines."""
