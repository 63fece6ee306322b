"""Rows that the tables of all Kubernetes objects have in common."""

from typing import Final

from nodepools.wire.effects import Change, Effect
from nodepools.wire.unmodeled import Note

OBJECT_SETTINGS: Final = (
    Note("ours", "timeouts", Change(Effect.NONE, "not sent"), "how long Pulumi waits"),
    Note("ours", "overrides", Change(Effect.UNKNOWN, "the effect of the field that it replaces"), "replace fields of the finished `spec`"),
)
"""Fields about an object that are not fields of its `spec`."""
