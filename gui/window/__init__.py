"""The window of the editor."""
