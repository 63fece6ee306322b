"""What exports show of one cluster: nodes with their NodeClaims, why Karpenter disrupts them, and pods without a node."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from nodepools.ledger.record import NodeRecord
from nodepools.model.steps import mapping, sequence
from nodepools.placement.cloud_labels import AGENT_POOL
from nodepools.placement.static_pools import pools_of

PoolLabels = Iterable[tuple[str, Mapping[str, str]]]
"""The labels of the nodes of each pool. A pool that changes its labels has two entries."""
KINDS: Final = frozenset({"Node", "NodeClaim", "Pod", "Event"})
"""The kinds that are read."""
_IMAGE: Final = "kubernetes.azure.com/node-image-version"
_HASH: Final = "-hash"
_VERSION: Final = re.compile(r"v(1\.[0-9]{1,3}(?:\.[0-9]{1,4})?)(?![0-9.])")
_DISRUPTING: Final = "DisruptionTerminating"
_INTERRUPTED: Final = "SpotInterrupted"
Raw = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Claim:
    """A NodeClaim."""

    name: str
    node: str
    hashes: Mapping[str, str]
    drift: str
    """Why it has drifted, as Karpenter writes it; empty if it has not."""
    is_going: bool
    """It is being deleted."""


@dataclass(slots=True)
class Observation:
    """The objects of one cluster, as they are read."""

    raw_nodes: dict[str, Raw] = field(default_factory=dict[str, Raw])
    claims: dict[str, Claim] = field(default_factory=dict[str, Claim])
    reasons: dict[str, tuple[datetime, str]] = field(default_factory=dict[str, tuple[datetime, str]])
    """When and why Karpenter disrupted a node, by the name of the node or of its NodeClaim: `Drifted`, `Underutilized`, `Empty`."""
    pending: dict[str, str] = field(default_factory=dict[str, str])
    """Pods without a node, each with what created it."""
    kinds: set[str] = field(default_factory=set[str])
    taken: datetime | None = None
    """The newest time that a node reports."""
    has_single_nodes: bool = False
    """Nodes were exported one by one: others can exist."""

    def add(self, objects: Iterable[Raw], *, is_list: bool) -> bool:
        """Adds objects; false if there are none of `KINDS`."""
        found = False
        for raw in objects:
            kind, name = str(raw.get("kind")), str(mapping(raw.get("metadata")).get("name", ""))
            if kind not in KINDS or not name:
                continue
            found = True
            self.kinds.add(kind)
            match kind:
                case "Node":
                    self.raw_nodes[name] = raw
                    self.has_single_nodes = self.has_single_nodes or not is_list
                    self._note_time(raw)
                case "NodeClaim":
                    self.claims[name] = _claim(raw, name)
                case "Pod":
                    self.pending.update(_pending(raw, name))
                case _:
                    self.reasons.update(_reason(raw))
        return found

    def _note_time(self, raw: Raw) -> None:
        for condition in map(mapping, sequence(mapping(raw.get("status")).get("conditions"))):
            heartbeat = _time(condition.get("lastHeartbeatTime"))
            if heartbeat is not None and (self.taken is None or heartbeat > self.taken):
                self.taken = heartbeat

    @property
    def why_not_whole(self) -> str:
        """Why nodes can be missing; empty if nothing says so."""
        if "Node" not in self.kinds:
            return "the exports have no nodes of it: add the output of `kubectl get nodes,nodeclaims,pods,events -A -o yaml`"
        if self.has_single_nodes:
            return "the exports have single nodes, and others can exist: export the list, with `kubectl get nodes -o yaml`"
        lost = [claim.node for claim in self.claims.values() if claim.node and not claim.is_going and claim.node not in self.raw_nodes]
        if lost:
            return f"NodeClaims name nodes that the exports do not have, such as `{min(lost)}`: export all nodes at the same time"
        return ""

    def nodes(self, pools: PoolLabels) -> tuple[NodeRecord, ...]:
        """The nodes, with their pools."""
        known, claims = list(pools), {claim.node: claim for claim in self.claims.values() if claim.node}
        return tuple(_node(name, raw, claims.get(name), known) for name, raw in sorted(self.raw_nodes.items()))

    def reason(self, node: NodeRecord, since: datetime) -> str:
        """Why Karpenter disrupted a node after a time; empty if nothing says so."""
        told = (self.reasons[name] for name in (node.name, node.claim) if name in self.reasons)
        return next((why for when, why in told if when > since), "")


def _node(name: str, raw: Raw, claim: Claim | None, pools: PoolLabels) -> NodeRecord:
    metadata, info = mapping(raw.get("metadata")), mapping(mapping(raw.get("status")).get("nodeInfo"))
    labels = {key: str(value) for key, value in mapping(metadata.get("labels")).items()}
    found = set(pools_of(labels, pools))
    return NodeRecord(
        pool=found.pop() if len(found) == 1 else "",
        name=name,
        uid=str(metadata.get("uid", "")),
        created=_time(metadata.get("creationTimestamp")),
        provider_id=str(mapping(raw.get("spec")).get("providerID", "")),
        generation=labels.get(AGENT_POOL, ""),
        version=version[1] if (version := _VERSION.match(str(info.get("kubeletVersion")))) is not None else "",
        image=labels.get(_IMAGE, str(info.get("osImage", ""))),
        boot=str(info.get("bootID", "")),
        machine=str(info.get("machineID", "")),
        claim=claim.name if claim is not None else "",
        hashes=claim.hashes if claim is not None else {},
    )


def _claim(raw: Raw, name: str) -> Claim:
    metadata, status = mapping(raw.get("metadata")), mapping(raw.get("status"))
    annotations = {key: str(value) for key, value in mapping(metadata.get("annotations")).items()}
    hashes = {key: f"{annotations.get(f'{key}-version', '')}:{value}" for key, value in annotations.items() if key.endswith(_HASH)}
    true = {
        str(condition.get("type")): str(condition.get("reason", ""))
        for condition in map(mapping, sequence(status.get("conditions")))
        if condition.get("status") == "True"
    }
    is_going = metadata.get("deletionTimestamp") is not None
    return Claim(name, str(status.get("nodeName", "")), hashes, true.get("Drifted", ""), is_going)


def _pending(raw: Raw, name: str) -> Iterator[tuple[str, str]]:
    """A pod that no node has room for, with what created it: a ReplicaSet without the hash of its template, or the owner itself."""
    metadata, spec, status = (mapping(raw.get(part)) for part in ("metadata", "spec", "status"))
    is_unschedulable = any(
        condition.get("type") == "PodScheduled" and condition.get("reason") == "Unschedulable"
        for condition in map(mapping, sequence(status.get("conditions")))
    )
    if status.get("phase") != "Pending" or spec.get("nodeName") or not is_unschedulable:
        return
    namespace = str(metadata.get("namespace", "default"))
    owner = mapping(next(iter(sequence(metadata.get("ownerReferences"))), None))
    kind, owned_by = str(owner.get("kind", "Pod")), str(owner.get("name", name))
    if kind == "ReplicaSet":
        kind, owned_by = "Deployment", owned_by.rpartition("-")[0]
    yield f"{namespace}/{name}", f"{namespace}/{kind}/{owned_by}"


def _reason(raw: Raw) -> Iterator[tuple[str, tuple[datetime, str]]]:
    """Karpenter's event about a node or a NodeClaim that it disrupts: `Disrupting Node: Drifted`, in older versions `Drift/Replace`."""
    about, reason, when = mapping(raw.get("involvedObject")), str(raw.get("reason")), _time(raw.get("lastTimestamp"))
    if about.get("kind") not in ("Node", "NodeClaim") or when is None:
        return
    if reason == _DISRUPTING:
        told = str(raw.get("message")).rpartition(": ")[2].partition("/")[0]
        yield str(about.get("name")), (when, "Drifted" if told == "Drift" else told)
    elif reason == _INTERRUPTED:
        yield str(about.get("name")), (when, "Interrupted")


def _time(value: object) -> datetime | None:
    """A time as kubectl prints it; YAML reads one without quotes as a time."""
    try:
        found = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return found if found.tzinfo is not None else None
