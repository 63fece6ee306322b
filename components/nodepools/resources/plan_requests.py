"""Differences between registration plans or states, resource by resource: as requests whose changes have known effects, where a table has them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, cast

from nodepools.changes.operations import has_unknown
from nodepools.clouds.change import CLUSTER, MAINTENANCE, NODE_GROUP, NODE_POOL, POOL, Key, Request, Requests, ResourceName
from nodepools.clouds.karpenter_requests import object_request
from nodepools.model.aks.cluster import BUILT_IN
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.listing import grouped
from nodepools.model.ref import HiddenSecret, SecretValue
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass, replace
from nodepools.resources.resource import Kind, Resource, Secret, closed, kind_of, manifest_of
from nodepools.resources.resource_set import reached_owner
from nodepools.wire.aks.agent_pool import POOL as POOL_TABLE
from nodepools.wire.aks.cluster import CLUSTER as AKS_TABLE
from nodepools.wire.aks.maintenance import CONFIGURATION
from nodepools.wire.eks.access import ADD_ON, IDENTITY_PROVIDER, POD_IDENTITY
from nodepools.wire.eks.access import ENTRY as ENTRY_TABLE
from nodepools.wire.eks.access import POLICY as POLICY_TABLE
from nodepools.wire.eks.cluster import CLUSTER as EKS_TABLE
from nodepools.wire.eks.terraform import PULUMI_NODE_GROUPS
from nodepools.wire.table import Table

SUBJECTS: Final[Mapping[Kind, tuple[str, Table]]] = {
    Kind.AKS_CLUSTER: (CLUSTER, AKS_TABLE),
    Kind.EKS_CLUSTER: (CLUSTER, EKS_TABLE),
    Kind.AGENT_POOL: (POOL, POOL_TABLE),
    Kind.MAINTENANCE: (MAINTENANCE, CONFIGURATION),
    Kind.ACCESS_ENTRY: ("access entry", ENTRY_TABLE),
    Kind.ACCESS_POLICY: ("access policy", POLICY_TABLE),
    Kind.POD_IDENTITY: ("pod identity", POD_IDENTITY),
    Kind.ADD_ON: ("add-on", ADD_ON),
    Kind.IDENTITY_PROVIDER: ("identity provider", IDENTITY_PROVIDER),
}
_PREVIOUS: Final = "nodepools/retiring"
_INTERNAL: Final = "__"


@dataclass(frozen=True, slots=True)
class PlanRequests:
    """The requests of a plan or a state, and the number of resources whose changes are not compared."""

    requests: Requests
    others: int


def plan_requests(resources: Iterable[Resource], around: Sequence[Resource] = ()) -> PlanRequests:
    """The requests of all resources that have a table; they can be in the clusters `around` them."""
    resources = [resource for resource in resources if ":" in resource.type]
    by_urn = {resource.urn: resource for resource in (*resources, *around)}
    clusters = {urn: cluster for urn, cluster in by_urn.items() if SUBJECTS.get(kind_of(cluster), ("",))[0] == CLUSTER}
    found = [request for resource in resources for request in _requests(resource, list(clusters.values()), by_urn)]
    custom = [one for one in resources if not one.type.startswith(("pulumi:", "nodepools:"))]
    return PlanRequests(with_built_in(Requests(tuple(_with_needs(found)))), len(custom) - len(found))


def with_built_in(side: Requests) -> Requests:
    """A side with the NodePools that the cloud creates in each cluster; one without a name stands for those that other tools can have created."""
    found = {request.cluster: _built_in(request.sent) for request in side.all if request.subject == CLUSTER}
    own = {request.cluster for request in side.all if request.resource.type == NODE_POOL}
    return replace(side, built_in={key: names if names or key in own else ("",) for key, names in found.items() if names is not None})


def _built_in(cluster: Mapping[str, object]) -> tuple[str, ...] | None:
    """`None` if nothing launches nodes for NodePools in the cluster."""
    auto, provisioning = mapping(cluster.get("computeConfig")), mapping(cluster.get("nodeProvisioningProfile"))
    if provisioning.get("mode") == "Auto":
        return () if provisioning.get("defaultNodePools") == "None" else BUILT_IN
    return tuple(name for name in sequence(auto.get("nodePools")) if isinstance(name, str)) if auto.get("enabled") is True else None


def _requests(resource: Resource, clusters: Sequence[Resource], by_urn: Mapping[str, Resource]) -> Iterator[Request]:
    kind = kind_of(resource)
    cluster = _cluster_of(resource, clusters, by_urn)
    if kind is Kind.OBJECT:
        made = object_request({name: plain(value) for name, value in manifest_of(resource).items()}, cluster)
        if made is not None:
            yield made
    elif kind in SUBJECTS or resource.type == NODE_GROUP:
        subject, table = SUBJECTS.get(kind, (POOL, PULUMI_NODE_GROUPS))
        sent = {name: plain(value) for name, value in resource.inputs.items() if not name.startswith(_INTERNAL)}
        key = _key(cluster, subject, resource, sent)
        at = f"{cluster}/{key[2]}" if subject == POOL else cluster
        windows = "WindowsPool" if sent.get("osType") == "Windows" else ""
        needs = frozenset[Key]() if subject == CLUSTER else frozenset({(cluster, CLUSTER, "")})
        yield Request(key, at, (resource.name,), ResourceName(resource.type, resource.name), table, sent, windows, needs)


def _key(cluster: str, subject: str, resource: Resource, sent: Mapping[str, object]) -> Key:
    """Pools are the same after a rotation if their label is; other resources if their name is."""
    if subject == CLUSTER:
        return (cluster, CLUSTER, "")
    if subject != POOL:
        return (cluster, subject, resource.name)
    label = mapping(sent.get("nodeLabels")).get(POOL_LABEL)
    former = any(str(taint).startswith(_PREVIOUS) for taint in sequence(sent.get("nodeTaints")))
    return (cluster, POOL, label if isinstance(label, str) else resource.name, *(["previous"] if former else []))


def _cluster_of(resource: Resource, clusters: Sequence[Resource], by_urn: Mapping[str, Resource]) -> str:
    """The name of the cluster: of the one that it names, that it or its provider depends on, in the component around it, or of the only one."""
    if SUBJECTS.get(kind_of(resource), ("",))[0] == CLUSTER:
        return resource.name
    named = resource.inputs.get("resourceName", resource.inputs.get("clusterName"))
    for cluster in clusters:
        if named is not None and named in (cluster.inputs.get("resourceName"), cluster.inputs.get("name")) and isinstance(named, str):
            return cluster.name
    if (reached := reached_owner(resource, clusters, by_urn)) is not None:
        return reached.name
    related = [cluster for cluster in clusters if cluster.parent == resource.parent] or clusters
    return related[0].name if len(related) == 1 else ""


def _with_needs(found: Sequence[Request]) -> Iterator[Request]:
    """Agent pools are created one after another."""
    before: dict[str, list[Key]] = {}
    for request in found:
        if request.subject == POOL and request.table is POOL_TABLE:
            earlier = before.setdefault(request.cluster, [])
            yield replace(request, needs=request.needs | frozenset(earlier))
            earlier.append(request.key)
        else:
            yield request


def plain(value: object) -> object:
    """Plain data: a secret stays hidden, also one that cannot be read."""
    if isinstance(value, Secret):
        held = value.value
        if held is None or has_unknown(held):
            return HiddenSecret()
        return SecretValue(held if isinstance(held, str) else json.dumps(held, sort_keys=True))
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in mapping(cast("object", value)).items()}
    return [plain(part) for part in sequence(cast("object", value))] if isinstance(value, list | tuple) else value


OF_PULUMI: Final = ("pulumi:", "nodepools:")
"""Stacks, providers and components: nothing in a cloud."""
_OF_SDK: Final = "version"
"""The version of the provider, which follows the installed SDK."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A resource that only one of the plans has, or that is not the same in both."""

    what: str
    """`created`, `deleted`, `moved` (another parent: deleted and created unless an alias names the old URN) or `changed`."""
    type: str
    name: str
    fields: tuple[str, ...] = ()
    """The inputs and options that differ, in alphabetical order. Their values are not shown: one may be a secret."""

    @property
    def text(self) -> str:
        """One line."""
        return f"{self.what}: {self.type} {self.name}" + f" ({', '.join(self.fields)})" * bool(self.fields)

    def to_json(self) -> dict[str, object]:
        """As printed by `diff --format json`."""
        return {"what": self.what, "type": self.type, "name": self.name, "fields": list(self.fields)}


def plan_differences(old: Iterable[Resource], new: Iterable[Resource]) -> Iterator[Difference]:
    """All of them, by type and name. Secrets and values that are known only after `pulumi up` are equal to each other."""
    before, after = (
        {(one.type, one.name, _place(one.parent)): closed(one) for one in plan if not one.type.startswith(OF_PULUMI)} for plan in (old, new)
    )
    left = grouped((key[:2], one) for key, one in before.items() if key not in after)
    for key, other in sorted(after.items(), key=lambda item: item[0]):
        is_moved = key not in before
        one = before[key] if not is_moved else left[key[:2]].pop(0) if left.get(key[:2]) else None
        if one is None:
            yield Difference("created", *key[:2])
        elif is_moved and _place(one.urn) not in map(_place, sequence(other.options.get("aliases"))):
            yield Difference("moved", *key[:2])
        elif fields := tuple(name for name in _differing(one, other) if not is_moved or name != _ALIASES):
            yield Difference("changed", *key[:2], fields)
    yield from (Difference("deleted", *key) for key in sorted(left) for _ in left[key])


_ALIASES: Final = "option aliases"  # a resource with another parent names its old URN there
_PROJECT: Final = re.compile(r"(urn:pulumi:[^:]*)::[^:]*(::pulumi:pulumi:Stack(?=::))?(?(2)::[\w.-]*)")


def _differing(one: Resource, other: Resource) -> tuple[str, ...]:
    inputs = {name for name in {*one.inputs, *other.inputs} if one.inputs.get(name) != other.inputs.get(name)}
    each = [{name: _place(json.dumps(value, sort_keys=True, default=str)) for name, value in side.options.items()} for side in (one, other)]
    options = {f"option {name}" for name in {*one.options, *other.options} - {_OF_SDK} if each[0].get(name) != each[1].get(name)}
    return tuple(sorted({*inputs, *options}))


def _place(urn: object) -> str:
    """URNs without their project, which is another one for a file that is planned on its own, and part of the name of a stack."""
    return _PROJECT.sub(r"\1\2", str(urn))
