"""Where the upgrade of a running cluster is, as text."""

from collections.abc import Iterator, Sequence
from typing import Final

from nodepools.upgrades.progress import PoolProgress, Progress

_SHOWN: Final = 3


def progress_lines(progress: Progress) -> Iterator[str]:
    """The state of the control plane and of each pool, what holds it, what to do next, and how to stop."""
    running = progress.control_plane if progress.control_plane else "of unknown version"
    yield f"now: control plane {running}"
    yield from (f"  {_pool(pool)}" for pool in progress.pools if pool.state or pool.nodes)
    yield from (f"note: {note}" for note in progress.notes)
    for hold in progress.holds:
        yield f"{'held by' if hold.is_draining else 'later held by'}: {hold.message} (node{'s' * (len(hold.nodes) != 1)} {_listed(hold.nodes)})"
        if not hold.is_draining:
            yield f"  change it: `{hold.command}`"
    yield from (f"next: {text}" for text in progress.next)
    yield from (f"stop: {text}" for text in progress.stop)
    yield f"return: {progress.way_back}"


def _pool(pool: PoolProgress) -> str:
    state = f" ({pool.state})" if pool.state else ""
    groups = ((f"at {pool.version}", pool.finished), ("draining", pool.draining), ("quarantined", pool.quarantined), ("untouched", pool.untouched))
    parts = "; ".join(f"{len(names)} {what} ({_listed(names)})" for what, names in groups if names)
    images = ", ".join(f"{image} ({count})" for image, count in pool.images.items())
    return f"{pool.name}{state}: {parts if parts else 'no nodes in the exports'}" + (f"; images {images}" if len(pool.images) > 1 else "")


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
