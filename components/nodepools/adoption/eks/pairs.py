"""Pairs what a program sends for an EKS cluster with what AWS has."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from nodepools.adoption.eks.inputs import add_on_inputs, cluster_inputs, entry_inputs, identity_inputs, log_group_inputs, policy_inputs
from nodepools.adoption.proof import with_existing
from nodepools.clouds.change import ADD_ON, CLUSTER, ENTRY, IDENTITY, LOGS, POLICY, Known, Pairs, Request, joined
from nodepools.clouds.eks.existing import ExistingEksCluster
from nodepools.wire.eks.access import last_name
from nodepools.wire.table import Written

Found: TypeAlias = Written | None
_OF_PULUMI: Final = ("preserve", "resolveConflictsOnCreate", "resolveConflictsOnUpdate")
"""Arguments of an add-on that AWS does not have."""


def is_eks(cluster: Request, _: Known, existing: object) -> bool:
    """The exported cluster is the declared one: in an account, its region and its name identify it."""
    if not isinstance(existing, ExistingEksCluster) or cluster.sent.get("name") != existing.name:
        return False
    region = cluster.sent.get("region")
    return not isinstance(region, str) or region == existing.id.region


def eks_pairs(requests: Sequence[Request], existing: ExistingEksCluster) -> Pairs:
    """The cluster, its access entries with their policies, its add-ons, and its pod identity associations."""
    [cluster] = [request for request in requests if request.subject == CLUSTER]
    region = existing.id.region
    shown = cluster_inputs(existing.described, region)
    principals = {request.key[2]: str(request.sent.get("principalArn")) for request in requests if request.subject == ENTRY}

    def entry(request: Request) -> Found:
        principal = request.sent.get("principalArn")
        found = existing.entries.get(_arn(principal, existing))
        return {**entry_inputs(found, region), "principalArn": principal} if found is not None else None

    def policy(request: Request) -> Found:
        name = last_name(request.sent.get("policyArn"))
        principal = _arn(request.sent.get("principalArn", principals.get(request.key[2].removesuffix(f"-{name}"))), existing)
        found = [one for one in existing.policies.get(principal, ()) if last_name(one.get("policyArn")) == name]
        made = policy_inputs(found[0], existing.name, principal, region) if found else None
        return {**made, "principalArn": request.sent.get("principalArn", principal)} if made is not None else None

    def add_on(request: Request) -> Found:
        found = existing.add_ons.get(str(request.sent.get("addonName", request.key[2])))
        if found is None:
            return None
        return {**add_on_inputs(found, region, existing.identities_of(found)), **{name: request.sent.get(name) for name in _OF_PULUMI}}

    def identity(request: Request) -> Found:
        wanted = [request.sent.get(name) for name in ("namespace", "serviceAccount")]
        found = [one for one in existing.identities.values() if [one.get(name) for name in ("namespace", "serviceAccount")] == wanted]
        return identity_inputs(found[0], region) if found else None

    def group(request: Request) -> Found:
        """Its tags are not exported, and AWS does not know whether Pulumi keeps it."""
        own = {name: request.sent.get(name) for name in ("tags", "skipDestroy")}
        return {**log_group_inputs(existing.log_group, region), **own} if existing.log_group is not None else None

    kinds: Mapping[str, tuple[Callable[[Request], Found], bool]] = {
        ENTRY: (entry, bool(existing.entries)),
        POLICY: (policy, bool(existing.policies)),
        ADD_ON: (add_on, bool(existing.add_ons)),
        IDENTITY: (identity, bool(existing.identities)),
        LOGS: (group, existing.log_group is not None),
    }
    each = [
        _of_kind([request for request in requests if request.subject == subject], find, is_exported=known) for subject, (find, known) in kinds.items()
    ]
    return joined([Pairs(((with_existing(cluster, {"enabledClusterLogTypes": [], "securityGroupIds": [], **shown}), cluster),)), *each])


def _arn(principal: object, existing: ExistingEksCluster) -> str:
    """The ARN of a principal, which can be the path and name of a role."""
    return next((arn for arn in existing.entries if arn.partition(":role/")[2] == principal), str(principal))


def _of_kind(requests: Sequence[Request], find: Callable[[Request], Found], *, is_exported: bool) -> Pairs:
    have = {request.key: find(request) for request in requests}
    both = tuple((with_existing(request, found), request) for request in requests if (found := have[request.key]) is not None)
    left = tuple(request for request in requests if have[request.key] is None)
    return Pairs(both, absent=left) if is_exported else Pairs(both, not_exported=left)
