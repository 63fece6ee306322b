"""Edits of YAML, JSON and Python text."""
