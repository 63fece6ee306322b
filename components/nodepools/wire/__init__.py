"""How the clouds and Kubernetes spell what a declaration has: one table for each part of the model, one row for each field.

A table writes requests, reads them back, finds paths on both sides, and knows what a change of each field does.
"""
