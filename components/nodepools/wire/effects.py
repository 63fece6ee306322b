"""What a change of a field does to nodes, and who says so."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple


class Effect(Enum):
    """What a change does; the later in this list, the worse."""

    NONE = "none"
    """Nothing is sent: the field is ours alone."""
    IN_PLACE = "in_place"
    """The cloud changes the resource and touches no node."""
    IN_PLACE_LATER = "in_place_later"
    """Nodes take the change at their next image upgrade."""
    IN_PLACE_PODS = "in_place_pods"
    """Nodes stay; pods are evicted."""
    REIMAGES = "reimages"
    """Nodes are drained and reimaged, one batch after another."""
    ROTATES = "rotates"
    """A pool of another name is created, and then the old one is deleted."""
    ROLLS = "rolls"
    """Karpenter replaces every node."""
    ROLLS_SOME = "rolls_some"
    """Karpenter replaces the nodes that no longer meet the requirements."""
    REMOVES_NODES = "removes_nodes"
    """Nodes are removed, and none replaces them."""
    REPLACES = "replaces"
    """Pulumi deletes the resource and creates it again."""
    REFUSED = "refused"
    """The cloud rejects the change."""
    UNKNOWN = "unknown"
    """No source says, or two disagree."""


_SEVERITY: Final = {effect: number for number, effect in enumerate(Effect)}


class Change(NamedTuple):
    """What a change of one field does."""

    effect: Effect
    source: str
    """Where that is documented."""
    on: Mapping[str, Effect] = MappingProxyType({})
    """The effect on classes of the model where it is another."""
    ignored_with: str = ""
    """A field of the same part: while it is set, Pulumi ignores changes of this one."""
    ignored: bool = False
    """Pulumi always ignores changes: it is sent when the resource is created."""
    kept: bool = False
    """The cloud keeps the last value when the field is no longer sent."""

    def of(self, kind: str) -> Effect:
        """The effect on a class of the model."""
        return self.on.get(kind, self.effect)


def worst(effects: "list[Effect]", otherwise: Effect) -> Effect:
    """The worst of `effects`; `otherwise` where there are none."""
    return max(effects, key=_SEVERITY.__getitem__, default=otherwise)
