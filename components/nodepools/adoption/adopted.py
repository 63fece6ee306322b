"""Adopts one cluster: a declaration that changes nothing, with the proof."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from nodepools.adoption.clouds import adoption_of
from nodepools.adoption.compared import Compared, Difference
from nodepools.adoption.draft import CannotAdoptError
from nodepools.adoption.minimal import minimal
from nodepools.adoption.plain_trees import Branch, Tree, paths, platform_of, values, with_value, without
from nodepools.adoption.read_exports import Observed
from nodepools.changes.request import CLASS, CLUSTER, POOL
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.rules.finding import DeclarationError, Finding
from nodepools.wire.paths import value_at

_OVERRIDDEN: Final = (CLUSTER, POOL, CLASS)
"""Resources whose part of the declaration has `overrides`."""
_OF_CLUSTER: Final = 2
"""Steps before the fields of a cluster: `clusters.west`."""
_ATTEMPTS: Final = 30
"""Values that are dropped one after the other, because the model rejects them."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """A cluster as a declaration."""

    key: str
    observed: Observed
    component: str
    """Type of the component of the cluster."""
    declared: Tree
    """The cluster as plain data, without fields that are not needed."""
    compared: tuple[Compared, ...]
    defaults: tuple[Branch, ...]
    """Paths of observed values that are not declared, because they are the default."""
    fixed_names: tuple[str, ...]
    """Pools that keep their names."""
    unreadable: tuple[Branch, ...]
    unknown: tuple[Branch, ...]
    rejected: tuple[Branch, ...]
    """Fields whose observed value the model rejects."""
    outside: Mapping[str, str]

    @property
    def differences(self) -> tuple[Difference, ...]:
        """What a first `pulumi up` would change."""
        return tuple(difference for one in self.compared for difference in one.differences)

    @property
    def changes(self) -> bool:
        """A first `pulumi up` would change something without a known reason, or create something."""
        return any(not difference.reason for difference in self.differences) or any(one.import_id is None for one in self.compared)

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


def adopt(observed: Observed, name: str, key: str) -> Adopted:
    """Declares a cluster as it is.

    Raises:
        CannotAdoptError: it cannot be declared.
    """
    try:
        return _adopted(observed, name, key)
    except PodError as error:
        raise CannotAdoptError(f"cannot be read: {error}") from None


def _adopted(observed: Observed, name: str, key: str) -> Adopted:
    cloud = adoption_of(observed)
    first = cloud.draft()
    whole, rejected = _accepted(platform_data(name, {key: first.fields}))
    found = cloud.proof(platform_of(whole), key)
    whole = _repaired(whole, key, [difference for one in found if one.request.subject in _OVERRIDDEN for difference in one.differences])
    small = minimal(whole)
    compared = tuple(cloud.proof(platform_of(small), key))
    kept = set(values(small))
    dropped = tuple(path[2:] for path in values(whole) if path not in kept)
    declared = cast("Mapping[str, Tree]", small["clusters"])[key]
    return Adopted(
        key, observed, cloud.component, declared, compared, dropped, first.fixed_names, first.unreadable, first.unknown, rejected, first.outside
    )


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


def _repaired(declared: dict[str, object], key: str, differences: Sequence[Difference]) -> dict[str, object]:
    """The declaration with an override for each argument that would differ: the value that Azure has, or none."""
    for difference in differences:
        if "" not in difference.path and not difference.reason:
            at = ("clusters", key, *difference.resource, "overrides", *difference.path)
            declared = with_value(declared, at, _override(difference.observed, difference.sent))
    return declared


def _override(observed: object, sent: object) -> object:
    """The override that makes `observed` of `sent`. Overrides merge mappings, and remove an entry by `None`."""
    if not isinstance(observed, Mapping) or not isinstance(sent, Mapping):
        return cast("object", observed) if observed not in ({}, []) else None
    theirs, ours = cast("Tree", observed), cast("Tree", sent)
    return {**dict.fromkeys(name for name in ours if name not in theirs), **theirs}
