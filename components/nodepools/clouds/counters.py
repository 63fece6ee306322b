"""Quotas of an account in one region, which all its clusters share."""

from dataclasses import dataclass

from nodepools.clouds.amounts import Amount
from nodepools.clouds.item import CheckedBy, What
from nodepools.clouds.sizes import Sizes


@dataclass(frozen=True, slots=True)
class Counter:
    """What a cloud counts for an account in a region."""

    what: What
    name: str
    """The cloud's name of it, such as a family of VM sizes or a class of instance types."""
    region: str
    account: str | None = None
    """`None`: the account of the stack's provider."""

    @property
    def key(self) -> "Counter":
        """The same counter in one spelling: clouds ignore case."""
        account = None if self.account is None else self.account.lower()
        return Counter(self.what, self.name.lower(), self.region.lower(), account)

    def __str__(self) -> str:
        return f"{self.name} in {self.region}" if self.region else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What one cluster takes of a counter."""

    counter: Counter
    checked_by: CheckedBy
    needs: Amount
    sizes: Sizes
    default: int | None = None
    """What an account has unless its quota was raised."""
    remedy: str
