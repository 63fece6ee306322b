"""Declarations of EKS Auto Mode clusters and their pools."""
