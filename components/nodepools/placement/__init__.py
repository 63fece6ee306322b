"""Which pool a pod will land on, and why not the others: pods x pools -> verdicts with reasons. Pure: models, keys and tables only."""
