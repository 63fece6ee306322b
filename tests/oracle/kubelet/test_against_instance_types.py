"""The room on a node of every type in the table is what Karpenter's own library computes, for each family of images and settings of the kubelet."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from nodepools.clouds.eks.self_managed_classes import existing_ec2, kubelet_of
from nodepools.data.eks_instance_types import InstanceType, eks_instance_types

FAMILIES = {"al2": "AL2", "al2023": "AL2023", "bottlerocket": "Bottlerocket"}
SETTINGS: tuple[Mapping[str, object], ...] = (
    {},
    {"maxPods": 110},
    {"maxPods": 8},
    {"podsPerCore": 4},
    {"podsPerCore": 10, "maxPods": 58},
    {"podsPerCore": 0},
    {"kubeReserved": {"cpu": "200m", "memory": "1Gi"}},
    {"kubeReserved": {"memory": "500Mi"}, "systemReserved": {"cpu": "100m", "memory": "100M", "ephemeral-storage": "1Gi"}},
    {"systemReserved": {"cpu": "1"}},
    {"evictionHard": {"memory.available": "5%"}},
    {"evictionHard": {"memory.available": "12.5%"}},
    {"evictionHard": {"memory.available": "100%"}},
    {"evictionHard": {"memory.available": "300Mi", "nodefs.available": "10%"}},
    {"evictionHard": {"nodefs.available": "10%"}, "evictionSoft": {"memory.available": "1Gi"}, "evictionSoftGracePeriod": {"memory.available": "1m"}},
)
SINCE_1_14 = 20
"""Types whose interfaces the table of 1.15 has and that of 1.14 has not: at most so many are not compared."""


def asked(program: Path, cases: Sequence[Mapping[str, object]]) -> list[dict[str, int]]:
    lines = "".join(f"{json.dumps(case)}\n" for case in cases)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def of(known: InstanceType, family: str, kubelet: Mapping[str, object]) -> Mapping[str, object]:
    arch = known.labels["kubernetes.io/arch"]
    return {"type": known.name, "cpu": known.cpu, "memoryMib": known.memory_mib, "arch": arch, "family": FAMILIES[family], "kubelet": kubelet}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_every_type_of_the_table(instance_types_of_karpenter: Path, family: str, settings: Mapping[str, object]) -> None:
    types = list(eks_instance_types().types.values())
    answers = asked(instance_types_of_karpenter, [of(known, family, settings) for known in types])
    spec = {"amiSelectorTerms": [{"alias": f"{family}@latest"}], "kubelet": settings}
    kubelet, disk = kubelet_of(spec), existing_ec2("", {"spec": spec}, frozenset())[0].disk
    assert kubelet is not None
    wrong: list[object] = []
    for known, answer in zip(types, answers, strict=True):
        if answer["known"]:
            offers = kubelet.offers(known)
            ours = offers["pods"].least // 1000, offers["cpu"].least, offers["memory"].least // 1000
            theirs = answer["pods"], max(answer["milliCPU"], 0), max(answer["memoryBytes"], 0)
            wrong += [(known.name, ours, theirs)] if ours != theirs else []
            wrong += [] if disk.most is None or disk.least // 1000 == answer["diskBytes"] else [(known.name, disk, answer["diskBytes"])]
    assert not wrong
    compared = sum(bool(answer["known"]) for answer in answers)
    print(f"{family} {settings}: {compared} of {len(types)} types")
    assert len(types) - compared <= SINCE_1_14
