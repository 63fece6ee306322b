"""Tables of EKS: clusters, access, add-ons, node classes and networks."""
