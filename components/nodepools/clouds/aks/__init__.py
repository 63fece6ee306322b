"""AKS, as the protocol of clouds has it."""
