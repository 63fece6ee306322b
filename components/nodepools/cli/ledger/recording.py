"""`--record`: what a change or an upgrade is predicted to do to nodes, next to what runs now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Final

from nodepools.adoption.cluster_identity import Place
from nodepools.changes.nodes import first_pool, nodes_now, pools_of
from nodepools.changes.platform_changes import Changes, requests_of
from nodepools.cli.command_run import CommandRun
from nodepools.cli.existing.cloud_exports import ExportDocument, read_exports_and_nodes
from nodepools.cli.inputs.git_worktree import head_of
from nodepools.cli.inputs.input_files import STDIN, InputFiles
from nodepools.cli.output.report import typed
from nodepools.cli.problem import Problem, usage_error
from nodepools.cli.written_file import write_file
from nodepools.clouds.amounts import Amount
from nodepools.clouds.change import CLUSTER, Change, written_value
from nodepools.clouds.registry import cloud_of
from nodepools.ledger.observation import KINDS, Observation
from nodepools.ledger.record import Bounds, ClusterPrediction, LostPool, PoolPrediction, Record, declaration_hash
from nodepools.model.listing import listed
from nodepools.model.platform import AnyCluster, Platform
from nodepools.model.steps import mapping
from nodepools.model.values import dataclass
from nodepools.reading.yaml_documents import Document
from nodepools.upgrades.cluster_upgrade import ClusterUpgrade
from nodepools.wire.table import Effect

NAMED: Final = 3
"""Names that a sentence has."""
_UNSEEN: Final = "the record has no nodes of it, so a comparison can prove less: add `--existing PATH` or `--context NAME`"
EXPORTS: Final = "the output of `kubectl get nodes,nodeclaims,pods,events -A -o yaml`"
Observations = Mapping[Place, Observation]


@dataclass(frozen=True, slots=True)
class Recorded:
    """Where a record is written, and what it says about its declaration."""

    file: Path
    options: str
    """The options that name the declaration."""
    declared: Sequence[Path]
    """Its files, or the folder of its program."""
    existing: InputFiles | None = None
    read: Sequence[Path] = ()
    """The inputs, which are not written over."""

    def __post_init__(self) -> None:
        """Checks that the exports can be read again: the command itself reads them, too.

        Raises:
            InputError: they are stdin.
        """
        if self.existing is not None and any(str(path) == STDIN for path in self.existing.paths):
            usage_error("`--record` reads exports a second time: use files instead of stdin")

    def seen(self, platforms: Sequence[Platform], run: CommandRun) -> Observations:
        """The nodes of now; why those of a cluster are not known is a note of `run`."""
        found = observations(self.existing, platforms, run)
        run.notes.extend(Problem(cluster, one.why_not_whole) for (_, cluster), one in found.items() if one.why_not_whole)
        return found

    @property
    def commit(self) -> str | None:
        """The commit that the declaration is based on."""
        return head_of(self.declared)

    def write(self, record: Record, run: CommandRun) -> None:
        """Writes the record, unless something could not be read: the prediction would not be complete."""
        if run.problems:
            run.problems.append(Problem(str(self.file), "not written: correct the other errors first"))
            return
        write_file(self.file, record.text(), self.read)
        unseen = [cluster.cluster for cluster in record.clusters if cluster.nodes is None]
        run.notes.extend([Problem(listed(unseen, NAMED), _UNSEEN)] if unseen else [])
        again = f"nodepools compare {typed(self.file)} {self.options} --existing EXPORTS"
        run.notes.append(Problem(str(self.file), f"has the prediction; after the change: `{again}`"))


def observations(inputs: InputFiles | None, platforms: Sequence[Platform], run: CommandRun) -> Observations:
    """What exports show of each declared cluster, or without declarations. What cannot be read, or is of another cluster, is a problem of `run`."""
    if inputs is None:
        return {}
    found: dict[Place, Observation] = {}

    def more(document: Document, read: ExportDocument, file: str, owner: Place | None) -> bool:
        del document, file
        owner, is_list = owner if platforms else ("", ""), "items" in mapping(read.value)
        return owner is not None and found.setdefault(owner, Observation()).add(read.objects, is_list=is_list)

    read_exports_and_nodes(inputs, platforms, run, more, KINDS)
    return found


@dataclass(frozen=True, slots=True)
class DeclaredPools:
    """The pools of one declared cluster."""

    cloud: str
    declaration: AnyCluster
    stem: str
    labels: Mapping[str, Mapping[str, str]]
    """Of the nodes of each pool."""
    sizes: Mapping[str, Amount]

    @classmethod
    def of(cls, platform: Platform, key: str) -> "DeclaredPools":
        """Those of a cluster."""
        cluster, stem = platform.cluster(key), platform.stem(key)
        cloud, requests = cloud_of(cluster), requests_of(platform)
        sizes = {request.pool: nodes_now(request, requests) for request in pools_of(requests, key)}
        sizes |= {one.pool: nodes_now(one, requests) for one in requests.of(key, CLUSTER) if first_pool(one)}
        steps = cloud.upgrade(key, stem, cloud.pools(key, stem))
        return cls(cloud.row(key).cloud, cluster, stem, steps.pool_labels, sizes)

    def hash(self, *, with_version: bool) -> str:
        """The hash of the declaration."""
        return declaration_hash(written_value(self.declaration), self.stem, with_version=with_version)


@dataclass(slots=True)
class _Effect:
    """What happens to one pool."""

    effect: Effect = Effect.NONE
    nodes: Amount | None = None
    order: int | None = None
    bounded_minutes: int | None = None


def record_diff(
    wanted: Recorded,
    stacks: Iterable[tuple[str, Platform | None, Platform | None, Changes]],
    lost: Iterable[tuple[str, str]],
    run: CommandRun,
    *,
    commit: str | None,
) -> None:
    """Records the changes of stacks: each with its declarations before and afterwards. Clusters that only one of them has are not recorded.

    Raises:
        InputError: a side is not a declaration.
    """
    both: list[tuple[str, Platform, Platform, Changes]] = []
    for name, old, new, changes in stacks:
        if old is None or new is None:
            usage_error("`--record` needs two declarations: a plan, a state, manifests or exports do not say what a comparison needs")
        both.append((name, old, new, changes))
    seen = wanted.seen([old for _, old, _, _ in both], run)
    clusters: list[ClusterPrediction] = []
    for name, old, new, changes in both:
        shared = [key for key in new.clusters if key in old.clusters]
        others = sorted({*new.clusters, *old.clusters} - set(shared))
        run.notes.extend([Problem(name, f"not recorded, because it is created or deleted: {listed(others, NAMED)}")] if others else [])
        clusters += [_Sides(key, old, new).predicted(_of_changes(key, changes.all), seen.get((old.name, key))) for key in shared]
    told = Record(
        command="diff",
        recorded_at=_now(),
        library=version("nodepools"),
        commit=commit if commit is not None else wanted.commit,
        options=wanted.options,
        clusters=tuple(clusters),
        order=tuple(tuple(wave) for _, _, _, changes in both for wave in changes.order),
        lost=tuple(LostPool(workload=workload, cluster=cluster) for workload, cluster in lost),
    )
    wanted.write(told, run)


def record_upgrade(wanted: Recorded, plans: Iterable[tuple[Platform, ClusterUpgrade]], run: CommandRun) -> None:
    """Records the steps of upgrades. One that is blocked predicts nothing."""
    plans = list(plans)
    blocked = [plan.cluster for _, plan in plans if plan.verdict == "blocked"]
    if blocked:
        run.problems.append(Problem(str(wanted.file), f"not written, because the upgrade is blocked: {listed(blocked, NAMED)}"))
        return
    platforms = list({platform.name: platform for platform, _ in plans}.values())
    seen = wanted.seen(platforms, run)
    clusters = [
        _Sides(plan.cluster, platform, platform).predicted(_of_steps(plan), seen.get((platform.name, plan.cluster)), plan.new)
        for platform, plan in plans
    ]
    told = Record(
        command="upgrade", recorded_at=_now(), library=version("nodepools"), commit=wanted.commit, options=wanted.options, clusters=tuple(clusters)
    )
    wanted.write(told, run)


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class _Sides:
    """A cluster before and afterwards."""

    key: str
    old: Platform
    new: Platform

    def predicted(self, effects: Mapping[str, "_Effect"], seen: Observation | None, to: str = "") -> ClusterPrediction:
        """What happens in it; `to` is the version of an upgrade that is not declared yet."""
        had, gets = DeclaredPools.of(self.old, self.key), DeclaredPools.of(self.new, self.key)
        pools = tuple(_pools(had, gets, effects))
        entries = [(pool.pool, labels) for pool in pools for labels in (pool.before, pool.after) if labels is not None]
        return ClusterPrediction(
            stack=self.new.name,
            cluster=self.key,
            cloud=gets.cloud,
            declaration=gets.hash(with_version=not to),
            old_version=had.declaration.kubernetes_version,
            new_version=to if to else gets.declaration.kubernetes_version,
            pools=pools,
            nodes=seen.nodes(entries) if seen is not None and not seen.why_not_whole else None,
        )


def _pools(had: DeclaredPools, gets: DeclaredPools, effects: Mapping[str, "_Effect"]) -> Iterator[PoolPrediction]:
    whole = effects.get("", _Effect())
    for name in dict.fromkeys((*gets.labels, *had.labels)):
        one = effects.get(name, whole)
        before, after = had.labels.get(name), gets.labels.get(name)
        yield PoolPrediction(
            pool=name,
            effect=max(one.effect, whole.effect, key=lambda effect: effect.severity).value,
            nodes=_bounds(one.nodes) if one.nodes is not None else None,
            size=_bounds(had.sizes.get(name, Amount())) if before is not None else Bounds(maximum=0),
            order=one.order,
            bounded_minutes=one.bounded_minutes,
            before=before,
            after=after,
        )


def _bounds(one: Amount) -> Bounds:
    return Bounds(minimum=one.minimum, maximum=one.maximum)


_WHOLE: Final = (Effect.UNKNOWN, Effect.REFUSED)
"""Effects of a cluster that leave nothing to predict for its pools."""


def _of_changes(cluster: str, changes: Iterable[Change]) -> dict[str, _Effect]:
    """The worst effect on each pool; under the empty name what leaves open the whole cluster."""
    found: dict[str, _Effect] = {}
    for change in changes:
        if change.cluster != cluster:
            continue
        whole = [""] if change.effect in _WHOLE and change.pool is None else []
        own = [change.pool] if change.pool is not None and not change.pools else []
        for name in chain(whole, own, _names(cluster, change.pools)):
            one = found.setdefault(name, _Effect())
            if change.effect.severity > one.effect.severity:
                one.effect = change.effect
                one.nodes = change.nodes if name == change.pool else None
    return found


def _names(cluster: str, places: Iterable[str]) -> Iterator[str]:
    yield from (place.removeprefix(f"{cluster}/") for place in places)


def _of_steps(plan: ClusterUpgrade) -> dict[str, _Effect]:
    """What the steps do to each pool, all rounds together."""
    found: dict[str, _Effect] = {}
    for number, step in enumerate(plan.steps, 1):
        if step.what in ("control_plane", "add_on"):
            continue
        one = found.setdefault(step.name, _Effect(bounded_minutes=0, order=number))
        effect = Effect.REIMAGES if step.is_of_agent_pool else Effect.ROLLS
        one.effect = effect if step.nodes.maximum != 0 else one.effect
        one.nodes = Amount(step.nodes.minimum, step.nodes.maximum)
        minutes = one.bounded_minutes, step.bounded_minutes
        one.bounded_minutes = None if None in minutes else sum(each for each in minutes if each is not None)
    return found
