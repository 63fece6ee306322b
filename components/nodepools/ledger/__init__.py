"""What was predicted, what happened, and how often both agree."""
