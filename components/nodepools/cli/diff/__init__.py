"""`nodepools diff`: both sides, their changes, and how they are shown."""
