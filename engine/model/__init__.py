"""A checked diagram as data: blocks with their values, sizes, ports and random streams."""
