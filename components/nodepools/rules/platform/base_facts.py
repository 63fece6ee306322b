"""Names of regions and VM sizes, and VM sizes with GPUs. Without these rules, an unknown name fails only at `pulumi up`.

The tables have a date, and both clouds add names: an unknown name is a warning, with the most similar known name.
"""

import re
from collections.abc import Iterator
from typing import Final

from nodepools.clouds.registry import cloud_of
from nodepools.data.azure_vm_sizes import DAY, azure_vm_sizes
from nodepools.data.regions import aws_regions, azure_regions
from nodepools.keys import aks as keys
from nodepools.model.aks.agent_pool import GPU_TAINT, AgentPool, SystemPool, UserPool
from nodepools.model.aks.cluster import AksClusterArgs, AksNodePool
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.karpenter import Requirement
from nodepools.model.listing import nearest
from nodepools.model.name_limits import azure_name
from nodepools.model.steps import Step
from nodepools.rules.engine.finding import FixLike, PartFinding, certain, correct_spelling, set_to
from nodepools.rules.engine.registry import Limit, Where, error, finding, limited, sample, warning
from nodepools.rules.engine.samples import SIZE, aks, aks_pool, eks

_SIZES = f"Azure/karpenter-provider-azure @ 352646f, known_skus.yaml, {DAY}"
_OTHER: Final = re.compile(r"[^ -~]|^ | $")
"""A letter of another alphabet, an invisible character, or a space at an end: no name of a region or a VM size has one."""
_IN_ASCII: Final = "Write it with letters of ASCII, as `az vm list-skus` and `az account list-locations` list names"
_GPU_SIZE = "Standard_NC4as_T4_v3"
_PREFIX = "Standard_"


@warning("AKS140", "`az account list-locations`, all clouds, 2026-08-21; Azure Resource Manager takes display names too")
@sample("location", lambda: aks(location="eastus9"))
def unknown_location(cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """The location of a cluster must be the name or display name of an Azure region."""
    known, name = azure_regions(), azure_name(cluster.location)
    if name not in known.names and not known.misspelt(name) and not _OTHER.search(name):
        near = nearest(name, known.names)
        fix = correct_spelling("location", name, near) if near is not None else "Use a name that `az account list-locations` lists"
        yield finding(cluster, f"`{cluster.location}` is not a known Azure region (as of {known.day})", path="location", fix=fix)


@warning("EKS100", "botocore 1.44.5, partitions, 2026-11-22")
@sample("region", lambda: eks(region="eu-central-9"))
def unknown_region(cluster: EksClusterArgs) -> Iterator[PartFinding]:
    """The region of a cluster must be an AWS region of any partition."""
    known = aws_regions()
    if cluster.region not in known.names and not known.misspelt(cluster.region):
        near = nearest(cluster.region, known.names)
        fix = correct_spelling("region", cluster.region, near) if near is not None else "Use a name that `aws account list-regions` lists"
        yield finding(cluster, f"`{cluster.region}` is not a known AWS region (as of {known.day})", path="region", fix=fix)


@error("PLT051", "`az account list-locations`, 2026-08-21; botocore, partitions, 2026-11-22: one edit from a region, and no new word")
@sample("location", lambda: aks(location="westeuropa"))
def misspelt_region(cluster: AksClusterArgs | EksClusterArgs) -> Iterator[PartFinding]:
    """A region of a cluster that misspells a known one by one edit does not exist: the deployment fails."""
    place = cloud_of(cluster).region
    near = place.known().misspelt(place.name)
    if near:
        listed = " or ".join(f"`{region}`" for region in near)
        message = f"`{place.written}` is not a region of {place.cloud}; the closest name is {listed}"
        fix = correct_spelling(place.field, place.name, near[0]) if len(near) == 1 else f"Use {listed}"
        yield finding(cluster, message, path=place.field, fix=fix)


@error("AKS370", "`az vm list-skus` and `az account list-locations` (2026-08-21): names have letters of ASCII, digits, `-`, `_` and inner spaces")
@sample("vm_size", lambda: UserPool(vm_size=f"{SIZE}\u200b"))
def azure_name_with_other_letters(part: AgentPool | AksClusterArgs) -> Iterator[PartFinding]:
    """No region and no VM size of Azure has a letter of another alphabet, an invisible character, or a space at its end."""
    for at, name in _sizes(part) if isinstance(part, AgentPool) else [(("location",), part.location.strip(" "))]:
        found = _OTHER.search(name)
        if found is not None and (isinstance(part, AgentPool) or not azure_regions().misspelt(azure_name(name))):  # PLT051
            what = "a space at its end" if found[0] == " " else f"the character U+{ord(found[0]):04X}"
            is_unseen = all(one.isspace() or not one.isprintable() for one in _OTHER.findall(name))
            fix = _known_size(_OTHER.sub("", name), *at) if isinstance(part, AgentPool) and is_unseen else _IN_ASCII
            yield finding(part, f"`{name}` has {what}, which no name of Azure has", path=at, fix=fix)


@warning("AKS141", _SIZES)
@sample("vm_size", lambda: UserPool(vm_size="Standard_D4ds_v55"))
def unknown_vm_size(pool: AgentPool) -> Iterator[PartFinding]:
    """The VM size of an agent pool must be the name of an Azure VM size, in any case."""
    for at, size in _sizes(pool):
        if size not in azure_vm_sizes() and not _OTHER.search(size):
            yield finding(pool, _not_known(size), path=at, fix=_known_size(size, *at))


@warning("NAP045", f"{_SIZES}; labels are compared as they are written")
@sample("requirements[2].values[1]", lambda: aks_pool(_MISSPELT))
def unknown_node_pool_vm_size(requirement: Requirement, _: AksNodePool) -> Iterator[PartFinding]:
    """Karpenter compares VM sizes as Azure spells them, and ignores others."""
    if requirement.operator in ("In", "NotIn") and requirement.label in (keys.sku_name.name, keys.instance_type.name):
        for index, value in enumerate(requirement.values):
            size = azure_vm_sizes().get(value, azure_vm_sizes().get(f"Standard_{value}"))
            if size is None and requirement.operator == "In":
                message = f"{_not_known(value)}; Karpenter ignores it"
                yield finding(requirement, message, path=("values", index), fix=_known_size(value, "values", index))
            elif size is not None and size.name != value:
                message = f"No node has the label value `{value}`: Azure spells it `{size.name}`"
                yield finding(requirement, message, path=("values", index), fix=certain(set_to(("values", index), size.name)))


_MISSPELT = Requirement(keys.instance_type.name, "In", [SIZE, "Standard_D4ds_v55"])


@warning("AKS145", "https://learn.microsoft.com/azure/aks/use-nvidia-gpu: AKS adds no taint to GPU nodes, which offer no GPU without a device plugin")
@limited(Limit(Where.UNREAD, "a user pool on a size with GPUs is read as a GPU pool, which AKS082 checks"))
@sample("pools.train.vm_size", lambda: aks(pools={"web": UserPool(vm_size=SIZE), "train": UserPool(vm_size=_GPU_SIZE)}))
def gpu_size_in_ordinary_pool(pool: UserPool | SystemPool, cluster: AksClusterArgs) -> Iterator[PartFinding]:
    """AKS adds no taint and no device plugin to GPU nodes: pods without GPUs fill them, and pods with GPUs stay Pending. `GpuPool` adds both."""
    size = azure_vm_sizes().get(pool.vm_size)
    if size is None or not size.has_nvidia_gpus:
        return
    if isinstance(pool, SystemPool):
        message = f"Nothing uses the GPUs of `{pool.vm_size}` in a system pool"
        yield finding(pool, message, path="vm_size", fix=f"Use a size without GPUs, such as `{SIZE}`")
        return
    tainted = any(taint.is_hard for taint in pool.node_taints)
    served = cluster.gpu_operator or cluster.device_plugin is None
    lacks = [*([] if tainted else [f"taint `{GPU_TAINT}`"]), *([] if served else ["NVIDIA device plugin, which pods need to get a GPU"])]
    if lacks:
        message = f"`{pool.vm_size}` has GPUs, but this user pool has no {' and no '.join(lacks)}"
        yield finding(pool, message, path="vm_size", fix="Use a `GpuPool`, which adds the taint and the device plugin; Pulumi replaces the pool")


def _sizes(pool: AgentPool) -> Iterator[tuple[tuple[Step, ...], str]]:
    """The VM sizes of a pool with their places."""
    places = ((), *(("machines", index) for index in range(len(pool.by_size) - 1)))
    yield from (((*place, "vm_size"), one.vm_size) for place, one in zip(places, pool.by_size, strict=True))


def _not_known(size: str) -> str:
    return f"`{size}` is not a known Azure VM size (as of {DAY})"


def _known_size(size: str, *at: Step) -> FixLike:
    """Suggests a similar known size. All names begin with the same prefix, so only the rest is compared."""
    bare = size[len(_PREFIX) :] if size.lower().startswith(_PREFIX.lower()) else size
    near = nearest(bare, (name.removeprefix(_PREFIX) for name in azure_vm_sizes()))
    return (
        correct_spelling(at, f"{_PREFIX}{bare}", f"{_PREFIX}{near}")
        if near is not None
        else "Use a name that `az vm list-skus --resource-type virtualMachines` lists"
    )
