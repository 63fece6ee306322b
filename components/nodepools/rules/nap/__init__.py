"""Rules about node auto provisioning."""
