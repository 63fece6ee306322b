"""Rules about Karpenter that you install yourself."""
