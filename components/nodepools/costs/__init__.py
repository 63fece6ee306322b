"""Estimates minimum and maximum monthly cost of pools. Imports no Pulumi and reads no files of the user."""
