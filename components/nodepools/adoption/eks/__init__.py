"""Declarations of EKS clusters that exist."""
