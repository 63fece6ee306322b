"""Rules about all clusters of a platform."""
