"""The NodePools of manifests, for the calendar of `nodepools windows`."""

from collections.abc import Iterable, Iterator
from typing import Final

from nodepools.cli.command_run import CommandRun
from nodepools.cli.exclusion import Inputs
from nodepools.cli.file_search import files
from nodepools.cli.input_files import source
from nodepools.cli.manifest_checks import Exports, without_objects
from nodepools.cli.problem import Problem
from nodepools.manifests.live_node_pools import read_node_pool
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.object_list import listed_objects
from nodepools.manifests.object_reader import UnreadableObjectError
from nodepools.model.karpenter import NodePool
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.reading.limits import LISTED_MIB, TextError
from nodepools.reading.selection import EVERYTHING, Selection
from nodepools.rules.finding import Finding, Severity

_POOL: Final = "NodePool"
_BUDGETS: Final = "spec.disruption.budgets"
_KIND: Final = Selection.only("apiVersion", "kind")


def pools_in(inputs: Inputs, run: CommandRun) -> tuple[list[tuple[str, NodePool]], tuple[Finding, ...]]:
    """Returns the valid NodePools by name, and the errors in their budgets. The nodes next to them are skipped: there can be thousands."""
    found: list[ManifestObject] = []
    before, exports = (len(run.problems), len(run.notes)), Exports(run)
    for file in files(inputs, run):
        try:
            with source(file, LISTED_MIB) as opened:
                found.extend(listed_objects(opened, str(file), _of_pools, exports.take))
        except TextError as error:
            run.problems.append(Problem.of(str(error), str(file)))
    if not found and (len(run.problems), len(run.notes)) == before:
        run.problems.append(without_objects(inputs))
    written = [one for one in found if one.kind == _POOL]
    findings = check_objects(written).findings
    errors = [finding for finding in findings if finding.severity is Severity.ERROR and finding.path.startswith(_BUDGETS)]
    return list(_read(written, run)), tuple(errors)


def _read(written: Iterable[ManifestObject], run: CommandRun) -> Iterator[tuple[str, NodePool]]:
    for one in written:
        try:
            read = read_node_pool(one.raw)
        except (PodError, UnreadableObjectError):
            message = f"the NodePool `{one.name}` is invalid or not supported: run `nodepools check {one.file}`"
            run.problems.append(Problem(one.file, message))
        else:
            run.notes.extend(Problem(f"NodePool/{read.name}", note) for note in read.notes)
            yield read.name, read.pool


def _of_pools(kind: str) -> Selection:
    return EVERYTHING if not kind or kind == _POOL or kind.endswith("List") else _KIND
