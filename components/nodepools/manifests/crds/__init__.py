"""Validation of objects by the CRDs of a cluster."""
