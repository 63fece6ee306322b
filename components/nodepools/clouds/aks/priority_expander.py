"""The ConfigMap of the cluster autoscaler's priority expander: pools by priority. Facts: docs/facts/aks.md § 2.3."""

import re
from collections.abc import Mapping, Sequence

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.wire.aks.generation import first_pool_name, pool_name

_NAME = "cluster-autoscaler-priority-expander"  # the autoscaler looks for this one


def priority_config_map(args: AksClusterArgs, declared: Mapping[int, Sequence[str]]) -> dict[str, object]:
    """Returns the ConfigMap. Its regular expressions match the names of scale sets, which contain the pool name: `aks-batch1a2b-12345678-vmss`."""
    lines = [
        line
        for priority in sorted(declared, reverse=True)
        for line in (f"{priority}:", *(f"  - ^aks-{re.escape(_name(args, key))}-.*" for key in declared[priority]))
    ]
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": _NAME, "namespace": "kube-system"},
        "data": {"priorities": "\n".join([*lines, ""])},
    }


def _name(args: AksClusterArgs, key: str) -> str:
    return pool_name(args, key) if key in args.pools else first_pool_name(args)
