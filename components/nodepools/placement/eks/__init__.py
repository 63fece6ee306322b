"""What EKS offers to pods: its pools, node classes, locations and labels."""
