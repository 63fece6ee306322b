"""Kubernetes objects from the model."""
