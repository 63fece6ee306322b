"""Declarations of AKS clusters and their pools."""
