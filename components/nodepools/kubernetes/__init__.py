"""Objects inside a cluster, for both clouds."""
