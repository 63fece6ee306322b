"""Words of Kubernetes: taints, labels, quantities, durations, and the algebra of requirements."""
