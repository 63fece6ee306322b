"""`nodepools check`, and its fixes."""
