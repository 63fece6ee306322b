"""Reads files, stdin and pipes within the same limits, and YAML and JSON with the position of each value."""
