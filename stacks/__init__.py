"""The platforms of this project: one module for each stack."""
