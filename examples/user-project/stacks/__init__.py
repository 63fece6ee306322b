"""The platforms of payments: one module for each stack."""
