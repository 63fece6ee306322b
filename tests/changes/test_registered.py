"""What `diff` says of each field of each model, next to what both declarations register: its judge is the program, and no other table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import cast

import pytest

from nodepools import AksCluster, AksClusterArgs, EksCluster, EksClusterArgs, Platform, derive, testing
from nodepools.changes.drift import canonical
from nodepools.changes.platform_changes import Changes, diff, requests_of
from nodepools.clouds.change import AGENT_POOL, AKS_CLUSTER, AKS_NODE_CLASS, CLUSTER, EKS_CLUSTER, EKS_NODE_CLASS, NODE_POOL
from nodepools.clouds.reasons import reason
from nodepools.component.errors import as_checked
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.base import Model
from nodepools.model.platform import AnyCluster, Owners, Team
from nodepools.model.steps import mapping, sequence
from nodepools.rules.engine.field_annotations import reachable
from nodepools.rules.engine.runner import check
from nodepools.testing.node import Node
from nodepools.wire.aks.agent_pool import POOL
from nodepools.wire.aks.cluster import CLUSTER as AKS_TABLE
from nodepools.wire.aks.node_class import NODE_CLASS as AKS_CLASS
from nodepools.wire.eks.cluster import CLUSTER as EKS_TABLE
from nodepools.wire.eks.node_class import NODE_CLASS as EKS_CLASS
from nodepools.wire.karpenter import AKS_NODE_CLASS as AKS_KIND
from nodepools.wire.karpenter import node_pool_table
from nodepools.wire.rows import Part
from nodepools.wire.table import Effect, FieldPath, Pattern, Table
from tests.changes.swept import CLUSTERS, SHARED, Edit, edits, platform

pytestmark = pytest.mark.sweep

QUIET = (Effect.NONE, Effect.IGNORED)
STATEFUL = (
    AKS_CLUSTER,
    EKS_CLUSTER,
    AGENT_POOL,
    NODE_POOL,
    "azure-native:resources:ResourceGroup",
    "azure-native:network:VirtualNetwork",
    "aws:ec2/vpc:Vpc",
)
"""Resources that cannot go without a word about nodes or data."""
USED_BY_PODS = (
    "aws:ec2/natGateway:NatGateway",
    "aws:ec2/internetGateway:InternetGateway",
    "aws:ec2/subnet:Subnet",
    "aws:ec2/vpcEndpoint:VpcEndpoint",
    "kubernetes:storage.k8s.io/v1:StorageClass",
    "kubernetes:networking.k8s.io/v1:IngressClass",
)
"""Resources that pods use, and that cannot go without a word."""
WITH_PLANS = ("EksNetworkArgs", "ExistingEksNetwork", "ClusterObjects", "StorageClass", "IngressClass")
"""Models with resources that have no table: their plans are made whatever the effect is."""
WITHOUT_PLANS = (Effect.IN_PLACE, Effect.IN_PLACE_LATER, Effect.CREATES, Effect.UNKNOWN)
"""Effects that claim neither that nothing happens, nor that something is replaced: their plans need not be made."""
NEEDS_NO_ROLE = {"EtcdKey.vault_access": "a public vault, whose id AKS keeps, is used without a role for its private endpoint"}
Plan = Mapping[str, Node]
TABLES: Mapping[str, Table] = {
    AKS_CLUSTER: AKS_TABLE,
    AGENT_POOL: POOL,
    EKS_CLUSTER: EKS_TABLE,
    NODE_POOL: Table(Part("spec", "spec", node_pool_table(AKS_KIND))),
    AKS_NODE_CLASS: Table(Part("spec", "spec", AKS_CLASS)),
    EKS_NODE_CLASS: Table(Part("spec", "spec", EKS_CLASS)),
}
"""The rows of what is registered; those of objects are in their `spec`."""


CLUSTER_REQUEST = requests_of(platform(CLUSTERS[0])).of("one", CLUSTER)[0]


def registered(platform: Platform) -> Plan:
    """The resources of the only cluster, whatever the rules say of it."""
    [key] = platform.clusters
    cluster = platform.cluster(key)

    def program() -> None:
        with as_checked(cluster):
            if isinstance(cluster, AksClusterArgs):
                AksCluster(platform.stem(key), cluster)
            else:
                EksCluster(platform.stem(key), cast("EksClusterArgs", cluster))

    return {node.urn: node for node in testing.run(program).all()}


def inputs(node: Node) -> bytes:
    """Everything that is sent, secrets too."""
    return node.request.object.SerializeToString(deterministic=True)


@dataclass(frozen=True)
class Compared:
    """An edit with both plans."""

    edit: Edit
    changes: Changes
    before: Plan
    after: Plan

    @property
    def gone(self) -> list[Node]:
        return [node for urn, node in self.before.items() if urn not in self.after]

    @property
    def come(self) -> list[Node]:
        return [node for urn, node in self.after.items() if urn not in self.before]

    @property
    def changed(self) -> list[Node]:
        return [node for urn, node in self.after.items() if urn in self.before and inputs(node) != inputs(self.before[urn])]

    def wrong(self) -> Iterator[str]:
        worst = self.changes.worst
        differ = bool(self.gone or self.come or self.changed)
        if worst in QUIET and (self.gone or self.come):
            yield f"says {worst.value}, and resources come or go: {[node.display_name for node in (*self.gone, *self.come)]}"
        if worst in QUIET:
            yield from (f"says {worst.value} of {node.display_name} {place}" for node in self.changed for place in self._unproved(node))
        if not differ and worst not in (*QUIET, Effect.IN_PLACE):
            yield f"says {worst.value}, and both sides register the same"
        if any(node.type in STATEFUL for node in self.gone) and worst < Effect.ROTATES:
            yield f"says {worst.value}, and {[node.display_name for node in self.gone]} goes"
        if any(node.type in USED_BY_PODS for node in self.gone) and worst < Effect.IN_PLACE_PODS:
            yield f"says {worst.value}, and {[node.display_name for node in self.gone]} goes"
        yield from self._rejected()
        if any(node.kind == "RoleAssignment" for node in self.gone) and self.edit.field not in NEEDS_NO_ROLE:
            kept = [one.path for one in self.changes.all if one.effect is Effect.IGNORED]
            yield from (f"says that the cloud keeps `{path}`, and a role on it goes" for path in kept)
        refused = (one for one in self.changes.all if one.effect is Effect.REFUSED)
        yield from (f"`{one.path}` is refused without a reason" for one in refused if one.message == reason(Effect.REFUSED, CLUSTER_REQUEST))

    def _rejected(self) -> Iterator[str]:
        """A StorageClass whose parameters and name stay is updated, and the API server takes no other `reclaimPolicy`."""
        for node in self.changed:
            if node.kind == "StorageClass" and self.changes.worst < Effect.REFUSED:
                before, after = (cast("Mapping[str, object]", side[node.urn].to_json()["inputs"]) for side in (self.before, self.after))
                places = {place[0] for place, _, _ in _differing(before, after)}
                if "reclaimPolicy" in places and "parameters" not in places:
                    yield "the API server rejects another reclaimPolicy"

    def _unproved(self, node: Node) -> Iterator[str]:
        """The arguments that differ, and of which no row says that the cloud has, or keeps, the same value."""
        table = TABLES.get(node.type)
        before, after = (cast("Mapping[str, object]", side[node.urn].to_json()["inputs"]) for side in (self.before, self.after))
        for place, old, new in _differing(before, after):
            near = [way for way in table.leaves if way.wire and way.wire == place[: len(way.wire)]] if table is not None else []
            if not near or not _is_proved(max(near, key=lambda way: len(way.wire)), old, new, after):
                yield ".".join(map(str, place))


def _is_proved(way: FieldPath, old: object, new: object, after: Mapping[str, object]) -> bool:
    rule = way.change
    filled = [way.default if value is None else value for value in (old, new)]
    kept = rule is not None and ((rule.kept and new is None) or rule.ignored or (bool(rule.ignored_with) and after.get("enableAutoScaling") is True))
    return kept or canonical(filled[0]) == canonical(filled[1])


def _differing(old: object, new: object, place: Pattern = ()) -> Iterator[tuple[Pattern, object, object]]:
    if old == new:
        return
    if isinstance(old, dict | None) and isinstance(new, dict | None) and (old or new):
        first, second = mapping(old), mapping(new)
        for name in sorted(first.keys() | second.keys()):
            yield from _differing(first.get(name), second.get(name), (*place, name))
    elif place == ("agentPoolProfiles",):
        yield from _differing(sequence(old)[0], sequence(new)[0], (*place, 0))
    else:
        yield place, old, new


@cache
def swept() -> tuple[Edit, ...]:
    return tuple(edits())


@cache
def _planned(declared: str) -> Plan:
    return registered(_BY_TEXT[declared])


_BY_TEXT: dict[str, Platform] = {}


def planned(platform: Platform) -> Plan:
    """The plan, made once for equal declarations."""
    text = repr(platform)
    _BY_TEXT[text] = platform
    return _planned(text)


def test_every_field_is_swept() -> None:
    found = {edit.field for edit in swept()}
    missing = [
        f"{model.__name__}.{name}"
        for model in reachable(Platform)
        if model not in (Platform, Owners, Team)  # rules and reports read them: tests/changes/test_owners.py
        for name in model.model_fields
        if name != "kind" and f"{model.__name__}.{name}" not in found and not _is_elsewhere(model, name)
    ]
    assert missing == []


def _is_elsewhere(model: type[Model], name: str) -> bool:
    """A part that is always there, of which its own fields are swept; or a field of every agent pool."""
    if model in SHARED and name in AgentPool.model_fields:
        return True
    held = model.model_fields[name].annotation
    return isinstance(held, type) and issubclass(held, Model)


NEWER = {way.model[-1] for table in (POOL, AKS_TABLE) for way in table.leaves if way.model and (way.since or getattr(way.row, "words_since", None))}


def cannot_be_sent(edit: Edit) -> bool:
    """The default version of the API of AKS does not have the field, and the program stops at AKS344."""
    name = edit.field.rpartition(".")[2]
    return name in NEWER and any(finding.code == "AKS344" for side in (edit.old, edit.new) for finding in check(side))


@pytest.mark.parametrize("kind", ["akscluster", "ekscluster"])
def test_what_diff_says_is_what_is_registered(kind: str) -> None:
    wrong: list[str] = []
    for edit in swept():
        if not edit.path.startswith(kind) or cannot_be_sent(edit):
            continue
        changes = diff(edit.old, edit.new)
        if not changes.all:
            wrong.append(f"{edit}: no change")
        elif changes.worst not in WITHOUT_PLANS or edit.field.startswith(WITH_PLANS) or any(change.effect in QUIET for change in changes.all):
            wrong += [f"{edit}: {line}" for line in Compared(edit, changes, planned(edit.old), planned(edit.new)).wrong()]
    assert not wrong, "\n".join(wrong)


FIELDS_OF_THE_PLATFORM: Mapping[str, object] = {
    "name": "other",
    "environment": "staging",
    "clusters": {"one": {"tags": {"a": "b"}}},
    "tags": {"team": "core"},
    "standard_tags": False,
    "maintenance": {"kind": "Weekly", "days": "sun", "start": "02:00", "hours": 6},
    "baseline": "cis",
    "protect": False,
    "owners": {"label": "example.com/owner", "tag": "owner"},
    "must_fit": [{"kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{"name": "a", "image": "a"}]}}],
}


def test_every_field_of_the_platform_is_changed() -> None:
    assert FIELDS_OF_THE_PLATFORM.keys() == Platform.model_fields.keys()


@pytest.mark.parametrize("cluster", CLUSTERS, ids=lambda cluster: type(cluster).__name__)
def test_what_diff_says_of_the_platform_is_what_is_registered(cluster: AnyCluster) -> None:
    wrong: list[str] = []
    old = platform(cluster)
    for name, value in FIELDS_OF_THE_PLATFORM.items():
        new = derive(old, {name: value})
        one = Edit(f"Platform.{name}", name, old, new, value)
        wrong += [f"{one}: {line}" for line in Compared(one, diff(old, new), planned(old), planned(new)).wrong()]
    assert not wrong, "\n".join(wrong)


def _is_declared(held: object, steps: Pattern) -> bool:
    """Every step is a field of its model, as far as there are models; entries of mappings and lists have any key."""
    for step in steps:
        if isinstance(held, Model):
            if step not in type(held).model_fields:
                return False
            held = getattr(held, str(step))
        elif isinstance(held, Mapping):
            held = mapping(cast("object", held)).get(str(step))
        else:
            entries = sequence(held)
            held = entries[step] if isinstance(step, int) and step < len(entries) else None
    return True


NAMED_BY_AZURE = "maintenance_configurations"
"""Their changes have the names of the configurations in Azure."""


def test_a_change_has_the_path_of_a_field() -> None:
    """So that one edit is one change, which is accepted once."""
    wrong = [
        f"{edit}: {change.path}"
        for edit in swept()
        for change in diff(edit.old, edit.new).all
        if NAMED_BY_AZURE not in change.steps and not edit.field.endswith(".overrides")
        if not any(_is_declared(side, change.steps) for side in (edit.old, edit.new))
    ]
    assert wrong == []
