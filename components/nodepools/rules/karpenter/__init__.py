"""Rules about every Karpenter NodePool."""
