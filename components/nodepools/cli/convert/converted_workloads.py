"""The pools of workloads before and after a conversion: no pod loses its pool unnoticed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nodepools.cli.inputs.workload_side import Side, listed_pools
from nodepools.conversion.converted import Converted
from nodepools.conversion.labels import selected_groups
from nodepools.manifests.existing.existing_pools import pools_of
from nodepools.manifests.manifest_objects import ManifestObject
from nodepools.manifests.workloads import checked, workloads_of
from nodepools.placement.cluster_pools import ClusterPools
from nodepools.placement.workloads.objects import KINDS, WorkloadObjects, read_workload_objects
from nodepools.placement.workloads.warnings import WarningKind
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.limits import TextError
from nodepools.replicas.explained import explain_replicas

_NODE: Final = "Node"
_NO_VOLUMES: Final = "which cannot mount its volumes"
_SHOWN: Final = 4
"""Pools in a line of the table."""
Failed = Callable[[TextError], None]


@dataclass(frozen=True, slots=True)
class Moved:
    """A workload before and after the conversion."""

    workload: Workload
    old: Side
    new: Side
    groups: tuple[str, ...]
    """The node groups or agent pools that its pods require before."""
    left: tuple[str, ...]
    """Those that they still require after it."""
    accepted: str | None = None
    """Why it may lose its pool."""

    @property
    def key(self) -> str:
        """How `--accept` names it."""
        return f"{self.workload.kind}/{self.workload.name}"

    @property
    def loses(self) -> bool:
        """Its pods had a pool, and can use none any more; or fewer of them can run than before."""
        return self.had_pool and (bool(self.left) or not self.new.possible or self._runs_fewer or self.cannot_mount)

    @property
    def had_pool(self) -> bool:
        """Its pods fit a pool of the input, may fit one, or require node groups or agent pools."""
        return bool(self.old.possible or self.groups)

    @property
    def cannot_mount(self) -> bool:
        """Its pods fit the new nodes, which cannot mount their volumes."""
        return bool(self.new.possible) and _has_foreign_volume(self.new) and not _has_foreign_volume(self.old)

    @property
    def had_none(self) -> bool:
        """No pool runs its pods, before and after: they can run on one that is not in the input."""
        return not self.had_pool and not self.new.possible

    @property
    def fails(self) -> bool:
        """It loses its pool, and that is not accepted."""
        return self.loses and self.accepted is None

    @property
    def _runs_fewer(self) -> bool:
        if self.old.found is None or self.new.found is None:
            return False
        most = self.new.found.count.scheduled.maximum
        return most is not None and most < self.old.found.count.scheduled.minimum

    @property
    def before(self) -> str:
        """The pools before."""
        return ", ".join(self.groups) if self.groups else _shown(self.old)

    @property
    def after(self) -> str:
        """The pools after it."""
        volumes = f", {_NO_VOLUMES}" if self.cannot_mount else ""
        pools = f"no NodePool for {', '.join(self.left)}" if self.left else _shown(self.new)
        return f"{pools}{volumes}{f' (accepted: {self.accepted})' if self.loses and self.accepted is not None else ''}"

    @property
    def replicas(self) -> str:
        """How many replicas can run, if that changes."""
        changes = self.old.possible and not self.groups and self.old.replicas != self.new.replicas
        return f"{self.old.replicas} → {self.new.replicas}" if changes else ""

    def to_json(self) -> dict[str, object]:
        """The workload as JSON data."""
        workload = self.workload
        return {
            "kind": workload.kind,
            "name": workload.name,
            "namespace": workload.namespace,
            "groups": list(self.groups),
            "old": self.old.to_json(),
            "new": self.new.to_json(),
            "loses_pool": self.loses,
            "accepted": self.accepted,
        }


def moved(found: Sequence[ManifestObject], converted: Sequence[Converted], exported: ClusterPools, failed: Failed) -> list[Moved]:
    """Each workload that is not software that the target includes; `failed` gets the errors of objects that are not valid.

    The pools in exports are there before, and of them only NodePools stay whose cloud is that of a converted one.
    """
    after = [replace(one, raw=result.new) for one, result in zip(found, converted, strict=True)]
    pools = _before(_pools(found, failed), exported), _after(_pools([one for one in after if one.kind != _NODE], _ignored), exported)
    if not any(each.static or each.provisioned for each in pools):
        return []
    kept = [old for old, new in zip(found, after, strict=True) if old.name != new.name]  # classes of volumes that exist stay
    objects = [_objects(found, failed), _objects([*kept, *after], _ignored)]
    pairs: list[tuple[Workload, Workload, Converted]] = []
    for old, new, result in zip(found, after, converted, strict=True):
        try:
            workloads = () if result.included else tuple(zip(workloads_of(old), workloads_of(new), strict=True))
        except TextError as error:
            failed(error)
        else:
            pairs.extend((own, other, result) for own, other in workloads)
    olds = explain_replicas([pair[0] for pair in pairs], [pools[0]], objects[0])
    news = explain_replicas([pair[1] for pair in pairs], [pools[1]], objects[1])
    return [
        Moved(own, Side(old), Side(new), selected_groups(result.old), selected_groups(result.new))
        for (own, _, result), old, new in zip(pairs, olds, news, strict=True)
    ]


def _has_foreign_volume(side: Side) -> bool:
    warnings = side.found.answer.warnings if side.found is not None else ()
    return any(warning.kind is WarningKind.VOLUME_DRIVER for warning in warnings)


def _shown(side: Side) -> str:
    """The first pools that the pods fit."""
    return listed_pools(side, _SHOWN)


def _before(pools: ClusterPools, exported: ClusterPools) -> ClusterPools:
    """The pools of the files and of exports; a NodePool that is in both is that of the files."""
    names = {pool.address for pool in pools.provisioned}
    others = (pool for pool in exported.provisioned if pool.address not in names)
    unsure = {**exported.unsure, **pools.unsure}
    return replace(exported, static=(*pools.static, *exported.static), provisioned=(*pools.provisioned, *others), unsure=unsure)


def _after(pools: ClusterPools, exported: ClusterPools) -> ClusterPools:
    """The pools of the output, and NodePools of the same cloud that run already."""
    names, clouds = {pool.address for pool in pools.provisioned}, {pool.cloud.name for pool in pools.provisioned}
    others = (pool for pool in exported.provisioned if pool.address not in names and pool.cloud.name in clouds)
    return replace(pools, provisioned=(*pools.provisioned, *others), unsure={**exported.unsure, **pools.unsure})


def _pools(found: Iterable[ManifestObject], failed: Failed) -> ClusterPools:
    return pools_of(found, failed)


def _ignored(_: TextError) -> None:
    """Findings of the check say the same."""


def _objects(found: Iterable[ManifestObject], failed: Failed) -> WorkloadObjects:
    read: list[ManifestObject] = []
    for one in found:
        if one.kind in KINDS:
            try:
                checked(one)
            except TextError as error:
                failed(error)
            else:
                read.append(one)
    return read_workload_objects([one.raw for one in read])
