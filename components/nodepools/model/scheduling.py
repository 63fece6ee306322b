"""Parts of a pod's spec that bring it to pools: plain data, for `pulumi_kubernetes` or any tool. No label and no taint is typed twice."""

from collections.abc import Mapping, Sequence
from typing import Literal

from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.platform import PoolRef

_HEAVIEST, _STEP = 100, 10
_KEYS: Mapping[str, str] = {"zone": "topology.kubernetes.io/zone", "node": "kubernetes.io/hostname", "capacity": "karpenter.sh/capacity-type"}


def scheduling(*, prefer: Sequence[PoolRef], otherwise: PoolRef | None = None) -> dict[str, object]:
    """What a pod spec needs to land on the first of `prefer` that has room, and `otherwise` on the last resort: `affinity` and `tolerations`.

    Spot first, say: `scheduling(prefer=[platform.pool("weu/batch")], otherwise=platform.pool("weu/batch-fallback"))`.

    Raises:
        ValueError: no pool is named, or pools of several clusters are: a pod is made in one.
    """
    pools = [*prefer, *([otherwise] if otherwise is not None else [])]
    if len({pool.cluster for pool in pools}) != 1:
        told = ", ".join(str(pool) for pool in pools)
        msg = f"name pools of one cluster, not {told}" if pools else "name a pool"
        raise ValueError(msg)
    names = list(dict.fromkeys(pool.name for pool in pools))
    preferred = [
        {"weight": max(_HEAVIEST - _STEP * place, 1), "preference": {"matchExpressions": [_named([pool.name])]}} for place, pool in enumerate(prefer)
    ]
    node_affinity: dict[str, object] = {
        "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [_named(names)]}]},
        **({"preferredDuringSchedulingIgnoredDuringExecution": preferred} if len(names) > 1 else {}),
    }
    taints: dict[Taint, None] = dict.fromkeys(taint for pool in pools for taint in pool.taints)
    return {"affinity": {"nodeAffinity": node_affinity}, "tolerations": [taint.toleration() for taint in taints]}


def spread(
    labels: Mapping[str, str], *, over: Sequence[Literal["zone", "node", "capacity"]] = ("zone",), skew: int = 1, hard: bool = False
) -> dict[str, object]:
    """What a pod spec needs for the pods with `labels` to be spread evenly: `topologySpreadConstraints`.

    `hard` keeps a pod Pending that would make them uneven by more than `skew`; else it is only preferred.
    """
    when = "DoNotSchedule" if hard else "ScheduleAnyway"
    return {
        "topologySpreadConstraints": [
            {"maxSkew": skew, "topologyKey": _KEYS[one], "whenUnsatisfiable": when, "labelSelector": {"matchLabels": dict(labels)}} for one in over
        ]
    }


def _named(names: Sequence[str]) -> dict[str, object]:
    return {"key": POOL_LABEL, "operator": "In", "values": list(names)}
