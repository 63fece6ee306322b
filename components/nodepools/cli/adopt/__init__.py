"""`nodepools adopt`, and what follows an import."""
