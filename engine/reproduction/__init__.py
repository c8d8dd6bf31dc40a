"""Reproductions of papers: rows of a table "paper / ours", figures, a report."""
