"""Where nodes of a NodePool can be: region, zones, capacity types, and other labels of which the cluster, not the type, decides the value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from nodepools.model.kubernetes.requirement import Values
from nodepools.placement.verdict import Verdict

_ENDLESS = 10**6


@dataclass(frozen=True)
class LabelValues:
    """The values that a label can have in a cluster."""

    surely: frozenset[str] = frozenset()
    perhaps: frozenset[str] = frozenset()
    """Values that some clusters have."""
    possibly: Callable[[str], bool] | None = None
    """Whether nodes may have some other value; `None`: these are all."""
    fewest: int = 1
    """So many values there are at least, known or not."""
    doubt: str = ""
    """Why a pool that asks for `perhaps` alone may never have a node; empty where that is for the pool to know."""

    def verdict(self, allowed: Values) -> Verdict:
        """Whether some value is allowed."""
        if any(value in allowed for value in self.surely):
            return Verdict.FITS
        if any(value in allowed for value in self.perhaps) or (self.possibly is not None and self._more(allowed, self.possibly)):
            bounded = allowed.at_least is not None or allowed.at_most is not None
            every = self.possibly is not None and allowed.complement and not bounded and len(allowed.members) < self.fewest
            return Verdict.FITS if every else Verdict.UNKNOWN
        return Verdict.CANNOT

    def many(self, *, surely: bool) -> int:
        """How many values there are, at the least or at the most."""
        if surely:
            return max(len(self.surely), self.fewest)
        return len(self.surely | self.perhaps) if self.possibly is None else _ENDLESS

    @staticmethod
    def _more(allowed: Values, possibly: Callable[[str], bool]) -> bool:
        """Some value that is not known here may be allowed: a bound asks for an integer."""
        if not allowed.complement:
            return any(possibly(value) for value in allowed.members)
        bounds = [bound for bound in (allowed.at_least, allowed.at_most) if bound is not None]
        return not bounds or any(possibly(str(bound)) for bound in bounds)


def unknown(possibly: Callable[[str], bool] = lambda _: True) -> LabelValues:
    """Some value that is not known here."""
    return LabelValues(possibly=possibly)


def found(values: frozenset[str]) -> LabelValues:
    """The values that nodes have; some value that is not known here where there is none."""
    return LabelValues(values) if values else unknown()


UNRESERVED: Final = LabelValues(frozenset({"on-demand", "spot"}))
"""Capacity types where no capacity is reserved."""
