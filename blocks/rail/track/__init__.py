"""A railway line in three dimensions: its centreline, and the frame of the rails along it."""
