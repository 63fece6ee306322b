"""`nodepools preview --since`: what the plan changes in a state or in an older plan."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nodepools.changes.change import Change
from nodepools.changes.platform_changes import Changes, request_set_changes
from nodepools.changes.request import AGENT_POOL, Requests
from nodepools.cli.command_run import CommandRun
from nodepools.cli.diff_files import file_side
from nodepools.cli.diff_text import change_lines
from nodepools.cli.exit_codes import usage_error
from nodepools.engine.plan import Plan
from nodepools.resources.plan_requests import plan_requests
from nodepools.resources.resource import of_plan
from nodepools.wire.effects import Effect


@dataclass(frozen=True, slots=True)
class Since:
    """A state, or an older plan."""

    title: str
    requests: Requests

    def changes(self, plan: Plan) -> Changes:
        """What `plan` changes."""
        return request_set_changes(self.requests, plan_requests(of_plan(plan.resources)).requests)


def read_since(path: Path, run: CommandRun) -> Since:
    """Reads a state or a plan.

    Raises:
        UnreadableError: it cannot be read.
        InputError: it is something else.
    """
    side = file_side(path, run)
    if not side.is_recorded:
        usage_error(f"{path}: `--since` must be a state (`pulumi stack export`) or a plan (`nodepools preview --format json`)")
    [part] = side.parts.values()
    return Since(side.title, part.requests)


def since_json(changes: Changes) -> dict[str, object]:
    """The changes in the shape of `nodepools diff`."""
    return {
        "changes": [change.to_json() for change in changes.all],
        "order": [list(wave) for wave in changes.order],
        "summary": dict(changes.summary),
        "previous": [change.at for change in _rotations(changes)],
    }


def since_lines(since: Since, changes: Changes) -> Iterator[str]:
    """The changes for people, and how to keep the old generation of a pool that rotates."""
    yield f"Changes since {since.title}:"
    yield from (f"  {line}" for line in change_lines(changes.all)) if changes.all else ("  none",)
    yield from (f"  {number}. {', '.join(wave)}" for number, wave in enumerate(changes.order, 1))
    for change in _rotations(changes):
        yield (
            f"{change.at} rotates: `pulumi up` deletes the old pool as soon as the new one exists. "
            f"To move pods first, set `previous` of the pool to its old declaration, and remove it later"
        )


def _rotations(changes: Changes) -> list[Change]:
    """One change of each agent pool that rotates, and whose old generation Pulumi deletes."""
    found = [change for change in changes.all if change.effect is Effect.ROTATES and change.resource.type == AGENT_POOL and change.pace is not None]
    return list({change.at: change for change in found}.values())
