"""An object within a workload, as the API server validates it: its path, typed access to its fields, and what is wrong with them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, number, text
from nodepools.model.values import dataclass

Path: TypeAlias = tuple[str | int, ...]
LABEL: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
SUBDOMAIN: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
SUBDOMAIN_LENGTH: Final = 253
LABEL_LENGTH: Final = 63
MAX_INT32: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class InvalidField:
    """A field that the API server rejects."""

    path: Path
    reason: str
    """What it must be, and what it is."""

    def __str__(self) -> str:
        return f"`{_written(self.path)}` {self.reason}"


class InvalidWorkloadError(PodError):
    """The API server rejects a workload."""

    def __init__(self, name: str, fields: "Sequence[InvalidField]") -> None:
        super().__init__(f"{name}: {'; '.join(map(str, fields))}")
        self.path: Final = fields[0].path
        """The first of the fields."""


def _written(path: Path) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f'["{step}"]' if "." in step or "/" in step else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")


@dataclass(frozen=True, slots=True)
class Part:
    """An object within a workload."""

    path: Path
    raw: Mapping[str, object]

    def part(self, *names: str) -> "Part":
        """The object in a field of a field; empty if it is not set."""
        found = self
        for name in names:
            found = Part((*found.path, name), mapping(found.raw, name))
        return found

    def each(self, name: str) -> "list[Part]":
        """The objects in a list."""
        return [Part((*self.path, name, index), raw) for index, raw in enumerate(entries(self.raw, name))]

    def has(self, name: str) -> bool:
        """The field is set."""
        return self.raw.get(name) is not None

    def text(self, name: str) -> str:
        """The text in a field; empty if it is not set."""
        return text(self.raw.get(name), name)

    def number(self, name: str) -> int | None:
        """The number in a field; `None` if it is not set."""
        return number(self.raw[name], name) if self.has(name) else None

    def wrong(self, reason: str, *steps: str | int) -> InvalidField:
        """The object or a field of it, with the reason."""
        return InvalidField((*self.path, *steps), reason)

    def one_of(self, name: str, known: Sequence[str], default: str = "") -> Iterator[InvalidField]:
        """Rejects another value than the known ones."""
        found = self.text(name) or default
        if found not in known:
            yield self.wrong(f"must be {one_of(known)}, but is {shown(found)}", name)

    def named(self, name: str, pattern: re.Pattern[str], longest: int, *, required: bool = True) -> Iterator[InvalidField]:
        """Rejects a name that is missing or not valid."""
        found = self.text(name)
        if found and not (pattern.fullmatch(found) and len(found) <= longest):
            yield self.wrong(f"must be lower-case letters, digits and `-`, at most {longest}, but is `{found}`", name)
        elif not found and required:
            yield self.wrong("is required", name)


def one_of(known: Sequence[str]) -> str:
    """The known values, of which one is required."""
    quoted = [f"`{value}`" for value in known]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def shown(value: str) -> str:
    """A value in a sentence."""
    return f"`{value}`" if value else "empty"
