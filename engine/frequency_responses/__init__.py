"""Frequency responses of diagrams as they are, by sines and chirps that are added to a signal."""
