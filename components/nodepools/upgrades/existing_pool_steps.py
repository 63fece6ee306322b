"""One managed node group, or one agent pool of others, during an upgrade.

EKS launches new nodes, drains the old ones in batches, and fails if a pod does not leave its node within 15 minutes, unless the update is forced.
Source: https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html.
"""

from collections.abc import Callable, Iterator
from math import ceil, floor
from typing import Final

from nodepools.clouds.aks.agent_pool_nodes import counted
from nodepools.clouds.aks.agent_pool_upgrade import DEFAULT_SURGES, PAGE
from nodepools.clouds.aks.existing_agent_pools import ExistingAgentPool
from nodepools.clouds.amounts import NOTHING, Amount
from nodepools.clouds.eks.node_groups import NodeGroup
from nodepools.clouds.step import Blocker, Drain, Kind, Step, WindowUse, batches
from nodepools.data.version_support import minor
from nodepools.model.severity import Severity

NO_WINDOW: Final = WindowUse(window=None, applies=False, note="The step starts when you run its command")
LAST_AL2: Final = 32
"""The last minor version of Kubernetes for which EKS published images of Amazon Linux 2."""
AL2: Final = "https://docs.aws.amazon.com/eks/latest/userguide/eks-ami-deprecation-faqs.html"
_BEHAVIOR: Final = "https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html"
_EVICTION_MINUTES: Final = 15
_MOST_AT_ONCE: Final = 100
_DRAIN_MINUTES: Final = 30
"""AKS's default drain timeout."""
Size = Callable[[int], int]


def node_group_step(group: NodeGroup, old: str, new: str) -> Step:
    """All nodes of a managed node group get the version."""
    nodes = Amount(group.least, group.most)
    done = batches(nodes, list(_sizes(group.unavailable)))
    bound = None if done.maximum is None else done.maximum * _EVICTION_MINUTES
    extra = NOTHING if group.has_minimal_update else Amount(1, max(2 * len(set(group.subnets)), _most_at_once(group), 1))
    return Step(
        what="pool",
        name=group.name,
        old=old,
        new=new,
        how=_command(group, new),
        nodes=nodes,
        extra_nodes=extra,
        batches=done,
        bounded_minutes=bound,
        unbounded=("launch", "capacity"),
        window=NO_WINDOW,
        drain=Drain(
            address=group.name,
            timeout=_EVICTION_MINUTES * 60,
            deletes_at_timeout=False,
            outcome=f"EKS waits {_EVICTION_MINUTES} minutes, and the update of the node group fails; with `--force`, it deletes the pods then",
            refusal="PodEvictionFailure",
            adds_nodes=not group.has_minimal_update,
            batch=Amount(1, _most_at_once(group)),
            source=_BEHAVIOR,
        ),
        blocked_by=tuple(_blockers(group, new)),
        note="EKS ends nodes before it launches new ones (`updateStrategy` is `MINIMAL`)" if group.has_minimal_update else "",
        source=_BEHAVIOR,
    )


def _command(group: NodeGroup, new: str) -> str:
    command = f"aws eks update-nodegroup-version --cluster-name {group.cluster} --nodegroup-name {group.name}"
    if group.family == "custom":
        return f"{command} --launch-template name={group.template},version=VERSION"
    return f"{command} --kubernetes-version {new}"


def _blockers(group: NodeGroup, new: str) -> Iterator[Blocker]:
    if group.family == "custom":
        message = f"The launch template of node group `{group.name}` determines its image: the nodes get {new} only with an image for it"
        fix = "Create a version of the launch template with an image for it first, and name that version in the command"
        yield Blocker(kind=Kind.NODE_IMAGE, severity=Severity.WARNING, message=message, fix=fix, source=_BEHAVIOR)
    if group.family == "al2" and minor(new) > LAST_AL2:
        message = f"EKS publishes no images of Amazon Linux 2 for Kubernetes {new}: node group `{group.name}` cannot get it"
        fix = "Create a node group with `AL2023_x86_64_STANDARD` or Bottlerocket, and delete this one"
        yield Blocker(kind=Kind.NODE_IMAGE, severity=Severity.ERROR, message=message, fix=fix, source=AL2)


def _sizes(unavailable: str) -> Iterator[Size]:
    """The possible sizes of a batch by the number of nodes: how EKS rounds percentages is not documented."""
    if not unavailable.endswith("%"):
        yield lambda _: min(int(unavailable), _MOST_AT_ONCE)
        return
    part = int(unavailable[:-1]) / 100
    yield lambda nodes: min(max(floor(nodes * part), 1), _MOST_AT_ONCE)
    yield lambda nodes: min(max(ceil(nodes * part), 1), _MOST_AT_ONCE)


def _most_at_once(group: NodeGroup) -> int:
    return max(size(group.most) for size in _sizes(group.unavailable))


def agent_pool_step(pool: ExistingAgentPool, resource_group: str, old: str, new: str) -> Step:
    """All nodes of an agent pool get the version."""
    most = pool.most if pool.is_counted else None
    minutes = _DRAIN_MINUTES if pool.drain_minutes is None else pool.drain_minutes
    bound = None if most is None else most * minutes
    surges, sizes = not pool.spot and pool.surge not in ("0", "0%"), [pool.surge] if pool.surge else DEFAULT_SURGES
    command = f"az aks nodepool upgrade --resource-group {resource_group} --cluster-name {pool.cluster}"
    return Step(
        what="pool",
        name=pool.name,
        cloud_name=pool.name,
        old=old,
        new=new,
        how=f"{command} --name {pool.name} --kubernetes-version {new}",
        nodes=Amount(pool.least, most),
        extra_nodes=Amount(1, None if most is None else max(most, 1)) if surges else NOTHING,
        batches=Amount(1 if pool.least else 0, most),
        bounded_minutes=0 if pool.spot else bound,
        unbounded=("reimage", "capacity") if surges else ("reimage",),
        window=NO_WINDOW,
        drain=Drain(
            address=pool.name,
            is_drained=not pool.spot,
            timeout=minutes * 60,
            deletes_at_timeout=False,
            outcome="AKS leaves the node in quarantine, and goes on" if pool.undrainable == "Cordon" else "the upgrade of the pool fails",
            refusal="UpgradeFailed",
            adds_nodes=surges,
            batch=Amount(1, max(min(counted(size, total=most), most) for size in sizes)) if surges and most else NOTHING,
            zones=len(pool.zones),
            source=PAGE,
        ),
        source=PAGE,
    )
