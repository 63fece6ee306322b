"""The changes of one resource that both sides have.

Sources are those of the rows; docs/facts/aks.md and docs/facts/eks.md have the same in words.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Final

from nodepools.changes.directions import direction
from nodepools.changes.drift import NEWEST as NEWEST_HASH
from nodepools.changes.drift import (
    TERMS,
    WITHOUT_KUBELET,
    Canonical,
    canonical,
    default_expiry,
    drift,
    ec2_family,
    hashed_of_ec2,
    of_aks_node_class,
    of_ec2_node_class,
    of_node_pool,
    selects_others,
    with_aks_defaults,
)
from nodepools.changes.nodes import first_pool
from nodepools.changes.operations import certain, differing, has_unknown, is_set
from nodepools.clouds.change import (
    AGENT_POOL,
    AKS_CLUSTER,
    AKS_NODE_CLASS,
    CLASS,
    EC2_NODE_CLASS,
    EKS_CLUSTER,
    EKS_NODE_CLASS,
    FIRST_POOL,
    NODE_GROUP,
    NODE_POOL,
    POOL,
    Change,
    Request,
)
from nodepools.clouds.reasons import (
    BY_CHANNEL,
    BY_SUPPORT,
    CONSOLIDATED,
    COUNT_UNKNOWN,
    DELETED_FIRST,
    EMPTY,
    FEWER_NODES,
    FIRST_OF_HOSTED,
    FIXED_NAME,
    FIXED_ROLE,
    GRACE_PERIOD,
    GROUP_CREATED_FIRST,
    GROUP_DELETED_FIRST,
    GROUPS,
    HIDDEN,
    KEPT,
    LEFT_IDENTITY,
    LEFT_LONG_SUPPORT,
    LOWER_EKS,
    LOWER_VERSION,
    MOVED_TO_BASE,
    NO_LONGER_SENT,
    NOT_SENT,
    OTHER_ORDER,
    REPLACED_FOR_CAPITALS,
    ROLLED_FOR_CAPITALS,
    SAME_AMOUNT,
    SAME_WORD,
    SCALED,
    SKIPPED_VERSION,
    TOO_LATE,
    of_pool,
    particular,
    reason,
)
from nodepools.data.karpenter_releases import MUTABLE_ROLE
from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT, minor, short
from nodepools.model.kubernetes.quantity import is_same_amount
from nodepools.model.name_limits import azure_name
from nodepools.model.ref import HiddenSecret
from nodepools.model.steps import Steps, mapping
from nodepools.model.values import dataclass
from nodepools.wire.eks.terraform import PULUMI_NODE_GROUPS, rejected_size
from nodepools.wire.karpenter import EKS_NODE_CLASS as EKS_KIND
from nodepools.wire.paths import Difference, differences, value_at
from nodepools.wire.table import Effect, Entry, Pattern, python_name, worst

_CLASS_KIND: Final = ("template", "spec", "nodeClassRef", "kind")
_LABELS: Final = ("template", "metadata", "labels")
_ROLES: Final[tuple[Pattern, ...]] = (("role",), ("instanceProfile",))
_ROLE: Final[Pattern] = ("role",)
_KUBELET: Final[Pattern] = ("kubelet",)
_KUBELETS: Final[Pattern] = ("identityProfile",)
_REPLACING: Final[tuple[Pattern, ...]] = (("vmSize",), ("gpuInstanceProfile",), ("networkProfile", "nodePublicIPTags"))
"""What azure-native replaces an agent pool for: docs/facts/aks.md § 2.10."""
_AKS_VERSIONS: Final = ("kubernetesVersion", "orchestratorVersion")
_VERSIONS: Final = (*_AKS_VERSIONS, "version")
_PLAN: Final = ("supportPlan",)
_TIER: Final = ("sku", "tier")
_LONG: Final = "AKSLongTermSupport"
_IMAGE: Final = "osSKU"
_DEFAULT_IMAGE: Final = "Ubuntu"
"""What AKS takes for a Linux pool that names none."""
_GROUP_NAMES: Final = ("nodeGroupName", "nodeGroupNamePrefix")
"""Without either, Pulumi makes a name of a node group, and can have two at a time."""
_NOT_KEPT: Final = ((AGENT_POOL, (_IMAGE,)), (AGENT_POOL, ("creationData", "sourceResourceId")))
_OF_CAPITALS: Final = {
    Effect.REFUSED: (Effect.UNKNOWN, SAME_WORD),
    Effect.REPLACES: (Effect.REPLACES, REPLACED_FOR_CAPITALS),
    Effect.UNKNOWN: (Effect.UNKNOWN, SAME_WORD),
}
"""The effect where only capitals differ, by that of any other value. Pulumi compares ids by their text."""
_GRACE: Final = ("template", "spec", "terminationGracePeriod")
_GRACE_DEFAULT: Final = "24h"
"""What the CRD of Auto Mode had as its default in 2024; whether it still has is not published."""
_FIRST_POOL: Final = "agentPoolProfiles"
_POLICY: Final = ("disruption", "consolidationPolicy")
_SCALED: Final = "enableAutoScaling"
_SCALING: Final[tuple[Pattern, ...]] = ((_SCALED,), ("count",), ("minCount",), ("maxCount",))
_NAMES: Final[tuple[Pattern, ...]] = (("agentPoolName",), ("name",))
_POOL_NAME: Final = "agentPoolName"
_HASHES: Final = "docs/facts/aks.md § 3.4; Karpenter 1.14: NodePool.Hash, AKSNodeClass.Hash; karpenter-provider-aws 1.15: EC2NodeClass.Hash"
_PART_OF_NAME: Final = "docs/facts/aks.md § 2.10: immutable fields are part of the name"
NO_ROW: Final = "no row has the argument"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The effect of one difference, with a reason if the usual one does not say it all."""

    effect: Effect
    reason: str = ""


def request_changes(before: Request, after: Request, today: date) -> Iterator[Change]:
    """Every change from one request to the other as of a day, without the nodes that it reaches."""
    if before.sent == after.sent and before.every_override == after.every_override and before.resource == after.resource:
        return
    found = list(_worst_of_each(_of_rows(before, after, today)))
    found += _of_overrides(before, after)
    found += _without_a_row(before, after)
    found += _of_name(before, after, found)
    yield from found
    if _drifts(before, after) and not any(change.effect in (Effect.ROLLS, Effect.UNKNOWN, Effect.REFUSED) for change in found):
        for steps, old, new in _emptied(before.sent, after.sent):
            yield _change(after, (*after.steps, *steps), (old, new), Verdict(Effect.ROLLS, EMPTY), _HASHES)


def _worst_of_each(changes: Iterable[Change]) -> Iterator[Change]:
    """One edit can change several arguments: of those with one effect for the resource each, the worst."""
    found: dict[str, Change] = {}
    for change in changes:
        key = repr((change.steps, change.old, change.new))
        found[key] = max(found.get(key, change), change, key=lambda one: one.effect.severity)
    yield from found.values()


def _emptied(old: object, new: object) -> Iterator[tuple[Steps, object, object]]:
    """The places of empty maps and lists that only one side has; the root if there is none."""
    found = [(steps, one, other) for steps, one, other in _differing(old, new, ()) if _is_empty(one) and _is_empty(other)]
    yield from found if found else [((), None, None)]


def _is_empty(value: object) -> bool:
    return value is None or value in ({}, [], ())


def _differing(old: object, new: object, place: Steps) -> Iterator[tuple[Steps, object, object]]:
    """As `differing`, and inside a mapping that only one side has."""
    first, second = mapping(old), mapping(new)
    for name in sorted(first.keys() | second.keys()):
        one, other = first.get(name), second.get(name)
        if mapping(one) or mapping(other):
            yield from _differing(one, other, (*place, name))
        elif one != other:
            yield (*place, name), one, other


def _of_rows(before: Request, after: Request, today: date) -> Iterator[Change]:
    for difference in differences(after.table, before.sent, after.sent, after.kind):
        if isinstance(difference.before, HiddenSecret) or isinstance(difference.after, HiddenSecret):
            yield from _of_secret(before, after, difference)
            continue
        both = certain(difference.before, difference.after)
        if both is None:
            continue  # parts that are known only after `pulumi up`, or secrets that are not there
        difference = difference._replace(before=both[0], after=both[1])  # noqa: PLW2901
        if difference.wire in _NAMES and before.resource.name != after.resource.name:
            continue  # another pool, for which other fields are the reason
        verdict = _as_of(today, _judged(before, after, difference), before, difference)
        if verdict.reason == FIRST_OF_HOSTED and not difference.model:
            continue  # no field: the pool is the edit
        place, had, gets = _place(before, after, difference)
        for entry, old, new in _entries(had, gets):
            steps = _place_of_override(before, after, (*difference.wire, *entry))
            yield _change(after, steps if steps else (*place, *entry), (old, new), verdict, difference.source)


def _of_secret(before: Request, after: Request, difference: Difference) -> Iterator[Change]:
    """A secret that a plan does not contain: a change only if another one would do more than an update in place."""
    verdict = _judged(before, after, difference)
    if verdict.effect.severity > Effect.IN_PLACE.severity:
        steps, old, new = _place(before, after, difference)
        is_certain = old is None or new is None
        sentence = verdict.reason if is_certain else HIDDEN.format(effect=verdict.effect.value)
        yield _change(after, steps, (old, new), Verdict(verdict.effect if is_certain else Effect.UNKNOWN, sentence), difference.source)


def _judged(before: Request, after: Request, difference: Difference) -> Verdict:
    """Conditions that ignore a change come first, then the direction of the change, then the effect of its row."""
    if _is_same(before, after, difference):
        return Verdict(Effect.NONE)
    if difference.wire[:1] == (TERMS,) and not selects_others(before.sent.get(TERMS), after.sent.get(TERMS)):
        return Verdict(Effect.ROLLS_SOME, GROUPS)
    if after.resource.type == NODE_GROUP and (refused := rejected_size(after.sent, difference.wire, desired=after.is_updated)):
        return Verdict(Effect.REFUSED, refused)
    ignored = _ignored(before, after, difference)
    return ignored if ignored is not None else _of_values(before, after, difference)


def _is_same(before: Request, after: Request, difference: Difference) -> bool:
    """Both values mean the same: for a field in the hash of an EC2NodeClass, its hash decides."""
    field, last = str(difference.wire[0]), str(difference.wire[-1])
    if last == _IMAGE and {difference.before, difference.after} == {None, _DEFAULT_IMAGE}:
        return True
    if after.resource.type == EC2_NODE_CLASS:
        old, new = (hashed_of_ec2(one.sent, _hash_version(after)) for one in (before, after))
        if (field in old or field in new) and old.get(field) == new.get(field):
            return True
        if field == "kubelet":
            return False
    if after.resource.type == AKS_NODE_CLASS and all(isinstance(step, str) for step in difference.wire):
        old, new = (value_at(with_aks_defaults(one.sent), difference.wire) for one in (before, after))
        return canonical(old, last) == canonical(new, last)
    is_kept = difference.effect not in (Effect.REIMAGES, Effect.REPLACES) or not _is_reordered(after, difference)
    old, new = (azure_name(one) if last == "location" and isinstance(one, str) else one for one in (difference.before, difference.after))
    return is_kept and canonical(old, last) == canonical(new, last)


def _ignored(before: Request, after: Request, difference: Difference) -> Verdict | None:
    rule = difference.change
    if rule.ignored:
        return Verdict(Effect.IGNORED, NOT_SENT)
    if rule.ignored_with and is_set(after, (*difference.model[:-1], rule.ignored_with)):
        return Verdict(Effect.IGNORED, SCALED)
    if rule.kept and not difference.sent and before.resource.name == after.resource.name:
        return Verdict(Effect.IGNORED, KEPT)
    return None


def _of_values(before: Request, after: Request, difference: Difference) -> Verdict:
    old, new = difference.before, difference.after
    if difference.wire in (("template", "spec", "requirements"), _POLICY):
        is_policy = difference.wire == _POLICY
        return Verdict(difference.effect, CONSOLIDATED.get(str(new), "")) if is_policy else Verdict(_drift(before, after, old, new))
    if undecided := _undecided(before, after, difference):
        return Verdict(Effect.UNKNOWN, undecided)
    if after.resource.type == EC2_NODE_CLASS:
        return _of_ec2(before, after, difference)
    if difference.wire[:1] == _KUBELETS and not difference.sent:
        return Verdict(Effect.UNKNOWN, LEFT_IDENTITY)
    unscaled = _without_autoscaler(before, after, difference)
    if unscaled is not None:
        return unscaled
    return _directed(before, after, difference)


def _undecided(before: Request, after: Request, difference: Difference) -> str:
    """Why no source says what becomes of the nodes; empty if one does."""
    old, new = difference.before, difference.after
    if after.resource.type == EKS_NODE_CLASS and difference.wire == ("ephemeralStorage", "size") and is_same_amount(old, new):
        return SAME_AMOUNT
    if difference.wire == _GRACE and _GRACE_DEFAULT in (old, new) and None in (old, new) and value_at(after.sent, _CLASS_KIND) == EKS_KIND.kind:
        return GRACE_PERIOD
    if difference.wire == _TIER and old == "Premium" and value_at(before.sent, _PLAN) == _LONG and value_at(after.sent, _PLAN) is None:
        return LEFT_LONG_SUPPORT
    if difference.effect is Effect.REIMAGES and of_pool(after.resource.type, difference.wire) in _NOT_KEPT and not difference.sent:
        return NO_LONGER_SENT
    return OTHER_ORDER if difference.effect is Effect.REIMAGES and _is_reordered(after, difference) else _of_hosted(before, after, difference)


def _of_hosted(before: Request, after: Request, difference: Difference) -> str:
    """Why it is not known what becomes of system nodes, of AKS or of the cluster; empty if it is."""
    if difference.wire[0] == _FIRST_POOL and not (before.sent.get(_FIRST_POOL) and after.sent.get(_FIRST_POOL)):
        return FIRST_OF_HOSTED
    skus = [value_at(one.sent, ("sku", "name")) for one in (before, after)]
    return MOVED_TO_BASE if difference.wire == ("hostedSystemProfile", "enabled") and skus == ["Automatic", "Base"] else ""


def _is_reordered(after: Request, difference: Difference) -> bool:
    """A list of an AKS cluster in another order. Pulumi compares it as it is, and so may AKS."""
    held = (difference.before, difference.after)
    return after.resource.type == AKS_CLUSTER and all(isinstance(one, list | tuple) for one in held) and canonical(held[0]) == canonical(held[1])


def _directed(before: Request, after: Request, difference: Difference) -> Verdict:
    old, new = difference.before, difference.after
    directed = direction(after.resource.type, difference.wire)
    effect = directed(old, new) if directed is not None else difference.effect
    if difference.wire[-1] in _VERSIONS and _is_another_minor(old, new):
        if effect is Effect.REFUSED and value_at(after.sent, _PLAN) == _LONG and minor(str(new)) > minor(str(old)):
            effect = Effect.UNKNOWN
        if effect is Effect.UNKNOWN:
            return Verdict(effect, LOWER_EKS if after.resource.type == EKS_CLUSTER else BY_SUPPORT)
    if effect is Effect.REFUSED and difference.wire[-1] in _VERSIONS and old is not None and new is not None:
        return Verdict(effect, _rejected_version("EKS" if after.resource.type == EKS_CLUSTER else "AKS", str(old), str(new)))
    if effect is not Effect.REFUSED and _is_moved_by_channel(before, difference):
        return Verdict(Effect.UNKNOWN, BY_CHANNEL)
    return _of_names(before, after, difference, effect)


def _rejected_version(cloud: str, old: str, new: str) -> str:
    """Why a version is rejected, and which one is accepted."""
    sentence = SKIPPED_VERSION if _is_another_minor(old, new) and minor(new) > minor(old) else LOWER_VERSION
    return sentence.format(cloud=cloud, old=old, following=f"1.{minor(old) + 1}")


def _as_of(today: date, verdict: Verdict, before: Request, difference: Difference) -> Verdict:
    """What the clouds accept depends on which versions they support on the day."""
    old, new = difference.before, difference.after
    if verdict.effect in (Effect.NONE, Effect.IGNORED):
        return verdict
    if difference.wire == ("upgradePolicy", "supportType"):
        version = value_at(before.sent, ("version",))
        is_extended = isinstance(version, str) and EKS_SUPPORT.has_ended(version, today)
        return Verdict(Effect.REFUSED, TOO_LATE) if new == "STANDARD" and is_extended else verdict
    if difference.wire[-1] in _AKS_VERSIONS and _is_another_minor(old, new) and _depends_on_support(str(old), str(new), today):
        return Verdict(Effect.UNKNOWN, BY_SUPPORT)
    return verdict


def _depends_on_support(old: str, new: str, today: date) -> bool:
    """AKS offers supported versions: the next one, and from a version whose support has ended the oldest of those."""
    step = minor(new) - minor(old)
    decides = old if step > 1 else new
    return step > 0 and (minor(decides) < AKS_SUPPORT.oldest.minor or AKS_SUPPORT.has_ended(decides, today))


def _is_another_minor(old: object, new: object) -> bool:
    return all(str(version).count(".") for version in (old, new)) and short(str(old)) != short(str(new))


def _without_autoscaler(before: Request, after: Request, difference: Difference) -> Verdict | None:
    """A pool that loses its autoscaler gets the declared count, which can be less than what it has."""
    resource_type, wire = of_pool(after.resource.type, difference.wire)
    pool = difference.wire[:-1]
    if resource_type != AGENT_POOL or wire not in _SCALING or not value_at(before.sent, (*pool, _SCALED)) or value_at(after.sent, (*pool, _SCALED)):
        return None
    least, most = (value_at(before.sent, (*pool, name)) for name in ("minCount", "maxCount"))
    count = value_at(after.sent, (*pool, "count"))
    if not isinstance(least, int) or not isinstance(most, int) or not isinstance(count, int):
        return Verdict(Effect.UNKNOWN, COUNT_UNKNOWN)
    if count >= most:
        return Verdict(Effect.IN_PLACE)
    return Verdict(Effect.REMOVES_NODES) if count < least else Verdict(Effect.UNKNOWN, FEWER_NODES.format(least=least, most=most, count=count))


def _differ_in_capitals(old: object, new: object) -> bool:
    """Texts such as ids and sizes, which Azure reads in any case."""
    return isinstance(old, str) and isinstance(new, str) and old.lower() == new.lower()


def _of_names(before: Request, after: Request, difference: Difference, effect: Effect) -> Verdict:
    """What becomes another resource, unless it keeps its name; otherwise the reason of the argument."""
    old, new, is_same = difference.before, difference.after, before.resource.name == after.resource.name
    if after.subject == CLASS and difference.wire in _ROLES and is_same:
        return Verdict(Effect.REFUSED, FIXED_ROLE)
    is_fixed = effect is Effect.ROTATES and is_same
    if _differ_in_capitals(old, new) and after.resource.type == AKS_NODE_CLASS:
        return Verdict(Effect.ROLLS, ROLLED_FOR_CAPITALS)
    if _differ_in_capitals(old, new) and after.resource.type.startswith("azure-native:") and (is_fixed or effect in _OF_CAPITALS):
        return Verdict(*_OF_CAPITALS.get(effect, (Effect.UNKNOWN, SAME_WORD)))
    if is_fixed:
        is_replaced = after.resource.type == AGENT_POOL and difference.wire in _REPLACING
        return Verdict(Effect.REPLACES, DELETED_FIRST) if is_replaced else Verdict(Effect.REFUSED, FIXED_NAME)
    if effect is Effect.REPLACES and after.table is PULUMI_NODE_GROUPS and difference.wire[0] not in _GROUP_NAMES:
        names = [one.sent.get(name) for one in (before, after) for name in _GROUP_NAMES]
        return Verdict(effect, GROUP_DELETED_FIRST) if any(names) else Verdict(Effect.ROTATES, GROUP_CREATED_FIRST)
    own = particular(after.resource.type, difference.wire, effect)
    return Verdict(effect, difference.change.refused if effect is Effect.REFUSED and not own else own)


def _is_moved_by_channel(before: Request, difference: Difference) -> bool:
    """AKS upgrades the cluster automatically: with `patch` within its minor version, with others beyond."""
    if before.resource.type != AKS_CLUSTER or difference.wire != ("kubernetesVersion",):
        return False
    channel = value_at(before.sent, ("autoUpgradeProfile", "upgradeChannel"))
    return channel in ("stable", "rapid") or (channel == "patch" and str(difference.after).count(".") > 1)


def _of_ec2(before: Request, after: Request, difference: Difference) -> Verdict:
    """Other images are another family, or some of the same; a role and an instance profile can replace each other."""
    if difference.wire[:1] == ("amiSelectorTerms",) and ec2_family(before.sent) != ec2_family(after.sent):
        return Verdict(Effect.ROLLS)
    release = after.karpenter
    if release is not None and release.number < MUTABLE_ROLE and difference.wire == _ROLE and difference.after is not None:
        return Verdict(Effect.REFUSED, f"Karpenter {release.version} does not change `role` of an EC2NodeClass: create another one")
    if difference.wire[:1] == _KUBELET and _hash_version(after) == WITHOUT_KUBELET:
        return Verdict(Effect.IN_PLACE, "Karpenter before 1.1 does not compare the kubelet: only new nodes have it")
    return Verdict(difference.effect)


def _hash_version(request: Request) -> str:
    return NEWEST_HASH if request.karpenter is None else request.karpenter.hash_version


def _drift(before: Request, after: Request, old: object, new: object) -> Effect:
    labels = value_at(after.sent, _LABELS)
    kept = value_at(before.sent, _LABELS) == labels
    kind = value_at(after.sent, _CLASS_KIND)
    return drift(old, new, mapping(labels) if kept else {}, kind if isinstance(kind, str) else "")


def _place(before: Request, after: Request, difference: Difference) -> tuple[Steps, object, object]:
    """The field with both values: for an argument without one, the first of the fields that determine it whose declared values differ."""
    names = [".".join(map(str, difference.wire[:length])) for length in range(1, len(difference.wire) + 1)]
    declared = (both for name in names for both in zip(before.decided_by.get(name, ()), after.decided_by.get(name, ()), strict=False))
    is_field = bool(difference.model) and not after.is_manifest
    held = [
        not value if difference.is_opposite and is_field and isinstance(value, bool) else value for value in (difference.before, difference.after)
    ]
    own = (*after.steps, *_known(difference.model if is_field else difference.wire)), held[0], held[1]
    return next(((steps, old, new) for (_, old), (steps, new) in declared if old != new), own)


def _place_of_override(before: Request, after: Request, wire: Pattern) -> Steps:
    """Where an argument is overridden, if the override is what differs; empty otherwise."""
    held, gets = (value_at(one.overridden, wire) for one in (before, after))
    return (*after.steps, *_overridden(tuple(python_name(str(step)) for step in _known(wire)))) if held != gets else ()


def _entries(old: object, new: object) -> Iterator[tuple[Steps, object, object]]:
    """A changed mapping is reported by its keys."""
    if (old is None and new is None) or not all(held is None or isinstance(held, Mapping) for held in (old, new)):
        yield (), old, new
        return
    first, second = mapping(old), mapping(new)
    for key in sorted(first.keys() | second.keys()):
        if first.get(key) != second.get(key):
            yield (key,), first.get(key), second.get(key)


def _of_overrides(before: Request, after: Request) -> Iterator[Change]:
    for steps, old, new in differing(before.every_override, after.every_override):
        near = (way for way in after.table.overridden if way.model[1 : len(steps) + 1] == steps or steps[: len(way.model) - 1] == way.model[1:])
        rules = [way.change for way in near if way.change is not None]
        effect = worst([rule.of(after.kind) for rule in rules], Effect.UNKNOWN)
        refused = next((rule.refused for rule in rules if rule.refused), "") if effect is Effect.REFUSED else ""
        yield _change(after, (*after.steps, *_overridden(steps)), (old, new), Verdict(effect, refused), rules[0].source if rules else NO_ROW)


def _overridden(steps: Steps) -> Steps:
    """Overrides of the first system pool are those of its own part."""
    return ("system_pool", "overrides", *steps[2:]) if steps[:2] == (FIRST_POOL, "0") else ("overrides", *steps)


def _without_a_row(before: Request, after: Request) -> Iterator[Change]:
    """Arguments that no row has, in requests that other programs and manifests contain."""
    known, inside = after.table.compared, _differing(first_pool(before), first_pool(after), ("agentPoolProfiles", 0))
    for steps, old, new in (*_differing(before.sent, after.sent, ()), *inside):
        covered = any(_begins(steps, wire) or _begins(wire, steps) for wire in known) or certain(old, new) is None
        if not covered and steps[0] not in ("name", "agentPoolName", "status"):
            yield _change(after, (*after.steps, *steps), (old, new), Verdict(Effect.UNKNOWN), NO_ROW)


def _begins(steps: Pattern, wire: Pattern) -> bool:
    return len(wire) <= len(steps) and all(
        isinstance(one, Entry) or isinstance(other, Entry) or one == other for one, other in zip(wire, steps, strict=False)
    )


def _of_name(before: Request, after: Request, found: list[Change]) -> list[Change]:
    """A pool under another name, for which no field is the reason: its subnet is another one, or it is another generation."""
    if after.subject != POOL or before.resource.name == after.resource.name or any(change.effect is Effect.ROTATES for change in found):
        return []
    declared = zip(before.decided_by.get(_POOL_NAME, ()), after.decided_by.get(_POOL_NAME, ()), strict=False)
    own = (*after.steps, "generation"), before.resource.name, after.resource.name
    steps, held, gets = next(((steps, held, gets) for (_, held), (steps, gets) in declared if held != gets), own)
    return [_change(after, steps, (held, gets), Verdict(Effect.ROTATES), _PART_OF_NAME)]


def _drifts(before: Request, after: Request) -> bool:
    form = _FORMS.get(after.resource.type)
    if form is None or has_unknown(before.sent) or has_unknown(after.sent):
        return False
    if after.resource.type == EC2_NODE_CLASS:
        old, new = (of_ec2_node_class(one.sent, _hash_version(after)) for one in (before, after))
        return old != new
    return form(before.sent) != form(after.sent)


def _of_pool(spec: Mapping[str, object]) -> object:
    return of_node_pool(spec, default_expiry(spec))


_FORMS: Final[Mapping[str, Canonical]] = {NODE_POOL: _of_pool, AKS_NODE_CLASS: of_aks_node_class, EC2_NODE_CLASS: of_ec2_node_class}


def _known(pattern: Pattern) -> Steps:
    return tuple(step for step in pattern if isinstance(step, str | int))


def _change(request: Request, steps: Steps, values: tuple[object, object], verdict: Verdict, source: str) -> Change:
    sentence = verdict.reason if verdict.reason else reason(verdict.effect, request)
    return Change(request.at, steps, values[0], values[1], verdict.effect, sentence, source, request.resource)
