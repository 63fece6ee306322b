"""Fields of a pod spec that schedule it on pools, as plain data for `pulumi_kubernetes` or other tools. Labels and taints come from the pools."""

from collections.abc import Mapping, Sequence
from typing import Literal

from nodepools.model.kubernetes.label import POOL_LABEL, Taint
from nodepools.model.platform import PoolRef

_HEAVIEST, _STEP = 100, 10
_KEYS: Mapping[str, str] = {"zone": "topology.kubernetes.io/zone", "node": "kubernetes.io/hostname", "capacity": "karpenter.sh/capacity-type"}


def scheduling(*, prefer: Sequence[PoolRef], otherwise: PoolRef | None = None) -> dict[str, object]:
    """Node affinity and tolerations for the first pool of `prefer` that has capacity, and for `otherwise` if none has: `affinity` and `tolerations`.

    >>> pod = scheduling(prefer=[load("dev").pool("weu/batch")])
    >>> sorted(pod)
    ['affinity', 'tolerations']

    Raises:
        ValueError: no pool is given, or pools of several clusters are: a pod runs in one cluster.
    """
    pools = [*prefer, *([otherwise] if otherwise is not None else [])]
    if len({pool.cluster for pool in pools}) != 1:
        listed = ", ".join(str(pool) for pool in pools)
        msg = f"name pools of one cluster, not {listed}" if pools else "name a pool"
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
    """Spreads the pods with `labels` evenly: `topologySpreadConstraints`.

    With `hard`, a pod that would exceed the `skew` stays Pending; otherwise even spreading is only preferred.

    >>> [constraint] = spread({"app": "web"})["topologySpreadConstraints"]
    >>> constraint["topologyKey"], constraint["whenUnsatisfiable"]
    ('topology.kubernetes.io/zone', 'ScheduleAnyway')
    """
    when = "DoNotSchedule" if hard else "ScheduleAnyway"
    return {
        "topologySpreadConstraints": [
            {"maxSkew": skew, "topologyKey": _KEYS[key], "whenUnsatisfiable": when, "labelSelector": {"matchLabels": dict(labels)}} for key in over
        ]
    }


def _named(names: Sequence[str]) -> dict[str, object]:
    return {"key": POOL_LABEL, "operator": "In", "values": list(names)}
