"""What changes from one environment to the next, as functions: each environment is the one before it, and what they say."""

from collections.abc import Mapping

from nodepools import Autoscale, EksNodePool, Platform, UserPool, derive, keys

OFFICE = "203.0.113.0/24"
"""From where people reach the public API servers; a range kept for documentation: put yours."""


def with_addresses(second_octets: Mapping[str, int]) -> dict[str, object]:
    """A network range for each cluster: `10.<octet>.0.0/16`."""
    return {cluster: {"network": {"cidr": f"10.{octet}.0.0/16"}} for cluster, octet in second_octets.items()}


def on_demand_fallback(platform: Platform, address: str, *, most: int) -> UserPool:
    """The pool at `address` from on-demand capacity, empty until spot runs out: pods that prefer spot nodes can land here."""
    pool = platform.pool(address).declared
    if not isinstance(pool, UserPool):
        raise TypeError(f"{address} is no user pool")
    return derive(pool, spot=None, scale=Autoscale(0, most))


def spot_before_on_demand(platform: Platform, address: str, *, by: int = 30) -> dict[str, EksNodePool]:
    """Two pools in place of the one at `address`: spot is tried first, by its greater weight; on-demand is what is left."""
    name, pool = platform.pool(address).name, platform.pool(address).declared
    if not isinstance(pool, EksNodePool):
        raise TypeError(f"{address} is no NodePool of EKS")
    others = [requirement for requirement in pool.requirements if requirement.key != keys.eks.capacity_type.name]
    weight = pool.weight if pool.weight is not None else 0
    return {
        name: derive(pool, requirements=[keys.eks.capacity_type.one_of("on-demand"), *others]),
        f"{name}-spot": derive(pool, weight=weight + by, requirements=[keys.eks.capacity_type.one_of("spot"), *others]),
    }
