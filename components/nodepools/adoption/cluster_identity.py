"""Which declared cluster an export is of: by identity, never because only one is declared."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from types import MappingProxyType
from typing import Final, TypeAlias

from nodepools.clouds.aks.existing import ClusterId, Export
from nodepools.clouds.cloud import Identity
from nodepools.clouds.eks.existing import EksClusterId, EksExport, EksKind
from nodepools.clouds.existing_objects import Objects
from nodepools.clouds.registry import cloud_of
from nodepools.model.listing import grouped, listed, nearest
from nodepools.model.platform import Platform
from nodepools.model.values import dataclass

Place: TypeAlias = tuple[str, str]
"""The names of a platform and of its cluster."""
CloudId: TypeAlias = ClusterId | EksClusterId
_NAMED: Final = 3


class UnknownOwnerError(ValueError):
    """It is not known, or not declared, which cluster an export is of. The message says why, and what decides it."""

    def __init__(self, message: str, possible: Sequence[Place] = ()) -> None:
        """`possible` are the clusters that it can be of."""
        super().__init__(message)
        self.possible = possible


@dataclass(frozen=True, slots=True)
class ExistingIds:
    """The clusters that outputs of the clouds name, by the folder of their files."""

    by_folder: Mapping[PurePath, frozenset[CloudId]]

    @classmethod
    def of(cls, aks: Iterable[Export], eks: Iterable[EksExport]) -> "ExistingIds":
        """Those of exports."""
        named: list[tuple[str, CloudId]] = [(one.source, one.cluster) for one in aks]
        named += [(one.source, one.cluster) for one in eks if one.kind is EksKind.CLUSTER and one.cluster is not None]
        found = grouped((PurePath(source).parent, cluster) for source, cluster in named)
        return cls({folder: frozenset(ids) for folder, ids in found.items()})

    def beside(self, file: str) -> frozenset[CloudId]:
        """Those in the folder of a file."""
        return self.by_folder.get(PurePath(file).parent, frozenset())


@dataclass(frozen=True, slots=True)
class DeclaredClusters:
    """The clusters of declarations, as exports are compared with them."""

    identities: tuple[tuple[Place, Identity], ...]
    """A cluster of two versions of a declaration has two."""

    @classmethod
    def of(cls, platforms: Iterable[Platform]) -> "DeclaredClusters":
        """Those of platforms."""
        return cls(
            tuple(
                ((platform.name, key), cloud_of(cluster).identity(platform.stem(key)))
                for platform in platforms
                for key, cluster in platform.clusters.items()
            )
        )

    @property
    def places(self) -> list[Place]:
        """All of them, in the order of the declarations."""
        return _different(place for place, _ in self.identities)

    def named(self, existing: CloudId) -> list[Place]:
        """The declared clusters that the output of a cloud can be about."""
        return _different(place for place, identity in self.identities if identity.is_called(existing))

    def owners(
        self, files: Sequence[Objects], ids: ExistingIds, stated: Mapping[str, Place] = MappingProxyType({})
    ) -> Mapping[str, Place | UnknownOwnerError]:
        """The cluster that the objects of each file are in, or why it is not known.

        What the objects say decides: ids of nodes, labels and regions. Then the outputs of clouds in the same folder decide, then the name of the
        file and of its folder, then the other files of the folder. Names of pools decide nothing: `dev` and `prod` have the same.
        The user has `stated` the clusters of some files: they decide what the objects leave open, and must be what these say.
        """
        found: dict[str, Place | UnknownOwnerError] = {}
        for file in files:
            try:
                found[file.source] = self._owner(file, ids)
            except UnknownOwnerError as error:
                found[file.source] = error
        decided = {source: self._decided(source, answer, found) for source, answer in found.items()}
        return {source: self._agreed(answer, stated.get(source)) for source, answer in decided.items()}

    def _agreed(self, answer: Place | UnknownOwnerError, stated: Place | None) -> Place | UnknownOwnerError:
        if stated is None or answer == stated:
            return answer
        name = "/".join(stated)
        if stated not in self.places:
            close = nearest(name, map("/".join, self.places))
            return UnknownOwnerError(f"the settings say that it is `{name}`, which is not declared{f': use `{close}`' if close is not None else ''}")
        if not isinstance(answer, UnknownOwnerError):
            return UnknownOwnerError(f"its nodes are in `{'/'.join(answer)}`: the settings say that it is `{name}`")
        return stated if stated in answer.possible else answer

    def _decided(self, source: str, answer: Place | UnknownOwnerError, every: Mapping[str, Place | UnknownOwnerError]) -> Place | UnknownOwnerError:
        if not isinstance(answer, UnknownOwnerError):
            return answer
        folder = PurePath(source).parent
        here = {one for other, one in every.items() if PurePath(other).parent == folder and not isinstance(one, UnknownOwnerError)}
        [alone] = here if len(here) == 1 else [None]
        return alone if alone is not None and alone in answer.possible else answer

    def _owner(self, objects: Objects, ids: ExistingIds) -> Place:
        says = [(place, identity.holds(objects)) for place, identity in self.identities]
        certain = _different(place for place, answer in says if answer)
        if len(certain) == 1:
            return certain[0]
        possible = certain if certain else _different(place for place, answer in says if answer is not False)
        if not possible:
            raise UnknownOwnerError("its nodes are in no declared cluster: their ids, labels or regions are those of another one")
        beside = ids.beside(objects.source)
        if beside:
            here = [place for place in _different(place for one in beside for place in self.named(one)) if place in possible]
            if not here:
                names = listed(sorted(f"`{one.name}`" for one in beside), _NAMED)
                without = "which the declaration does not have: they are not used (name its stack with `--stack`)"
                raise UnknownOwnerError(f"its objects are next to exports of {names}, {without}")
            if len(here) == 1 and all(self.named(one) for one in beside):
                return here[0]
            possible = here
        told = self._told_by_name(possible, objects.source)
        if len(told) == 1:
            return told[0]
        raise UnknownOwnerError(_undecided(told if told else possible), told if told else possible)

    def _told_by_name(self, possible: Sequence[Place], file: str) -> list[Place]:
        """Those whose key, or name in the cloud, the name of the file or of its folder has; of several stacks, the one that it also has."""
        names = {place: identity.name for place, identity in self.identities}
        by_cluster = [place for place in possible if _has_word(file, place[1]) or _has_word(file, names[place])]
        by_stack = [place for place in by_cluster if _has_word(file, place[0])]
        return by_stack if len(by_cluster) > 1 and by_stack else by_cluster


def _different(places: Iterable[Place]) -> list[Place]:
    return list(dict.fromkeys(places))


def _undecided(possible: Sequence[Place]) -> str:
    several = len({stack for stack, _ in possible}) > 1
    keys = ["/".join(place) if several else place[1] for place in possible]
    quoted = [f"`{key}`" for key in keys]
    can = f"its objects can be in {listed(quoted, _NAMED)}" if len(keys) > 1 else f"nothing says that its objects are in {quoted[0]}"
    return (
        f"{can}: put the key of the cluster into the name of the file, such as `{keys[0].replace('/', '-')}.yaml`, "
        "or the output of `az aks show` or `aws eks describe-cluster` into its folder"
    )


def _has_word(file: str, key: str) -> bool:
    """The name of the file or of its folder has the key as one of its words."""
    path = PurePath(file)
    words, wanted = ("-".join(re.findall(r"[a-z0-9]+", text.lower())) for text in (f"{path.parent.name}-{path.name}", key))
    return f"-{wanted}-" in f"-{words}-"
