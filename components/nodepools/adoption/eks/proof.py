"""The proof for EKS: what a declaration registers, paired with what AWS and the cluster have.

A provider of AWS also changes arguments that are no longer sent, so both directions are compared. Objects are applied field by field: what is not
sent stays.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, cast

from nodepools.adoption.eks import inputs
from nodepools.adoption.proof import Branch, Compared, Difference, object_compared, respelled, values, with_existing, with_value
from nodepools.changes.platform_changes import requests_of
from nodepools.clouds.change import (
    ADD_ON,
    CLASS,
    CLUSTER,
    ENTRY,
    IDENTITY,
    IDENTITY_PROVIDER,
    LOGS,
    POLICY,
    POOL,
    SECRETS_KEY,
    Known,
    Pairs,
    Request,
    joined,
)
from nodepools.clouds.eks.existing import ExistingEksCluster
from nodepools.clouds.existing_objects import not_shown
from nodepools.clouds.karpenter_requests import Site
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.listing import quoted
from nodepools.model.platform import Platform
from nodepools.model.steps import mapping
from nodepools.model.values import dataclass
from nodepools.wire.eks.access import last_name
from nodepools.wire.overrides import merge_overrides
from nodepools.wire.paths import value_at
from nodepools.wire.table import Effect, Written, python_name

Found: TypeAlias = tuple[str, Written] | None
_AS_SENT: Final = {
    **dict.fromkeys((ENTRY, POLICY), ("principalArn",)),
    ADD_ON: ("preserve", "resolveConflictsOnCreate", "resolveConflictsOnUpdate"),
    LOGS: ("tags", "skipDestroy"),
    SECRETS_KEY: ("tags", "deletionWindowInDays"),
}
"""Arguments in another spelling, not in the outputs that are read, or that AWS does not have."""


def is_eks(cluster: Request, _: Known, existing: object) -> bool:
    """The exported cluster is the declared one: in an account, its region and its name identify it."""
    if not isinstance(existing, ExistingEksCluster) or cluster.sent.get("name") != existing.name:
        return False
    region = cluster.sent.get("region")
    return not isinstance(region, str) or region == existing.id.region


@dataclass(frozen=True, slots=True)
class ExistingParts:
    """What was exported of a cluster, by what a declaration or a plan has."""

    existing: ExistingEksCluster
    principals: Mapping[str, object]
    """The principal of each access entry, by its key."""

    @classmethod
    def of(cls, requests: Iterable[Request], existing: ExistingEksCluster) -> "ExistingParts":
        """What was exported for these requests."""
        return cls(existing, {request.key[2]: request.sent.get("principalArn") for request in requests if request.subject == ENTRY})

    def found(self, request: Request) -> Found:
        """The id of a resource in an import file, and its inputs; `None` if it does not exist."""
        own = {ENTRY: self._entry, POLICY: self._policy, ADD_ON: self._add_on, IDENTITY: self._identity}
        return own.get(request.subject, self._only_one)(request)

    @property
    def subjects(self) -> Mapping[str, bool]:
        """Whether there is anything of each kind in the exports."""
        one = self.existing
        several = {ENTRY: one.entries, POLICY: one.policies, ADD_ON: one.add_ons, IDENTITY: one.identities, IDENTITY_PROVIDER: one.providers}
        return {**{kind: bool(found) for kind, found in several.items()}, LOGS: one.log_group is not None, SECRETS_KEY: one.key is not None}

    def _entry(self, request: Request) -> Found:
        one, principal = self.existing, self._arn(request.sent.get("principalArn"))
        return (f"{one.name}:{principal}", inputs.entry_inputs(one.entries[principal], one.id.region)) if principal in one.entries else None

    def _policy(self, request: Request) -> Found:
        one, name = self.existing, last_name(request.sent.get("policyArn"))
        principal = self._arn(request.sent.get("principalArn", self.principals.get(request.key[2].removesuffix(f"-{name}"))))
        fitting = [policy for policy in one.policies.get(principal, ()) if last_name(policy.get("policyArn")) == name]
        made = [inputs.policy_inputs(policy, one.name, principal, one.id.region) for policy in fitting]
        return (f"{one.name}#{principal}#{fitting[0]['policyArn']}", made[0]) if made else None

    def _add_on(self, request: Request) -> Found:
        one, name = self.existing, str(request.sent.get("addonName", request.key[2]))
        found = one.add_ons.get(name)
        return (f"{one.name}:{name}", inputs.add_on_inputs(found, one.id.region, one.identities_of(found))) if found is not None else None

    def _identity(self, request: Request) -> Found:
        one, names = self.existing, ("namespace", "serviceAccount")
        found = [number for number, it in one.identities.items() if all(it.get(name) == request.sent.get(name) for name in names)]
        return (f"{one.name},{found[0]}", inputs.identity_inputs(one.identities[found[0]], one.id.region)) if found else None

    def _only_one(self, request: Request) -> Found:
        """What a cluster has one of."""
        one, region = self.existing, self.existing.id.region
        if request.subject == LOGS:
            return (str(one.log_group["logGroupName"]), inputs.log_group_inputs(one.log_group, region)) if one.log_group is not None else None
        if request.subject == SECRETS_KEY:
            return (str(one.key["KeyId"]).rpartition("/")[2], inputs.key_inputs(one.key, region)) if one.key is not None else None
        name = str(value_at(request.sent, ("oidc", "identityProviderConfigName")))
        return (f"{one.name}:{name}", inputs.provider_inputs(one.providers[name], one.name, region)) if name in one.providers else None

    def _arn(self, principal: object) -> str:
        """The ARN of a principal, which can be the path and name of a role."""
        return str(principal) if str(principal).startswith("arn:") else self.existing.id.role(str(principal))


def eks_pairs(requests: Sequence[Request], existing: ExistingEksCluster) -> Pairs:
    """The cluster, its access, its add-ons, its pod identities, its log group, its identity provider and its key."""
    [cluster] = [request for request in requests if request.subject == CLUSTER]
    exported, shown = ExistingParts.of(requests, existing), inputs.cluster_inputs(existing.described, existing.id.region)
    each = [
        _of_kind([request for request in requests if request.subject == subject], exported, is_exported=known)
        for subject, known in exported.subjects.items()
    ]
    have: Written = {"enabledClusterLogTypes": [], "securityGroupIds": [], **shown, **not_shown(cluster.sent, shown, existing.described)}
    return joined([Pairs(((with_existing(cluster, have), cluster),)), *each])


def _of_kind(requests: Sequence[Request], exported: ExistingParts, *, is_exported: bool) -> Pairs:
    have = {request.key: exported.found(request) for request in requests}
    both = tuple((with_existing(request, _as_sent(request, found[1])), request) for request in requests if (found := have[request.key]) is not None)
    left = tuple(request for request in requests if have[request.key] is None)
    return Pairs(both, absent=left) if is_exported else Pairs(both, not_exported=left)


def _as_sent(request: Request, have: Written) -> Written:
    return {**have, **{name: request.sent.get(name, have.get(name)) for name in _AS_SENT.get(request.subject, ())}}


_TAGS: Final = "tags become those that the field `tags` of the cluster declares, in place"
_NAMED: Final = 3
"""Tags that a reason names."""
_CONFLICTS: Final = "AWS does not store how conflicts are resolved"
_REASONS: Final = {
    ("tags",): _TAGS,
    ("resolve_conflicts_on_create",): _CONFLICTS,
    ("resolve_conflicts_on_update",): _CONFLICTS,
    ("description",): "the description names the cluster, and is updated in place",
    ("deletion_window_in_days",): "AWS stores it only once the key is being deleted: the state of Pulumi changes, and the key does not",
}
"""Differences of access entries, add-ons, pod identities and keys that no declaration can avoid."""
_KEY_ARN: Final = ("encryptionConfig", "provider", "keyArn")
_CONFIGURATION: Final = "configuration_values"
"""JSON or YAML as text."""


def eks_proof(platform: Platform, key: str, existing: ExistingEksCluster) -> list[Compared]:
    """Compares every resource that the declaration registers."""
    site = Site(platform.stem(key), key)
    requests = requests_of(platform).of_cluster(key)
    proof = _Proof(cast("EksClusterArgs", platform.cluster(key)), existing, ExistingParts.of(requests, existing), site)
    return [proof.compared(request) for request in requests]


@dataclass(frozen=True, slots=True)
class _Proof:
    cluster: EksClusterArgs
    existing: ExistingEksCluster
    exported: ExistingParts
    site: Site

    def compared(self, request: Request) -> Compared:
        if request.subject == CLUSTER:
            have = inputs.cluster_inputs(self.existing.described, self.existing.id.region)
            is_created = self.existing.key is not None and self.cluster.new_secrets_key is not None and self.cluster.secrets_key is None
            sent = with_value(request.sent, _KEY_ARN, value_at(have, _KEY_ARN)) if is_created else request.sent
            return Compared(request, self.existing.name, tuple(_both_ways(request, sent, have, {})))
        if request.subject in (POOL, CLASS):
            return self._object(request)
        found = self.exported.found(request)
        if found is None:
            return Compared(request, None, ())
        import_id, have = found
        own: dict[str, object] = {"region": self.existing.id.region}
        if request.subject not in (LOGS, SECRETS_KEY):
            own["clusterName"] = self.existing.name
        if request.subject != POLICY:
            own |= {"tags": dict(self.cluster.tags)}
        derived = {name: have[name] for name in ("principalArn", "policyArn", "addonName") if name in have}
        return Compared(request, import_id, tuple(_both_ways(request, {**request.sent, **derived, **own}, have, _REASONS)))

    def _object(self, request: Request) -> Compared:
        name = request.resource.name.removeprefix(f"{self.site.stem}-")
        return object_compared(request, name, self.existing.named(request.resource.type.rpartition(":")[2], name))


def _both_ways(request: Request, sent: Written, have: Written, reasons: Mapping[Branch, str]) -> Iterator[Difference]:
    """Every argument that differs, except those that the provider keeps when they are not sent."""
    ours, theirs = merge_overrides(respelled(inputs.normal(sent)), request.overrides), respelled(have)
    rules = {tuple(python_name(str(step)) for step in wire): way for wire, way in request.table.compared.items()}
    at = tuple(map(str, request.steps[2:]))
    for path, way in rules.items():
        new, old = value_at(ours, path), value_at(theirs, path)
        change = way.change
        if change is not None and (change.effect is Effect.NONE or change.ignored or (change.kept and new is None)):
            continue
        if _plain(path, old, way.default) != _plain(path, new, way.default):
            lost = quoted(sorted({*mapping(old)} - {*mapping(new)}), _NAMED) if reasons.get(path) == _TAGS else ""
            yield Difference(at, path, old, new, f"{reasons.get(path, '')}{lost and f' (without {lost})'}")
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
