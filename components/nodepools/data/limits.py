"""Limits of the clouds, each with its source and the day on which it was read. Rules, `explain` and `capacity` read them here and nowhere else.

Limits that depend on a region, a VM size or a quota are in the tables of those.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Final, NamedTuple

_READ: Final = date(2026, 11, 25)
_SHOWN: Final = 63
_DELETE: Final = 127


class TagViolation(NamedTuple):
    """What a cloud rejects about tags."""

    key: str | None
    """The tag; `None` if it is the number of tags."""
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class TagLimits:
    """What a cloud accepts as the tags of one resource."""

    cloud: str
    """Who rejects them, in sentences."""
    source: str
    day: date
    most: int
    """Number of tags."""
    longest_key: int
    longest_value: int
    refused: str
    """Characters that a key must not have, apart from control characters."""
    reserved: tuple[str, ...]
    """Beginnings of keys that the cloud reserves for itself, in any case."""
    ignores_case: bool
    """Keys that differ only in case are the same key."""

    def violations(self, tags: Mapping[str, str], inherited: Mapping[str, str] = MappingProxyType({})) -> Iterator[TagViolation]:
        """What is wrong with `tags`, on a resource that also gets the `inherited` ones, as far as `tags` are the reason."""
        for key, value in tags.items():
            yield from self._of_key(key)
            if len(value) > self.longest_value:
                message = f"The value of the tag `{_short(key)}` has {len(value):,} characters: {self.cloud} accepts at most {self.longest_value}"
                yield TagViolation(key, message, f"Use at most {self.longest_value} characters")
        yield from self._repeated(tags, inherited)
        number, others = len({self._folded(key) for key in (*inherited, *tags)}), len({self._folded(key) for key in inherited})
        if number > self.most >= others:
            added = f", {others} of them from elsewhere" if others else ""
            yield TagViolation(
                None, f"{number} tags on one resource{added}: {self.cloud} accepts at most {self.most}", f"Remove {number - self.most} tags"
            )

    def reserved_prefix(self, key: str) -> str | None:
        """The reserved beginning of a key, if it has one."""
        return next((prefix for prefix in self.reserved if key.lower().startswith(prefix)), None)

    def _of_key(self, key: str) -> Iterator[TagViolation]:
        if not key.strip():
            yield TagViolation(key, f"{self.cloud} rejects a tag without a key", "Give the tag a key, or remove it")
        if len(key) > self.longest_key:
            message = f"The key of the tag `{_short(key)}` has {len(key):,} characters: {self.cloud} accepts at most {self.longest_key}"
            yield TagViolation(key, message, f"Use at most {self.longest_key} characters")
        found = [letter for letter in self.refused if letter in key]
        if found or any(letter < " " or ord(letter) == _DELETE for letter in key):
            what = " and ".join(f"`{letter}`" for letter in found) if found else "control characters"
            message = f"{self.cloud} rejects the key of the tag `{_short(key)}`: it must not contain {what}"
            yield TagViolation(key, message, f"Use a key without {what}")

    def _repeated(self, tags: Mapping[str, str], inherited: Mapping[str, str]) -> Iterator[TagViolation]:
        """Keys that are spelled in two ways."""
        first = {self._folded(key): key for key in inherited}
        for key in tags:
            other = first.setdefault(self._folded(key), key)
            if other != key:
                message = (
                    f"`{_short(other)}` and `{_short(key)}` are the same key to {self.cloud}, which ignores case: it rejects both on one resource"
                )
                yield TagViolation(key, message, f"Remove one of them, or spell it `{_short(other)}`")

    def _folded(self, key: str) -> str:
        return key.lower() if self.ignores_case else key


AZURE_TAGS: Final = TagLimits(
    cloud="Azure Resource Manager",
    source="https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations",
    day=_READ,
    most=50,
    longest_key=512,
    longest_value=256,
    refused="<>%&\\?/",
    reserved=("microsoft", "azure", "windows"),
    ignores_case=True,
)
AZURE_NODE_TAGS: Final = replace(AZURE_TAGS, refused=AZURE_TAGS.refused.replace("/", ""))
"""Tags of an AKSNodeClass: Karpenter writes `/` in a key as `_` (karpenter-provider-azure 1.14, pkg/providers/launchtemplate)."""


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
