"""The components for AKS. The only folder that imports azure-native."""
