"""What AKS offers to pods: its pools, node classes, locations and labels."""
