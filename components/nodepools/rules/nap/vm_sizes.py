"""NodePools of node auto provisioning: VM sizes, zones, capacity types, operating systems, unset fields. Facts: docs/facts/aks.md § 3.4 to § 3.7."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import reduce
from typing import Final

from nodepools.data.aks_images import retirement_of
from nodepools.data.azure_vm_sizes import DAY, FEWEST_CPUS, LEAST_GIB, AzureSize, azure_vm_sizes, lacks_host_encryption
from nodepools.keys import aks as keys
from nodepools.keys.kinds import Flag, Memory, Number
from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass, AksNodePool, NodeProvisioning
from nodepools.model.karpenter import Requirement
from nodepools.model.kubernetes.label import Requirements, Taint, Values, integer
from nodepools.model.kubernetes.quantity import amount
from nodepools.model.name_limits import azure_name
from nodepools.rules.eks.instance_types import fewer_values
from nodepools.rules.engine.finding import Fix, PartFinding, certain, literal, ref, remove, set_to
from nodepools.rules.engine.registry import DEVICE_PLUGINS, FILES_WITHOUT_CLUSTER, Limit, Where, error, finding, limited, note, sample, warning
from nodepools.rules.engine.samples import ON_DEMAND, aks_pool, provisioning
from nodepools.rules.karpenter.requirements import EVERY_NODE_HAS
from nodepools.rules.platform.labels import aks_zones, allowed_values, allowing, is_spot_only

_POOLS = "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools"


@warning("NAP018", f"{_POOLS}: zones are written region-number")
@sample(
    "node_provisioning.node_pools.general.requirements[2].values[1]",
    lambda: provisioning({"general": aks_pool(keys.zone.one_of("westeurope-1", "2"))}),
)
def ignored_zone(requirement: Requirement, _: AksNodePool, cluster: AksClusterArgs | None) -> Iterator[PartFinding]:
    """Karpenter ignores values of the zone label that are not zones of the region: such a value allows nothing, and excludes nothing."""
    if requirement.label != keys.zone.name or requirement.operator not in ("In", "NotIn"):
        return
    zones = aks_zones(cluster)
    known = [zones.has(value) for value in requirement.values]
    for index, is_zone in enumerate(known):
        if not is_zone and (any(known) or requirement.operator == "NotIn"):  # a list of nothing that there is: NAP009
            where = f"`{zones.where}`" if cluster is not None else zones.where
            value = requirement.values[index]
            message = f"`{value}` is not the name of a zone of {where}: Karpenter ignores it"
            full = f"{azure_name(cluster.location)}-{value}" if cluster is not None else ""
            is_meant = zones.has(full) and full not in requirement.values
            advice = remove(("values", index)) if requirement.operator == "In" else f"Write a zone with its region, such as `{zones.example}`"
            yield finding(requirement, message, path=("values", index), fix=certain(set_to(("values", index), full)) if is_meant else advice)


@error("NAP060", f"{_POOLS}; nodes are in the region of their cluster and in one of its zones, 1 to 3, or in none")
@limited(FILES_WITHOUT_CLUSTER)
@sample(
    'node_provisioning.node_pools.general.labels["topology.kubernetes.io/region"]', lambda: provisioning({"general": aks_pool(labels=_ELSEWHERE)})
)
def node_pool_outside_of_region(pool: AksNodePool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """Nodes are in the region of their cluster, and in its zones: a NodePool that allows none of them never launches a node."""
    zones = aks_zones(cluster)
    scopes = ("regional", *(["zonal"] if zones.has(f"{zones.where}-1") else []))
    named = ("0", *(f"{zones.where}-{zone}" for zone in (1, 2, 3)))
    for key, choices in ((keys.zone.name, named), (keys.region.name, (zones.where,)), (keys.placement_scope.name, scopes)):
        values = allowed_values(pool, key)
        listed = [one for one in pool.requirements if one.label == key == keys.zone.name and one.operator == "In"]
        if values.absent or any(not any(map(zones.has, one.values)) for one in listed):  # KAR040, NAP009
            continue
        if not any(choice in values and (key != keys.zone.name or zones.has(choice)) for choice in choices):
            at = ("labels", key) if key in pool.labels else ("requirements",)
            message = f"No node is ever launched: the NodePool allows no value of `{key}` that nodes in `{zones.where}` have"
            yield finding(pool, message, path=at, value=None, fix=f"Use a value such as `{zones.example if key == keys.zone.name else choices[0]}`")


_ELSEWHERE: Final = {keys.region.name: "northeurope"}


@note("NAP030", "NodePool CRD (karpenter.sh/v1): expireAfter, 720h; expiry asks no budget")
@sample("expire_after", lambda: aks_pool(expire_after=None))
def default_node_expiry(pool: AksNodePool) -> Iterator[PartFinding]:
    """Karpenter replaces nodes after 720h (30 days) by default, whatever the disruption budgets."""
    if pool.life("expire_after")[1] is None:
        message = f"Without {ref('expire_after')} nodes are replaced after 720h (30 days), whatever the disruption budgets"
        yield finding(pool, message, path="expire_after")


@note("NAP031", f"{_POOLS}: limits bound what a NodePool may start")
@sample("limits", lambda: aks_pool(limits={}))
def node_pool_without_limits(pool: AksNodePool) -> Iterator[PartFinding]:
    """Karpenter launches nodes of a NodePool without limits until the quota of the subscription is used up."""
    if not pool.limits and pool.replicas is None:
        message = f"Without {ref('limits')} the NodePool launches nodes for pending pods until the subscription's quota is used up"
        yield finding(pool, message, path="limits", value=None)


_OFFERED = "https://github.com/Azure/karpenter-provider-azure/blob/main/pkg/providers/instancetype/instancetypes.go"
_LABELS = "https://github.com/Azure/karpenter-provider-azure/blob/main/pkg/apis/v1beta1/labels.go"
_FIPS_ENABLED = "kubernetes.azure.com/fips_enabled"
_GPU_KEYS = (keys.sku_gpu_name.name, keys.sku_gpu_manufacturer.name)
_LEAST_CPUS, _CPUS_OF_LOCAL_DNS, _MOST_CPUS = FEWEST_CPUS, 4, 1024
_PRIORITIES = ("kubernetes.azure.com/scalesetpriority", "kubernetes.azure.com/priority")
_NO_ZONE, _NO_LABEL = "0", ""
_NAMES = (keys.sku_name.name, keys.instance_type.name)
_OF_SIZES = frozenset(
    {one.name for one in (keys.sku_family, keys.sku_series, keys.sku_version, keys.sku_cpu, keys.sku_memory, keys.sku_gpu_count)}
) | {*_GPU_KEYS}
_SHOWN_SIZES = 3
_NUMBER, _YES_OR_NO = re.compile("[0-9]+"), re.compile("true|false")
_SPELT = {
    **{key.name: (_NUMBER, 'a whole number in quotes without a unit, such as `"5"`') for key in vars(keys).values() if isinstance(key, Number)},
    **{key.name: (_NUMBER, 'a whole number of MiB in quotes: `"131072"` is 128Gi') for key in vars(keys).values() if isinstance(key, Memory)},
    **{key.name: (_YES_OR_NO, '`"true"` or `"false"`') for key in vars(keys).values() if isinstance(key, Flag)},
    keys.sku_family.name: (re.compile("[ABDEFGHLMNP]"), "the capital letter of a family, such as `D`"),
    keys.sku_series.name: (re.compile("[A-Z]+[a-zP]*(_v[0-9]+)?"), "the size without its number and its GPU, such as `Dads_v5`"),
    keys.sku_gpu_name.name: (re.compile("[^a-z]+"), "the name of a GPU in capital letters, such as `A100`"),
    keys.sku_gpu_manufacturer.name: (re.compile("nvidia|amd"), "`nvidia` or `amd`"),
    keys.placement_scope.name: (re.compile("zonal|regional"), "`zonal` or `regional`"),
    keys.mode.name: (re.compile("system|user"), "`system` or `user`"),
    keys.os_sku.name: (re.compile("Ubuntu|AzureLinux"), "`Ubuntu` or `AzureLinux`"),
    **dict.fromkeys(_PRIORITIES, (re.compile("spot|regular"), "`spot` or `regular`")),
    _FIPS_ENABLED: (re.compile("true"), "`true`: nodes without FIPS do not have the label"),
}
"""The form of the values of a label."""


@warning("NAP032", f"{_OFFERED}: sizes that a node class excludes; {_LABELS}: fips_enabled")
@sample(
    "node_provisioning.node_pools.arm.node_class",
    lambda: provisioning(
        {"arm": aks_pool(node_class="own", requirements=[ON_DEMAND, keys.arch.one_of("arm64")])},
        node_classes={"own": AksNodeClass(artifact_streaming=True)},
    ),
)
def node_class_excludes_sizes(pool: AksNodePool, parent: NodeProvisioning) -> Iterator[PartFinding]:
    """Settings of an AKSNodeClass exclude VM sizes: a NodePool that requires only those never launches a node."""
    node_class = _class_of(pool, parent)
    if node_class is not None:
        for why, fix in list(_exclusions(pool, node_class)) or _excluded_sizes(pool, node_class):
            yield finding(pool, f"No node is ever launched: {why}", path="node_class", fix=fix)


@warning("NAP033", f"{_LABELS}: values are compared as they are written")
@sample("requirements[2].values[0]", lambda: aks_pool(Requirement("karpenter.azure.com/sku-version", "In", ["v5"])))
def invalid_vm_size_value(requirement: Requirement, _: AksNodePool) -> Iterator[PartFinding]:
    """Label values are compared as text: numbers have no unit, memory is in MiB, and switches are `true` or `false`."""
    spelt, how = _SPELT.get(requirement.label, (None, ""))
    for index, value in enumerate(requirement.values):
        if spelt is not None and not spelt.fullmatch(value):
            message = f"No node has the value `{value}` of the label `{requirement.key}`"
            yield finding(requirement, message, path=("values", index), fix=f"Use {how}")


@warning("NAP034", f"{_OFFERED}: constrained and confidential sizes, and those of one vCPU or less than 3.5 GiB, are never offered")
@sample("requirements[2].values[0]", lambda: aks_pool(keys.sku_name.one_of("Standard_E4-2s_v5")))
def unsupported_vm_size(requirement: Requirement, pool: AksNodePool, today: date) -> Iterator[PartFinding]:
    """Node auto provisioning never launches constrained, confidential or retired VM sizes, or sizes with fewer than 2 vCPUs or 3.5 GiB."""
    if requirement.label in (keys.sku_name.name, keys.instance_type.name) and requirement.operator == "In":
        for index, value in enumerate(requirement.values):
            size = azure_vm_sizes().get(value)
            unsold = size is not None and not size.is_sold_as_spot and is_spot_only(pool)
            what = "Azure does not sell as spot capacity" if unsold else _not_launched(value, today)
            if what is not None:
                message = f"Node auto provisioning never launches `{value}`, which {what}"
                fix = f"Use a size with at least {_LEAST_CPUS} vCPUs and {LEAST_GIB} GiB that is neither constrained nor confidential"
                yield finding(requirement, message, path=("values", index), fix="Use a size of another series" if unsold else fix)
    about = pool.synonyms.get(requirement.label, (requirement.label, {}))[0]
    if about in _below_least(pool):
        fewer, least = _LEAST[about]
        message = f"No node is ever launched: only sizes with {fewer} are allowed, which node auto provisioning does not use"
        yield finding(requirement, message, path="values", fix=f"Allow sizes with at least {least}")


_LEAST: Final = {
    keys.sku_cpu.name: (f"fewer than {_LEAST_CPUS} vCPUs", f"{_LEAST_CPUS} vCPUs"),
    keys.sku_memory.name: (f"less than {LEAST_GIB} GiB", f"{LEAST_GIB} GiB, such as 16 GiB: `{16 * 1024}`"),
}


def _below_least(pool: AksNodePool) -> list[str]:
    """The labels of amounts that allow only less than node auto provisioning uses; KAR048 reports listed amounts of memory."""
    memory = allowed_values(pool, keys.sku_memory.name).maximum
    is_below = {
        keys.sku_cpu.name: _some_of(pool, 0) and not _some_of(pool, _LEAST_CPUS),
        keys.sku_memory.name: memory is not None and memory < LEAST_GIB * 1024,
    }
    return [key for key, below in is_below.items() if below]


@error("NAP074", f"{_OFFERED}: a size has one architecture, family, version and number of vCPUs, which its name says")
@sample(
    "requirements",
    lambda: aks_pool(requirements=[ON_DEMAND, keys.arch.one_of("arm64"), keys.sku_name.one_of("Standard_D4ds_v5", "Standard_E4ds_v5")]),
)
def named_vm_sizes_excluded(pool: AksNodePool) -> Iterator[PartFinding]:
    """If other requirements exclude every VM size that a NodePool names, it reports ready, but never launches a node."""
    required = _required(pool)
    named = _named_sizes(required)
    excluding = [_excluding(required, size) for size in named]
    if named and all(excluding):
        common = reduce(set[str].__and__, map(set[str], excluding))
        why = f"`{min(common)}` excludes" if common else "other requirements exclude"
        least, first = min(zip(excluding, named, strict=True), key=lambda one: len(one[0]))
        fix = allowing({key: {**first.labels, keys.sku_series.name: first.series}.get(key) for key in least})
        listed = ", ".join(f"`{size.name}`" for size in named[:_SHOWN_SIZES]) + (" and others" if len(named) > _SHOWN_SIZES else "")
        yield finding(pool, f"No node is ever launched: {why} every VM size that is named ({listed})", path="requirements", value=None, fix=fix)


@warning("NAP075", f"{_OFFERED}; the table of sizes of {DAY}: Azure adds sizes")
@sample("requirements", lambda: aks_pool(requirements=[ON_DEMAND, keys.arch.one_of("arm64"), keys.sku_family.one_of("F", "M")]))
def no_matching_vm_size(pool: AksNodePool) -> Iterator[PartFinding]:
    """A NodePool whose requirements no VM size meets reports ready, but never launches a node."""
    required = _required(pool)
    is_named = any(key in required and not required[key].complement for key in _NAMES)
    if is_named or not required.keys() & _OF_SIZES or _is_misspelt(pool) or _below_least(pool):
        return
    if all(size.unprovisioned or _excluding(required, size) for size in azure_vm_sizes().values()):
        keyed = " and ".join(f"`{key}`" for key in sorted(required.keys() & {*_OF_SIZES, keys.arch.name}))
        message = f"No VM size of {DAY} meets the requirements on {keyed}: unless Azure has added one, no node is ever launched"
        yield finding(pool, message, path="requirements", value=None, fix="Relax one of these requirements")


@warning("NAP078", f"Karpenter: minValues, policy Strict: with fewer different values among the types no node is started; the sizes of {DAY}")
@sample(
    "requirements[2].min_values", lambda: aks_pool(Requirement(keys.sku_family.name, "In", ["D", "E"], min_values=2), keys.sku_series.one_of("Ds_v5"))
)
def min_values_of_vm_sizes(requirement: Requirement, pool: AksNodePool) -> Iterator[PartFinding]:
    """Karpenter launches no node if the VM sizes that a NodePool allows have fewer different values than `min_values` requires."""
    least, key, required = requirement.min_values, requirement.label, _required(pool)
    if least is not None and (requirement.operator != "In" or len(requirement.values) >= least):  # else KAR042
        left = [size for size in azure_vm_sizes().values() if not size.unprovisioned and not _excluding(required, size)]
        names = [required[one] for one in _NAMES if one in required]
        of_left = [{**size.labels, keys.sku_series.name: size.series} for size in left if all(size.name in values for values in names)]
        known = of_left if all(labels.get(key, "") is not None for labels in of_left) else ()
        yield from fewer_values(requirement, pool, key, known)


@error("NAP073", "karpenter-provider-azure, designs/0009: regional offerings have the zone `0`, zonal ones a zone of the region")
@sample("requirements", lambda: aks_pool(keys.placement_scope.one_of("regional"), keys.zone.one_of("westeurope-1")))
def placement_scope_contradicts_zones(pool: AksNodePool) -> Iterator[PartFinding]:
    """Nodes with regional placement have the zone `0`, and those with zonal placement another: requirements on both must agree."""
    scopes, zones = allowed_values(pool, keys.placement_scope.name), allowed_values(pool, keys.zone.name)
    only = next((scope for scope, other in (("regional", "zonal"), ("zonal", "regional")) if scope in scopes and other not in scopes), None)
    without, within = _NO_ZONE in zones, zones.complement or bool(zones.members - {_NO_ZONE})
    if (only == "regional" and not without) or (only == "zonal" and not within):
        zone = "the zone `0`" if only == "regional" else "a zone of the region, such as `westeurope-1`"
        message = f"No node is ever launched: nodes with the placement scope `{only}` have {zone}, which the requirements exclude"
        fix = f"Remove the requirement on `{keys.placement_scope.name}`, or on `{keys.zone.name}`"
        yield finding(pool, message, path="requirements", value=only, fix=fix)


@warning(
    "NAP035", "https://learn.microsoft.com/azure/aks/use-nvidia-gpu: nodes offer no GPU without the device plugin, node auto provisioning or not"
)
@limited(DEVICE_PLUGINS, Limit(Where.FILES, "the device plugin of the cluster can be outside of the files"))
@sample("node_provisioning.node_pools.gpu", lambda: provisioning({"gpu": aks_pool(keys.sku_gpu_name.one_of("T4"), taints=[Taint("nvidia.com/gpu")])}))
def gpu_nodes_without_device_plugin(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The device plugin of GPU agent pools does not run on nodes of NodePools: without another, pods find no GPU there."""
    auto = cluster.node_provisioning
    if auto is None or cluster.gpu_operator or cluster.device_plugin is None:
        return
    for name, pool in auto.node_pools.items():
        node_class = auto.node_classes.get(pool.node_class) if pool.node_class is not None else None
        managed = node_class is not None and "EnableManagedGPUExperience" in node_class.tags
        if _asks_for_gpus(pool) and not managed and "nvidia" in allowed_values(pool, keys.sku_gpu_manufacturer.name):
            message = f"Pods get no `nvidia.com/gpu` on nodes of the NodePool `{name}`: the device plugin of GPU agent pools does not run there"
            operator = f"Install the NVIDIA GPU operator (then set {ref('gpu_operator')} to {literal(value=True)})"
            fix = f"{operator}, or a device plugin for all GPU nodes (then set {ref('device_plugin')} to {literal(None)})"
            yield finding(cluster, message, path=("node_provisioning", "node_pools", name), value=name, fix=fix)


@error("NAP037", "Karpenter, scheduler.go (2026-11): types whose capacity is above what is left of a limit are dropped; sku-cpu is that capacity")
@sample("limits.cpu", lambda: aks_pool(keys.sku_cpu.one_of(16), limits={"cpu": 8}))
def limit_below_required_vm_size(pool: AksNodePool, parent: NodeProvisioning | None) -> Iterator[PartFinding]:
    """Karpenter launches no node if a limit is below the smallest amount that the requirements allow; 0 turns a NodePool off."""
    yield from _short_limits(pool, parent, is_certain=True)


@warning("NAP076", f"Karpenter, scheduler.go (2026-11): as NAP037; the table of sizes of {DAY}: Azure adds sizes")
@sample("limits.memory", lambda: aks_pool(keys.sku_family.one_of("D"), keys.sku_cpu.one_of(16), limits={"memory": "8Gi"}))
def limit_below_smallest_vm_size(pool: AksNodePool, parent: NodeProvisioning | None) -> Iterator[PartFinding]:
    """Karpenter launches no node if every VM size that the requirements leave is above a limit; 0 turns a NodePool off."""
    yield from _short_limits(pool, parent, is_certain=False)


def _short_limits(pool: AksNodePool, parent: NodeProvisioning | None, *, is_certain: bool) -> Iterator[PartFinding]:
    """Limits below what any node of a NodePool has: certain if the requirements say so or name the sizes, whatever sizes there are."""
    is_named, node_class = bool(_named_sizes(_required(pool))), _class_of(pool, parent)
    every = {"ephemeral-storage": (node_class.os_disk_size_gb, 128, "G"), "pods": (node_class.max_pods, 30, "")} if node_class is not None else {}
    for resource, (own, default, unit) in every.items() if is_certain else ():  # pods: the smallest default of the network plugins
        least, at = f"{own if own is not None else default}{unit}", ("limits", resource)
        if 0 < amount(str(pool.limits.get(resource, 0))) < amount(least):
            message = f"No node is ever launched: {ref(at)} ({pool.limits[resource]}) is below {least}, which each node has at least"
            yield finding(pool, message, path=at, fix=set_to(at, least))
    for resource, (key, lowest, share, unit, _) in _LIMITED.items():
        limit = amount(str(pool.limits.get(resource, -1)))
        if limit < (0 if resource == _GPU else lowest * unit):  # KAR013 reports it, or the NodePool is off: not by a limit of GPUs
            continue
        required = _fewest(allowed_values(pool, key), lowest)
        is_nvidia = resource == _GPU and allowed_values(pool, keys.sku_gpu_manufacturer.name) == Values(frozenset({"nvidia"}), complement=False)
        required = 1 if required is None and is_nvidia else required
        own_class = resource == _GPU and pool.node_class is not None and not is_nvidia  # it can allow GPUs of AMD
        is_required = required is not None and limit < required * unit * share and not own_class
        if (is_required or is_named) is is_certain:
            smallest, is_known = _smallest(pool, node_class, resource, limit)
            if is_required or (is_known and limit < smallest * unit * share):
                yield _above_limit(pool, resource, smallest if smallest or required is None else required)


def _smallest(pool: AksNodePool, node_class: AksNodeClass | None, resource: str, limit: Decimal) -> tuple[int, bool]:
    """The smallest known amount of the sizes that requirements leave (0: none), and whether the amounts of all of them are known."""
    unit = _LIMITED[resource][3]
    if not _names_sizes(pool) or any(_amount_of(size, resource) * unit <= limit for size in _plain_sizes(pool)):
        return 0, False
    from nodepools.clouds.aks.pools import launched  # all sizes are read only for pools that name some

    nodes = launched(pool, node_class)
    left, index = nodes.types.possible, nodes.cloud.index
    known = index.fewest(resource, left, _ANY) if left else _ANY
    return (-(-known // (unit * 1000)), index.knows_amounts(resource, left)) if known < _ANY else (0, False)


def _above_limit(pool: AksNodePool, resource: str, least: int) -> PartFinding:
    at, words = ("limits", resource), _LIMITED[resource][-1]
    enough = f"{least}Mi" if resource == "memory" else str(least)
    message = f"No node is ever launched: {ref(at)} ({pool.limits[resource]}) is below {least} {words}, the fewest that the requirements allow"
    fix = Fix(f"Set {ref(at)} to at least {literal(enough)}, or allow smaller VM sizes", (set_to(at, enough),))
    return finding(pool, message, path=at, fix=fix)


def _fewest(values: Values, lowest: int) -> int | None:
    """The smallest whole number among the values, from `lowest` on; `None` if they have none, or all."""
    if values.complement:
        return max(values.minimum, lowest) if values.minimum is not None else None
    numbers = [number for member in values.members if (number := integer(member)) is not None]
    return min(numbers) if numbers and len(numbers) == len(values.members) and min(numbers) >= lowest else None


_ANY: Final = 2**63
"""More than any amount."""
_GPU: Final = "nvidia.com/gpu"
_LIMITED: Final[Mapping[str, tuple[str, int, float, int, str]]] = {
    "cpu": (keys.sku_cpu.name, _LEAST_CPUS, 1, 1, "vCPUs"),
    "memory": (keys.sku_memory.name, AksNodePool.least_memory // 1024**2, 0.9, 1024**2, "MiB"),
    _GPU: (keys.sku_gpu_count.name, 1, 1, 1, "GPUs"),
}
"""The label of each resource, the smallest amount that a node has, the least share of it that nodes report, its unit in the limit and in words."""


def _not_launched(name: str, today: date) -> str | None:
    """Why node auto provisioning never launches a size; `None` if nothing keeps it from that."""
    size, retirement = azure_vm_sizes().get(name), retirement_of(name)
    if size is not None and size.unprovisioned:
        return size.unprovisioned
    return "is retired" if retirement is not None and retirement.is_refused(today) else None


def _exclusions(pool: AksNodePool, node_class: AksNodeClass) -> Iterator[tuple[str, str]]:
    """The reason that no node of `node_class` meets the requirements of `pool`, and the fix."""
    amd64 = "Allow `amd64` in the requirements, or use a node class without {}"
    if "amd64" not in allowed_values(pool, keys.arch.name):
        if node_class.artifact_streaming:
            yield "the node class uses artifact streaming, which excludes arm64", amd64.format("artifact streaming")
        if node_class.secure_boot or node_class.vtpm:
            yield "the node class uses trusted launch, which excludes arm64", amd64.format("trusted launch")
        if node_class.fips_mode == "FIPS" and node_class.image_family != "AzureLinux":
            yield "the node class uses FIPS, which supports arm64 with AzureLinux only", "Use a node class with `AzureLinux`, or allow `amd64`"
    if node_class.local_dns is not None and node_class.local_dns.mode != "Disabled" and not _some_of(pool, _CPUS_OF_LOCAL_DNS):
        why = f"the node class uses local DNS, which excludes sizes with fewer than {_CPUS_OF_LOCAL_DNS} vCPUs"
        yield why, f"Allow sizes with at least {_CPUS_OF_LOCAL_DNS} vCPUs, or use a node class without local DNS"
    fips = allowed_values(pool, _FIPS_ENABLED)
    if node_class.fips_mode != "FIPS" and not fips.permits_absence and fips != Values():
        yield (
            f"the NodePool requires `{_FIPS_ENABLED}`, and its node class does not use FIPS",
            "Use a node class with FIPS, or remove the requirement",
        )
    elif node_class.fips_mode == "FIPS" and "true" not in fips:
        yield f"the NodePool excludes `{_FIPS_ENABLED}=true`, which FIPS of its node class sets", "Use a node class without FIPS"


def _excluded_sizes(pool: AksNodePool, node_class: AksNodeClass) -> Iterator[tuple[str, str]]:
    """The same for the VM sizes that the requirements leave."""
    if not _names_sizes(pool) or any(_plain_sizes(pool)):
        return
    from nodepools.clouds.aks.pools import launched  # all sizes are read only for pools that name some

    chosen = launched(pool, node_class, excluding=False)
    left = chosen.cloud.index.names(chosen.types.possible)
    if not left or launched(pool, node_class).types.possible:
        return
    named = f"`{left[0]}`" if len(left) == 1 else f"all {len(left)} VM sizes that the requirements leave"
    sizes = [azure_vm_sizes()[name] for name in left]
    if all(size.has_amd_gpus for size in sizes):
        why = f"in the GPU mode `Driver` (the default) of the node class, GPUs of AMD are excluded: {named}"
        yield why, f"Use a node class with {ref('gpu_mode')} {literal('None')}, and install the driver"
    else:
        unencrypted = node_class.encryption_at_host and all(map(lacks_host_encryption, left))
        yield f"the node class {'uses encryption at host, which excludes' if unencrypted else 'excludes'} {named}", "Allow other VM sizes"


def _class_of(pool: AksNodePool, parent: NodeProvisioning | None) -> AksNodeClass | None:
    """The node class, if it is known; the built-in one has the defaults."""
    if pool.node_class is None:
        return AksNodeClass()
    return parent.node_classes.get(pool.node_class) if parent is not None else None


def _required(pool: AksNodePool) -> Requirements:
    """The requirements on its nodes; none if they contradict each other, which is reported of every NodePool."""
    required = pool.asked()
    return Requirements() if any(values.absent for key, values in required.items() if key in EVERY_NODE_HAS) else required


def _is_misspelt(pool: AksNodePool) -> bool:
    spelt = {requirement: _SPELT.get(requirement.label, (None, ""))[0] for requirement in pool.requirements}
    return any(form is not None and not form.fullmatch(value) for requirement, form in spelt.items() for value in requirement.values)


def _named_sizes(required: Requirements) -> Sequence[AzureSize]:
    """The VM sizes of a NodePool that names all of its sizes; none if it does not, or if one is not known."""
    closed = [required[key].members for key in _NAMES if key in required and not required[key].complement]
    names = sorted(reduce(frozenset[str].__and__, closed)) if closed else list[str]()
    table = azure_vm_sizes()
    return [table[name] for name in names] if all(name in table for name in names) else []


def _names_sizes(pool: AksNodePool) -> bool:
    """Its requirements are about VM sizes."""
    return bool(_required(pool).keys() & {*_OF_SIZES, *_NAMES})


def _plain_sizes(pool: AksNodePool) -> Iterator[AzureSize]:
    """Sizes of known amounts that the requirements leave and no node class excludes. With one, `explain`, which is slow to load, is not needed."""
    required = _required(pool)
    for size in azure_vm_sizes().values():
        is_known = size.cpu is not None and size.cpu >= _CPUS_OF_LOCAL_DNS and size.memory_gib is not None
        is_plain = is_known and size.arch == "amd64" and size.gpus == 0 and not size.unprovisioned and not lacks_host_encryption(size.name)
        if is_plain and all(size.name in required[key] for key in required.keys() & {*_NAMES}) and not _excluding(required, size):
            yield size


def _amount_of(size: AzureSize, resource: str) -> float:
    """How much one of the plain sizes has, in the unit of the limit."""
    found = {"cpu": size.cpu, "memory": None if size.memory_gib is None else size.memory_gib * 1024}.get(resource)
    return 0 if found is None else found


def _excluding(required: Requirements, size: AzureSize) -> list[str]:
    """The labels of `size` that the requirements exclude for certain."""
    labels = {**size.labels, keys.sku_series.name: size.series}
    return [key for key in sorted(required.keys() & {*labels, *_GPU_KEYS} - {*_NAMES}) if not _permits(required[key], labels.get(key, _NO_LABEL))]


def _permits(values: Values, value: str | None) -> bool:
    """The values allow one that a size has, possibly has (`None`), or the absence of the label."""
    return value is None or (values.permits_absence if value == _NO_LABEL else value in values)


def _some_of(pool: AksNodePool, least: int) -> bool:
    """The pool may have nodes with `least` vCPUs or more."""
    cpus = allowed_values(pool, keys.sku_cpu.name)
    return any(str(number) in cpus for number in range(least, _MOST_CPUS))


def _asks_for_gpus(pool: AksNodePool) -> bool:
    counted = allowed_values(pool, keys.sku_gpu_count.name)
    some = any(requirement.label == keys.sku_gpu_count.name for requirement in pool.requirements) and "0" not in counted
    named = any(requirement.label in _GPU_KEYS and requirement.operator in ("In", "Exists") for requirement in pool.requirements)
    families = allowed_values(pool, keys.sku_family.name)
    return some or named or (not families.complement and families.members == frozenset({"N"}))
