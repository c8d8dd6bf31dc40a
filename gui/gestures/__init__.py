"""What the mouse and the keyboard do on the canvas: one class per gesture."""
