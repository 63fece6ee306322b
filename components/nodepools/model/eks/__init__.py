"""EKS Auto Mode clusters and their pools, as declared."""
