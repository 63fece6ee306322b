"""The share of the nodes of declared clusters that `nodepools capacity` covers, if node groups of others are next to them."""

from collections.abc import Iterable, Sequence

from nodepools.cli.command_run import CommandRun
from nodepools.cli.export_document import ExportedNode
from nodepools.cli.problem import Problem
from nodepools.model.platform import Platform
from nodepools.needs.platform_capacity import counted_groups
from nodepools.needs.stock import Observed
from nodepools.placement.cloud_labels import NODE_GROUP
from nodepools.placement.coverage import Coverage


def note_share(nodes: Iterable[ExportedNode], platforms: Sequence[Platform], observed: Observed, run: CommandRun) -> None:
    """Adds notes, unless there are no node groups. Nodes without their label are those of the declaration."""
    counted = counted_groups(platforms, observed)
    for name in sorted({group.cluster for group in observed.groups} - {group.cluster for group in counted}):
        run.notes.append(Problem("--from", f"no declared cluster has the name `{name}` in AWS: its node groups are not counted"))
    running = [node.labels for node in nodes if not node.is_claim]
    named = [labels[NODE_GROUP] for labels in running if NODE_GROUP in labels]
    if counted or named:
        lost = len([name for name in named if name not in {group.name for group in counted}])
        share = Coverage.with_declared(len(running), lost, sum(group.desired for group in counted))
        run.notes.append(Problem("--from", f"{share}"))
