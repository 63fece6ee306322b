"""Reconstructs AKS clusters of any program from resources: each cluster with its inline and separate pools, and the objects in it.

An omitted field has Azure's default, not the default of declarations. A field without an input (other users, applied objects) is unknown.
Declarations add taints to their pools; other programs set all taints themselves: a system pool is isolated only if it has the taint.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, cast

from nodepools.data.aks_images import is_later, os_sku
from nodepools.model.aks.agent_pool import CRITICAL_ADDONS_ONLY, GPU_TAINT, WINDOWS_TAINT, AgentPool, GpuPool, SystemPool, UserPool, WindowsPool
from nodepools.model.aks.cluster import CAS_BLOCK, NAP_BLOCK, AksClusterArgs, NodeProvisioning
from nodepools.model.aks.maintenance import CONFIGURATIONS, MaintenanceConfigurations, MaintenanceWindow
from nodepools.model.aks.network import AksNetworkArgs, ExistingAksNetwork, ManagedAksNetwork
from nodepools.model.base import FrozenDict
from nodepools.model.cidr import inside
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.path import path_text
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.model.unknowns import UNKNOWN, assembled, partial, partial_below, unread
from nodepools.model.values import dataclass, replace
from nodepools.resources.kubernetes_objects import Object, with_objects
from nodepools.resources.resource import Kind, Resource
from nodepools.resources.resource_set import Members, UnknownCluster, named_owner
from nodepools.resources.source_map import ReconstructedCluster, SourceLocation, in_resource_terms
from nodepools.rules.engine.field_annotations import with_words, word_among
from nodepools.rules.engine.finding import Finding, Fix, Severity
from nodepools.rules.engine.partial_validation import validate_partial
from nodepools.rules.engine.registry import Where
from nodepools.wire.aks.agent_pool import INLINE, POOL
from nodepools.wire.aks.cluster import CLUSTER, TIER
from nodepools.wire.aks.maintenance import CONFIGURATION
from nodepools.wire.aks.network import EXISTING
from nodepools.wire.aks.network_profile import DATAPLANE, POD_RANGE, SERVICE_RANGE
from nodepools.wire.paths import wire_of
from nodepools.wire.reading import Reading, read
from nodepools.wire.rows import SAME, Codec, Convert, Note, Part, Row, same_word
from nodepools.wire.table import Table

_OWNER = ("resourceName", "resourceName")
"""The input that names the cluster: in its parts, and in the cluster."""
_SUBNETS: Final = {"vnet_subnet_id": "subnet_id", "pod_subnet_id": "pod_subnet_id"}
"""Fields of the first pool, and the fields of the cluster's network that they set."""


@dataclass(frozen=True, slots=True)
class _Pool:
    key: str
    pool: AgentPool | None
    place: SourceLocation
    rejected: Sequence[Finding]
    written: Mapping[str, object]

    @property
    def rejections(self) -> list[tuple[SourceLocation, Finding]]:
        """The findings that AKS is guaranteed to reject, and those about inputs that the model cannot have, in the terms of the resource."""
        found = [in_resource_terms(self.place, finding) for finding in self.rejected]
        return [(self.place, finding) for finding in (*found, *_contradictions(self.written, self.place.at))]

    @property
    def name(self) -> str | None:
        """The name in Azure, if it is known."""
        name = self.written.get("name" if self.place.at else "agentPoolName")
        return name if isinstance(name, str) else None

    def at(self, *steps: str) -> SourceLocation:
        return SourceLocation(steps, self.place.urn, self.place.table, self.place.at)


def aks_clusters(members: Members, applied: Mapping[str, Sequence[Object]]) -> Iterator[ReconstructedCluster]:
    """Yields every cluster, and every pool of an unknown cluster. `applied` maps the URN of a cluster to the objects in it."""
    for resource in members.of(Kind.AKS_CLUSTER):
        one = _cluster(members, resource, applied.get(resource.urn, ()))
        yield one
        if isinstance(one.model, AksClusterArgs) and members.is_stack:
            yield from _in_subnets(members, resource, one.model)
    for resource in members.unowned(Kind.AGENT_POOL, Kind.AKS_CLUSTER, *_OWNER):
        one = _separate(resource)
        yield ReconstructedCluster(one.pool, [one.place], one.rejections)


def _cluster(members: Members, resource: Resource, objects: Sequence[Object]) -> ReconstructedCluster:
    separate, all_pools = members.owned(Kind.AGENT_POOL, resource, *_OWNER)
    pools = [*_inline(resource), *map(_separate, separate)]
    rejected = [rejection for pool in pools for rejection in pool.rejections]
    rejected += [*_repeated(pools), *_without_system_pool(resource, pools)]
    cluster = managed_cluster(resource.inputs, agent_alone=members.is_stack and not _can_be_configured(members, resource))
    first = next((pool for pool in pools if isinstance(pool.pool, SystemPool) and pool.place.at), None)
    if cluster is None:
        return ReconstructedCluster(None, [], rejected)
    others = _keyed([pool for pool in pools if pool is not first])
    places = [SourceLocation((), resource.urn, CLUSTER), _window_place(resource)]
    if first is not None:
        places += [first.at("system_pool"), SourceLocation(("network",), resource.urn, EXISTING, first.place.at)]
    places += [item.at("pools", key) for key, item in others.items()]
    version = cluster.kubernetes_version if "kubernetes_version" not in unread(cluster) else None
    read = {key: _following(item.pool, version) for key, item in others.items() if item.pool is not None}
    system = first.pool if first is not None and first.pool is not None else vars(cluster)["system_pool"]  # unknown with `Automatic`
    hidden = set[str]() if first is not None else {"system_pool"}
    hidden |= set() if all_pools and _are_listed(resource) and all(pool.pool is not None for pool in pools) else {"pools"}
    cluster = partial(assembled(cluster, system_pool=system, pools=FrozenDict(read), network=_network(first)), hidden)
    cluster, windows = _maintained(members, resource, cluster)
    cluster, inside = _provisioned(cluster, objects, is_stack=members.is_stack)
    rejected += [] if cluster_provisions(cluster) else map(_without_provisioning, objects)
    limits = (*([Where.OPEN_CLUSTER] if cluster_provisions(cluster) else []), *([] if separate else [Where.INLINE_POOLS]))
    return ReconstructedCluster(cluster, [*places, *windows, *inside], rejected, limits, _ADDED)


_IN_RANGES: Final = ("service_cidr", "pod_cidr")


def _in_subnets(members: Members, resource: Resource, cluster: AksClusterArgs) -> Iterator[ReconstructedCluster]:
    """The cluster once for each subnet of nodes in a plan of Terraform, as if it was created with the cluster: rules about its range then apply."""
    known = {name.lower(): one for one in members.of(Kind.SUBNET) for name in (one.urn, one.inputs.get("id")) if isinstance(name, str)}
    system = cast("object", vars(cluster)["system_pool"])
    if not known or not isinstance(system, AgentPool):  # AKS chooses the system pool of an `Automatic` cluster
        return
    held = {**cast("Mapping[str, AgentPool]", vars(cluster)["pools"]), "": system}
    first, pods = vars(held[""])["vnet_subnet_id"], {vars(pool)["pod_subnet_id"] for pool in held.values()}
    of_pods = known.get(str(pods.pop()).lower()) if len(pods) == 1 else None
    used = [known.get(str(vars(pool)["vnet_subnet_id"]).lower()) for pool in held.values()]
    for subnet in {one.urn: one for one in used if one is not None}.values():
        cidr, within = _range(subnet), _within(subnet)
        own = _range(of_pods) if of_pods is not None and within is not None else None
        written = {"cidr": within if within is not None else cidr, "node_subnet_cidr": cidr, "pod_subnet_cidr": own}
        network = validate_partial(AksNetworkArgs, written)[0] if cidr is not None else None
        if network is None:
            continue
        pools: dict[str, AgentPool] = {}
        for key, pool in held.items():
            at = vars(pool)["vnet_subnet_id"]
            outside = None if known.get(str(at if at is not None else first).lower()) is subnet else at if at is not None else first
            pools[key] = assembled(pool, vnet_subnet_id=outside, **({"pod_subnet_id": None} if own is not None else {}))
        places = [SourceLocation(("network", "node_subnet_cidr"), subnet.urn, Table(), cast("Steps", subnet.inputs["place"]))]
        if of_pods is not None and own is not None:
            places.append(SourceLocation(("network", "pod_subnet_cidr"), of_pods.urn, Table(), cast("Steps", of_pods.inputs["place"])))
        paths = [("network_profile", name) for name in _IN_RANGES]
        places += [SourceLocation(path, resource.urn, Table(), wire_of(CLUSTER, path)) for path in paths]
        yield ReconstructedCluster(assembled(cluster, network=network, system_pool=pools.pop(""), pools=FrozenDict(pools)), places)


def _range(subnet: Resource) -> str | None:
    """The only range of a subnet."""
    prefixes = sequence(subnet.inputs.get("address_prefixes"))
    return prefixes[0] if len(prefixes) == 1 and isinstance(prefixes[0], str) else None


def _within(subnet: Resource) -> str | None:
    """The range of its network that contains a subnet, or the only range of it."""
    cidr, ranges = _range(subnet), cast("Sequence[str]", subnet.inputs["network"])
    fitting = [one for one in ranges if cidr is not None and ":" not in f"{one}{cidr}" and inside(cidr, one)]
    return fitting[0] if fitting else ranges[0] if len(ranges) == 1 else None


def _window_place(resource: Resource) -> SourceLocation:
    """Returns the input that findings about `maintenance` point to: only declarations have that field, and node auto provisioning requires it."""
    return SourceLocation(("maintenance",), resource.urn, Table(), ("nodeProvisioningProfile", "mode"))


def cluster_provisions(cluster: AksClusterArgs) -> bool:
    """Tells whether the cluster has node auto provisioning, or can have it."""
    return "node_provisioning" in unread(cluster) or cluster.node_provisioning is not None


def _inline(resource: Resource) -> Iterator[_Pool]:
    profiles = resource.inputs.get("agentPoolProfiles")
    for index, profile in enumerate(cast("Sequence[object]", profiles) if isinstance(profiles, list | tuple) else ()):
        if isinstance(profile, Mapping):
            yield _pool(resource, cast("Mapping[str, object]", profile), INLINE, ("agentPoolProfiles", index))


def _are_listed(resource: Resource) -> bool:
    """Tells whether every inline pool of the cluster is known."""
    profiles = resource.inputs.get("agentPoolProfiles")
    return isinstance(profiles, list | tuple) and all(isinstance(profile, Mapping) for profile in cast("Sequence[object]", profiles))


def _separate(resource: Resource) -> _Pool:
    return _pool(resource, resource.inputs, POOL)


def _pool(resource: Resource, written: Mapping[str, object], table: Table, path: Steps = ()) -> _Pool:
    place = SourceLocation((), resource.urn, table, path)
    made, findings = agent_pool(written, table)
    found, key = _Pool(resource.name, made, place, findings, written), pool_key(written)
    return replace(found, key=key if key is not None else found.name if found.name is not None else resource.name)


def _keyed(pools: Iterable[_Pool]) -> dict[str, _Pool]:
    """Returns the pools by key. Two generations can have the same key: the second one gets a key of its own."""
    found: dict[str, _Pool] = {}
    for pool in pools:
        found[pool.key if pool.key not in found else f"{pool.key} of {pool.place.urn}{pool.place.at}"] = pool
    return found


def _following(pool: AgentPool, version: str | None) -> AgentPool:
    """Returns the pool without its Kubernetes version if it is the cluster's: the pool then follows the cluster."""
    same = "kubernetes_version" not in unread(pool) and pool.kubernetes_version == version
    return assembled(pool, kubernetes_version=None) if same else pool


def _network(first: _Pool | None) -> ExistingAksNetwork | ManagedAksNetwork:
    """Returns the network of the first pool. If the pool names no subnet, AKS creates the network."""
    pool = first.pool if first is not None else None
    if pool is not None and "vnet_subnet_id" not in unread(pool) and pool.vnet_subnet_id is None:
        return ManagedAksNetwork()
    known = {to: getattr(pool, of) for of, to in _SUBNETS.items() if pool is not None and of not in unread(pool) and getattr(pool, of) is not None}
    missing = set[str]() if "subnet_id" in known else {"subnet_id"}
    missing |= {to for of, to in _SUBNETS.items() if pool is None or of in unread(pool)}
    return partial(ExistingAksNetwork.model_validate({"subnet_id": "unknown", **known}), missing)


def _maintained(members: Members, resource: Resource, cluster: AksClusterArgs) -> tuple[AksClusterArgs, list[SourceLocation]]:
    own, are_all = members.owned(Kind.MAINTENANCE, resource, *_OWNER)
    windows: dict[str, object] = {}
    places: list[SourceLocation] = []
    for member in own:
        field = CONFIGURATIONS.get(str(member.inputs.get("configName")))
        window = maintenance_window(member.inputs)
        are_all = are_all and field is not None and window is not None
        if field is not None and window is not None:
            windows[field] = window
            places.append(SourceLocation(("maintenance_configurations", field), member.urn, CONFIGURATION))
    made = assembled(MaintenanceConfigurations(), **windows)
    return partial(assembled(cluster, maintenance_configurations=made), () if are_all else ("maintenance_configurations",)), places


def _provisioned(cluster: AksClusterArgs, objects: Sequence[Object], *, is_stack: bool) -> tuple[AksClusterArgs, list[SourceLocation]]:
    auto = None if "node_provisioning" in unread(cluster) else cluster.node_provisioning
    if auto is None:
        return cluster, []
    auto, places = with_objects(auto, objects, "node_provisioning")
    if not is_stack:
        auto = partial(auto, ("node_pools", "node_classes"))
    return assembled(cluster, node_provisioning=assembled(auto, with_cluster_autoscaler=_separates_autoscalers(cluster, auto))), places


NOT_LAUNCHED: Final = "node auto provisioning of its cluster is off, so that only a self-managed Karpenter launches nodes for it"


def _without_provisioning(one: Object) -> tuple[SourceLocation, Finding]:
    """An object of a cluster in which AKS runs no Karpenter."""
    finding = _of_inputs("OBJ030", ("metadata", "name"), f"AKS launches no nodes: {NOT_LAUNCHED}", is_certain=False, fix=_TURN_ON)
    return one.place(), replace(finding, source=_NAP)


_TURN_ON: Final = "Turn on node auto provisioning, or remove the object"
_NAP: Final = "https://learn.microsoft.com/azure/aks/use-node-auto-provisioning: Karpenter runs with the mode `Auto` of nodeProvisioningProfile"


def _separates_autoscalers(cluster: AksClusterArgs, auto: NodeProvisioning) -> bool:
    """Tells whether a pool has a taint that separates Karpenter from the cluster autoscaler: its user has registered the preview feature."""
    agent_pools = [pool for pool in cast("Mapping[str, AgentPool]", vars(cluster)["pools"]).values() if "taints" not in unread(pool)]
    node_pools = [pool for pool in vars(auto)["node_pools"].values() if "taints" not in unread(pool)]
    keys = {taint.key for pool in (*agent_pools, *node_pools) for taint in pool.taints if not unread(taint)}
    return not keys.isdisjoint({CAS_BLOCK.key, NAP_BLOCK.key})


_NOT_READ: Final = frozenset({"resource_group", "identity", "registries"})
"""Fields with an input that means less than the field: a declaration requires an existing group, and an identity with its role assignments;
registries are known by these."""
_EMPTY: Final[tuple[str, object]] = ("api_server", {})
"""A part that is always read, here without any value."""
_ELSEWHERE: Final = frozenset({"pools", "network", "maintenance", "maintenance_configurations", "overrides", "kind"})
"""Fields that other resources set, or that only declarations have."""
_UNKNOWN: Final = _NOT_READ | {row.name for row in CLUSTER.rows if isinstance(row, Note) and row.kind == "ours"} - _ELSEWHERE
"""Fields that are unknown, whatever the inputs are."""
_ADDED: Final = {name: AksClusterArgs.model_fields[name].get_default(call_default_factory=True) for name in _UNKNOWN} | {"device_plugin": None}


def managed_cluster(written: Mapping[str, object], *, agent_alone: bool = False) -> AksClusterArgs | None:
    """Returns the cluster as far as it is known, with a placeholder for its system pool, which is not read here.

    Args:
        written: the inputs.
        agent_alone: no data collection rule configures the cluster's log agent.
    """
    read_back = cast("Mapping[str, object]", with_words(AksClusterArgs, read(CLUSTER, written, Reading())))
    found = {name: value for name, value in read_back.items() if name not in _NOT_READ and (name, value) != _EMPTY}
    if agent_alone:
        found.pop("log_analytics_workspace_id", None)
    if _can_be_automatic(written):
        unknown = AksClusterArgs.model_fields.keys() - (found.keys() - {"network_profile"}) - {"kind", "overrides"}
    else:
        _complete(found, written)
        unknown = _UNKNOWN
    if isinstance(autoscaler := found.get("autoscaler"), dict):
        cast("dict[str, object]", autoscaler)["priorities"] = UNKNOWN  # they are in a ConfigMap
    found["overrides"] = overrides_of(written, agent_alone=agent_alone)
    placeholders = {"system_pool": {"kind": "SystemPool", "vm_size": UNKNOWN}, "network": {"kind": "ExistingAksNetwork", "subnet_id": "unknown"}}
    made, _ = validate_partial(AksClusterArgs, {**found, **placeholders})
    return partial_below(made, [(name,) for name in unknown]) if made is not None else None


def maintenance_window(written: Mapping[str, object]) -> MaintenanceWindow | None:
    """Returns the window of a maintenance configuration, as far as it is known; `None` if only the older `timeInWeek` is set."""
    if written.get("maintenanceWindow") is None:
        return None
    return validate_partial(MaintenanceWindow, read(CONFIGURATION, written, Reading()))[0]


def _complete(found: dict[str, object], written: Mapping[str, object]) -> None:
    """Adds Azure's defaults for omitted fields."""
    found.setdefault("tier", TIER)
    found.setdefault("oidc_issuer", UNKNOWN)  # the default depends on the version with which the cluster was created
    found.setdefault("workload_identity", False)
    if _value_at(written, "apiServerAccessProfile", "enableVnetIntegration") not in (None, False):
        found.setdefault("api_server_subnet_id", UNKNOWN)  # AKS creates the subnet in a network that it manages
    found.setdefault("entra", None if written.get("aadProfile") is None else UNKNOWN)  # the older integration of Entra ID
    if isinstance(provisioning := found.get("node_provisioning"), dict):
        cast("dict[str, object]", provisioning)["cilium_startup_taint"] = False  # only declarations add it automatically
    if found.get("network_profile") is not UNKNOWN:
        _complete_network(cast("dict[str, object]", found.setdefault("network_profile", {})))


def _complete_network(profile: dict[str, object]) -> None:
    if "plugin" not in profile:  # the default depends on the version of the API
        profile |= {name: UNKNOWN for name in ("plugin", "plugin_mode", "dataplane") if name not in profile}
    profile.setdefault("plugin_mode", None)
    profile.setdefault("dataplane", DATAPLANE)
    profile.setdefault("service_cidr", SERVICE_RANGE)
    if profile["plugin_mode"] == "overlay" or profile["plugin"] == "kubenet":
        profile.setdefault("pod_cidr", POD_RANGE)


def _value_at(written: Mapping[str, object], profile: str, name: str) -> object:
    """Returns the input `name` of `profile`, or the value of `profile` if that is not a mapping."""
    value = written.get(profile)
    return cast("Mapping[str, object]", value).get(name) if isinstance(value, Mapping) else value


_ADD_ONS: Final = "addon_profiles"
_BOOTSTRAP: Final = "bootstrap_profile"


def _if(*values: object) -> Codec:
    """Returns a codec that reads only these values: any other value is the same as that of a declaration."""
    read_back: Convert = lambda written: word_among(values, written)  # noqa: E731  # a codec takes functions
    return SAME._replace(read=read_back)


def _application(client_id: object) -> object:
    return client_id if client_id != "msi" else None


OVERRIDES: Final = Table(
    Row("enable_rbac", "enableRBAC", codec=_if(False)),
    Part("service_principal_profile", "servicePrincipalProfile", Table(Row("client_id", "clientId", codec=SAME._replace(read=_application)))),
    Part(_BOOTSTRAP, "bootstrapProfile", Table(Row("artifact_source", "artifactSource"))),
    Part(
        "network_profile",
        "networkProfile",
        Table(Row("dns_service_ip", "dnsServiceIP"), Row("load_balancer_sku", "loadBalancerSku", codec=_if("basic"))),
    ),
    Part(
        _ADD_ONS,
        "addonProfiles",
        Table(Part("omsagent", "omsagent", Table(Row("enabled", "enabled"), Part("config", "config", Table(Row("useAADAuth", "useAADAuth")))))),
    ),
)
"""The `overrides` of a cluster in azure-native's Python spelling, with the inputs that they are read from."""


def overrides_of(written: Mapping[str, object], *, agent_alone: bool) -> dict[str, object]:
    """Returns the `overrides` that a declaration of this cluster would set, without unknown values."""
    found = read(OVERRIDES, written, Reading())
    if not agent_alone:
        found.pop(_ADD_ONS, None)
    bootstrap = found.get(_BOOTSTRAP)
    if bootstrap is UNKNOWN or (isinstance(bootstrap, dict) and UNKNOWN in cast("dict[str, object]", bootstrap).values()):
        found[_BOOTSTRAP] = {"artifact_source": "Cache"}  # an unknown value can be right: no rule reports it as missing
    return _without_unknown(found)


def _without_unknown(values: Mapping[str, object]) -> dict[str, object]:
    return {
        name: _without_unknown(cast("Mapping[str, object]", value)) if isinstance(value, Mapping) else value
        for name, value in values.items()
        if value is not UNKNOWN
    }


_REJECTED: Final = ("count", "max_pods", "name", "os_disk_size_gb", "scale", "taints")
"""Fields of which Azure is guaranteed to reject each value that the model rejects."""
_NVIDIA: Final = re.compile(r"Standard_N[CDV]", re.IGNORECASE)
_AMD: Final = re.compile(r"Standard_NV[0-9]+as_v4", re.IGNORECASE)


def agent_pool(written: Mapping[str, object], table: Table = POOL) -> tuple[AgentPool | None, list[Finding]]:
    """Returns the pool as far as it is known, and the findings that Azure is guaranteed to reject, in the model's terms.

    The pool is `None` if its mode or operating system is unknown.

    Args:
        written: the inputs.
        table: `POOL` for an AgentPool, `INLINE` for a pool inside the cluster.
    """
    kind = _pool_kind(written)
    if kind is None:
        return None, []
    found = read(table, written, Reading())
    if "machines" in found and (found["machines"] is UNKNOWN or "machines" not in kind.model_fields):
        found |= dict.fromkeys(("vm_size", "count", "scale"), UNKNOWN)  # the profile of one size says nothing of the others
    taints = found.get("taints", [])
    if kind is SystemPool:
        found["isolated"] = _isolated(cast("list[object]", taints)) if isinstance(taints, list) else UNKNOWN
    elif kind is GpuPool:
        found["tainted"] = str(GPU_TAINT) in taints if isinstance(taints, list) else UNKNOWN
    elif kind is WindowsPool:
        found.setdefault("os_sku", UNKNOWN)  # the default depends on the version of Kubernetes
        found["tainted"] = str(WINDOWS_TAINT) in taints if isinstance(taints, list) else UNKNOWN
    found = {name: value for name, value in found.items() if name in kind.model_fields}
    return validate_partial(kind, cast("Mapping[str, object]", with_words(kind, found)), _is_rejected)


def pool_key(written: Mapping[str, object]) -> str | None:
    """Returns the pool key from the label of this library, if the pool has that label."""
    key = mapping(written.get("nodeLabels")).get(POOL_LABEL)
    return key if isinstance(key, str) else None


def _of_inputs(code: str, at: Steps, message: str, *, is_certain: bool, fix: str) -> Finding:
    severity = Severity.ERROR if is_certain else Severity.WARNING
    return Finding(code, severity, path_text(at), None, message, Fix(fix), _SOURCE, steps=at)


_SOURCE: Final = "https://learn.microsoft.com/azure/aks/use-system-pools; Azure API reference: AgentPools"
_RANGE: Final = ("minCount", "maxCount")


def _contradictions(written: Mapping[str, object], at: Steps) -> Iterator[Finding]:
    """Yields what AKS rejects or ignores, and no declaration can say: kinds of pools exclude it."""
    if _word(written.get("mode"), _KINDS["mode"]) == "System":
        if same_word(written.get("osType"), "Windows"):
            message = "AKS rejects Windows nodes in a system pool"
            yield _of_inputs("CFG005", (*at, "osType"), message, is_certain=True, fix="Set `osType` to `Linux`, or `mode` to `User`")
        if same_word(written.get("scaleSetPriority"), "Spot"):
            message = "AKS rejects spot nodes in a system pool"
            yield _of_inputs("CFG005", (*at, "scaleSetPriority"), message, is_certain=True, fix="Remove it, or set `mode` to `User`")
    switch = written.get("enableAutoScaling")
    missing = [name for name in _RANGE if written.get(name) is None]
    there = [name for name in _RANGE if name not in missing]
    if same_word(switch, True) and missing:
        message = f"AKS rejects a new pool with `enableAutoScaling` without `{'` and `'.join(missing)}`"
        yield _of_inputs("CFG001", (*at, "enableAutoScaling"), message, is_certain=False, fix="Set `minCount` and `maxCount`")
    elif there and UNKNOWN not in map(written.get, there) and (switch is None or same_word(switch, False)):
        message = f"Without `enableAutoScaling`, `{'` and `'.join(there)}` never {'scales' if len(there) == 1 else 'scale'} the pool"
        yield _of_inputs("CFG001", (*at, there[0]), message, is_certain=False, fix="Set `enableAutoScaling`, or remove `minCount` and `maxCount`")


def _repeated(pools: Sequence[_Pool]) -> Iterator[tuple[SourceLocation, Finding]]:
    """Yields pools with the name of a pool inside the cluster. One that is separate can be imported."""
    first: dict[str, _Pool] = {}
    for pool in pools:
        before = first.setdefault(pool.name, pool) if pool.name is not None else pool
        if before is not pool and before.place.at:
            at = (*pool.place.at, "name" if pool.place.at else "agentPoolName")
            message = f"The cluster has a second pool `{pool.name}`: Azure rejects the creation of one of them"
            yield pool.place, _of_inputs("CFG015", at, message, is_certain=bool(pool.place.at), fix="Use another name")


def _without_system_pool(resource: Resource, pools: Sequence[_Pool]) -> Iterator[tuple[SourceLocation, Finding]]:
    """Yields a cluster whose inline pools all have the mode User: it can be updated, but not created."""
    inline = [pool.written.get("mode") for pool in pools if pool.place.at]
    if _are_listed(resource) and all(same_word(mode, "User") for mode in inline) and not _can_be_automatic(resource.inputs):
        message, fix = "AKS rejects a new cluster without a system pool in `agentPoolProfiles`", "Add a pool with the mode `System`"
        yield SourceLocation((), resource.urn, CLUSTER), _of_inputs("CFG008", ("agentPoolProfiles",), message, is_certain=False, fix=fix)


def _can_be_automatic(written: Mapping[str, object]) -> bool:
    """Tells whether AKS decides every omitted field, or can."""
    name = _value_at(written, "sku", "name")
    return name is UNKNOWN or same_word(name, "Automatic")


_KINDS: Final = {"mode": ("User", "System", "Gateway"), "osType": ("Linux", "Windows")}
"""The inputs that tell the kind of a pool, with the words that Azure accepts in any case; the first one is its default."""


def _word(value: object, words: Sequence[str]) -> str | None:
    return words[0] if value is None else word_among(words, value)


def _pool_kind(written: Mapping[str, object]) -> type[AgentPool] | None:
    mode, system = (_word(written.get(name), words) for name, words in _KINDS.items())
    if mode == "System" and system == "Linux":
        return SystemPool
    if mode not in ("User", "Gateway") or system is None:
        return None
    if mode == "Gateway":
        return UserPool
    if system == "Windows":
        return WindowsPool
    size = written.get("vmSize")
    gpu = isinstance(size, str) and _NVIDIA.match(size) and not _AMD.fullmatch(size)
    return GpuPool if gpu or "gpuProfile" in written or "gpuInstanceProfile" in written else UserPool


def _isolated(taints: Sequence[object]) -> object:
    """Tells whether the taints isolate a system pool. A taint with the same key and another value or effect can do the same: unknown."""
    if str(CRITICAL_ADDONS_ONLY) in taints:
        return True
    return UNKNOWN if any(str(taint).startswith(CRITICAL_ADDONS_ONLY.key) for taint in taints) else False


def _is_rejected(finding: Finding) -> bool:
    return finding.code != "CFG001" and (finding.steps[0] in _REJECTED or (finding.steps[0] == "os_sku" and _is_not_windows(finding.value)))


def _is_not_windows(value: object) -> bool:
    """Tells whether AKS rejects this OS SKU for Windows: it is not a Windows SKU and not a later one, or it is retired."""
    known = os_sku(value) if isinstance(value, str) else None
    return isinstance(value, str) and not is_later(value) and (known is None or known.system == "Linux" or known.name == "WindowsAnnual")


_CLUSTER_INPUTS: Final = ("resourceUri", "targetResourceId")
"""The input of an association that names the cluster, in `azure-native` and in `azure`."""
_EXTENSION: Final = "Microsoft-ContainerInsights", "Microsoft-ContainerLog", "Microsoft-Kube", "Microsoft-InsightsMetrics", "Microsoft-Perf"
"""Prefixes of the streams of a data collection rule for Container Insights."""


def _can_be_configured(members: Members, cluster: Resource) -> bool:
    """Tells whether an association can belong to this cluster, and its rule can collect logs."""
    clusters = members.of(Kind.AKS_CLUSTER)
    for member in members.of(Kind.LOG_ASSOCIATION):
        naming = next((name for name in _CLUSTER_INPUTS if name in member.inputs), _CLUSTER_INPUTS[0])
        owner = named_owner(member, naming, clusters, "id")
        if (owner is cluster or isinstance(owner, UnknownCluster)) and _can_collect_logs(members, member):
            return True
    return False


def _can_collect_logs(members: Members, association: Resource) -> bool:
    """Tells whether the rule can be for Container Insights: not for Managed Prometheus only, and not only an endpoint."""
    if association.inputs.get("dataCollectionRuleId") is None:
        return False
    urns = {*association.property_dependencies.get("dataCollectionRuleId", ()), *association.dependencies}
    rules = [member for member in members.of(Kind.LOG_RULE) if member.urn in urns]
    return not rules or any(_collects(rule) for rule in rules)


def _collects(rule: Resource) -> bool:
    flows = rule.inputs.get("dataFlows")
    if not isinstance(flows, list | tuple):
        return True
    return any(_collects_logs(flow) for flow in cast("Sequence[object]", flows))


def _collects_logs(flow: object) -> bool:
    streams = mapping(flow).get("streams")
    if not isinstance(streams, list | tuple):
        return True
    return any(not isinstance(stream, str) or stream.startswith(_EXTENSION) for stream in cast("Sequence[object]", streams))
