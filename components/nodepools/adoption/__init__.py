"""Declares clusters that exist, from what the clouds' own tools print about them, and proves that the declaration changes nothing."""
