"""Objects of clusters that exist, as `kubectl get … -o yaml` prints them: NodePools, node classes and nodes. What all exports have: pages, errors."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, cast

from nodepools.model.kubernetes.raw_fields import PodError, mapping
from nodepools.model.steps import mapping as plain_mapping
from nodepools.model.values import dataclass
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS, NODE_POOL, ClassKind
from nodepools.wire.table import Written

_CLASSES: Final[Mapping[str, ClassKind]] = {f"{kind.group}/{kind.kind}": kind for kind in (AKS_NODE_CLASS, EKS_NODE_CLASS)}
_NODE_POOL: Final = f"{NODE_POOL.group}/{NODE_POOL.kind}"
_CLAIM: Final = "NodeClaim"
_OWNERS: Final = (
    ("labels", "app.kubernetes.io/managed-by"),
    ("annotations", "meta.helm.sh/release-name"),
    ("annotations", "argocd.argoproj.io/tracking-id"),
    ("labels", "argocd.argoproj.io/instance"),
    ("labels", "kustomize.toolkit.fluxcd.io/name"),
    ("labels", "helm.toolkit.fluxcd.io/name"),
)
"""Where tools write that an object is theirs."""
_TOOLS: Final = {"meta.helm.sh": "Helm", "argocd.argoproj.io": "Argo CD", "kustomize.toolkit.fluxcd.io": "Flux", "helm.toolkit.fluxcd.io": "Flux"}


class NotExportError(Exception):
    """A value that is not an export that can be read. The message says why."""


class UnrecognizedError(NotExportError):
    """A value that is something else than an export of a cluster."""


class OtherExportError(UnrecognizedError):
    """The output of a command about something that is not used here. The message says of which."""


FARGATE: Final = {"fargateProfile": "aws eks describe-fargate-profile"}
_OTHERS: Final = {
    "nodegroup": "aws eks describe-nodegroup",
    "LaunchTemplateVersions": "aws ec2 describe-launch-template-versions",
    **FARGATE,
    "clusterVersions": "aws eks describe-cluster-versions",
    "insights": "aws eks list-insights",
    "update": "aws eks describe-update",
    "updateIds": "aws eks list-updates",
    "Quotas": "aws service-quotas list-service-quotas",
    "Reservations": "aws ec2 describe-instances",
    "AutoScalingGroups": "aws autoscaling describe-auto-scaling-groups",
    "Role": "aws iam get-role",
    "nodegroups": "aws eks list-nodegroups",
    "clusters": "aws eks list-clusters",
    "fargateProfileNames": "aws eks list-fargate-profiles",
    **{name: f"aws ec2 describe-{words}" for name, words in (("SecurityGroups", "security-groups"), ("RouteTables", "route-tables"))},
    **{name: f"aws ec2 describe-{words}" for name, words in (("NatGateways", "nat-gateways"), ("LaunchTemplates", "launch-templates"))},
}
"""Commands by the key of their outputs."""
_NAMES_ONLY: Final = {
    "nodegroups": "node groups: export each of them with `aws eks describe-nodegroup`",
    "clusters": "clusters: export each of them with `aws eks describe-cluster`",
    "fargateProfileNames": "Fargate profiles: export each of them with `aws eks describe-fargate-profile`",
}
_AZURE_TYPE: Final = re.compile(
    r"/subscriptions/.*/providers/(?!Microsoft\.ContainerService/managedClusters/)(?P<provider>[\w.]+)/(?P<types>[^/]+/[^/]+(?:/[^/]+/[^/]+)*)",
    re.IGNORECASE,
)
"""Ids of resources other than clusters, which all readers know with their parts."""


def other_export(value: object) -> NotExportError | None:
    """Why the output of a command is of no use: it has names only, or is about something else; `None` if it is not known."""
    if isinstance(value, list):
        of_each = [other_export(one) for one in cast("Sequence[object]", value)]
        return of_each[0] if of_each and None not in of_each else None
    raw = plain_mapping(value)
    names = next((text for key, text in _NAMES_ONLY.items() if isinstance(raw.get(key), list) and raw[key]), None)
    if names is not None:
        return NotExportError(f"has only the names of {names}")
    made_by = next((f"`{text}`" for key, text in _OTHERS.items() if isinstance(raw.get(key), list if key in _NAMES_ONLY else list | Mapping)), None)
    if made_by is None and raw.keys() >= {"currentValue", "limit"}:
        made_by = "`az vm list-usage`"
    if made_by is None and (found := _AZURE_TYPE.fullmatch(str(raw.get("id")))):
        made_by = f"`az` about `{'/'.join([found['provider'], *found['types'].split('/')[::2]])}`"
    return OtherExportError(f"is an output of {made_by}: nothing in it is used here") if made_by is not None else None


@dataclass(frozen=True, slots=True)
class ObjectExport:
    """A NodePool, a node class or a node."""

    kind: str
    """`NodePool`, `NodeClass`, `AKSNodeClass` or `Node`."""
    class_kind: ClassKind | None
    """The kind of node class that it is or refers to; `None` for nodes, and for NodePools of other clouds."""
    name: str
    metadata: Written
    spec: Written
    status: Written
    source: str

    @property
    def owner(self) -> str | None:
        """The tool that owns the object, as it says itself."""
        for place, key in _OWNERS:
            value = mapping(self.metadata, place).get(key)
            if value is not None:
                return _TOOLS.get(key.partition("/")[0], str(value))
        owners = self.metadata.get("ownerReferences")
        first = cast("Sequence[object]", owners)[0] if isinstance(owners, list) and owners else None
        return f"{cast('Written', first).get('kind')} {cast('Written', first).get('name')}" if isinstance(first, Mapping) else None

    @property
    def labels(self) -> Written:
        """Its labels."""
        return mapping(self.metadata, "labels")

    @property
    def region(self) -> str | None:
        """The region of a node."""
        value = self.labels.get("topology.kubernetes.io/region")
        return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of one file, which are all in one cluster."""

    source: str
    found: tuple[ObjectExport, ...]

    @property
    def clouds(self) -> frozenset[ClassKind]:
        """The kinds of node classes in the file: each cloud has its own."""
        return frozenset(one.class_kind for one in self.found if one.class_kind is not None)

    @property
    def provider_ids(self) -> frozenset[str]:
        """The ids of nodes in their cloud, as far as nodes and NodeClaims have them."""
        ids = [(one.spec if one.kind == "Node" else one.status).get("providerID") for one in self.found]
        return frozenset(provider_id for provider_id in ids if isinstance(provider_id, str) and provider_id)

    @property
    def regions(self) -> frozenset[str]:
        """The regions of nodes."""
        return frozenset(one.region for one in self.found if one.region is not None)


class WithObjects:
    """A cluster with the objects inside it."""

    __slots__ = ()
    objects: tuple[ObjectExport, ...]

    def named(self, kind: str, name: str) -> ObjectExport | None:
        """Its object with this kind and name, if there is one."""
        return next((one for one in self.objects if one.name == name and one.kind == kind), None)


_ALWAYS: Final = frozenset({"networkProfile", "resourcesVpcConfig"})
"""The network: `az aks show` and `aws eks describe-cluster` print it for every cluster."""


def is_shortened(described: Written) -> bool:
    """The export of a cluster lacks what the cloud prints for each."""
    return not _ALWAYS & described.keys()


def not_shown(sent: Written, shown: Written, described: Written) -> Written:
    """What is sent, and is not known to differ, because a shortened export lacks it. CLIs have capitals of their own."""
    known = {name.lower() for name in shown}
    return {name: value for name, value in sent.items() if name.lower() not in known} if is_shortened(described) else {}


def object_exports(written: Written, source: str) -> Iterator[ObjectExport] | None:
    """The objects in one document: a single object, or a list. `None` if it has no objects. Objects of other kinds are skipped.

    Raises:
        PodError: it is one page of a list, or an object is invalid.
    """
    items = written.get("items")
    if isinstance(items, list) and str(written.get("kind", "")).endswith("List"):
        incomplete = more_pages(written)
        if incomplete is not None:
            raise PodError(incomplete)
        listed = [cast("Written", one) for one in cast("Sequence[object]", items) if isinstance(one, Mapping)]
        return (made for one in listed if (made := _object(one, source)) is not None)
    if isinstance(written.get("apiVersion"), str) and isinstance(written.get("kind"), str):
        made = _object(written, source)
        return iter([made] if made is not None else [])
    return None


def objects_of(listed: Iterable[Written], source: str) -> Objects:
    """What the objects of one file say about their cluster, NodeClaims included."""
    return Objects(source, tuple(made for one in listed if (made := _of_cluster(one, source)) is not None))


def _of_cluster(written: Written, source: str) -> ObjectExport | None:
    if written.get("kind") != _CLAIM:
        return _object(written, source)
    return ObjectExport(_CLAIM, None, "", mapping(written, "metadata"), {}, mapping(written, "status"), source)


def _object(written: Written, source: str) -> ObjectExport | None:
    group, _, _ = str(written.get("apiVersion")).rpartition("/")
    kind = f"{group}/{written.get('kind')}"
    metadata, spec = mapping(written, "metadata"), mapping(written, "spec")
    name = metadata.get("name")
    if not isinstance(name, str) or not (kind in (_NODE_POOL, "/Node") or kind in _CLASSES):
        return None
    return ObjectExport(str(written["kind"]), _class_kind(kind, spec), name, metadata, spec, mapping(written, "status"), source)


def _class_kind(kind: str, spec: Written) -> ClassKind | None:
    if kind != _NODE_POOL:
        return _CLASSES.get(kind)
    reference = mapping(mapping(mapping(spec, "template"), "spec"), "nodeClassRef")
    return _CLASSES.get(f"{reference.get('group')}/{reference.get('kind')}")


_WITHOUT_LIMITS: Final = "export it without `--max-items` and `--no-paginate`"
_NEXT: Final[Mapping[str, str]] = {
    "nextLink": "use `az aks`, which prints all of them, or join the pages",
    "nextToken": _WITHOUT_LIMITS,
    "NextToken": _WITHOUT_LIMITS,
}
_CONTINUE: Final = "has more pages (`metadata.continue`): use `kubectl get -o yaml`, which prints all of them"


def exported_twice(found: Iterable[tuple[str, str, str, Written, str]], *, has_samples: bool = False) -> Iterator[str]:
    """What is there twice with other contents, by kind, cluster and name: exports of different times can contradict each other.

    With `has_samples`, the last of one file counts, because all that a file has are checked.
    """
    seen: dict[tuple[str, str, str], tuple[Written, str]] = {}
    for kind, cluster, name, written, source in {(*one[:3], one[4]): one for one in found}.values() if has_samples else found:
        first, place = seen.setdefault((kind, cluster, name), (written, source))
        if first != written:
            files = f"{place} and {source}" if place != source else source
            yield f"{files}: {kind.rpartition('/')[2]} `{name}` is there twice, with other contents: keep the newest export of it"


def more_pages(written: Mapping[str, object]) -> str | None:
    """Says that a page is not the last one, and what prints all; `None` if it is."""
    found = [f"has more pages (`{name}`): {way}" for name, way in _NEXT.items() if written.get(name)]
    if plain_mapping(written.get("metadata")).get("continue"):
        found.append(_CONTINUE)
    return found[0] if found else None
