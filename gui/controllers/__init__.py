"""What a window does, one object for each concern: documents, files, runs, dialogs, messages."""
