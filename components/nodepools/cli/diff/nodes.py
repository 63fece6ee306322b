"""How many nodes each pool has now, from nodes that `kubectl get nodes` prints."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from nodepools.adoption.cluster_identity import Place
from nodepools.changes.nodes import first_pool
from nodepools.cli.command_run import CommandRun
from nodepools.cli.diff.files import Part, Side
from nodepools.cli.existing.export_document import ExistingNode
from nodepools.cli.problem import Problem
from nodepools.clouds.item import Subnets
from nodepools.clouds.request import AGENT_POOL, AKS_CLUSTER, NODE_POOL, ExistingSubnet, NodeClaim, Request
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.placement.cloud_labels import AGENT_POOL as AGENT_POOL_LABEL
from nodepools.placement.cloud_labels import POOL as NODE_POOL_LABEL
from nodepools.placement.static_pools import pools_of

T = TypeVar("T")
_Counts: TypeAlias = Mapping[str, Mapping[str, int]]
_Claims: TypeAlias = Mapping[str, Mapping[str, Sequence[NodeClaim]]]


@dataclass(frozen=True, slots=True)
class _Pool:
    """A pool of the old side, and the labels of its nodes; the first that a node has decides."""

    stack: str
    owner: Place
    """The platform, or the stack if its declaration is not known, and its cluster."""
    pool: str
    labels: Mapping[str, str]

    @property
    def cluster(self) -> str:
        """The key of its cluster."""
        return self.owner[1]


def with_existing_nodes(before: Side, after: Side, nodes: Iterable[ExistingNode], subnets: Subnets, run: CommandRun) -> tuple[Side, Side]:
    """Both sides with the number of nodes of each pool that run now, their NodeClaims, and the subnets of AWS.

    A node whose pool is not found is a note of `run`.
    """
    pools = [pool for part in before.parts.values() for pool in _pools(part)]
    counts: dict[str, dict[str, dict[str, int]]] = {}
    claims: dict[str, dict[str, dict[str, list[NodeClaim]]]] = {}
    left: dict[tuple[str, str], int] = {}
    for node in nodes:
        found = pools_of(node.labels, ((pool, pool.labels) for pool in pools if node.owner is None or pool.owner == node.owner))
        named = narrowed(found, node.file, lambda pool: pool.cluster, lambda pool: pool.stack)
        if len(named) != 1:
            why = (node.file, _AMBIGUOUS if found else _UNKNOWN)
            left[why] = left.get(why, 0) + 1
        elif node.is_claim:
            claims.setdefault(named[0].stack, {}).setdefault(named[0].cluster, {}).setdefault(named[0].pool, []).append(
                NodeClaim(node.labels, node.image)
            )
        else:
            of_cluster = counts.setdefault(named[0].stack, {}).setdefault(named[0].cluster, {})
            of_cluster[named[0].pool] = of_cluster.get(named[0].pool, 0) + 1
    run.notes.extend(Problem(file, f"{number} node{'s are' if number != 1 else ' is'} not counted: {why}") for (file, why), number in left.items())
    alone = len(before.parts) == len(after.parts) == 1  # two files, whatever their names
    stacks = {name: next(iter(before.parts)) if alone else name for name in after.parts}
    known = {name: ExistingSubnet(subnet.zone, subnet.tags) for name, subnet in subnets.items() if subnet.zone}
    return (
        _with(before, {name: (counts.get(name, {}), claims.get(name, {})) for name in before.parts}, known),
        _with(after, {name: (counts.get(stack, {}), claims.get(stack, {})) for name, stack in stacks.items()}, known),
    )


_UNKNOWN: Final = "OLD does not declare their pools"
_AMBIGUOUS: Final = "several clusters have their pools; put the key of the cluster into the name of the file, such as `weu.json`"


def _with(side: Side, found: Mapping[str, tuple[_Counts, _Claims]], subnets: Mapping[str, ExistingSubnet]) -> Side:
    parts = {
        name: replace(part, requests=replace(part.requests, running=found[name][0], claims=found[name][1], subnets=subnets))
        for name, part in side.parts.items()
    }
    return replace(side, parts=parts)


def _pools(part: Part) -> Iterator[_Pool]:
    platform = part.name if part.platform is None else part.platform.name
    for request in part.requests.all:
        labels = _labels(request)
        if labels:
            yield _Pool(part.name, (platform, request.cluster), request.pool, labels)
    for cluster, names in part.requests.built_in.items():
        yield from (_Pool(part.name, (platform, cluster), name, {NODE_POOL_LABEL: name}) for name in names)


def _labels(request: Request) -> Mapping[str, str]:
    if request.resource.type == NODE_POOL:
        return {NODE_POOL_LABEL: request.pool}
    if request.resource.type == AKS_CLUSTER and first_pool(request):
        return {AGENT_POOL_LABEL: str(first_pool(request).get("name")), POOL_LABEL: request.pool}
    return {AGENT_POOL_LABEL: request.agent_pool_name, POOL_LABEL: request.pool} if request.resource.type == AGENT_POOL else {}


def narrowed(found: Sequence[T], file: str, *keys: Callable[[T], str]) -> Sequence[T]:
    """Of several, those whose keys the path of a file has; each key counts only while several are left."""
    if not keys or len(found) <= 1:
        return found
    first, *rest = keys
    named: list[T] = [one for one in found if _is_named_in(first(one), file)]
    return narrowed(named, file, *rest)


def _is_named_in(key: str, file: str) -> bool:
    """The path of a file has the key as one of its words."""
    words, wanted = ("-".join(re.findall(r"[a-z0-9]+", text.lower())) for text in (file, key))
    return f"-{wanted}-" in f"-{words}-"
