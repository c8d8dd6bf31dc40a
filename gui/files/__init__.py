"""What the editor writes beside diagrams: settings, recovery copies, pictures."""
