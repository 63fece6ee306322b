"""Karpenter's own library and kube-scheduler's own matching, in a process that is asked line by line; and how our values are spelled for it."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nodepools.model.kubernetes.label import Taint
from nodepools.placement.cloud_labels import Cloud
from nodepools.placement.node_pools import KarpenterPool
from nodepools.placement.static_pools import CORDONED
from tests.oracle import go_programs


def build(into: Path) -> Path:
    """The program; its first build takes minutes."""
    return go_programs.build("placement", into)


class Oracle:
    def __init__(self, program: Path) -> None:
        self._program = program
        self._running: subprocess.Popen[str] | None = None

    def begin(self, world: Mapping[str, object]) -> None:
        self.end()
        self._running = subprocess.Popen([str(self._program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self._send(world)

    def ask(self, case: Mapping[str, object]) -> Any:
        self._send(case)
        assert self._running is not None
        assert self._running.stdout is not None
        return json.loads(self._running.stdout.readline())

    def end(self) -> None:
        if self._running is not None:
            self._running.communicate()
            self._running = None

    def _send(self, value: Mapping[str, object]) -> None:
        assert self._running is not None
        assert self._running.stdin is not None
        self._running.stdin.write(json.dumps(value) + "\n")
        self._running.stdin.flush()


def described(cloud: Cloud, zones: Sequence[str], capacity_types: Sequence[str], region: str) -> dict[str, object]:
    """What all cases share: machines that have exactly the least that is known of them."""
    types = [
        {
            "name": one.name,
            "labels": dict(one.labels),
            "resources": {name: f"{bounds.least}m" for name, bounds in one.offers.items() if bounds.least},
        }
        for one in cloud.index.machines
    ]
    known, restricted = sorted(cloud.well_known), sorted(cloud.restricted)
    return {"types": types, "wellKnown": known, "restricted": restricted, "zones": zones, "capacityTypes": capacity_types, "region": region}


def raw_node(name: str, labels: dict[str, str], taints: list[Taint], has: dict[str, int], cordoned: bool) -> dict[str, object]:
    taints = [*taints, CORDONED] if cordoned else taints
    return {
        "metadata": {"name": name, "labels": labels},
        "spec": {"taints": [taint.model_dump() for taint in taints]},
        "status": {"allocatable": {resource: f"{amount}m" for resource, amount in has.items()}},
    }


def raw_pool(place: KarpenterPool) -> dict[str, object]:
    pool = place.pool
    requirements = [
        {"key": one.key, "operator": one.operator, "values": list(one.values), **({"minValues": one.min_values} if one.min_values else {})}
        for one in pool.requirements
    ]
    template = {
        "metadata": {"labels": dict(place.labels)},
        "spec": {"requirements": requirements, "taints": [one.model_dump() for one in pool.taints]},
    }
    return {
        "metadata": {"name": place.name},
        "spec": {"template": template, "limits": dict(pool.limits), **({"weight": pool.weight} if pool.weight else {})},
    }
