"""`--existing` without a declaration: one cluster, in files that kubectl, `az` and `aws` print. Each is recognized by its content."""

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from nodepools.cli.command_run import CommandRun
from nodepools.cli.inputs.assumptions import note_assumptions, note_unread
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.input_files import CLUSTER_FOLDER, InputFiles, exports, shown
from nodepools.cli.problem import InputError, Problem
from nodepools.data.karpenter_releases import CLAIMS, KarpenterRelease
from nodepools.loading import UnreadableError
from nodepools.manifests.existing.existing_pools import NO_POOL, ExistingCluster, read_existing
from nodepools.manifests.manifest_objects import POOLS_AND_CLASSES, ManifestObject
from nodepools.model.values import dataclass, field, replace
from nodepools.placement.existing_nodes import several_clusters
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.workloads.own_pods import Owner
from nodepools.reading.bounded_input import TextError
from nodepools.reading.yaml_documents import Document, Readable
from nodepools.wire.karpenter import EC2_NODE_CLASS

if TYPE_CHECKING:
    from nodepools.cli.existing.cloud_exports import ExistingQuotas


@dataclass(frozen=True, slots=True)
class StockFiles:
    """Usage, quotas and subnets among the files."""

    found: "list[tuple[ExistingQuotas, str]]" = field(default_factory=list["tuple[ExistingQuotas, str]"])
    """With their files."""

    def take(self, document: Document, file: str) -> bool:
        """Takes a document; false if it is something else."""
        from nodepools.cli.existing.cloud_exports import stock_in  # only exports of the clouds need it

        stock = stock_in(document.value)
        self.found.extend([(stock, file)] if stock else [])
        return bool(stock) or document.value == []


def read_cluster(
    inputs: InputFiles,
    run: CommandRun,
    explained: Collection[Owner] = frozenset(),
    *,
    karpenter: KarpenterRelease | None = None,
    stock: StockFiles | None = None,
    needs_pool: bool = True,
    running: list[ManifestObject] | None = None,
) -> ExistingCluster:
    """What the files contain about one cluster; `running` gets what runs. What cannot be read is a problem of `run`.

    Raises:
        UnreadableError: the files are about several clusters, or there is no pool.
        InputError: there is no pool that can be read.
    """

    def failed(error: TextError) -> None:
        run.problems.append(Problem.of(str(error)))

    lacks = frozenset[str]() if karpenter is None else karpenter.newer_labels
    quotas = stock if stock is not None else StockFiles()
    found = read_existing(opened_exports(inputs, run, failed), failed, explained, lacks=lacks, foreign=quotas.take, running=running)
    if differing := (*several_clusters(found.nodes.static), *found.twice):
        raise UnreadableError(f"--existing: {differing[0]}")
    run.notes.extend(Problem(file, what) for file, what in found.unused)
    if karpenter is not None and karpenter.number < CLAIMS and found.nodes.static:  # nodes that run are pools of their own
        claims = f"Karpenter {karpenter.version} launches no node for it"
        own = [pool for pool in found.nodes.provisioned if pool.cloud.class_label.startswith(EC2_NODE_CLASS.group) and pool.pool.replicas is None]
        without = [
            replace(pool, cloud=replace(pool.cloud, name=f"{pool.cloud.name}, {claims}", claims=claims)) if pool in own else pool
            for pool in found.nodes.provisioned
        ]
        found = replace(found, nodes=replace(found.nodes, provisioned=tuple(without)))
    note_assumptions(found.nodes, run)
    note_unread(found.types, run, POOLS_AND_CLASSES | {"NodeOverlay", "NodeClaim"})
    if needs_pool and not found.all_pools.static and not found.all_pools.provisioned:
        if run.problems:
            raise InputError  # they say why
        given = "--context" if all(path.parts[:1] == (CLUSTER_FOLDER,) for path in inputs.paths) else "--existing"
        raise UnreadableError(f"{given}: {NO_POOL}: add them, or name what is declared, with `--stack NAME`")
    return found


def existing_pools(inputs: InputFiles, run: CommandRun) -> ClusterPools:
    """The pools of the cluster, whatever runs on its nodes. It raises what `read_cluster` raises."""
    return read_cluster(inputs, run).all_pools


def opened_exports(inputs: InputFiles, run: CommandRun, failed: Callable[[TextError], None]) -> Iterator[tuple[Readable, str]]:
    """Yields each file with its name. It is open until the caller takes the next one."""
    for path in files(inputs, run):
        try:
            with exports(path, run) as found:
                yield found, shown(path)
        except TextError as error:
            failed(error)
