"""How many replicas of each workload can be scheduled: bounds that hold whichever scheduler decides."""
