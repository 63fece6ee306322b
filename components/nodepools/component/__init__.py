"""What every component of ours does: judges its arguments, and registers its children in one manner."""
