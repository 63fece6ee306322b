"""`nodepools explain`, and its text."""
