"""Tables of AKS: clusters, agent pools, node classes, networks and maintenance configurations."""
