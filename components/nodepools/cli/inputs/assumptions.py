"""Notes about objects that are read as more than they say, and about those that are not read."""

from collections.abc import Container, Iterable, Iterator

from nodepools.cli.command_run import CommandRun
from nodepools.cli.problem import Problem
from nodepools.manifests.manifest_objects import POOLS_AND_CLASSES, unread_kinds
from nodepools.model.steps import mapping, sequence
from nodepools.placement.node_pools import ClusterPools


def note_assumptions(pools: ClusterPools, run: CommandRun) -> None:
    """Adds how NodePools were read that the API server does not accept as they are, except the reason why one is unknown, which is in the answer."""
    run.notes.extend(Problem(f"NodePool/{pool.name}", assumed) for pool in pools.provisioned for assumed in (*pool.assumed, *pool.unread[1:]))


def note_unread(found: Iterable[tuple[str, str]], run: CommandRun, read: Container[str] = POOLS_AND_CLASSES) -> None:
    """Adds which kinds of Karpenter's groups are among objects, given with their API version and kind, and not in `read`."""
    kinds = unread_kinds(found, read)
    note = Problem("", f"not read: {', '.join(kinds)}")
    run.notes.extend([note] if kinds and note not in run.notes else [])


def types_in(value: object) -> Iterator[tuple[str, str]]:
    """API version and kind of the object in a document, or of the items of a list."""
    raw = mapping(value)
    listed = map(mapping, sequence(raw.get("items"))) if "items" in raw else [raw]
    yield from ((str(one.get("apiVersion")), str(one.get("kind"))) for one in listed)
