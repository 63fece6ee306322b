"""The way of a cluster to another Kubernetes version: steps in order, what blocks each of them, and when support ends."""
