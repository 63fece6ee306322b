"""Tables of EKS clusters and of what is around them."""
