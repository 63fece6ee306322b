"""A row for the first system pool, which is created with its cluster: the one entry of `agentPoolProfiles`."""

from collections.abc import Iterator
from typing import Final, NamedTuple, cast

from nodepools.model.aks.pools import SystemPool
from nodepools.model.base import Model
from nodepools.model.unknowns import UNKNOWN
from nodepools.wire.aks.agent_pool import INLINE
from nodepools.wire.aks.around import ClusterAround
from nodepools.wire.aks.generation import first_pool_name
from nodepools.wire.effects import Change, Effect
from nodepools.wire.reading import Reading
from nodepools.wire.table import Written
from nodepools.wire.wire_paths import Pattern, Steps, Way, path
from nodepools.wire.writing import Writing

_SOURCE: Final = "docs/facts/aks.md § 4: G2, G5: PropertyChangeNotAllowed; another pool takes its place"
_REFUSED: Final = (Effect.ROTATES, Effect.REPLACES)
_INSTEAD: Final = (
    "AKS rejects it for the first system pool, which is part of the cluster: add a `SystemPool` with it to `pools`; "
    "it can later take the place of the first (guide: Upgrade)"
)
_UNUSED: Final = Change(Effect.NONE, "docs/facts/aks.md § 4: G2: the name of the first system pool has no hash of its fields")


class FirstPool(NamedTuple):
    """The pool inside the cluster, with the table of agent pools. A change that rotates another pool is rejected by Azure here."""

    field: str
    wire: str

    def write(self, part: Model, out: Writing) -> None:
        """Writes the list with the pool."""
        pool = out.value(part, self.field)
        around = cast("ClusterAround", out.around)
        if isinstance(pool, Model):
            inside = Writing(around.system, out.spell, out.resolve).entry(INLINE, pool)
            name = first_pool_name(around.declared) if around.declared is not None else UNKNOWN
            pool = [{"name": name, **inside}]
        out.put(self.wire, pool)

    def read(self, written: Written, reading: Reading, place: Steps) -> Written:
        """Reads nothing: which of several pools is the first, and the kind of each, is decided together with the other pools."""
        del written, reading, place
        return {}

    def ways(self) -> Iterator[Way]:
        """The list, and the places in its first entry."""
        yield Way((self.field,), path(self.wire), None, self)
        for way in INLINE.ways:
            model = (self.field, *way.model) if way.model else ()
            change = _UNUSED if way.model == ("generation",) else _inside(way.change)
            yield way._replace(model=model, wire=(*path(self.wire), 0, *way.wire) if way.wire else (), change=change)

    def claims(self) -> Iterator[Pattern]:
        """The list."""
        yield path(self.wire)


def _inside(change: Change | None) -> Change | None:
    """The effect of the same change on a pool inside the cluster, which is a system pool."""
    if change is None:
        return None
    effect = change.of(SystemPool.__name__)
    return Change(Effect.REFUSED, _SOURCE, refused=_INSTEAD) if effect in _REFUSED else change._replace(effect=effect, on={})
