"""What exports show of one cluster: nodes with their NodeClaims, why Karpenter disrupts them, and pods without a node."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta
from typing import Final, NamedTuple

from nodepools.ledger.record import NodeRecord
from nodepools.model.kubernetes.disruption_budget import DisruptionBudget, read_disruption_budget
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.kubernetes.pod_lifecycle import DO_NOT_DISRUPT, protection
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.listing import saved
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass, field
from nodepools.placement.cloud_labels import AGENT_POOL, POOL
from nodepools.placement.static_pools import pools_of
from nodepools.wire.paths import value_at

PoolLabels = Iterable[tuple[str, Mapping[str, str]]]
"""The labels of the nodes of each pool. A pool that changes its labels has two entries."""
KINDS: Final = frozenset({"Node", "NodeClaim", "NodePool", "Pod", "PodDisruptionBudget", "Event"})
"""The kinds that are read."""
_HASH: Final = "-hash"
_VERSION: Final = re.compile(r"v(1\.[0-9]{1,3}(?:\.[0-9]{1,4})?)(?![0-9.])")
_DISRUPTING: Final = "DisruptionTerminating"
_INTERRUPTED: Final = ("SpotInterrupted", "TerminatingOnInterruption")
_NO_CLAIM: Final = re.compile(r"unbound immediate PersistentVolumeClaims|persistentvolumeclaim .* (?:not found|is being deleted)")
"""What the scheduler says before it looks at nodes."""
_ENDS: Final = "karpenter.sh/nodeclaim-termination-timestamp"
_LONGEST: Final = 2**63 // 10**9
"""Seconds of the longest duration in Go: 292 years."""
_AT_ONCE: Final = timedelta(minutes=5)
"""Karpenter deletes a NodeClaim as soon as it has reached its age."""
Raw = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Claim:
    """A NodeClaim."""

    name: str
    node: str
    hashes: Mapping[str, str]
    drift: str
    """Why it has drifted, as Karpenter writes it; empty if it has not."""
    labels: Mapping[str, str]
    created: datetime | None
    deleted: datetime | None
    """When it was deleted; `None` if it was not."""
    expires: datetime | None
    """When Karpenter deletes it because of its age; `None`: never, or it is not known."""
    is_repaired: bool
    """Its time to drain had ended when it was deleted: Karpenter does that to a node that is not healthy, and to no other."""
    drain_ends: bool = False
    """It has `terminationGracePeriod`: pods and PodDisruptionBudgets do not keep Karpenter from replacing it when it has drifted."""

    @property
    def is_going(self) -> bool:
        """It is being deleted."""
        return self.deleted is not None

    @property
    def pool(self) -> str:
        """The name of its NodePool."""
        return self.labels.get(POOL, "")

    @property
    def forced(self) -> str:
        """Why Karpenter deleted it without an event, which no disruption budget limits: `Expired`, `Unhealthy`; empty if nothing shows it."""
        if self.deleted is None:
            return ""
        if self.is_repaired:
            return "Unhealthy"
        return "Expired" if self.expires is not None and timedelta(0) <= self.deleted - self.expires < _AT_ONCE else ""


class _Pod(NamedTuple):
    """A pod that runs on a node."""

    node: str
    namespace: str
    name: str
    labels: Mapping[str, str]
    is_protected: bool
    """Its annotation keeps Karpenter from disrupting the node."""


class Waiting(NamedTuple):
    """A pod without a node: what created it, since when it waits, and whether a claim of it has no volume, which nodes do not decide."""

    owner: str
    since: datetime | None
    lacks_claim: bool


@dataclass(slots=True)
class Observation:
    """The objects of one cluster, as they are read."""

    raw_nodes: dict[str, Raw] = field(default_factory=dict[str, Raw])
    claims: dict[str, Claim] = field(default_factory=dict[str, Claim])
    pool_hashes: dict[str, str] = field(default_factory=dict[str, str])
    """The hash of each NodePool, with its version."""
    reasons: dict[str, tuple[datetime, str]] = field(default_factory=dict[str, tuple[datetime, str]])
    """When and why Karpenter disrupted a node, by the name of the node or of its NodeClaim: `Drifted`, `Underutilized`, `Empty`."""
    pending: dict[str, Waiting] = field(default_factory=dict[str, Waiting])
    """Pods without a node."""
    kinds: set[str] = field(default_factory=set[str])
    taken: datetime | None = None
    """The newest time that a node reports."""
    lists: list[set[str]] = field(default_factory=list[set[str]])
    """The nodes of each list. Those of two times are not the nodes of any."""
    pods: list[_Pod] = field(default_factory=list[_Pod])
    budgets: list[tuple[DisruptionBudget, bool]] = field(default_factory=list[tuple[DisruptionBudget, bool]])
    """Each with whether it allowed no eviction."""
    has_single_nodes: bool = False
    """Nodes were exported one by one: others can exist."""

    def add(self, objects: Iterable[Raw], *, is_list: bool) -> bool:
        """Adds objects; false if there are none of `KINDS`."""
        found, nodes = False, set[str]()
        for raw in objects:
            kind, name = str(raw.get("kind")), str(mapping(raw.get("metadata")).get("name", ""))
            if kind not in KINDS or not name:
                continue
            found = True
            self.kinds.add(kind)
            match kind:
                case "Node":
                    self.raw_nodes[name] = raw
                    nodes.add(name)
                    self.has_single_nodes = self.has_single_nodes or not is_list
                    self._note_time(raw)
                case "NodeClaim":
                    self.claims[name] = _claim(raw, name)
                case "Pod":
                    self.pending.update(_pending(raw, name))
                    self.pods += [_pod(raw, node, name) for node in _runs_on(raw)]
                case "PodDisruptionBudget":
                    self.budgets += _budget(raw)
                case "NodePool":
                    self.pool_hashes[name] = _hashes(raw).get("karpenter.sh/nodepool-hash", "")
                case _:
                    for about, reason in _reason(raw):
                        self.reasons[about] = max(self.reasons.get(about, reason), reason)
        self.lists += [nodes] if nodes and is_list else []
        return found

    def _note_time(self, raw: Raw) -> None:
        for condition in _conditions(raw):
            heartbeat = _time(condition.get("lastHeartbeatTime"))
            if heartbeat is not None and (self.taken is None or heartbeat > self.taken):
                self.taken = heartbeat

    @property
    def why_not_whole(self) -> str:
        """Why nodes can be missing; empty if nothing says so."""
        if "Node" not in self.kinds:
            return f"the exports have no nodes of it. {saved('`kubectl get nodes,nodeclaims,pods,events -A -o yaml`', existing=True)}"
        if self.has_single_nodes:
            return "the exports have single nodes, and others can exist: export the list, with `kubectl get nodes -o yaml`"
        if different := set[str]().union(*self.lists) - set(self.raw_nodes).intersection(*self.lists):
            return f"two exports have different nodes, such as `{min(different)}`: use one list of all nodes, of one time"
        named = {claim.node for claim in self.claims.values() if claim.node and not claim.is_going} | {pod.node for pod in self.pods}
        if lost := named - self.raw_nodes.keys():
            return f"NodeClaims or pods name nodes that the exports do not have, such as `{min(lost)}`: export all nodes at the same time"
        return ""

    def nodes(self, pools: PoolLabels) -> tuple[NodeRecord, ...]:
        """The nodes, with their pools."""
        known, claims = list(pools), {claim.node: claim for claim in self.claims.values() if claim.node}
        return tuple(_node(name, raw, claims.get(name), known) for name, raw in sorted(self.raw_nodes.items()))

    @property
    def not_ready(self) -> list[str]:
        """Nodes whose condition `Ready` is not `True`: their pods do not run, or are evicted."""
        nodes = self.raw_nodes.items()
        return sorted(name for name, raw in nodes if any(one.get("type") == "Ready" and one.get("status") != "True" for one in _conditions(raw)))

    def reason(self, node: NodeRecord, since: datetime) -> str:
        """Why Karpenter disrupted a node after a time; empty if nothing says so."""
        told = (self.reasons[name] for name in (node.name, node.claim) if name in self.reasons)
        return next((why for when, why in told if when > since), "")

    def kept(self, claim: Claim) -> str:
        """What keeps Karpenter from replacing a node that has drifted; empty: nothing that was exported.

        Source: Karpenter 1.14, `pkg/controllers/disruption/types.go`, `pkg/controllers/state/statenode.go`, `pkg/utils/pdb/pdb.go`.
        """
        if _annotations(self.raw_nodes.get(claim.node, {})).get(DO_NOT_DISRUPT) == "true":
            return f"the node has annotation `{DO_NOT_DISRUPT}`"
        for pod in () if claim.drain_ends else [pod for pod in self.pods if pod.node == claim.node]:
            own = [(budget, is_used_up) for budget, is_used_up in self.budgets if budget.selects(pod.namespace, pod.labels)]
            if pod.is_protected:
                return f"pod `{pod.namespace}/{pod.name}` has annotation `{DO_NOT_DISRUPT}`"
            if len(own) > 1:
                return f"several PodDisruptionBudgets select pod `{pod.namespace}/{pod.name}`"
            if any(is_used_up for _, is_used_up in own):
                return f"PodDisruptionBudget `{own[0][0].name}` allows no eviction of pod `{pod.namespace}/{pod.name}`"
        return ""


def _conditions(raw: Raw) -> Iterator[Raw]:
    return map(mapping, sequence(mapping(raw.get("status")).get("conditions")))


def _pod(raw: Raw, node: str, name: str) -> _Pod:
    metadata = mapping(raw.get("metadata"))
    value, begun = protection(_annotations(raw).get(DO_NOT_DISRUPT)), _time(mapping(raw.get("status")).get("startTime"))
    lasts = _seconds(value)
    is_over = lasts is not None and begun is not None and begun + timedelta(seconds=lasts) < datetime.now(UTC)
    labels = {key: str(text) for key, text in mapping(metadata.get("labels")).items()}
    return _Pod(node, str(metadata.get("namespace", "default")), name, labels, value != "" and not is_over)


def _budget(raw: Raw) -> Iterator[tuple[DisruptionBudget, bool]]:
    try:
        found = read_disruption_budget(raw)
    except PodError:
        return
    yield found, found.blocks_any_number or mapping(raw.get("status")).get("disruptionsAllowed") == 0


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
        image=labels.get("kubernetes.azure.com/node-image-version", str(info.get("osImage", ""))),
        boot=str(info.get("bootID", "")),
        machine=str(info.get("machineID", "")),
        claim=claim.name if claim is not None else "",
        hashes=claim.hashes if claim is not None else {},
    )


def _claim(raw: Raw, name: str) -> Claim:
    metadata, spec, status = (mapping(raw.get(part)) for part in ("metadata", "spec", "status"))
    true = {str(condition.get("type")): str(condition.get("reason", "")) for condition in _conditions(raw) if condition.get("status") == "True"}
    created, deleted = (_time(metadata.get(name)) for name in ("creationTimestamp", "deletionTimestamp"))
    ends = _time(_annotations(raw).get(_ENDS))
    age, grace = (_seconds(spec.get(name)) for name in ("expireAfter", "terminationGracePeriod"))
    return Claim(
        name,
        str(status.get("nodeName", "")),
        _hashes(raw),
        true.get("Drifted", ""),
        {key: str(value) for key, value in mapping(metadata.get("labels")).items()},
        created,
        deleted,
        created + timedelta(seconds=age) if created is not None and age is not None else None,
        deleted is not None and ends is not None and ends <= deleted and grace != 0,
        grace is not None,
    )


def _seconds(value: object) -> int | None:
    try:
        return min(seconds(str(value)), _LONGEST)
    except ValueError:
        return None  # absent, or `Never`


def _annotations(raw: Raw) -> Mapping[str, str]:
    return {key: str(value) for key, value in mapping(mapping(raw.get("metadata")).get("annotations")).items()}


def _hashes(raw: Raw) -> Mapping[str, str]:
    """Each hash with the version of its algorithm: `v3:4012513481623584108`."""
    found = _annotations(raw)
    return {key: f"{found.get(f'{key}-version', '')}:{value}" for key, value in found.items() if key.endswith(_HASH)}


def _pending(raw: Raw, name: str) -> Iterator[tuple[str, Waiting]]:
    """A pod that no node has room for, with what created it: a ReplicaSet without the hash of its template, or the owner itself."""
    metadata, spec, status = (mapping(raw.get(part)) for part in ("metadata", "spec", "status"))
    why = next((one for one in _conditions(raw) if one.get("type") == "PodScheduled" and one.get("reason") == "Unschedulable"), None)
    if status.get("phase") != "Pending" or spec.get("nodeName") or why is None:
        return
    namespace = str(metadata.get("namespace", "default"))
    owner = mapping(next(iter(sequence(metadata.get("ownerReferences"))), None))
    kind, owned_by = str(owner.get("kind", "Pod")), str(owner.get("name", name))
    if kind == "ReplicaSet":
        kind, owned_by = "Deployment", owned_by.rpartition("-")[0]
    lacks_claim = _NO_CLAIM.search(str(why.get("message"))) is not None
    yield f"{namespace}/{name}", Waiting(f"{namespace}/{kind}/{owned_by}", _time(why.get("lastTransitionTime")), lacks_claim)


def _runs_on(raw: Raw) -> Iterator[str]:
    """The node of a pod that runs, and does not end."""
    name = mapping(raw.get("spec")).get("nodeName")
    if name and mapping(raw.get("status")).get("phase") == "Running" and "deletionTimestamp" not in mapping(raw.get("metadata")):
        yield str(name)


def _reason(raw: Raw) -> Iterator[tuple[str, tuple[datetime, str]]]:
    """Karpenter's event about a node or a NodeClaim that it disrupts: `Disrupting Node: Drifted`, in older versions `Drift/Replace`."""
    about, reason = mapping(raw.get("involvedObject")), str(raw.get("reason"))
    when = next(filter(None, map(_time, (raw.get("lastTimestamp"), raw.get("eventTime"), value_at(raw, ("metadata", "creationTimestamp"))))), None)
    if about.get("kind") not in ("Node", "NodeClaim") or when is None:
        return
    if reason == _DISRUPTING:
        told = str(raw.get("message")).rpartition(": ")[2].partition("/")[0]
        yield str(about.get("name")), (when, "Drifted" if told == "Drift" else told)
    elif reason in _INTERRUPTED:
        yield str(about.get("name")), (when, "Interrupted")


def _time(value: object) -> datetime | None:
    """A time as kubectl prints it; YAML reads one without quotes as a time. Go's zero time, in the year 1, is none."""
    try:
        found = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return found if found.tzinfo is not None and MINYEAR < found.year < MAXYEAR - 300 else None
