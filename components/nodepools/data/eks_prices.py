"""Prices of EKS control planes, in USD per hour for each cluster. They are the same in most regions.

Read at https://aws.amazon.com/eks/pricing, 2026-11-22.
"""

from typing import Final

STANDARD_USD: Final = 0.10
EXTENDED_USD: Final = 0.60
"""During extended support."""
