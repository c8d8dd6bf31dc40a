"""What is known of a diagram: all checks, settings, and the schedule that follows."""
