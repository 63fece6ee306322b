"""EKS clusters in Auto Mode: the only place that imports the AWS SDK."""
