"""Reads agent pools that `az aks nodepool list` prints, as far as they decide where pods can run. Names are read without regard to case.

Source of the profiles: https://learn.microsoft.com/javascript/api/@azure/arm-containerservice/autoscaleprofile, 2026-11.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodepools.adoption.exports import Export, Kind
from nodepools.clouds.aks.exported_agent_pools import ExportedAgentPool
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, number, text, texts
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.plain_data import mapping as plain_mapping
from nodepools.model.plain_data import sequence

Raw = Mapping[str, object]
_DEALLOCATE: Final = "deallocate"
_DELETING: Final = "deleting"
_OWN_DISK: Final = "os"


@dataclass(frozen=True, slots=True)
class Written:
    """An agent pool of an export, before it is read."""

    name: str
    cluster: str
    raw: Raw
    source: str
    """The file."""

    def read(self) -> ExportedAgentPool:
        """The agent pool.

        Raises:
            PodError: a field is missing or invalid. The message names the file and the pool.
        """
        try:
            return agent_pool(self.name, self.cluster, self.raw)
        except PodError as wrong:
            raise PodError(f"{self.source}: agent pool `{self.name}`: {wrong}") from None


def agent_pools_in(found: Sequence[Export]) -> Iterator[Written]:
    """Agent pools of exports, each once: those that were listed, otherwise those that a cluster shows with itself."""
    listed = {(one.cluster.folded, one.name): one for one in found if one.kind is Kind.POOL}
    yield from (Written(one.name, one.cluster.name, one.written, one.source) for one in listed.values())
    clusters = {one.cluster.folded: one for one in found if one.kind is Kind.CLUSTER}
    for one in clusters.values():
        if not any(cluster == one.cluster.folded for cluster, _ in listed):
            for profile in map(plain_mapping, sequence(one.written.get("agentPoolProfiles"))):
                yield Written(str(profile.get("name", "")), one.name, profile, one.source)


def agent_pool(name: str, cluster: str, raw: Raw) -> ExportedAgentPool:
    """An agent pool.

    Raises:
        PodError: a field is missing or invalid.
    """
    written = {key.lower(): value for key, value in raw.items()}
    scale, stopped = scale_of(written), mapping(written, "powerstate").get("code") == "Stopped"
    most = scale.now if scale.most is None else scale.most
    upgrade, spot = mapping(written, "upgradesettings"), _text(written, "scalesetpriority").lower() == "spot"
    return ExportedAgentPool(
        name=name,
        cluster=cluster,
        vm_sizes=scale.sizes,
        count=0 if stopped else scale.now,
        least=0 if stopped else scale.least,
        most=0 if stopped else most,
        is_counted=scale.most is not None,
        is_autoscaled=scale.is_autoscaled,
        is_deleted=_text(written, "provisioningstate").lower() == _DELETING,
        is_stopped=stopped,
        once_started=most if stopped else 0,
        keeps_machines=_DEALLOCATE in (_text(written, "scaledownmode").lower(), _text(written, "scalesetevictionpolicy").lower() if spot else ""),
        node_subnet=_text(written, "vnetsubnetid"),
        pod_subnet=_text(written, "podsubnetid"),
        pod_ip_allocation=_text(written, "podipallocationmode"),
        mode=_text(written, "mode") or "User",
        os_type=_text(written, "ostype") or "Linux",
        os_sku=_text(written, "ossku") or None,
        version=_text(written, "currentorchestratorversion") or _text(written, "orchestratorversion"),
        labels={key: text(value, key) for key, value in mapping(written, "nodelabels").items()},
        taints=tuple(map(_taint, texts(written, "nodetaints"))),
        zones=tuple(sorted(texts(written, "availabilityzones"))),
        max_pods=_optional(written, "maxpods"),
        disk_gib=_optional(written, "osdisksizegb") if (_text(written, "kubeletdisktype") or _OWN_DISK).lower() == _OWN_DISK else None,
        fips=written.get("enablefips") is True,
        spot=spot,
        surge=str(upgrade.get("maxSurge") or ""),
        unavailable=str(upgrade.get("maxUnavailable") or ""),
        drain_minutes=None if upgrade.get("drainTimeoutInMinutes") is None else number(upgrade["drainTimeoutInMinutes"], "drainTimeoutInMinutes"),
        undrainable=text(upgrade.get("undrainableNodeBehavior"), "undrainableNodeBehavior"),
    )


def _text(written: Raw, name: str) -> str:
    return text(written.get(name), name)


def _number(written: Raw, name: str) -> int:
    return number(written.get(name), name)


def _optional(written: Raw, name: str) -> int | None:
    return None if written.get(name) is None else _number(written, name)


def _taint(written: str) -> Taint:
    try:
        return Taint.model_validate(written)
    except ValueError:
        raise PodError(f"a taint must be `key=value:Effect`, but is `{written:.60}`") from None


_MACHINES: Final = "virtualmachines"
"""The type of a pool whose nodes are single machines, of one or several VM sizes."""
_ONE_BY_ONE: Final = "machines"
"""The mode of a pool whose machines are created one by one."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The nodes of an agent pool."""

    sizes: tuple[str, ...]
    """VM sizes; empty: the export does not contain them."""
    now: int
    least: int
    most: int | None
    """`None`: the export does not contain it."""
    is_autoscaled: bool


def scale_of(written: Raw) -> Scale:
    """The nodes of an agent pool, with the names of its fields in lowercase.

    Raises:
        PodError: a field is missing or invalid.
    """
    types = [text(written.get(key), key).lower() for key in ("typepropertiestype", "type")]  # a cluster shows its pools in another spelling
    if _MACHINES in types or text(written.get("mode"), "mode").lower() == _ONE_BY_ONE:
        return _of_machines(written)
    size = text(written.get("vmsize"), "vmSize")
    if not size:
        raise PodError("it has no `vmSize`, which `az aks nodepool list` prints")
    now, is_autoscaled = number(written.get("count"), "count"), written.get("enableautoscaling") is True
    least, most = [number(written.get(name), name) for name in ("mincount", "maxcount")] if is_autoscaled else (now, now)
    return Scale((size,), now, least, most, is_autoscaled)


def _of_machines(written: Raw) -> Scale:
    """The numbers are in the profile of each VM size."""
    running = entries(written, "virtualmachinenodesstatus")
    profile = mapping(mapping(written, "virtualmachinesprofile"), "scale")
    fixed, scaled = entries(profile, "manual"), _autoscaled(profile)
    sizes = dict.fromkeys(text(one.get("size"), "size") for one in (*fixed, *scaled, *running))
    least = _sum(fixed, "count") + _sum(scaled, "minCount")
    most = _sum(fixed, "count") + _sum(scaled, "maxCount") if fixed or scaled else None
    now = least if written.get("virtualmachinenodesstatus") is None else _sum(running, "count")
    return Scale(() if "" in sizes else tuple(sizes), now, least, most, bool(scaled))


def _autoscaled(profile: Raw) -> Sequence[Raw]:
    """API versions differ: one profile, or a list."""
    return entries(profile, "autoscale") if isinstance(profile.get("autoscale"), list) else [one for one in [mapping(profile, "autoscale")] if one]


def _sum(profiles: Sequence[Raw], name: str) -> int:
    return sum(number(one.get(name), name) for one in profiles)
