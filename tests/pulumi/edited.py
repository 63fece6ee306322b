"""The stack `dev` with edits of its clusters, and what `diff` predicts for each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from nodepools import Platform, derive
from nodepools.changes.platform_changes import Changes, diff, requests_of
from nodepools.clouds.change import Key, Request
from nodepools.wire.table import Effect
from tests.pulumi.cloud_copies import Done

Fields = Mapping[str, object]
"""Other values of some fields of a cluster, as `derive` accepts them."""
_QUIET = (Effect.NONE, Effect.IGNORED)


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit of one cluster."""

    cluster: str
    """The key of its cluster, which is a copy of one of the base."""
    copied: str
    fields: Fields
    batch: int
    changes: Changes
    compared: frozenset[str]
    """Types of the resources that `diff` compares."""
    needs: frozenset[tuple[str, str]]
    """Resources with those that must exist before them. The engine orders no others, except deletions after everything else."""

    @classmethod
    def of(cls, base: Platform, place: "Place", fields: Fields) -> "Edit":
        """The edit with its prediction, which is that of the library."""
        old = derive(base, {"clusters": {**dict.fromkeys(base.clusters), place.cluster: base.clusters[place.copied]}})
        new = derive(old, {"clusters": {place.cluster: fields}})
        every = [request for side in (old, new) for request in requests_of(side).all]
        compared = frozenset(_type(str(request.resource)) for request in every)
        needs = frozenset(pair for side in (old, new) for pair in _needs(requests_of(side).all))
        return cls(place.cluster, place.copied, fields, place.batch, diff(old, new), compared, needs)

    @property
    def line(self) -> str:
        """The edit in a stack file."""
        return f"PLATFORM = derive(PLATFORM, {{'clusters': {{{self.cluster!r}: {self.fields!r}}}}})\n"

    @property
    def predicted(self) -> set[str]:
        """`update NodePool/dev-neu-general`, without order."""
        return {operation for wave in self.changes.order for operation in wave}

    @property
    def is_refused(self) -> bool:
        """`pulumi up` is predicted to fail."""
        return any(change.effect is Effect.REFUSED for change in self.changes.all)

    @property
    def replaces_objects(self) -> bool:
        """A cluster is predicted to be replaced with the objects in it."""
        return any(operation.startswith("replace NodePool/") for operation in self.predicted)

    @property
    def is_alone(self) -> bool:
        """One `pulumi up` cannot apply it with others, because it fails."""
        return self.is_refused or self.replaces_objects

    @property
    def is_reported(self) -> bool:
        """`diff` reports more than that nothing happens."""
        return any(change.effect not in _QUIET for change in self.changes.all)

    def others(self, done: list[Done]) -> list[str]:
        """Operations on resources that `diff` does not compare."""
        return [str(one) for one in done if _type(one.resource) not in self.compared]

    def same(self, operations: Iterable[object]) -> set[str]:
        """Operations on resources that `diff` compares."""
        return {str(one) for one in operations if _type(str(one).partition(" ")[2]) in self.compared}

    def reversed(self, done: list[Done]) -> list[str]:
        """Pairs that the engine did in another order than predicted."""
        times = {str(one): one for one in done}
        place = {operation: number for number, wave in enumerate(self.changes.order) for operation in wave if operation in times}
        pairs = [sorted(pair, key=place.__getitem__) for pair in combinations(place, 2) if place[pair[0]] != place[pair[1]]]
        reversed_ = [(early, late) for early, late in pairs if times[late].ended <= times[early].began]
        return [f"{late} ended before {early} began" for early, late in reversed_ if late.startswith("delete") or self._is_ordered(early, late)]

    def _is_ordered(self, early: str, late: str) -> bool:
        first, second = (operation.partition(" ")[2] for operation in (early, late))
        return (second, first) in self.needs or (first, second) in self.needs


def _needs(requests: Sequence[Request]) -> Iterator[tuple[str, str]]:
    """Each resource with everything that it needs, also through others."""
    known: dict[Key, frozenset[Key]] = {}
    names = {request.key: str(request.resource) for request in requests}
    for request in requests:  # in the order of registration: what one needs is before it
        known[request.key] = request.needs.union(*(known.get(need, frozenset()) for need in request.needs))
        yield from ((names[request.key], names[need]) for need in known[request.key] if need in names)


def _type(resource: str) -> str:
    return resource.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Place:
    """Where an edit is applied: one `pulumi up` applies a batch of edits, each to a cluster of its own."""

    copied: str
    cluster: str
    batch: int


def places(copied: Sequence[str], batches: int) -> Iterator[Place]:
    """A place for each edit, by the cluster that it edits."""
    seen: Counter[str] = Counter()
    for source in copied:
        number, batch = divmod(seen[source], batches)
        seen[source] += 1
        yield Place(source, f"{source}{chr(ord('a') + number)}", batch)
