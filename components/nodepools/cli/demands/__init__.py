"""What makes a command exit with 1, and what is accepted."""
