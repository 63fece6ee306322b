"""Rules about AKS clusters and their agent pools."""
