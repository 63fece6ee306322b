"""Labels and taints of pools: the labels that a NodePool names, their valid form, and zones of the region of the cluster."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from nodepools.data.regions import azure_regions
from nodepools.keys import aks as aks_keys
from nodepools.keys import eks as eks_keys
from nodepools.keys.kinds import Key
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs, AksNodePool
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.ec2_node_class import OWN_LABELS
from nodepools.model.eks.node_class import EksNodePool
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.label import Taint, Values, domain, is_key, is_value
from nodepools.model.listing import joined, nearest, respelled, shortened
from nodepools.model.name_limits import azure_name
from nodepools.model.steps import Step, Steps
from nodepools.model.values import dataclass
from nodepools.rules.engine.finding import Fix, FixLike, Operation, PartFinding, certain, remove, rename, set_to
from nodepools.rules.engine.registry import finding


@dataclass(frozen=True, slots=True)
class Zones:
    """The valid values of the label."""

    where: str
    example: str
    pattern: str
    regions_without: frozenset[str] = frozenset()
    """Regions without zones."""

    def has(self, zone: str) -> bool:
        """`zone` is a valid value."""
        return re.fullmatch(self.pattern, zone) is not None and zone.partition("-")[0] not in self.regions_without


def aks_zones(cluster: AksClusterArgs | None) -> Zones:
    """The region with a number from 1 to 3; `0` for nodes without a zone."""
    without = azure_regions().without_zones
    if cluster is None:
        return Zones("any region", "westeurope-1", r"[a-z][a-z0-9]*-[123]|0", without)
    region = azure_name(cluster.location)
    return Zones(region, "0" if region in without else f"{region}-1", rf"{re.escape(region)}-[123]|0", without)


def eks_zones(cluster: EksClusterArgs | None) -> Zones:
    """The region with a letter; Local Zones and Wavelength Zones, such as `us-west-2-lax-1a`, also begin with their region."""
    if cluster is None:
        return Zones("any region", "us-east-1a", r"[a-z]{2,4}(-[a-z]+)+-[0-9]+[a-z0-9-]+")
    return Zones(cluster.region, f"{cluster.region}a", rf"{re.escape(cluster.region)}.*")


ZONE_IDS = Zones("any region", "use1-az1", r"[a-z]+[0-9]+-.+")
"""IDs of zones on AWS."""
_WELL_KNOWN = frozenset(key.name for keys in (aks_keys, eks_keys) for key in vars(keys).values() if isinstance(key, Key)) | OWN_LABELS
_CLOUDS = ((*NodePool.label_domains, *EksNodePool.label_domains), AksNodePool.label_domains)
"""The domains of labels that only one cloud has."""
A_KEY = "Use a key such as `team` or `example.com/team`"
A_VALUE = "Use at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends"
_EC2 = ("eks.amazonaws.com/instance-", "karpenter.k8s.aws/instance-")
_ACCELERATED = (*(f"{prefix}{device}-" for prefix in _EC2 for device in ("gpu", "accelerator")), "karpenter.azure.com/sku-gpu-")
"""Beginnings of the labels that only nodes with accelerators have; the count is also 0 on Azure."""
_ACCELERATED_KINDS = {
    **{f"{prefix}category": frozenset({"g", "gr", "p", "inf", "trn", "dl"}) for prefix in _EC2},
    "karpenter.azure.com/sku-family": frozenset({"N"}),
}
"""Labels of a class of machine types, with the values of which every machine has an accelerator."""


def named_labels(pool: NodePool) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Every label key that `pool` names, with its path."""
    for index, requirement in enumerate(pool.requirements):
        yield requirement.key, ("requirements", index, "key")
    for key in pool.labels:
        yield key, ("labels", key)


def well_known(pool: NodePool) -> frozenset[str]:
    """The labels that Karpenter resolves for the nodes of the pool."""
    return _well_known(pool.label_domains)


@cache
def _well_known(domains: Sequence[str]) -> frozenset[str]:
    return frozenset(key for key in _WELL_KNOWN if domain(key) in domains or all(domain(key) not in of_one for of_one in _CLOUDS))


def of_another_cloud(pool: NodePool, key: str) -> bool:
    """Karpenter resolves `key` on the other cloud alone: here it is a label like any other."""
    return key in _WELL_KNOWN and any(domain(key) in of_one and not {*of_one} >= {*pool.label_domains} for of_one in _CLOUDS)


def misspelt_label(pool: NodePool, key: str) -> str | None:
    """The label that `key` is a misspelling of, in a domain where Karpenter rejects all other labels."""
    return near_label(pool, key) if domain(key) in pool.label_domains else None


def near_label(pool: NodePool, key: str) -> str | None:
    """The well-known label that `key` may mean, in the same domain."""
    return _near(key, pool.label_domains)


@lru_cache(maxsize=1024)
def _near(key: str, domains: Sequence[str]) -> str | None:
    """Cached: pools have the same labels, and rules read them again for each fix that is tried."""
    known = _well_known(domains)
    return None if key in known or not domain(key) else nearest(key, [one for one in known if domain(one) == domain(key)])


def in_domain(key: str, restricted: str) -> bool:
    """The CRD restricts `key` with the domain: the part before the slash, or a key without a slash, ends with the domain."""
    return key.partition("/")[0].endswith(restricted)


def relabeled(path: Steps, key: str) -> Operation:
    """Changes the key of the label at `path`."""
    return set_to(path, key) if path[-1] == "key" else rename(path, key)


def renamed_label(path: Steps, key: str, known: str) -> Fix:
    """The probable meaning of an unknown label: another label can be meant, unless only the spelling differs."""
    operation = relabeled(path, known)
    if respelled(key, (known,)) is not None:
        return certain(operation)
    return Fix(f"Use `{known}`, if that is meant, or a prefix of your own", (operation,))


def without_label(path: Steps) -> Operation:
    """Removes the requirement or label at `path`."""
    return remove(path[:-1] if path[-1] == "key" else path)


def without_value(requirement: Requirement, index: int, gone: int, otherwise: str) -> FixLike:
    """Removes one of the listed values, of which `gone` are to be removed; the text `otherwise` if too few values would be left."""
    left, least = len(requirement.values) - gone, requirement.min_values if requirement.min_values is not None else 1
    return remove(("values", index)) if left >= least else otherwise


def allowing(lacks: Mapping[str, str | None]) -> str:
    """The fix of requirements that exclude what a NodePool names: the labels and values of one that they `lack`."""
    keys = [f"allow `{value}` for `{key}`" if value is not None else f"remove the requirement on `{key}`" for key, value in lacks.items()]
    text = joined(keys)
    return f"{text[:1].upper()}{text[1:]}"


def allowed_values(pool: NodePool, key: str) -> Values:
    """The values of one label that the requirements and labels of `pool` allow: any value if they do not name the label."""
    return pool.asked().get(key, Values())


def closed_values(pool: NodePool, key: str) -> tuple[str, ...]:
    """The values that the nodes of a provider can have for a label, if they are a closed set: every node has one of them."""
    words = {"karpenter.sh/capacity-type": pool.capacity_types, "kubernetes.io/arch": ("amd64", "arm64"), "kubernetes.io/os": pool.operating_systems}
    return {**words, "karpenter.k8s.aws/instance-tenancy": ("default", "dedicated")}.get(key, ())


def is_spot_only(pool: NodePool) -> bool:
    """Karpenter launches only spot nodes for the pool."""
    return _only(pool, "karpenter.sh/capacity-type") == {"spot"}


def is_arm64_only(pool: NodePool) -> bool:
    """Karpenter launches only arm64 nodes for the pool."""
    return _only(pool, "kubernetes.io/arch") == {"arm64"}


def has_accelerators(pool: NodePool) -> bool:
    """Every node of the pool has a GPU or another accelerator, as far as the labels of accelerators and of instance categories tell."""
    if any(_requires(pool, f"{domain}{name}") for domain in _ACCELERATED for name in ("name", "manufacturer")):
        return True
    if any(_names(pool, f"{domain}count") and "0" not in allowed_values(pool, f"{domain}count") for domain in _ACCELERATED):
        return True
    return any(not (values := allowed_values(pool, key)).complement and values.members <= members for key, members in _ACCELERATED_KINDS.items())


def _only(pool: NodePool, key: str) -> set[str]:
    """The values of a closed set that the pool allows."""
    values = allowed_values(pool, key)
    return {word for word in closed_values(pool, key) if word in values}


def _names(pool: NodePool, key: str) -> bool:
    return key in pool.labels or any(requirement.label == key for requirement in pool.requirements)


def _requires(pool: NodePool, key: str) -> bool:
    return any(requirement.label == key and requirement.operator in ("In", "Exists") for requirement in pool.requirements)


def invalid_labels(pool: AgentPool | NodePool) -> Iterator[PartFinding]:
    """Labels that no node can have."""
    for key, value in pool.labels.items():
        if not is_key(key):
            yield finding(pool, f"`{shortened(key)}` is not a valid label key", path=("labels", key), value=key, fix=A_KEY)
        if not is_value(value):
            yield finding(pool, f"`{shortened(value)}` is not a valid label value", path=("labels", key), fix=A_VALUE)


def invalid_taint(taint: Taint) -> Iterator[PartFinding]:
    """A taint that no node can have."""
    if not is_key(taint.key):
        yield finding(taint, f"`{shortened(taint.key)}` is not a valid taint key", path="key", fix=A_KEY)
    if not is_value(taint.value):
        yield finding(taint, f"`{shortened(taint.value)}` is not a valid taint value", path="value", fix=A_VALUE)
