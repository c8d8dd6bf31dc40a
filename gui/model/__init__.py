"""What the editor edits: documents with undo, without graphics."""
