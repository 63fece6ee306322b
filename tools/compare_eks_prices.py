"""Compares the prices of EKS control planes in the package with the public price list of AWS.

`python tools/compare_eks_prices.py INDEX.json`: INDEX is
https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonEKS/current/us-east-1/index.json. Prints what differs, and exits with 1 then: edit
`components/nodepools/data/version_support.py`.
"""

import json
import sys
from pathlib import Path

from table_file import print_difference

from nodepools.data.version_support import EXTENDED_USD, STANDARD_USD

_USAGE = {"perCluster": STANDARD_USD, "extendedSupport": EXTENDED_USD}
"""The prices of the table by the end of the usage type (`USE1-AmazonEKS-Hours:perCluster`)."""


def main(index: Path) -> int:
    """Prints what differs, and returns the exit code."""
    read = json.loads(index.read_text(encoding="utf-8"))
    found: dict[str, float] = {}
    for sku, product in read.get("products", {}).items():
        usage = product.get("attributes", {}).get("usagetype", "").rpartition("AmazonEKS-Hours:")
        if usage[1] and usage[2] in _USAGE:
            prices = [
                float(dimension["pricePerUnit"]["USD"])
                for term in read["terms"]["OnDemand"][sku].values()
                for dimension in term["priceDimensions"].values()
            ]
            found[usage[2]] = max(prices)
    if not found:
        sys.exit(f"{index}: has no prices of EKS control planes")
    return print_difference([f"{name} {_USAGE[name]:.2f}" for name in found], [f"{name} {price:.2f}" for name, price in found.items()])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
