"""Records of predictions: written by `diff` and `upgrade`, compared with what happened, and counted."""
