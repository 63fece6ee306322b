"""How many nodes an exported agent pool has, and of which VM sizes.

Source of the profiles: https://learn.microsoft.com/javascript/api/@azure/arm-containerservice/autoscaleprofile, 2026-11.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, number, text

Raw = Mapping[str, object]
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
