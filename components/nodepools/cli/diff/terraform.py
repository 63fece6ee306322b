"""A plan of Terraform as both sides of `nodepools diff`: what it plans, and what that does to nodes.

Terraform decides what is created, updated and replaced. Where it updates in place what the rows have as immutable, the change reports it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from nodepools.changes.compare import all_nodes
from nodepools.changes.directions import direction
from nodepools.changes.nodes import nodes_now
from nodepools.changes.operations import has_unknown
from nodepools.changes.platform_changes import Changes
from nodepools.cli.command_run import CommandRun
from nodepools.cli.diff.answer import Subject
from nodepools.cli.diff.files import Part, Place, Side
from nodepools.cli.diff.folds import NAMED
from nodepools.cli.inputs.terraform_files import Lines, in_terraform_words, unread
from nodepools.cli.output.report import Report, Row, Section
from nodepools.cli.problem import Problem
from nodepools.clouds.amounts import Amount
from nodepools.clouds.change import (
    AGENT_POOL,
    AKS_CLUSTER,
    CLUSTER,
    EKS_CLUSTER,
    NODE_GROUP,
    POOL,
    Address,
    Change,
    Key,
    Request,
    Requests,
    ResourceName,
    worst_first,
)
from nodepools.clouds.karpenter_requests import object_request
from nodepools.clouds.reasons import ADDED_TO_LIST, BY_LISTS, FIXED_NAME, LEFT_LIST
from nodepools.data.version_support import minor
from nodepools.model.listing import grouped, listed
from nodepools.model.path import path_text
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.model.unknowns import UNKNOWN
from nodepools.model.values import dataclass, replace
from nodepools.resources.plan_requests import SUBJECTS, plain, with_built_in
from nodepools.resources.resource import Kind, Resource, kind_of, manifest_of
from nodepools.resources.terraform import IN_LIST as _LIST
from nodepools.resources.terraform import REPLACED_BY, Planned, TerraformSource
from nodepools.wire.aks.azurerm import CLUSTER as AZURERM_CLUSTER
from nodepools.wire.aks.azurerm import CYCLED, INLINE
from nodepools.wire.aks.azurerm import POOL as AZURERM_POOL
from nodepools.wire.eks.terraform import NODE_GROUPS
from nodepools.wire.paths import differences, is_opposite, value_at, wire_of
from nodepools.wire.table import Effect

_TERRAFORM: Final = "Terraform: the actions and `replace_paths` of the plan"
_PROVIDER: Final = "https://registry.terraform.io/providers/hashicorp/azurerm/latest/docs: `temporary_name_for_rotation`"
_COUNTS: Final = "https://github.com/hashicorp/terraform-provider-azurerm/issues/14522: checks of `default_node_pool` (source read 2026-11)"
_FIXED_COUNT: Final = "The provider rejects another `node_count` while the default node pool has an autoscaler: put it under `ignore_changes`"
_REPLACED: Final = "Terraform deletes it with its nodes, and creates it again"
_LEFT: Final = "Terraform creates another one, and forgets this one: it stays with its nodes, unmanaged, and the cloud rejects two with the same name"
_KEPT_BY: Final = dict(REPLACED_BY.values())
_TAKEN: Final = (
    "Terraform creates another one before it deletes this one, and the cloud rejects two with the same name: `terraform apply` fails. "
    "Without `create_before_destroy` it is deleted first, with its nodes; a name of its own for the new one keeps both for a while"
)
_MOVED: Final = "Only the address differs: a `moved` block from `{old}` to `{new}` keeps it with its nodes"
_CREATED_FIRST: Final = "Terraform creates another one, then deletes this one with its nodes; no disruption budget limits how many at a time"
_CYCLES: Final = (
    "The plan shows `update in-place`, and the provider creates the temporary pool `{name}`, deletes this pool and creates it again: "
    "every node is replaced without a drain, and no disruption budget limits how many at a time"
)
_AGAIN: Final = (
    "An earlier rotation stopped before its end: the provider creates the pool again, and deletes the temporary pool `{name}` with its nodes "
    "without a drain; no disruption budget limits how many at a time"
)
_NO_NAME: Final = "The provider replaces the nodes of the pool for it, and requires `temporary_name_for_rotation`: `terraform apply` fails without it"
_DISAGREE: Final = (
    "The plan shows `update in-place`, and the table of this library has the argument as immutable: the two disagree, and the cloud decides "
    "at `terraform apply`"
)
_ROLLED_ANYWAY: Final = "The value is known after `terraform apply`; another edit replaces the same nodes in any case"
_LATER: Final = "The value is known after `terraform apply`, and decides the effect"
_SENT: Final = "Terraform sends it: whether the cloud keeps the old value is not known"
_NO_ROW: Final = "This version does not know the argument, and so not what it does to nodes"
_NO_MEANING: Final = "Only arguments that pools do not depend on change; nodes stay"
_ALL_POOLS: Final = "AKS reimages the nodes of all pools at the same time"
_ALL_AT_ONCE: Final = ("networkProfile", "networkPluginMode"), ("networkProfile", "networkDataplane")
_SOURCE_OF_NETWORK: Final = "docs/facts/aks.md § 4; https://learn.microsoft.com/azure/aks/upgrade-azure-cni"
_SOURCE_OF_GROUPS: Final = (
    "https://docs.aws.amazon.com/eks/latest/userguide/update-managed-node-group.html: a node group cannot be newer than its control plane"
)
_PLACE: Final = ("name", "node_group_name", "resource_group_name", "kubernetes_cluster_id", "cluster_name", "parent_id", "region")
"""The arguments that two resources in one place have in common."""
_VERSION: Final = re.compile(r"\d+\.\d+")
_VERSIONS: Final = {
    NODE_GROUP: ("EKS", "version", "version", _SOURCE_OF_GROUPS),
    AGENT_POOL: ("AKS", "orchestratorVersion", "kubernetesVersion", "https://learn.microsoft.com/azure/aks/upgrade-aks-cluster: version skew"),
}
"""The arguments with the version of a pool and of its cluster."""
_FORCED: Final = "; `force_update_version` also deletes pods whose PodDisruptionBudget forbids it"
_FIRST_STAYS: Final = ". The first system pool stays"
_REPLACING: Final = (Effect.ROTATES, Effect.REPLACES)
_SAME: Final = (Effect.IN_PLACE, Effect.IN_PLACE_LATER)
_OS_SKU: Final = "os_sku"
_CRITICAL: Final = "only_critical_addons_enabled"
"""Sent as a taint, whose change does not show it."""
_TEMPLATE_VERSION: Final = ("launchTemplate", "version")
_NEW_VERSION: Final = "a new version, known after apply"
_OF_TEMPLATE: Final = frozenset(
    {
        *("id", "arn", "region", "name", "name_prefix", "description", "tags", "tags_all", "default_version", "latest_version"),
        *("update_default_version", "maintenance_options"),
    }
)
"""What does not make another version of a launch template: resourceLaunchTemplateUpdate of terraform-provider-aws (2026-11)."""
_ROWS: Final = 8
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {}, 0, False)
_NONE: Final = Requests(())


class _Compared(NamedTuple):
    """A resource of the plan, with what is sent for it before and after; `None` where there is none, or it has no row."""

    planned: Planned
    before: Request | None
    after: Request | None


@dataclass(frozen=True)
class TerraformPlan:
    """A plan, with its resources as requests."""

    name: str
    source: TerraformSource
    lines: Lines

    @cached_property
    def _labels(self) -> Mapping[str, str]:
        """How each cluster is named: as in its cloud, unless two have one name."""
        clusters = {one.address: _name(one) for one in self.source.planned if _subject(one) == CLUSTER}
        count = Counter(clusters.values())
        return {address: name if name and count[name] == 1 else address for address, name in clusters.items()}

    @cached_property
    def _pools(self) -> Mapping[str, str]:
        """How each pool is named in its cluster."""
        pools = {one.address: (self._cluster(one), _name(one)) for one in self.source.planned if _subject(one) == POOL}
        count = Counter(pools.values())
        return {address: of[1] if of[1] and count[of] == 1 else address for address, of in pools.items()}

    def _cluster(self, planned: Planned) -> str:
        if planned.address in self._labels:
            return self._labels[planned.address]
        known = [resource for resource in (planned.after, planned.before) if resource is not None]
        owner = next((self._labels[needed] for resource in known for needed in resource.dependencies if needed in self._labels), None)
        if owner is not None:
            return owner
        named = (resource.inputs.get(key) for resource in known for key in ("resourceName", "clusterName"))
        return next((name for name in named if isinstance(name, str)), "")

    @cached_property
    def _compared(self) -> Sequence[_Compared]:
        return [_Compared(one, self._request(one, one.before), self._request(one, one.after)) for one in self.source.planned]

    @cached_property
    def _changed_inside(self) -> frozenset[str]:
        """The clusters with a pool in their body that changes."""
        parts = (one.address.partition(_LIST) for one in self.source.planned if one.actions != ("no-op",))
        return frozenset(cluster for cluster, found, _ in parts if found)

    @cached_property
    def _before(self) -> Requests:
        return with_built_in(Requests(tuple(one.before for one in self._compared if one.before is not None)))

    def sides(self) -> tuple[Side, Side]:
        """What exists, and what is planned."""
        after = with_built_in(Requests(tuple(one.after for one in self._compared if one.after is not None)))
        old, new = (
            Side(title, "resources", {"": Part("", requests, places=self._place)})
            for title, requests in ((self.name, self._before), (self.name, after))
        )
        return old, new

    def _place(self, steps: Steps) -> Place:
        """The line of a change, as far as it is known."""
        found = self.lines.of(str(steps[0]), steps[1:])
        return Place(found.file if found is not None else self.name, found)

    def _request(self, planned: Planned, resource: Resource | None) -> Request | None:
        if resource is None:
            return None
        cluster, steps = self._cluster(planned), (Address(planned.address),)
        kind = kind_of(resource)
        if kind is Kind.OBJECT:
            made = object_request({name: plain(value) for name, value in manifest_of(resource).items()}, cluster)
            return replace(made, steps=steps) if made is not None else None
        known = ("pool", NODE_GROUPS) if resource.type == NODE_GROUP else SUBJECTS.get(kind)
        if known is None:
            return None
        subject, table = known
        pool = self._pools.get(planned.address, planned.address)
        key: Key = (cluster, subject, "" if subject == CLUSTER else pool)
        sent = {name: plain(value) for name, value in resource.inputs.items()}
        if resource.type == NODE_GROUP and value_at(sent, _TEMPLATE_VERSION) is UNKNOWN and self._gets_version(resource):
            sent["launchTemplate"] = {**mapping(sent["launchTemplate"]), "version": _NEW_VERSION}
        windows = "WindowsPool" if sent.get("osType") == "Windows" else ""
        needs = frozenset[Key]() if subject == CLUSTER else frozenset({(cluster, CLUSTER, "")})
        at = f"{cluster}/{pool}".lstrip("/") if subject == POOL else cluster if cluster else planned.address
        is_updated = planned.actions == ("update",)
        return Request(key, at, steps, ResourceName(resource.type, planned.address), table, sent, windows, needs, is_updated=is_updated)

    def _gets_version(self, group: Resource) -> bool:
        """The plan changes the launch template of a node group, so that it has another version, whatever its number is."""
        named = mapping(group.inputs.get("launchTemplate"))
        templates = [one for one in self.source.neighbours if one.type == "aws_launch_template" and one.before is not None and one.after is not None]
        return any(
            any(isinstance(named.get(key), str) and named[key] == mapping(one.before).get(key) for key in ("id", "name"))
            and any(_is_other(mapping(one.before).get(name), value) for name, value in mapping(one.after).items() if name not in _OF_TEMPLATE)
            for one in templates
        )

    @property
    def uncompared(self) -> Iterator[Problem]:
        """Objects of Karpenter that the plan changes, and that have no row: what they do to nodes is not known."""
        for one, before, after in self._compared:
            sides = ((one.after, after), (one.before, before))
            resource = next((side for side, request in sides if side is not None and request is None and kind_of(side) is Kind.OBJECT), None)
            if resource is not None and one.actions != ("no-op",):
                yield Problem(self.name, f"not compared: {one.address} ({resource.type.rpartition(':')[2]}), which can replace nodes")

    def judged(self, changes: Changes) -> Changes:
        """The changes with what Terraform does, and those that only the plan shows."""
        by_address = grouped((str(change.steps[0]), change) for change in changes.all)
        found = [(change, one.planned) for one in self._compared for change in self._all_of(one, by_address.get(one.planned.address, []))]
        return Changes(tuple(worst_first(_in_terraform(change, planned.type, self._moved.get(planned.address, "")) for change, planned in found)))

    @cached_property
    def _moved(self) -> Mapping[str, str]:
        """What keeps that which is deleted, and created as it is under another address, by both addresses: it is one to the cloud."""
        gone, made = (
            {self._identity(one, one.values): one for one in self.source.planned if one.actions == (does,)} for does in ("delete", "create")
        )
        pairs = [(gone[identity], made[identity]) for identity in gone.keys() & made.keys() if identity]
        same = [(old, new) for old, new in pairs if not any(_is_other(old.values.get(name), value) for name, value in new.values.items())]
        return {one.address: _MOVED.format(old=old.address, new=new.address) for old, new in same for one in (old, new)}

    def _identity(self, planned: Planned, values: Mapping[str, object]) -> tuple[str, ...]:
        """What tells a cluster or a pool from others in its cloud; empty for others, and if it is not known."""
        places = [values[name] for name in _PLACE if name in values]
        is_known = _subject(planned) in (CLUSTER, POOL) and bool(places) and not has_unknown(places)
        return (planned.type, self._cluster(planned), *map(str, places)) if is_known else ()

    def _all_of(self, compared: _Compared, found: Sequence[Change]) -> Iterator[Change]:
        """The changes of a resource; of one that Terraform updates there is at least one."""
        every, request = list(self._of(compared, found)), compared.after
        yield from every
        is_inner = compared.planned.address in self._changed_inside
        if not every and not is_inner and request is not None and compared.planned.actions == ("update",):
            steps = (*request.steps, Address("other arguments"))
            yield Change(request.at, steps, None, "changed", Effect.IN_PLACE, _NO_MEANING, _TERRAFORM, request.resource)

    def _of(self, compared: _Compared, found: Sequence[Change]) -> Iterator[Change]:
        planned, before, after = compared
        if _LIST in planned.address and None in (before, after) and planned.actions == ("update",):
            effect, sentence = (Effect.REFUSED, ADDED_TO_LIST) if before is None else (Effect.UNKNOWN, LEFT_LIST)
            made = {"effect": effect, "message": sentence, "source": BY_LISTS}
            yield from (replace(change, **made, nodes=None, extra_nodes=None, pace=None) for change in found)
            return
        if planned.before is None or planned.after is None:
            yield from (self._of_group(planned, ("version",), change) for change in found)
            return
        if before is None or after is None or planned.actions == ("no-op",):
            return
        named = [_named(planned, after, change) for change in found]
        if planned.is_left:
            whole = Change(after.at, after.steps, None, None, Effect.UNKNOWN, _LEFT, _TERRAFORM, after.resource)
            yield from _replacement(planned, whole, named)
            return
        if planned.is_replaced:
            place = self._identity(planned, planned.was)
            is_taken = planned.actions[0] == "create" and bool(place) and place == self._identity(planned, planned.values)
            sentence = _TAKEN if is_taken else _CREATED_FIRST if planned.actions[0] == "create" else _REPLACED
            if planned.note in _KEPT_BY:
                sentence = f"{sentence}: {planned.note}. {_KEPT_BY[planned.note].format(address=planned.address)}"
            reached = self._nodes(before) if after.subject in (CLUSTER, POOL) and not is_taken else None
            effect = Effect.REFUSED if is_taken else Effect.REPLACES
            whole = Change(after.at, after.steps, None, None, effect, sentence, _TERRAFORM, after.resource, reached)
            yield from _replacement(planned, whole, named)
            return
        counted = ((_with_rejected_count(planned, change), wire) for change, wire in named)
        judged = ((one if one.source == _COUNTS else _verdict(planned, one, wire, before, after), wire) for one, wire in counted)
        known = [self._of_group(planned, wire, change) for change, wire in judged]
        yield from known
        yield from _later(planned, before, after, next((one for one in known if one.effect is Effect.REIMAGES and one.pool is not None), None))
        for steps, old, new in planned.left:
            yield Change(after.at, (*after.steps, *steps), plain(old), plain(new), Effect.UNKNOWN, _NO_ROW, _TERRAFORM, after.resource)

    def _of_group(self, planned: Planned, wire: Steps, change: Change) -> Change:
        """A change of a node group: one that updates it can be forced, and a version that is newer than the control plane is rejected."""
        group = planned.after
        if group is None or group.type not in _VERSIONS:
            return change
        if change.effect is Effect.REIMAGES and planned.values.get("force_update_version") is True:
            change = replace(change, message=f"{change.message}{_FORCED}")
        cloud, own, of_cluster, source = _VERSIONS[group.type]
        if wire not in (("version",), (own,)):
            return change
        cluster = next((self.source.by_address[name].after for name in group.dependencies if name in self.source.by_address), None)
        has, top = group.inputs.get(own), cluster.inputs.get(of_cluster) if cluster is not None else None
        if not all(isinstance(one, str) and _VERSION.match(one) is not None for one in (has, top)) or minor(str(has)) <= minor(str(top)):
            return change
        sentence = f"{cloud} rejects a newer version than that of its control plane, which has `{top}`: upgrade the cluster first"
        return replace(change, effect=Effect.REFUSED, message=sentence, source=source, nodes=None, extra_nodes=None, pace=None)

    def _nodes(self, request: Request) -> Amount:
        """The nodes of a pool, or of all pools of a cluster."""
        if request.subject == POOL:
            return nodes_now(request, _NONE)
        return all_nodes(request, self._before)

    def respelled(self, report: Report) -> Report:
        """The report with the names of Terraform. Values are as they are."""

        def row(one: Row) -> Row:
            reasons, details = (tuple(map(in_terraform_words, texts)) for texts in (one.reasons, one.details))
            return replace(one, reasons=reasons, details=details)

        sections = tuple(replace(one, heading=in_terraform_words(one.heading), rows=tuple(map(row, one.rows))) for one in report.sections)
        return replace(report, answer=in_terraform_words(report.answer), sections=sections)

    def section(self) -> Subject:
        """What Terraform plans for the resources that are compared."""
        shown = [one for one in self.source.planned if one.actions != ("no-op",) or one.note]
        data = [{"address": one.address, "actions": list(one.actions), "replace_paths": [list(path) for path in one.replace_paths]} for one in shown]
        rows = tuple(Row((_ACTIONS.get(one.actions, ", ".join(one.actions)), f"{one.address}{_because(one)}{_noted(one)}")) for one in shown)
        return Subject("terraform", data, Section("What Terraform plans", rows, is_detail=len(rows) > _ROWS) if rows else None)


_ACTIONS: Final[Mapping[tuple[str, ...], str]] = {
    ("update",): "update in-place",
    ("delete", "create"): "destroy and then create replacement",
    ("create", "delete"): "create replacement and then destroy",
    ("delete",): "destroy",
    ("create", "forget"): "create replacement and then forget",
    ("forget", "create"): "forget and then create replacement",
}


def _because(planned: Planned) -> str:
    return f" because of {listed(list(map(path_text, planned.replace_paths)), NAMED)}" if planned.replace_paths else ""


def _noted(planned: Planned) -> str:
    return f" ({planned.note})" if planned.note else ""


def _subject(planned: Planned) -> str:
    resource = planned.after if planned.after is not None else planned.before
    if resource is None:
        return ""
    return POOL if resource.type == NODE_GROUP else SUBJECTS.get(kind_of(resource), ("",))[0]


def _name(planned: Planned) -> str:
    """The name in the cloud, after the plan if both sides have one."""
    return next((one.name for one in (planned.after, planned.before) if one is not None and one.name), "")


def _named(planned: Planned, request: Request, change: Change) -> tuple[Change, Steps]:
    """The change at its argument, and the place of it in the API."""
    inside = change.steps[1:]
    found = wire_of(request.table, inside) if not request.is_manifest else inside
    wire = found if found else inside
    place = planned.place(wire) if not request.is_manifest else ("manifest", "spec", *wire)
    is_turned = is_opposite(request.table, wire) and bool(found)
    old, new = (_in_words_of(planned, wire, not one if is_turned and isinstance(one, bool) else one) for one in (change.old, change.new))
    return replace(change, steps=(change.steps[0], *place), old=old, new=new), wire


def _in_words_of(planned: Planned, wire: Steps, value: object) -> object:
    """A value of the API as the argument has it."""
    return not value if isinstance(value, bool) and planned.arguments is not None and planned.arguments.is_opposite(wire) else value


def _replacement(planned: Planned, whole: Change, found: Sequence[tuple[Change, Steps]]) -> Iterator[Change]:
    """One change for each argument that Terraform replaces the resource for."""
    for path in planned.replace_paths if planned.replace_paths else ((),):
        near = [change for change, _ in found if path and _begins(_plain_path(change.steps[1:]), _plain_path(path))]
        first = near[0] if near else None
        old, new = (first.old, first.new) if first is not None else (_shown(side, path) for side in (planned.was, planned.values))
        yield replace(whole, steps=(*whole.steps, *path), old=old, new=new)


def _is_other(old: object, new: object) -> bool:
    """Both values are known, and not the same; empty ones are."""
    return not has_unknown(new) and old != new and not (old in _EMPTY and new in _EMPTY)


def _shown(values: Mapping[str, object], path: Steps) -> object:
    """The value of an argument that no row has."""
    value = value_at(values, path) if path else None
    return "known after apply" if value is UNKNOWN else plain(value)


def _begins(steps: Steps, path: Steps) -> bool:
    return steps[: len(path)] == path or path[: len(steps)] == steps


def _plain_path(steps: Steps) -> Steps:
    """A path without the indices of blocks."""
    return tuple(step for step in steps if not isinstance(step, int))


def _moves_to_cilium(planned: Planned) -> bool:
    """The policy and the data plane go together: the API rejects the data plane without it, and the data plane reimages the nodes."""
    old, new = (mapping(side.inputs.get("networkProfile") if side is not None else None) for side in (planned.before, planned.after))
    return old.get("networkDataplane") != "cilium" and new.get("networkDataplane") == new.get("networkPolicy") == "cilium"


def _verdict(planned: Planned, change: Change, wire: Steps, before: Request, request: Request) -> Change:
    """What Terraform does with a change that it plans as an update."""
    argument, pool = _argument_of_pool(planned, change.steps[1:])
    had = mapping(next(iter(sequence(planned.was.get(INLINE.type))), None))
    if argument == _CRITICAL and had.get("node_taints") == pool.get("node_taints"):
        change = replace(change, steps=(*change.steps[:-1], _CRITICAL), old=had.get(_CRITICAL), new=pool.get(_CRITICAL))
    name = pool.get("temporary_name_for_rotation")
    is_again = argument == "name" and isinstance(name, str) and change.old == name
    if argument in CYCLED or is_again or (argument == _OS_SKU and not _keeps_system(change)):
        if isinstance(name, str) and name:
            sentence, number = (_AGAIN if is_again else _CYCLES).format(name=name), nodes_now(before, _NONE)
            return replace(change, effect=Effect.REPLACES, message=sentence, source=_PROVIDER, nodes=number, extra_nodes=number, pace=None)
        return replace(change, effect=Effect.REFUSED, message=_NO_NAME, source=_PROVIDER, nodes=None, extra_nodes=None, pace=None)
    if change.new is not None and (wire[:2] in _ALL_AT_ONCE or (wire == ("networkProfile", "networkPolicy") and _moves_to_cilium(planned))):
        return replace(change, effect=Effect.REIMAGES, message=_ALL_POOLS, source=_SOURCE_OF_NETWORK, extra_nodes=None, pace=None)
    if change.effect in _REPLACING or (change.effect is Effect.REFUSED and (change.message == FIXED_NAME or argument)):
        is_fixed = change.effect in _REPLACING or change.message == FIXED_NAME or "AKS rejects it for the first system pool" in change.message
        return replace(change, effect=Effect.UNKNOWN, message=_DISAGREE, nodes=None, extra_nodes=None, pace=None) if is_fixed else change
    if change.effect is Effect.IGNORED:
        directed = direction(request.resource.type, wire)
        effect = directed(change.old, change.new) if directed is not None else Effect.UNKNOWN
        return replace(change, effect=effect, message=_SENT if effect is Effect.UNKNOWN else "Terraform sends another number of nodes")
    return replace(change, message=change.message.partition(_FIRST_STAYS)[0])


def _with_rejected_count(planned: Planned, change: Change) -> Change:
    """A change with an error if the provider rejects the numbers of nodes of a pool with an autoscaler."""
    argument, pool = _argument_of_pool(planned, change.steps[1:])
    least, most = pool.get("min_count"), pool.get("max_count")
    is_turned = argument in ("min_count", "max_count") and isinstance(least, int) and isinstance(most, int) and least > most
    is_fixed = argument == "node_count" and planned.arguments is AZURERM_CLUSTER
    if not (is_turned or is_fixed) or True not in (pool.get("auto_scaling_enabled"), pool.get("enable_auto_scaling")):
        return change
    sentence = f"The provider rejects `min_count`, {least}, above `max_count`, {most}" if is_turned else _FIXED_COUNT
    return replace(change, effect=Effect.REFUSED, message=sentence, source=_COUNTS, nodes=None, extra_nodes=None, pace=None)


def _keeps_system(change: Change) -> bool:
    """The provider updates the SKU in place if both are one of these."""
    return all(value is None or str(value).startswith(("Ubuntu", "AzureLinux")) for value in (change.old, change.new))


def _argument_of_pool(planned: Planned, place: Steps) -> tuple[str, Mapping[str, object]]:
    """The argument of a pool of azurerm, and the arguments of the pool; empty for others."""
    if planned.arguments is AZURERM_POOL:
        return str(place[0]), planned.values
    if planned.arguments is AZURERM_CLUSTER and place[:1] == (INLINE.type,):
        inside, pool = _plain_path(place), mapping(next(iter(sequence(planned.values.get(INLINE.type))), None))
        had = mapping(next(iter(sequence(planned.was.get(INLINE.type))), None))
        if inside[1:] == ("node_taints",) and had.get(_CRITICAL) != pool.get(_CRITICAL):
            return _CRITICAL, pool
        return str(inside[1]) if len(inside) > 1 else "", pool
    return "", {}


def _later(planned: Planned, before: Request, after: Request, rolled: Change | None) -> Iterator[Change]:
    """The arguments whose values are known after `terraform apply`. Nodes that are `rolled` anyway are replaced once."""
    for one in differences(after.table, before.sent, after.sent, after.kind):
        if not has_unknown(one.after) or has_unknown(one.before):
            continue
        wire = tuple(step for step in one.wire if isinstance(step, str | int))
        is_sure = direction(after.resource.type, one.wire) is None
        is_decided = one.effect in _SAME and is_sure
        effect = one.effect if is_decided else Effect.UNKNOWN
        sentence = "The value is known after `terraform apply`; nodes stay" if is_decided else _LATER
        steps = (*after.steps, *planned.place(wire))
        old = _in_words_of(planned, wire, one.before)
        if rolled is not None and is_sure and one.effect is Effect.REIMAGES:
            yield replace(rolled, steps=steps, old=old, new="known after apply", message=_ROLLED_ANYWAY, source=one.source)
            continue
        yield Change(after.at, steps, old, "known after apply", effect, sentence, one.source, after.resource)


def _in_terraform(change: Change, of_type: str, moved: str) -> Change:
    """The change with the names of Terraform."""
    whole = len(change.steps) == 1
    part = "cluster" if change.resource.type in (AKS_CLUSTER, EKS_CLUSTER) else "pool"
    sentence = change.message
    if whole and change.effect is Effect.CREATES:
        sentence = f"Terraform creates the {part}" if change.pool is not None or part == "cluster" else "Terraform creates it"
    elif whole and change.effect is Effect.REMOVES_NODES:
        sentence = "Terraform deletes the pool with its nodes; no disruption budget limits how many at a time"
    resource = change.resource if change.resource.type.startswith("kubernetes:") else ResourceName(of_type, change.resource.name)
    return replace(change, message=in_terraform_words(f"{sentence}. {moved}" if moved else sentence), resource=resource)


def _with_inner(planned: Planned) -> Iterator[Planned]:
    """A cluster of azapi, and each pool in its body after the first one as a pool of its own. AKS knows pools by their names, in any order."""
    if planned.before is not None and planned.after is not None and planned.after.type == AKS_CLUSTER:
        before, after = (sequence(side.inputs.get("agentPoolProfiles")) for side in (planned.before, planned.after))
        had = {mapping(pool).get("name") for pool in before}
        first = next((name for pool in after if (name := mapping(pool).get("name")) in had), None)
        planned = replace(planned, before=_first(planned.before, first), after=_first(planned.after, first))
    yield replace(planned, before=_with_one(planned.before), after=_with_one(planned.after))
    sides = [_inner(planned.address, one) for one in (planned.before, planned.after)]
    for address in {**sides[0], **sides[1]}:
        before, after = (side.get(address) for side in sides)
        actions = ("no-op",) if before == after and planned.actions == ("update",) else planned.actions
        yield replace(planned, address=address, before=before, after=after, actions=actions, replace_paths=(), left=(), note="")


def _first(cluster: Resource, name: object) -> Resource:
    """A cluster in whose list the pool with a name is the first one."""
    pools = sorted(sequence(cluster.inputs.get("agentPoolProfiles")), key=lambda pool: mapping(pool).get("name") != name)
    return replace(cluster, inputs={**cluster.inputs, "agentPoolProfiles": pools}) if pools else cluster


def _with_one(cluster: Resource | None) -> Resource | None:
    """A cluster with the first pool of its list: the others are resources of their own here."""
    pools = sequence(cluster.inputs.get("agentPoolProfiles")) if cluster is not None and cluster.type == AKS_CLUSTER else ()
    return replace(cluster, inputs={**cluster.inputs, "agentPoolProfiles": pools[:1]}) if cluster is not None and len(pools) > 1 else cluster


def _inner(cluster: str, resource: Resource | None) -> Mapping[str, Resource]:
    if resource is None or resource.type != AKS_CLUSTER:
        return {}
    pools = [(str(pool.get("name")), pool) for pool in map(mapping, sequence(resource.inputs.get("agentPoolProfiles"))[1:])]
    return {
        (address := f'{cluster}{_LIST}"{name}"]'): Resource(address, AGENT_POOL, name, {**pool, "agentPoolName": name}, dependencies=(cluster,))
        for name, pool in pools
    }


def terraform_plan(source: TerraformSource, name: str, run: CommandRun, hcl: Path | None) -> TerraformPlan:
    """A plan, which has both sides. What it changes and is not read is reported."""
    unread(source, name, run)
    source = replace(source, planned=tuple(one for planned in source.planned for one in _with_inner(planned)))
    plan = TerraformPlan(name, source, Lines(name, run, hcl))
    run.problems.extend(plan.uncompared)
    if source.forgotten:
        run.notes.append(Problem(name, f"Terraform forgets {listed(list(source.forgotten), NAMED)} without deleting: nodes stay"))
    if source.others:
        run.notes.append(Problem(name, f"changes of {source.others:,} other resource{'s' * (source.others != 1)} are not compared"))
    return plan
