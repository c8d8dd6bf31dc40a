"""The drawing area: one item per block, one per net."""
