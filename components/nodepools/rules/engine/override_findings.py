"""What is wrong with `overrides`: the findings of the rules about them, by code. Imported only for declarations with overrides."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import groupby
from typing import Final, NamedTuple, cast

from pydantic import ValidationError

from nodepools.data.argument_types import Overridden, Override, Source, Why, installed_versions, lacks, newer_version
from nodepools.model.aks.agent_pool import AgentPool, SystemPool
from nodepools.model.aks.cluster import AksClusterArgs, AksNodeClass, AksNodePool
from nodepools.model.base import Model, freeze
from nodepools.model.derive import derive
from nodepools.model.eks.access import PodIdentity
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class import EksNodeClass, EksNodePool
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.listing import respelled
from nodepools.model.path import path_text, value_at
from nodepools.model.steps import Steps
from nodepools.model.unknowns import unread
from nodepools.rules.engine.finding import Fix, FixLike, PartFinding, certain, fix_of, ref, remove, rename, set_to
from nodepools.wire.aks.agent_pool import INLINE, POOL
from nodepools.wire.aks.cluster import CLUSTER as AKS_CLUSTER
from nodepools.wire.aks.node_class import NODE_CLASS as AKS_CLASS
from nodepools.wire.eks.access import POD_IDENTITY
from nodepools.wire.eks.cluster import CLUSTER as EKS_CLUSTER
from nodepools.wire.eks.node_class import NODE_CLASS as EKS_CLASS
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS, node_pool_table
from nodepools.wire.rows import UNREADABLE, Note, Row
from nodepools.wire.table import FieldPath, Table, python_name

NOT_ACCEPTED: Final = ("PLT022", "PLT024")
"""Codes of overrides that a provider or an API rejects or drops for certain."""
_BOUNDS: Final[Mapping[str, str]] = {"greater_than_equal": "at least", "less_than_equal": "at most"}
"""Errors of numbers outside of what the cloud accepts."""
_FORMATS: Final = frozenset({"duration", "quantity"})
"""Errors of values that no version of a CRD accepts."""
_NAMED: Final = 2
"""At most so many fields are named in one finding."""


class Target(NamedTuple):
    """What the overrides of one class of parts are merged into."""

    arguments: Overridden
    """The types of its arguments."""
    rows: Table
    set_by_us: Mapping[str, str] = {}
    """Arguments that the component itself sets, with the field for each; empty without a field."""


_SEPARATE: Final = {"agent_pool_name": "name", "resource_group_name": "", "resource_name_": ""}


@cache
def targets() -> Mapping[type[object], Target]:
    """The target of each class; that of a `SystemPool` is the pool inside its cluster."""
    azure = Overridden(Source.AZURE, "ManagedCluster", python_name, checks_text=False)
    aws, karpenter = Overridden(Source.AWS, "Cluster", python_name, converts=True), Overridden(Source.OBJECTS, "NodePool")
    return {
        AksClusterArgs: Target(azure, AKS_CLUSTER, {"resource_group_name": "resource_group"}),
        SystemPool: Target(azure._replace(type="ManagedClusterAgentPoolProfile"), INLINE, {"agent_pool_name": "name"}),
        AgentPool: Target(azure._replace(type="AgentPool"), POOL, _SEPARATE),
        EksClusterArgs: Target(aws, EKS_CLUSTER),
        PodIdentity: Target(aws._replace(type="PodIdentityAssociation"), POD_IDENTITY),
        AksNodePool: Target(karpenter, node_pool_table(AKS_NODE_CLASS)),
        EksNodePool: Target(karpenter, node_pool_table(EKS_NODE_CLASS)),
        AksNodeClass: Target(karpenter._replace(type="AKSNodeClass"), AKS_CLASS),
        EksNodeClass: Target(karpenter._replace(type="NodeClass"), EKS_CLASS),
    }


def override_findings(part: Model, overrides: Mapping[str, object], cluster: AksClusterArgs | None) -> Iterator[tuple[str, PartFinding]]:
    """Each finding with the code of its rule.

    Args:
        part: a part with overrides.
        overrides: its overrides.
        cluster: the cluster that it is in; the first system pool is part of the resource of its cluster.
    """
    is_separate = cluster is None or part is not cluster.system_pool
    kinds = (kind for kind in type(part).__mro__ if not (is_separate and kind is SystemPool))
    target = next(targets()[kind] for kind in kinds if kind in targets())
    chosen: str | None = getattr(part if cluster is None else cluster, "api_version", None)
    version = "" if chosen is None else chosen
    found = list(target.arguments._replace(version=version).overrides(overrides))
    refused = {one.at: way for one in found if (way := _refused(target.rows, one.wire)) is not None}
    for at, why in dict.fromkeys((at[: len(way.wire)], cast("Note", way.row).why) for at, way in refused.items()):
        yield "PLT022", PartFinding(part, ("overrides", *at), f"`{path_text(at)}` cannot be set: {why}", fix_of(remove(("overrides", *at))))
    for one in (one for one in found if one.at not in refused):
        if len(one.at) == 1 and one.at[0] in target.set_by_us:
            field = target.set_by_us[str(one.at[0])]
            message = f"The component sets `{one.at[0]}` itself: {f'use {ref(field)}' if field else 'it cannot be overridden'}"
            yield "PLT022", _finding(part, one, message, remove(("overrides", *one.at)))
        elif one.why is not Why.NOTHING:
            yield _wrong(part, target, one, version)
        elif (field := _field_of(target.rows, one.wire)) and (why := _rejection(part, target, one)) is not None:
            message = f"`{path_text(one.at)}` {why}" if why else f"The API server rejects `{path_text(one.at)}`: {ref(field)} says what it accepts"
            yield "PLT024", _finding(part, one, message, f"Use the field {ref(field)}")
    of_names = groupby((one for one in found if one.why is Why.NOTHING and one.at not in refused), key=lambda one: str(one.at[0]))
    for name, values in of_names:
        if name not in target.set_by_us:
            fields = [_field_of(target.rows, one.wire) for one in values]
            own = [field if field is not None and field[0] in type(part).model_fields else None for field in fields]
            yield "PLT020", PartFinding(part, ("overrides", name), _unchecked(name, own), None)


def _finding(part: Model, one: Override, message: str, fix: FixLike) -> PartFinding:
    return PartFinding(part, ("overrides", *one.at), message, fix_of(fix))


def _unchecked(name: str, fields: list[Steps | None]) -> str:
    named = [field for field in dict.fromkeys(fields) if field is not None]
    if named and None not in fields and len(named) <= _NAMED:
        return f"Rules do not check the override `{name}`: use the field{'s' * (len(named) > 1)} {' and '.join(map(ref, named))}, which they check"
    return f"No rule checks the value of the override `{name}`"


def _wrong(part: Model, target: Target, one: Override, version: str) -> tuple[str, PartFinding]:
    at, text = ("overrides", *one.at), f"`{path_text(one.at)}`"
    if one.why is Why.REQUIRED:
        return "PLT024", _finding(part, one, f"{text} is required: it cannot be removed", remove(at))
    if one.why is Why.TYPE:
        fix = _converted(at, value_at(part, at), one.expected)
        field = _field_of(target.rows, one.wire)
        if isinstance(fix, Fix) and field is not None and not _takes(part, target.rows, one.wire, fix.operations[0].value):
            fix = f"Use the field {ref(field)}, which says what it accepts"
        return "PLT024", _finding(part, one, f"{text} must be {one.expected}{', without quotes' if fix and one.expected != 'text' else ''}", fix)
    if one.why is Why.NEWER:
        fix = f'Set `api_version="{one.expected}"` on the cluster' if one.expected in installed_versions() else remove(at)
        return "PLT022" if one.is_certain else "PLT023", _finding(part, one, f"{text} {lacks(one.expected, version)}", fix)
    if one.why is Why.SPELLING and one.near is not None:
        message = f"`{at[-1]}` is the spelling of the API: rules and `diff` read `{one.near}`, Python's spelling"
        return "PLT025", _finding(part, one, message, rename(at, one.near))
    message, fix = _unknown(part, target, one, newer_version(version))
    return "PLT022" if one.is_certain else "PLT023", _finding(part, one, message, fix)


def _refused(rows: Table, wire: Steps) -> FieldPath | None:
    """The row with a note on the argument at `wire`, or on one that it is in, if nothing sets it."""
    around = (way for way in rows.leaves if way.wire and way.wire == wire[: len(way.wire)])
    return next((way for way in around if isinstance(way.row, Note) and way.row.kind == "refused"), None)


def _unknown(part: Model, target: Target, one: Override, newer: str) -> tuple[str, FixLike]:
    """The message and the fix for a name that no argument has. `newer`: that the version of the API is newer than the table."""
    at, name = ("overrides", *one.at), str(one.at[-1])
    arguments = target.arguments
    is_object, origin = arguments.source is Source.OBJECTS, arguments.source.origin
    owner = path_text(one.at[:-1]) if len(one.at) > 1 else f"{arguments.type}.spec" if is_object else arguments.type
    message = f"`{name}` is not {'a field' if is_object else 'an argument'} of `{owner}`"
    if not one.is_certain:
        message = f"{message}, unless it is {newer if newer else f'newer than {origin}'}"
    field = _field_named(part, target.rows, one)
    if field is not None and not _is_same(name, one.near):
        return f"{message}: use the field {ref(field)}", _moved(part, at, field)
    if one.near is None or one.near in target.set_by_us:
        return f"{message} in {origin}" if one.is_certain else message, remove(at)
    return f"{message}: the nearest is `{one.near}`", _renamed(part, at, one.near)


def _moved(part: Model, at: Steps, field: Steps) -> FixLike:
    """The value in its field, if that takes it as it is: rules that read the declaration with the fix expect what validation makes of a value."""
    value = value_at(part, at)
    made = part if unread(part) else derive(part, _at(field, value))
    fits = made is not part and not is_faulty(made) and value_at(made, field) == freeze(value)
    return Fix("", (set_to(field, value), remove(at))) if fits else f"Use the field {ref(field)}"


def _renamed(part: Model, at: Steps, near: str) -> FixLike:
    """Renames the last step; certain if only case and separators differ. If the other name is there, too, the wrong one is removed."""
    around = value_at(part, at[:-1])
    if isinstance(around, Mapping) and near in around:
        return remove(at)
    return certain(rename(at, near)) if _is_same(str(at[len(at) - 1]), near) else rename(at, near)


def _is_same(name: str, near: str | None) -> bool:
    return near is not None and respelled(name, (near,)) is not None


def _converted(at: Steps, value: object, expected: str) -> FixLike:
    """The value in the expected type, if it is the same value for certain."""
    if expected == "text" and isinstance(value, int) and not isinstance(value, bool):
        return certain(set_to(at, str(value)))
    if expected == "a whole number" and isinstance(value, str) and value.isascii() and value.isdigit():
        return certain(set_to(at, int(value)))
    if expected == "true or false" and isinstance(value, str) and value.lower() in {"true", "false"}:
        return certain(set_to(at, value.lower() == "true"))
    return None


def _takes(part: Model, rows: Table, wire: Steps, value: object) -> bool:
    """Whether the field that sends the argument at `wire` accepts a value: it can want a unit, or have a limit. True if there is no such field."""
    way = _sent_by(part, rows, wire)
    if way is None or unread(part):
        return True
    try:
        held = cast("Row", way.row).codec.read(value)
    except UNREADABLE:
        return False
    return not is_faulty(derive(part, _at(way.model, held)))


def _sent_by(part: Model, rows: Table, wire: Steps) -> FieldPath | None:
    sent = (way for way in rows.leaves if way.wire == wire and way.whole and way.model and way.model[0] in type(part).model_fields)
    return next((way for way in sent if isinstance(way.row, Row)), None)


def _at(steps: Sequence[object], held: object) -> dict[str, object]:
    return cast("dict[str, object]", reduce(lambda inner, step: {str(step): inner}, reversed(steps), held))


def _rejection(part: Model, target: Target, one: Override) -> str | None:
    """Which bound a number is beyond; empty if text of an object is not what it stands for, such as a duration in days. Words can be newer."""
    is_object = target.arguments.source is Source.OBJECTS
    way, value = _sent_by(part, target.rows, one.wire), value_at(part, ("overrides", *one.at))
    if way is None or not (is_object or value):  # an API takes 0 for its default
        return None
    try:
        type(part).model_validate(_at(way.model, value))
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            if detail["type"] in _BOUNDS:
                return f"must be {_BOUNDS[detail['type']]} {', '.join(map(str, detail.get('ctx', {}).values()))}"
            if is_object and detail["type"] in _FORMATS:
                return ""
    return None


def _field_of(rows: Table, wire: Steps) -> Steps | None:
    """The field that sends the argument at `wire`, or one that it is in."""
    ways = [way for way in rows.leaves if way.model and way.wire and way.wire == wire[: len(way.wire)] and way.model[0] != "overrides"]
    return tuple(step for step in max(ways, key=lambda way: len(way.wire)).model if isinstance(step, str)) if ways else None


def _field_named(part: Model, rows: Table, one: Override) -> Steps | None:
    """The field with the name of an unknown argument: of the part, or sent to the argument that the name is in."""
    name = str(one.at[-1])
    if len(one.at) == 1 and name in type(part).model_fields:
        return (name,)
    ways = (way.model for way in rows.leaves if len(one.at) > 1 and way.model and way.model[-1] == name and way.wire[:-1] == one.wire)
    return next((tuple(step for step in model if isinstance(step, str)) for model in ways), None)
