"""The difference between the clouds: one protocol, with a folder for each cloud that implements it."""
