"""How many nodes a disruption budget permits, as Karpenter computes it from `nodes`."""

from dataclasses import dataclass
from typing import Final

_MOST: Final = 2**31 - 1
"""Karpenter's value for "unlimited"."""
_MOST_OF_GO: Final = 2**63 - 1
_DIGITS: Final = len(str(_MOST_OF_GO))


@dataclass(frozen=True, slots=True)
class BudgetNodes:
    """The field `nodes` of a budget: a count or a percentage."""

    text: str

    def of(self, nodes: int) -> int | None:
        """The number for a pool of `nodes` nodes; `None` is unlimited. Percentages are rounded up."""
        if self.is_percentage:
            return -(-int(self.text.removesuffix("%")) * nodes // 100)
        return None if self.is_unlimited else max(self._count, 0)

    @property
    def is_percentage(self) -> bool:
        """It depends on the number of nodes."""
        return self.text.endswith("%")

    @property
    def is_none(self) -> bool:
        """No node, whatever the number of nodes is."""
        return self.of(1) == 0

    @property
    def is_unlimited(self) -> bool:
        """The count is the one that Karpenter uses for unlimited."""
        return not self.is_percentage and self._count == _MOST

    @property
    def is_invalid(self) -> bool:
        """The API server accepts the count, and Karpenter cannot read it."""
        digits = self.text.lstrip("0")
        return not self.is_percentage and (len(digits) > _DIGITS or int(digits if digits else "0") > _MOST_OF_GO)

    @property
    def _count(self) -> int:
        """The count in 32 bits: larger ones overflow, as in Karpenter."""
        return 0 if self.is_invalid else (int(self.text) + _MOST + 1) % 2**32 - _MOST - 1
