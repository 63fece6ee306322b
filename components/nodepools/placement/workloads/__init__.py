"""Workloads, and what their pods require."""
