"""The proof for EKS: what a declaration registers, against what AWS and the cluster have.

A provider of AWS also changes arguments that are no longer sent, so both directions are compared. Objects are applied field by field: what is not
sent stays.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from nodepools.adoption.eks.inputs import add_on_inputs, cluster_inputs, entry_inputs, identity_inputs, log_group_inputs, normal, policy_inputs
from nodepools.adoption.proof import Branch, Compared, Difference, object_compared, respelled, values
from nodepools.changes.platform_changes import requests_of
from nodepools.clouds.change import ADD_ON, CLASS, CLUSTER, ENTRY, LOGS, POLICY, POOL, Request
from nodepools.clouds.eks.existing import ExistingEksCluster
from nodepools.clouds.karpenter_requests import Site
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.platform import Platform
from nodepools.wire.effects import Effect
from nodepools.wire.eks.access import last_name
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.paths import value_at
from nodepools.wire.table import Written, python_name

_TAGS: Final = "tags are those of the cluster, and are updated in place"
_CONFLICTS: Final = "AWS does not store how conflicts are resolved"
_REASONS: Final = {("tags",): _TAGS, ("resolve_conflicts_on_create",): _CONFLICTS, ("resolve_conflicts_on_update",): _CONFLICTS}
"""Differences of access entries, add-ons and pod identities that no declaration can avoid."""
_CONFIGURATION: Final = "configuration_values"
"""JSON or YAML as text."""


def eks_proof(platform: Platform, key: str, existing: ExistingEksCluster) -> list[Compared]:
    """Compares every resource that the declaration registers."""
    site = Site(platform.stem(key), key)
    proof = _Proof(cast("EksClusterArgs", platform.cluster(key)), existing, site)
    return [proof.compared(request) for request in requests_of(platform).of_cluster(key)]


@dataclass(frozen=True, slots=True)
class _Proof:
    cluster: EksClusterArgs
    existing: ExistingEksCluster
    site: Site

    def compared(self, request: Request) -> Compared:
        if request.subject == CLUSTER:
            have = cluster_inputs(self.existing.described, self.existing.id.region)
            return Compared(request, self.existing.name, tuple(_both_ways(request, request.sent, have, {})))
        if request.subject in (POOL, CLASS):
            return self._object(request)
        found = self._found(request)
        if found is None:
            return Compared(request, None, ())
        import_id, have = found
        own: dict[str, object] = {"region": self.existing.id.region}
        if request.subject != LOGS:
            own["clusterName"] = self.existing.name
        if request.subject != POLICY:
            own |= {"tags": dict(self.cluster.tags)}
        derived = {name: have[name] for name in ("principalArn", "policyArn", "addonName") if name in have}
        return Compared(request, import_id, tuple(_both_ways(request, {**request.sent, **derived, **own}, have, _REASONS)))

    def _found(self, request: Request) -> tuple[str, Written] | None:
        """The id of a resource in an import file, and its inputs; `None` if it does not exist."""
        one, name, region = self.existing, self.existing.name, self.existing.id.region
        if request.subject == ENTRY:
            principal = self._principal(request)
            return (f"{name}:{principal}", entry_inputs(one.entries[principal], region)) if principal in one.entries else None
        if request.subject == POLICY:
            principal = self._principal(request)
            fitting = [policy for policy in one.policies.get(principal, ()) if last_name(policy.get("policyArn")) == request.sent["policyArn"]]
            return (f"{name}#{principal}#{fitting[0]['policyArn']}", policy_inputs(fitting[0], name, principal, region)) if fitting else None
        if request.subject == LOGS:
            return (str(one.log_group["logGroupName"]), log_group_inputs(one.log_group, region)) if one.log_group is not None else None
        if request.subject == ADD_ON:
            add_on = one.add_ons.get(request.key[2])
            return (f"{name}:{request.key[2]}", add_on_inputs(add_on, region, one.identities_of(add_on))) if add_on is not None else None
        for number, identity in one.identities.items():
            if all(identity.get(field) == request.sent.get(field) for field in ("namespace", "serviceAccount")):
                return f"{name},{number}", identity_inputs(identity, region)
        return None

    def _principal(self, request: Request) -> str:
        """The ARN of the principal of an entry or a policy; a role of nodes is declared by its path and name."""
        named = request.sent.get("principalArn")
        principal = str(named if named is not None else self.cluster.access_entries[str(request.steps[3])].principal)
        return principal if principal.startswith("arn:") else self.existing.id.role(principal)

    def _object(self, request: Request) -> Compared:
        name = request.resource.name.removeprefix(f"{self.site.stem}-")
        return object_compared(request, name, self.existing.named(request.resource.type.rpartition(":")[2], name))


def _both_ways(request: Request, sent: Written, have: Written, reasons: Mapping[Branch, str]) -> Iterator[Difference]:
    """Every argument that differs, except those that the provider keeps when they are not sent."""
    ours, theirs = merge_overrides(respelled(normal(sent)), request.overrides), respelled(have)
    rules = {tuple(python_name(str(step)) for step in wire): way for wire, way in request.table.compared.items()}
    at = tuple(map(str, request.steps[2:]))
    for path, way in rules.items():
        new, old = value_at(ours, path), value_at(theirs, path)
        change = way.change
        if change is not None and (change.effect is Effect.NONE or change.ignored or (change.kept and new is None)):
            continue
        if _plain(path, old, way.default) != _plain(path, new, way.default):
            yield Difference(at, path, old, new, reasons.get(path, ""))
    for path in values(ours):
        if not any(path[: len(rule)] == rule for rule in rules) and value_at(ours, path) != value_at(theirs, path):
            yield Difference(at, path, value_at(theirs, path), value_at(ours, path))


def _plain(path: Branch, value: object, default: object) -> object:
    held = default if value is None else value
    if path[-1] == _CONFIGURATION:
        held = _parsed(held)
    return None if held in ({}, [], "") else held


def _parsed(text: object) -> object:
    """The values in JSON; YAML, which AWS accepts too, is compared as text."""
    try:
        return json.loads(str(text))
    except (ValueError, RecursionError):
        return text
