"""What both clouds apply inside a cluster."""
