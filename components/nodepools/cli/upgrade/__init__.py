"""`nodepools upgrade`, and its text."""
