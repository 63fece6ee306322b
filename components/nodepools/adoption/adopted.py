"""Adopts one cluster: a declaration with the proof that it changes nothing, or what a first `pulumi up` would change."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import takewhile
from typing import Final, cast

from pydantic import ValidationError

from nodepools.adoption.aks.draft import aks_draft
from nodepools.adoption.draft import KEPT, CannotAdoptError, Draft
from nodepools.adoption.eks.draft import FOR_NODES, eks_draft
from nodepools.adoption.eks.proof import eks_proof
from nodepools.adoption.proof import Branch, Compared, Difference, Tree, paths, platform_of, proof, values, with_value, without
from nodepools.adoption.read_exports import AnyExisting
from nodepools.changes.compare import Sides, add_affected_nodes, compare
from nodepools.changes.platform_changes import requests_of
from nodepools.changes.request_changes import request_changes
from nodepools.clouds.change import CLASS, CLUSTER, IDENTITY, POOL, Change, Key, Request, Requests
from nodepools.clouds.eks.existing import ExistingEksCluster
from nodepools.model.base import Model
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.platform import Platform
from nodepools.model.redaction import has_secret_form, hides
from nodepools.model.secret_places import is_public_key
from nodepools.model.steps import Step, scalars
from nodepools.model.values import dataclass, replace
from nodepools.rules.engine.finding import DeclarationError, Finding
from nodepools.rules.engine.override_findings import NOT_ACCEPTED
from nodepools.rules.engine.runner import check
from nodepools.wire.paths import differences, value_at
from nodepools.wire.rows import Row
from nodepools.wire.table import Effect, FieldPath, Pattern, Written, python_name


@dataclass(frozen=True, slots=True)
class Adoption:
    """How one cluster is adopted."""

    component: str
    draft: Callable[[], Draft]
    proof: Callable[[Platform, str], list[Compared]]
    """Compares what the declaration of the cluster under a key registers with what was exported."""


def adoption_of(existing: AnyExisting) -> Adoption:
    """How the cluster is adopted."""
    if isinstance(existing, ExistingEksCluster):
        return Adoption("nodepools:index:EksCluster", partial(eks_draft, existing), partial(eks_proof, existing=existing))
    return Adoption("nodepools:index:AksCluster", partial(aks_draft, existing), partial(proof, existing=existing))


_OVERRIDDEN: Final = (CLUSTER, POOL, CLASS, IDENTITY)
"""Resources whose part of the declaration has `overrides`."""
_OF_CLUSTER: Final = 2
"""Steps before the fields of a cluster: `clusters.west`."""
_ATTEMPTS: Final = 30
"""Values that are dropped one after the other, because the model rejects them."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """A cluster as a declaration."""

    key: str
    existing: AnyExisting
    component: str
    """Type of the component of the cluster."""
    declared: Tree
    """The cluster as plain data, without fields that are not needed."""
    compared: tuple[Compared, ...]
    defaults: tuple[Branch, ...]
    """Paths of existing values that are not declared, because they are the default."""
    fixed_names: tuple[str, ...]
    """Pools that keep their names."""
    unreadable: tuple[Branch, ...]
    unknown: tuple[Branch, ...]
    rejected: tuple[Branch, ...]
    """Fields whose existing value the model rejects."""
    outside: Mapping[str, str]
    secrets: tuple[Branch, ...] = ()
    """Fields whose existing value can be a secret: a declaration does not contain it in plain text."""

    @property
    def differences(self) -> tuple[Difference, ...]:
        """What a first `pulumi up` would change."""
        return tuple(difference for one in self.compared for difference in one.differences)

    @property
    def changes(self) -> bool:
        """A first `pulumi up` would change something without a known reason, or create something."""
        return (
            bool(self.secrets) or any(not difference.reason for difference in self.differences) or any(one.import_id is None for one in self.compared)
        )

    def is_unchanged(self, one: Compared) -> bool:
        """A first `pulumi up` changes nothing of a resource."""
        steps = tuple(map(str, one.request.steps[_OF_CLUSTER:]))
        lacks = any(path[: len(steps)] == steps for path in self.secrets)
        return one.import_id is not None and not one.differences and not lacks

    @property
    def has_pools_of_others(self) -> bool:
        """Others manage NodePools or nodes of the cluster, on which its pods can run too."""
        return any(name.startswith("NodePool ") or why.startswith(FOR_NODES) for name, why in self.outside.items())

    @property
    def has_objects(self) -> bool:
        """Objects inside the cluster are imported."""
        return any(one.import_id is not None and one.is_object for one in self.compared)

    @property
    def declared_count(self) -> int:
        """The number of declared values."""
        return sum(1 for _ in values(self.declared))

    @property
    def overrides(self) -> tuple[Branch, ...]:
        """Paths of values that only overrides have."""
        return tuple(path for path in values(self.declared) if "overrides" in path[:-1])


def platform_data(name: str, clusters: Mapping[str, Tree]) -> dict[str, object]:
    """A platform as plain data."""
    return {"name": name, "standard_tags": False, "clusters": dict(clusters)}


def adopt(existing: AnyExisting, name: str, key: str) -> Adopted:
    """Declares a cluster as it is.

    Raises:
        CannotAdoptError: it cannot be declared.
    """
    try:
        return _adopted(existing, name, key)
    except PodError as error:
        raise CannotAdoptError(f"cannot be read: {error}") from None


def _adopted(existing: AnyExisting, name: str, key: str) -> Adopted:
    cloud = adoption_of(existing)
    first = cloud.draft()
    whole, rejected = _accepted(platform_data(name, {key: first.fields}))
    found = cloud.proof(platform_of(whole), key)
    whole = _repaired(whole, key, [difference for one in found if one.request.subject in _OVERRIDDEN for difference in one.differences])
    whole, newer = _without_unknown_overrides(whole)
    whole, secrets = _without_secrets(whole)
    small = drop_defaults(whole)
    compared = tuple(cloud.proof(platform_of(small), key))
    kept = set(values(small))
    dropped = tuple(path[2:] for path in values(whole) if path not in kept)
    declared = cast("Mapping[str, Tree]", small["clusters"])[key]
    unreadable = tuple(path for path in first.unreadable if value_at(declared.get("overrides"), tuple(map(python_name, path))) is None)
    left = (unreadable, first.unknown, (*rejected, *newer))
    return Adopted(key, existing, cloud.component, declared, compared, dropped, first.fixed_names, *left, first.outside, secrets)


def in_model(existing: AnyExisting) -> Platform:
    """The only cluster of a platform, as far as it can be read. Nothing proves that its declaration changes nothing.

    Raises:
        CannotAdoptError: it cannot be declared.
    """
    try:
        return platform_of(_accepted(platform_data("existing", {"cluster": adoption_of(existing).draft().fields}))[0])
    except PodError as error:
        raise CannotAdoptError(f"cannot be read: {error}") from None


def _accepted(declared: Tree) -> tuple[dict[str, object], tuple[Branch, ...]]:
    """The declaration without values that the model rejects, and their paths."""
    data, rejected = dict(declared), list[Branch]()
    for _ in range(_ATTEMPTS):
        try:
            platform_of(data)
        except DeclarationError as error:
            path = _rejected(error.findings, data)
            data = without(data, path)
            rejected.append(path)
        else:
            return data, tuple(rejected)
    raise CannotAdoptError(f"has more than {_ATTEMPTS} values that the model rejects")


def _without_unknown_overrides(declared: dict[str, object]) -> tuple[dict[str, object], tuple[Branch, ...]]:
    """The declaration without overrides that the provider does not accept, and their paths: the cloud's API is newer."""
    found = check(platform_of(declared), own=False, fixes=False) if any("overrides" in path for path in values(declared)) else []
    steps = (takewhile(lambda step: isinstance(step, str), map(_plain, one.steps)) for one in found if one.code in NOT_ACCEPTED)
    paths = tuple(cast("Branch", path) for path in dict.fromkeys(map(tuple, steps)))
    for path in paths:
        declared = without(declared, path)
    return declared, paths


def _rejected(findings: Sequence[Finding], data: Tree) -> Branch:
    """The innermost path of a finding. Below the cluster, a part such as `pools` is never dropped as a whole."""
    known = set(paths(data))
    for finding in findings:
        steps = tuple(map(str, finding.steps))
        for length in range(len(steps), _OF_CLUSTER, -1):
            path = steps[:length]
            if path in known and (length > _OF_CLUSTER + 1 or not isinstance(value_at(data, path), Mapping)):
                return path
    raise CannotAdoptError(f"cannot be declared: {findings[0].message if findings else 'its values are rejected'}")


def _without_secrets(declared: dict[str, object]) -> tuple[dict[str, object], tuple[Branch, ...]]:
    """The declaration without values that can be secrets, and their paths below the cluster. Parts that need one are not declared either."""
    texts = ((place, value) for place, value in scalars(declared) if isinstance(value, str))
    found = [place for place, value in texts if not is_public_key(place, value) and (hides(place, value) or has_secret_form(value))]
    paths = dict.fromkeys(tuple(takewhile(lambda step: isinstance(step, str), map(_plain, place))) for place in found)
    for path in cast("Iterable[Branch]", paths):
        for length in range(len(path), _OF_CLUSTER, -1):
            shorter = without(declared, path[:length])
            if _is_valid(shorter):
                declared = shorter
                break
        else:
            raise CannotAdoptError(f"cannot be declared without a value that can be a secret: {path[-1]}")
    return declared, tuple(path[_OF_CLUSTER:] for path in cast("Iterable[Branch]", paths))


def _plain(step: Step) -> Step:
    return str(step) if isinstance(step, str) else step


def _is_valid(declared: Tree) -> bool:
    try:
        platform_of(declared)
    except DeclarationError:
        return False
    return True


def _repaired(declared: dict[str, object], key: str, differences: Sequence[Difference]) -> dict[str, object]:
    """The declaration with an override for each argument that would differ: the value that Azure has, or none."""
    for difference in differences:
        if "" not in difference.path and not difference.reason:
            at = ("clusters", key, *difference.resource, "overrides", *difference.path)
            declared = with_value(declared, at, _override(difference.existing, difference.sent))
    return declared


def _override(existing: object, sent: object) -> object:
    """The override that makes `existing` of `sent`. Overrides merge mappings, and remove an entry by `None`."""
    if not isinstance(existing, Mapping) or not isinstance(sent, Mapping):
        return cast("object", existing) if existing not in ({}, []) else None
    theirs, ours = cast("Tree", existing), cast("Tree", sent)
    return {**dict.fromkeys(name for name in ours if name not in theirs), **theirs}


def drop_defaults(declared: Tree) -> dict[str, object]:
    """Returns the declaration of a platform without fields whose removal changes no request.

    A value that is the cloud's default counts as not sent.
    """
    platform = platform_of(declared)
    before = requests_of(platform)
    fields = [path for path in paths(declared) if _may_be_dropped(path) and _is_optional(platform, path)]
    values = [path for path in fields if not isinstance(value_at(declared, path), Mapping)]
    defaults = [path for path in values if _has_default(platform, path)]
    small = _without_needless(dict(declared), defaults, before)
    left = [path for path in values if path not in defaults]
    small = _without_needless(small, _not_needed(small, left, before), before)
    plain = _sent_as_they_are(before)
    for path in values:
        if path[-1] not in plain and _is_there(small, path):
            small = _without_needless(small, [path], before)
    for path in fields:  # the innermost ones first: a part can be empty now
        if value_at(small, path) == {}:
            small = _without_needless(small, [path], before)
    return small


def _not_needed(declared: Tree, candidates: Sequence[Branch], before: Requests) -> list[Branch]:
    """The candidates that are likely to be needless: all are dropped, and those come back that a request then lacks, until nothing differs."""
    left = list(candidates)
    while left:
        lacking = _lacking(before, _without_all(declared, left))
        rest = [path for path in left if not any(_overlap(path, steps) for steps in lacking)]
        if len(rest) == len(left):
            return left
        left = rest
    return left


def _without_all(declared: Tree, candidates: Iterable[Branch]) -> dict[str, object]:
    shorter = dict(declared)
    for path in candidates:
        shorter = without(shorter, path)
    return shorter


def _lacking(before: Requests, declared: Tree) -> list[Branch]:
    """Paths in the declaration that are invalid now, or whose argument differs."""
    try:
        after = _by_resource(requests_of(Platform.model_validate(declared)))
    except ValidationError as error:
        return [tuple(map(str, found["loc"])) for found in error.errors(include_url=False, include_context=False, include_input=False)]
    changed = [(one, after[key]) for key, one in _by_resource(before).items() if key in after]
    return [
        (*map(str, one.steps), *(step for step in difference.model if isinstance(step, str)))
        for one, other in changed
        for difference in differences(one.table, one.sent, other.sent, one.kind)
    ]


def _overlap(one: Branch, other: Branch) -> bool:
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def _without_needless(declared: dict[str, object], candidates: Sequence[Branch], before: Requests) -> dict[str, object]:
    """Drops all candidates at once, or each half of them alone."""
    if not candidates:
        return declared
    shorter = _without_all(declared, candidates)
    if _sends_the_same(before, shorter):
        return shorter
    if len(candidates) == 1:
        return declared
    half = len(candidates) // 2
    return _without_needless(_without_needless(declared, candidates[:half], before), candidates[half:], before)


def _may_be_dropped(path: Branch) -> bool:
    return path[-1] not in KEPT and len(path) >= len(("clusters", "key", "field")) and "overrides" not in path


def _is_optional(platform: Platform, path: Branch) -> bool:
    """It is a field with a default. Required fields and entries of mappings must stay."""
    part = _model_at(platform, path[:-1])
    field = type(part).model_fields.get(path[-1]) if part is not None else None
    return field is not None and not field.is_required()


def _has_default(platform: Platform, path: Branch) -> bool:
    part = _model_at(platform, path[:-1])
    return part is not None and bool(type(part).model_fields[path[-1]].get_default(call_default_factory=True) == getattr(part, path[-1]))


def _model_at(platform: Platform, path: Branch) -> Model | None:
    held: object = platform
    for step in path:
        held = getattr(held, step, None) if isinstance(held, Model) else cast("Mapping[str, object]", held).get(step)
        if not isinstance(held, Model | Mapping):
            return None
    return held if isinstance(held, Model) else None


def _is_there(declared: Tree, path: Branch) -> bool:
    above = value_at(declared, path[:-1])
    return isinstance(above, Mapping) and path[-1] in above


def _sent_as_they_are(requests: Requests) -> frozenset[str]:
    """Names of fields whose value is sent as it is, wherever they are in a table: without the field, a request differs."""
    ways = [way for table in {id(request.table): request.table for request in requests.all}.values() for way in table.leaves if way.model]
    return frozenset(_names(ways, plain=True)) - frozenset(_names(ways, plain=False))


def _names(ways: Iterable[FieldPath], *, plain: bool) -> Iterable[str]:
    for way in ways:
        is_plain = isinstance(way.row, Row) and way.row.compute is None and way.default is None and bool(way.wire)
        if is_plain is plain:
            yield str(way.model[-1])


def _by_resource(requests: Requests) -> dict[tuple[Key, str], Request]:
    """An agent pool and a NodePool of one name have one key."""
    return {(request.key, request.resource.type): request for request in requests.all}


def _sends_the_same(before: Requests, declared: Tree) -> bool:
    try:
        after = requests_of(Platform.model_validate(declared))  # not `Platform(…)`: why a value is rejected, and what would help, is not needed
    except ValidationError:
        return False
    ours, theirs = _by_resource(before), _by_resource(after)
    return ours.keys() == theirs.keys() and not any(
        any(differences(one.table, one.sent, theirs[key].sent, one.kind)) or one.resource != theirs[key].resource for key, one in ours.items()
    )


_POOLS: Final = "agentPoolProfiles"
_INSIDE: Final = "system_pool"
_PULUMI: Final = "Pulumi: a resource is created when it is declared"
_PROVIDER: Final = "no row has the argument"
_CREATED: Final = "It does not exist in the cloud, and Pulumi creates it"
_OTHER: Final = "The declaration sends another value than the cloud has"


def first_changes(one: Adopted, today: date) -> list[Change]:
    """Every difference and every creation as a change as of a day, each with a reason."""
    every = Requests(tuple(item.request for item in one.compared))
    found = [change for item in one.compared for difference in item.differences for change in _changed(item.request, difference, every, today)]
    return [*found, *_created(one.compared, every)]


def _created(compared: Sequence[Compared], every: Requests) -> Iterator[Change]:
    missing = [item.request for item in compared if item.import_id is None]
    have = Requests(tuple(item.request for item in compared if item.import_id is not None))
    known = {change.resource: change for change in compare(have, every) if change.effect is Effect.CREATES} if missing else {}
    for request in missing:
        plain = Change(request.at, request.steps, None, request.resource.name, Effect.CREATES, _CREATED, _PULUMI, request.resource)
        yield known.get(request.resource, plain)


def _changed(request: Request, difference: Difference, every: Requests, today: date) -> Iterator[Change]:
    """The changes of one difference. One whose effect is not known is included."""
    before, after = (_with(request, difference, value) for value in (difference.existing, difference.sent))
    found = [add_affected_nodes(change, before, after, Sides(every, every)) for change in request_changes(before, after, today)]
    if not found:
        steps = (*request.steps[:2], *difference.resource, *difference.path)
        found = [Change(request.at, steps, difference.existing, difference.sent, Effect.UNKNOWN, _OTHER, _PROVIDER, request.resource)]
    for change in found:
        yield replace(change, message=difference.reason) if difference.reason else change


def _with(request: Request, difference: Difference, value: object) -> Request:
    """The request with a value of one argument, without overrides: both sides have the same rest."""
    path = tuple(map(str, _wire(request, difference)))
    if difference.resource[-1:] != (_INSIDE,):
        return replace(request, sent=_set(request.sent, path, value), overrides={})
    [first] = cast("Sequence[Written]", request.sent[_POOLS])
    return replace(request, sent={**request.sent, _POOLS: [_set(first, path, value)]}, overrides={})


def _set(sent: Mapping[str, object], path: tuple[str, ...], value: object) -> dict[str, object]:
    return without(sent, path) if value is None else with_value(sent, path, value)


def _wire(request: Request, difference: Difference) -> Pattern:
    """The path in the API's spelling. An argument without a row keeps the spelling that it has."""
    row = _row(request, difference)
    return (*row, *difference.path[len(row) :])


def _row(request: Request, difference: Difference) -> Pattern:
    """The longest path of a row that the argument begins with; empty without one."""
    inside = difference.resource[-1:] == (_INSIDE,)
    wires = [way.wire[2:] if inside else way.wire for way in request.table.field_paths if (way.wire[:1] == (_POOLS,)) is inside]
    fitting = [
        wire for wire in wires if wire and tuple(python_name(str(step)) for step in wire) == tuple(map(python_name, difference.path[: len(wire)]))
    ]
    return max(fitting, key=len, default=())
