"""Declarations of AKS clusters that exist."""
