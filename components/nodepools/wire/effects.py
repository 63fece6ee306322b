"""The effect of a change of a field on nodes, with its source."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple


class Effect(Enum):
    """The effect of a change, from harmless to severe."""

    NONE = "none"
    """Nothing is sent: the cloud does not have the field."""
    IGNORED = "ignored"
    """Pulumi or the cloud keeps the old value."""
    CREATES = "creates"
    """Pulumi creates a resource."""
    IN_PLACE = "in_place"
    """The cloud updates the resource; nodes stay."""
    IN_PLACE_LATER = "in_place_later"
    """The change takes effect on nodes at their next image upgrade."""
    IN_PLACE_PODS = "in_place_pods"
    """Nodes stay; running pods are evicted, or lose what they use."""
    REIMAGES = "reimages"
    """Nodes are drained and reimaged in batches."""
    ROTATES = "rotates"
    """A pool under a new name is created, then the old one is deleted."""
    ROLLS_SOME = "rolls_some"
    """Karpenter replaces the nodes that no longer meet the requirements."""
    ROLLS = "rolls"
    """Karpenter replaces every node."""
    DELETES = "deletes"
    """Pulumi deletes a resource."""
    REMOVES_NODES = "removes_nodes"
    """Nodes are removed, and no budget limits how many at a time."""
    REPLACES = "replaces"
    """Pulumi deletes the resource and creates it again."""
    REFUSED = "refused"
    """The cloud rejects the change."""
    UNKNOWN = "unknown"
    """No source documents it, or sources disagree."""

    @property
    def severity(self) -> int:
        """A higher number for a more severe effect."""
        return _SEVERITY[self]

    def __le__(self, other: "Effect | str") -> bool:
        """Compares by severity, also with the name of an effect: `effect <= "rolls"`.

        Raises:
            ValueError: there is no effect of that name.
        """
        return self.severity <= Effect(other).severity

    def __lt__(self, other: "Effect | str") -> bool:
        return self.severity < Effect(other).severity

    def __ge__(self, other: "Effect | str") -> bool:
        return not self < other

    def __gt__(self, other: "Effect | str") -> bool:
        return not self <= other


DRAINING: Final = (Effect.REIMAGES, Effect.ROLLS, Effect.ROLLS_SOME)
"""Effects for which nodes are drained, and replaced one after another."""
_SEVERITY: Final = {effect: number for number, effect in enumerate(Effect)}


class Change(NamedTuple):
    """The effect of a change of one field."""

    effect: Effect
    source: str
    """Where the effect is documented."""
    on: Mapping[str, Effect] = MappingProxyType({})
    """Classes of the model on which the effect differs."""
    ignored_with: str = ""
    """A field of the same part. While it is set, Pulumi ignores changes of this field."""
    ignored: bool = False
    """Pulumi always ignores changes: the field is sent only at creation."""
    kept: bool = False
    """The cloud keeps the last value when the field is no longer sent."""
    refused: str = ""
    """Why the cloud rejects a change, and what to do instead, if it rejects any."""

    def of(self, kind: str) -> Effect:
        """The effect on a class of the model."""
        return self.on.get(kind, self.effect)


def worst(effects: "list[Effect]", otherwise: Effect) -> Effect:
    """The worst of `effects`; `otherwise` if there are none."""
    return max(effects, key=lambda effect: effect.severity, default=otherwise)
