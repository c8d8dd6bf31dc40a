"""The memory of a run: its layout, where every value lies, and what refers to it."""
