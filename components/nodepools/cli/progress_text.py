"""Where the upgrade of a running cluster is, as text."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.listing import listed
from nodepools.upgrades.progress import PoolProgress, Progress

_SHOWN: Final = 3


def progress_lines(progress: Progress) -> Iterator[str]:
    """The state of the control plane and of each pool, what holds it, what to do next, and how to stop."""
    running = progress.control_plane if progress.control_plane else "of unknown version"
    yield f"now: control plane {running}"
    yield from (f"  {_pool(pool)}" for pool in progress.pools if pool.state or pool.nodes)
    yield from (f"note: {note}" for note in progress.notes)
    for hold in progress.holds:
        nodes = f"node{'s' * (len(hold.nodes) != 1)} {listed(hold.nodes, _SHOWN)}"
        yield f"{'held by' if hold.is_draining else 'later held by'}: {hold.message} ({nodes})"
        if not hold.is_draining:
            yield f"  change it: `{hold.command}`"
    yield from (f"next: {text}" for text in progress.next)
    yield from (f"stop: {text}" for text in progress.stop)
    yield f"return: {progress.way_back}"


def _pool(pool: PoolProgress) -> str:
    state = f" ({pool.state})" if pool.state else ""
    groups = ((f"at {pool.version}", pool.finished), ("draining", pool.draining), ("quarantined", pool.quarantined), ("untouched", pool.untouched))
    parts = "; ".join(f"{len(names)} {what} ({listed(names, _SHOWN)})" for what, names in groups if names)
    images = ", ".join(f"{image} ({count})" for image, count in pool.images.items())
    return f"{pool.name}{state}: {parts if parts else 'no nodes in the exports'}" + (f"; images {images}" if len(pool.images) > 1 else "")
