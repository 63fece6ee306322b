"""Resources of a declaration, a plan or a state, next to what the cloud has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from nodepools.clouds.request import Request


@dataclass(frozen=True, slots=True)
class Known:
    """What a declaration of a cluster has besides its requests."""

    group: str | None = None
    """Its resource group in Azure; `None` if only the program knows it."""
    inside: Mapping[str, object] = field(default_factory=dict[str, object])
    """The overrides of the pool inside of it."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The resources of one cluster."""

    both: tuple[tuple[Request, Request], ...] = ()
    """What the cloud has, and what is declared."""
    undeclared: tuple[Request, ...] = ()
    """Only the cloud has them."""
    absent: tuple[Request, ...] = ()
    """They are declared, and the exports show that the cloud does not have them."""
    not_exported: tuple[Request, ...] = ()
    """They are declared, and the exports do not show whether the cloud has them."""


def joined(every: Iterable[Pairs]) -> Pairs:
    """All of them together."""
    every = list(every)
    return Pairs(
        tuple(pair for one in every for pair in one.both),
        tuple(request for one in every for request in one.undeclared),
        tuple(request for one in every for request in one.absent),
        tuple(request for one in every for request in one.not_exported),
    )
