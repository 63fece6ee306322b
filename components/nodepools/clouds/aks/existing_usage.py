"""Usage and subnets as the Azure CLI prints them, recognized by their content."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from nodepools.clouds.aks.agent_pool_nodes import RESERVED
from nodepools.clouds.aks.nodes import REGIONAL, SPOT
from nodepools.clouds.amounts import Amount
from nodepools.clouds.export_values import Entry, entries_of, ipv4, number, text_in
from nodepools.clouds.item import Counter, Stock, SubnetStock
from nodepools.data.azure_vm_sizes import quota_family
from nodepools.model.name_limits import azure_name
from nodepools.model.steps import sequence

Place: TypeAlias = tuple[str, str | None]
"""A region, and a subscription."""
_PROVIDER: Final = "azure:///subscriptions/"
_CONTAINERS: Final = "microsoft.containerservice/managedclusters"
"""Azure reports no addresses of pods as in use in subnets that are delegated to it."""
_OWN: Final = ("/virtualmachinescalesets/aks", "/networkinterfaces/aks-", "/resourcegroups/mc_", "/loadbalancers/kubernetes-internal")
"""Parts of the ids of what AKS creates for clusters."""


def usage(value: object) -> Mapping[str, Stock] | None:
    """The counters in the output of `az vm list-usage`, by name in lower case; `None` if it is something else.

    Raises:
        ValueError: a counter has no valid numbers.
    """
    listed = entries_of(value, "name", "limit", "currentValue")
    return None if listed is None else dict(_counter(entry) for entry in listed)


def _counter(entry: Entry) -> tuple[str, Stock]:
    name = text_in(entry.get("name"), "value")
    return name.lower(), Stock(number(entry, "limit", name), number(entry, "currentValue", name))


def counter(name: str, region: str, account: str | None) -> Counter:
    """The counter of a name in Azure's usage."""
    return Counter("spot_vcpus" if name == SPOT.lower() else "vcpus", name, region, account).key


def subnets(value: object) -> Mapping[str, SubnetStock] | None:
    """The subnets in the output of `az network vnet subnet list` or `show`, by id in lower case; `None` if it is something else.

    Raises:
        ValueError: a subnet has no valid range.
    """
    several = sequence(value)
    listed = entries_of(several if several else [value], "id", "ipConfigurations|addressPrefix|addressPrefixes")
    if listed is None or not all("/subnets/" in str(entry["id"]).lower() for entry in listed):
        return None
    return {str(entry["id"]).lower(): _subnet(entry) for entry in listed}


def _subnet(entry: Entry) -> SubnetStock:
    name = str(entry["id"])
    ranges = [found for found in map(ipv4, _prefixes(entry)) if found is not None]
    if not ranges:
        raise ValueError(f"the subnet `{name}` has no IPv4 range in `addressPrefix` or `addressPrefixes`")
    limit = sum(max(found.num_addresses - RESERVED, 0) for found in ranges)
    is_counted = not isinstance(entry.get("ipConfigurations"), str)  # Terraform does not have them
    if not is_counted or any(_CONTAINERS in str(delegation).lower() for delegation in sequence(entry.get("delegations"))):
        return SubnetStock(str(ranges[0]), Stock(limit))
    used = [str(configuration).lower() for configuration in sequence(entry.get("ipConfigurations"))]
    own = sum(any(part in configuration for part in _OWN) for configuration in used)
    return SubnetStock(str(ranges[0]), Stock(limit, len(used), Amount(0, own)))


def _prefixes(entry: Entry) -> list[object]:
    several = sequence(entry.get("addressPrefixes"))
    return [*several] if several else [entry.get("addressPrefix")]


def running(nodes: Sequence[tuple[str, Mapping[str, str], int]]) -> Iterator[tuple[Counter, int]]:
    """The vCPUs of nodes, each given with its provider id, labels and vCPUs, by the counters that they are part of."""
    for provider_id, labels, cpus in nodes:
        if not provider_id.startswith(_PROVIDER):
            continue
        account = provider_id.removeprefix(_PROVIDER).partition("/")[0]
        region = azure_name(labels.get("topology.kubernetes.io/region", ""))
        spot = labels.get("kubernetes.azure.com/scalesetpriority") == "spot" or labels.get("karpenter.sh/capacity-type") == "spot"
        family = quota_family(labels.get("node.kubernetes.io/instance-type", ""))
        for name in [SPOT] if spot else [REGIONAL, *([family] if family is not None else [])]:
            yield counter(name.lower(), region, account), cpus
