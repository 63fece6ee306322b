"""Converts what requirements and selectors say about labels of nodes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nodepools.conversion.label_table import BY_NAME, CLASS_LABELS, GROUP_LABELS, OWN, POOL_LABELS, group_title
from nodepools.conversion.targets import ConversionOptions

_POOL: Final = POOL_LABELS[0]
_CLASS: Final = {target: label for label, target in CLASS_LABELS.items() if target is not None}


@dataclass(frozen=True, slots=True)
class Term:
    """What a requirement or a selector states about one label, for the target."""

    key: str | None
    """The label; `None` if there is none for it."""
    values: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    """Values that have no equivalent."""
    reason: str = ""
    """Why the label or the lost values have no equivalent."""
    instead: str | None = None
    roughly: str = ""
    """How the values differ in meaning from those before; empty if they do not."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Converts terms. `pools` and `classes` have the new names of the objects of all files."""

    wanted: ConversionOptions
    pools: Mapping[str, str] = field(default_factory=dict[str, str])
    """The NodePools of the target in the output, by their names in the input."""
    classes: Mapping[str, str] = field(default_factory=dict[str, str])
    """The same for node classes."""

    def term(self, key: str, values: Sequence[str]) -> Term:
        """Returns the term with another label or other values; a term that needs none is returned as it is."""
        if key in GROUP_LABELS:
            return self._of_group(key, values)
        if key in POOL_LABELS:
            return Term(_POOL, tuple(self.pools.get(value, value) for value in values))
        if key in CLASS_LABELS:
            return Term(_CLASS[self.wanted.target], tuple(self.classes.get(value, value) for value in values))
        label = BY_NAME.get(key)
        if label is None:
            return self._unknown(key, values)
        name = label.to.get(self.wanted.target)
        if name is None:
            return Term(None, reason=label.reason)
        found = {value: label.values(self.wanted.target, value) for value in values}
        new = tuple(dict.fromkeys(one for value in values for one in found[value]))
        lost = tuple(value for value in values if not found[value])
        roughly = label.roughly[self.wanted.target] if label.roughly is not None and new != tuple(values) else ""
        return Term(name, new, lost, label.reason if lost else "", roughly=roughly)

    def _of_group(self, key: str, values: Sequence[str]) -> Term:
        """The NodePools that replace groups: those that the caller names, otherwise those of the same names."""
        named = {value: self.wanted.groups.get(value, self.pools.get(value)) for value in values}
        new = tuple(dict.fromkeys(self.pools.get(name, name) for name in named.values() if name is not None))
        lost = tuple(value for value in values if named[value] is None)
        if not lost and values:
            return Term(_POOL, new)
        instead = f"Name the NodePool for its pods: `--group {lost[0] if lost else 'GROUP'}=NODEPOOL`"
        return Term(_POOL if new else None, new, lost, f"{self.wanted.target.title} has NodePools instead of {group_title(key)}s", instead)

    def _unknown(self, key: str, values: Sequence[str]) -> Term:
        if not key.startswith(f"{OWN}/"):
            return Term(key, tuple(values))
        return Term(None, reason=f"{self.wanted.target.title} has no label of this domain that is known to mean the same")
