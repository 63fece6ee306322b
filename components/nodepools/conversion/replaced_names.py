"""The new names of objects that can only be created next to the old ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from nodepools.conversion.raw_parts import Object
from nodepools.conversion.unconverted import Log

Convert: TypeAlias = Callable[[Object, "Classes", Log], None]


@dataclass(frozen=True, slots=True)
class Classes:
    """The new names of objects that others refer to, by kind and name in the input."""

    names: Mapping[tuple[str, str], str]
    ingress: frozenset[str] = frozenset()
    """The IngressClasses in the files."""

    def of(self, kind: str) -> Mapping[str, str]:
        """The names, by the kind of the objects."""
        return {name: new for (of, name), new in self.names.items() if of == kind}
