"""What the payments team runs, as components."""
