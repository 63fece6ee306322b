"""`nodepools convert`, and the workloads that it converts."""
