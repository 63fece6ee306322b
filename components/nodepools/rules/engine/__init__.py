"""Findings, fixes, and what registers and runs rules."""
