"""Finds the exported cluster of each declared one, pairs their resources, and tells whether it and its pools are ready."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, Literal, cast

from nodepools.adoption.aks.pairs import aks_pairs, is_aks
from nodepools.adoption.eks.pairs import eks_pairs, is_eks
from nodepools.adoption.existing_values import is_known_later
from nodepools.adoption.read_exports import AnyExisting
from nodepools.clouds.aks.existing import ExistingAksCluster
from nodepools.clouds.change import AKS_CLUSTER, CLUSTER, EKS_CLUSTER, Known, Pairs, Request, Requests, joined
from nodepools.clouds.eks.existing import ExistingEksCluster
from nodepools.clouds.existing_objects import ObjectExport
from nodepools.clouds.karpenter_requests import as_object, object_request
from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT, LONG_TERM, SOON, SupportTable, minor
from nodepools.model.steps import mapping, sequence
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS, NODE_POOL
from nodepools.wire.table import Written

_READY: Final = ("Succeeded", "Running", "ACTIVE")
Support = Literal["ended", "soon", "supported", "unknown"]


@dataclass(frozen=True, slots=True)
class ExistingState:
    """The state that an export shows."""

    version: str
    """The version that the control plane runs."""
    table: SupportTable
    extended: bool
    """It is supported longer, at no cost per hour."""
    not_ready: tuple[str, ...]
    """What is not ready, such as `web: Failed`; the cluster itself without a name."""
    shown_by: str
    """The command that shows why the first one is not."""
    pools: int
    """The pools that the cloud knows; those of Karpenter are objects."""

    @property
    def support_ends(self) -> date | None:
        """The end of the support that it has; `None` if it is not known."""
        return self.table.end(self.version, extended=self.extended) if _is_version(self.version) else None

    @property
    def behind(self) -> int | None:
        """How many minor versions it is behind the newest one of its cloud."""
        return max(self.table.newest.minor - minor(self.version), 0) if _is_version(self.version) else None

    def support(self, today: date) -> Support:
        """Whether support has ended, or ends soon."""
        end = self.support_ends
        if end is None:
            return "ended" if _is_version(self.version) and minor(self.version) < self.table.oldest.minor else "unknown"
        return "ended" if end < today else "soon" if end <= today + SOON else "supported"


def existing_state(existing: AnyExisting) -> ExistingState:
    """The state of an exported cluster."""
    return _aks(existing) if isinstance(existing, ExistingAksCluster) else _eks(existing)


def _aks(existing: ExistingAksCluster) -> ExistingState:
    shown = existing.shown
    current = shown.get("currentKubernetesVersion")
    version = str(current if isinstance(current, str) and current else shown.get("kubernetesVersion"))
    own = [*_not_ready("", shown), *(line for name, pool in existing.pools.items() for line in _not_ready(f"{name}: ", pool))]
    pool = own[0].rpartition(": ")[0] if own else ""
    of_pool = f"nodepool show -g {existing.id.group} --cluster-name {existing.name} -n {pool}"
    place = of_pool if pool else f"show -g {existing.id.group} -n {existing.name}"
    extended = shown.get("supportPlan") == LONG_TERM
    return ExistingState(version, AKS_SUPPORT, extended=extended, not_ready=tuple(own), shown_by=f"az aks {place}", pools=len(existing.pools))


def _not_ready(prefix: str, written: Written) -> Iterator[str]:
    states = (written.get("provisioningState"), mapping(written.get("powerState")).get("code"))
    yield from (f"{prefix}{state}" for state in states if isinstance(state, str) and state not in _READY)


def _eks(existing: ExistingEksCluster) -> ExistingState:
    described = existing.described
    status = described.get("status")
    own = (status,) if isinstance(status, str) and status not in _READY else ()
    shows = f"aws eks describe-cluster --name {existing.name}"
    return ExistingState(str(described.get("version")), EKS_SUPPORT, extended=False, not_ready=own, shown_by=shows, pools=0)


def _is_version(version: str) -> bool:
    parts = version.split(".")
    return len(parts) > 1 and all(part.isascii() and part.isdigit() for part in parts[:2])


@dataclass(frozen=True, slots=True)
class Cloud:
    """How the clusters of one cloud are found and compared."""

    finds: Callable[[Request, Known, object], bool]
    pairs: Callable[[Sequence[Request], Known, object], Pairs]


_CLOUDS: Final[Mapping[str, Cloud]] = {
    AKS_CLUSTER: Cloud(is_aks, lambda requests, known, existing: aks_pairs(requests, known, cast("ExistingAksCluster", existing))),
    EKS_CLUSTER: Cloud(is_eks, lambda requests, _, existing: eks_pairs(requests, cast("ExistingEksCluster", existing))),
}


@dataclass(frozen=True, slots=True)
class MatchedCluster:
    """A cluster of one side, with the exported one."""

    request: Request
    existing: AnyExisting | None
    """`None` if it is not exported."""
    pairs: Pairs


class SeveralFoundError(Exception):
    """Several exported clusters can be the declared one. The message says which."""


def matched_cluster(cluster: Request, side: Requests, known: Known, existing: Sequence[AnyExisting]) -> MatchedCluster:
    """The cluster of a side, next to the exported one. `known` is what its declaration has besides requests.

    Raises:
        SeveralFoundError: several exported clusters have its name.
    """
    cloud = _CLOUDS[cluster.resource.type]
    found = [one for one in existing if cloud.finds(cluster, known, one)]
    own = side.of_cluster(cluster.cluster)
    if len(found) > 1:
        places = ", ".join(f"`{one.id}`" for one in found)
        raise SeveralFoundError(f"`{cluster.cluster}` can be any of {places}: exclude the others")
    if not found:
        return MatchedCluster(cluster, None, Pairs(not_exported=tuple(own)))
    [one] = found
    pairs = joined([cloud.pairs(own, known, one), object_pairs(own, one.objects, cluster.resource.name)])
    reached = {request.key for _, request in pairs.both} | {request.key for request in (*pairs.absent, *pairs.not_exported)}
    rest = tuple(request for request in own if request.key not in reached)
    return MatchedCluster(cluster, one, joined([pairs, Pairs(not_exported=rest)]))


def clusters_in(side: Requests) -> list[Request]:
    """The clusters of a side."""
    return [request for request in side.all if request.subject == CLUSTER]


_NODE: Final = "Node"
_BUILT_IN: Final = ("default", "system-surge", "general-purpose", "system")
"""Names of objects that the clouds create in a cluster."""
_VERSIONS: Final = {kind.kind: kind.api_version for kind in (NODE_POOL, AKS_NODE_CLASS, EKS_NODE_CLASS)}


def object_pairs(requests: Sequence[Request], objects: Sequence[ObjectExport], stem: str) -> Pairs:
    """The objects of one cluster, of the kinds that were exported. Names in Pulumi begin with `stem`."""
    declared = [request for request in requests if request.resource.type.startswith("kubernetes:")]
    have = {(one.kind, one.name): one for one in objects if one.kind != _NODE}
    kinds = {kind for kind, _ in have}
    named = {(_object_kind(request), as_object(request, stem).resource.name): request for request in declared}
    both = [_object_pair(request, have[name], stem) for name, request in named.items() if name in have]
    left = [request for name, request in named.items() if name not in have]
    others = [one for name, one in have.items() if name not in named and one.name not in _BUILT_IN]
    made = [_undeclared(one, requests[0]) for one in others]
    return Pairs(
        tuple(both),
        tuple(request for request in made if request is not None),
        tuple(request for request in left if _object_kind(request) in kinds),
        tuple(request for request in left if _object_kind(request) not in kinds),
    )


def _object_kind(request: Request) -> str:
    return request.resource.type.rpartition(":")[2]


def _object_pair(request: Request, export: ObjectExport, stem: str) -> tuple[Request, Request]:
    """Both with the defaults of the CRD."""
    wanted = replace(request, sent=as_object(request, stem).sent)
    made = object_request(_manifest(export))
    have = made.sent if made is not None else export.spec
    return replace(wanted, sent=mapping(_known(have, wanted.sent))), wanted


def _known(have: object, sent: object) -> object:
    """What the cluster has, with references that only `pulumi up` knows as they are sent."""
    if sent is not None and is_known_later(sent):
        return sent
    if isinstance(have, Mapping):
        return {name: _known(value, mapping(sent).get(name)) for name, value in mapping(cast("object", have)).items()}
    one, other = sequence(have), sequence(sent)
    return [_known(*both) for both in zip(one, other, strict=True)] if one and len(one) == len(other) else have


def _manifest(export: ObjectExport) -> Mapping[str, object]:
    return {"apiVersion": _VERSIONS[export.kind], "kind": export.kind, "metadata": {"name": export.name}, "spec": export.spec}


def _undeclared(export: ObjectExport, near: Request) -> Request | None:
    made = object_request(_manifest(export), near.cluster)
    place = ("clusters", near.cluster) if near.steps[:1] == ("clusters",) else ()
    return replace(made, steps=(*place, export.kind, export.name)) if made is not None else None
