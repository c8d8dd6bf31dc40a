"""The editor as a process: background work, garbage, window system, unexpected errors."""
