"""Maps the declaration to the APIs of the clouds and of Kubernetes: one table for each part of the model, one row for each field.

A table writes requests, reads them back, translates paths in both directions, and knows the effect of a change of each field.
"""
