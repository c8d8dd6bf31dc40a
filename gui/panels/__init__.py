"""What stands around the canvas: library, inspector, explorer, problems, run bar."""
