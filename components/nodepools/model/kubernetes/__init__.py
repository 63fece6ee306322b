"""Kubernetes types: taints, labels, quantities, durations, requirements and pods."""
