"""The platforms of the payments team, a module for each stack."""
