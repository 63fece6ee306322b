"""Pools of running clusters, and what the tools of the clouds print about them."""
