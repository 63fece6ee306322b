"""The `nodepools` command."""
