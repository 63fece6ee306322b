"""What exists in a cloud and in its clusters, as exported."""
