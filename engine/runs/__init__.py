"""Running a program, and what comes out of it."""
