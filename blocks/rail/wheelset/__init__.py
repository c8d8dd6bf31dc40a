"""Single wheelsets: on a roller, free, and as serial chains."""
