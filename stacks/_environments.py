"""Functions that derive one environment from another."""

from collections.abc import Mapping

from nodepools import Autoscale, EksNodePool, Platform, UserPool, derive, keys, partial

OFFICE = "203.0.113.0/24"
"""Addresses that can reach the public API servers. This range is reserved for documentation: use your own."""


def with_addresses(second_octets: Mapping[str, int]) -> dict[str, partial.PartialAksClusterArgs | partial.PartialEksClusterArgs]:
    """Returns a network range for each cluster: `10.<octet>.0.0/16`."""
    return {cluster: {"network": {"cidr": f"10.{octet}.0.0/16"}} for cluster, octet in second_octets.items()}


def on_demand_fallback(platform: Platform, address: str, *, most: int) -> UserPool:
    """Returns the spot pool at `address` as an on-demand pool, for pods that prefer spot. It is empty while spot capacity is available."""
    pool = platform.pool(address).declared
    if not isinstance(pool, UserPool):
        raise TypeError(f"{address} is not a user pool")
    return derive(pool, spot=None, scale=Autoscale(0, most))


def spot_before_on_demand(platform: Platform, address: str, *, by: int = 30) -> dict[str, EksNodePool]:
    """Returns two NodePools instead of the one at `address`: a spot pool with greater weight, which Karpenter tries first, and an on-demand pool."""
    name, pool = platform.pool(address).name, platform.pool(address).declared
    if not isinstance(pool, EksNodePool):
        raise TypeError(f"{address} is not an EKS NodePool")
    others = [requirement for requirement in pool.requirements if requirement.key != keys.eks.capacity_type.name]
    weight = pool.weight if pool.weight is not None else 0
    return {
        name: derive(pool, requirements=[keys.eks.capacity_type.one_of("on-demand"), *others]),
        f"{name}-spot": derive(pool, weight=weight + by, requirements=[keys.eks.capacity_type.one_of("spot"), *others]),
    }
