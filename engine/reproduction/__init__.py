"""Papers against ours: rows of a table, figures, a report."""
