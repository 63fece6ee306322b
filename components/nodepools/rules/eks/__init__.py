"""Rules about EKS clusters, Auto Mode and its node classes."""
