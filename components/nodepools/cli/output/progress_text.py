"""Where the upgrade of a running cluster is, as text."""

from collections.abc import Iterator
from typing import Final

from nodepools.model.listing import listed
from nodepools.upgrades.progress import PoolProgress, Progress

_SHOWN: Final = 3


def progress_lines(progress: Progress) -> Iterator[str]:
    """The state of the control plane and of each pool, what blocks it, what to do next, how to stop, and what can be undone."""
    yield f"now: control plane {_control_plane(progress)}"
    yield from (f"  {_pool(pool)}" for pool in progress.pools if pool.state or pool.nodes)
    yield from (f"note: {note}" for note in progress.notes)
    for hold in progress.holds:
        nodes = f"node{'s' * (len(hold.nodes) != 1)} {listed(hold.nodes, _SHOWN)}"
        yield f"{'blocked by' if hold.is_draining else 'later blocked by'}: {hold.message} ({nodes})"
        if not hold.is_draining:
            yield f"  to change it: `{hold.command}`"
    yield from (f"{'then' if number else 'next'}: {text}" for number, text in enumerate(progress.next))
    yield from (f"to stop: {text}" for text in progress.stop)
    yield f"to undo: {progress.way_back}"


def _control_plane(progress: Progress) -> str:
    if progress.control_plane:
        return progress.control_plane
    return f"{progress.least_control_plane} or newer" if progress.least_control_plane else "not in the exports"


def _pool(pool: PoolProgress) -> str:
    state = f" (`{pool.state}`)" if pool.state else ""
    groups = ((f"at {pool.version}", pool.finished), ("draining", pool.draining), ("quarantined", pool.quarantined), ("untouched", pool.untouched))
    parts = "; ".join(f"{len(names)} {what} ({listed(names, _SHOWN)})" for what, names in groups if names)
    images = ", ".join(f"{image} ({count})" for image, count in pool.images.items())
    several = f"; node images: {images}" if len(pool.images) > 1 else ""
    count = f"{pool.nodes} node{'s' * (pool.nodes != 1)}: {parts}" if parts else "no nodes in the exports"
    return f"pool `{pool.name}`{state}: {count}{several}"
