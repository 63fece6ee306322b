"""The platforms of the payments team: one module for each stack."""
