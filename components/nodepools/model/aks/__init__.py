"""AKS clusters and their pools, as declared."""
