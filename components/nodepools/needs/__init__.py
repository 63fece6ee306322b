"""Addresses, outbound ports, nodes and vCPUs that clusters need, next to what is available. Facts: docs/facts/capacity.md."""
