"""Records of predictions, comparisons with what happened, and the ledger."""
