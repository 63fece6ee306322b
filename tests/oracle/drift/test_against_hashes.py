"""Random edits: two objects drift for us if, and only if, Karpenter's own libraries give them different hashes or find the claim incompatible."""

import json
import os
import random
import subprocess
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from nodepools.changes.drift import aks_node_class_hash, drift, node_pool_hash, of_aks_node_class, of_ec2_node_class, of_node_pool
from nodepools.wire.table import Effect

FRESH = int(os.environ.get("PLACEMENT_SEED", random.SystemRandom().randrange(10**9)))  # printed with the counts
PAIRS = 1500
EXPIRE_AFTER = "720h"
ABSENT = object()
Tree = dict[str, object]

TAINTS = tuple({"key": key, "effect": effect, **value} for key in "ab" for effect in ("NoSchedule", "NoExecute") for value in ({}, {"value": "v"}))
LABELS = (ABSENT, ABSENT, {}, {"a": "b"}, {"a": "c"}, {"a": "b", "c": "d"}, {"a": ""})
DURATIONS = (ABSENT, "30m", "1800s", "24h", "1440m", "0s", "0.5h", "720h", "479h60m", "480h")
TEAM, ARCH, CPU = "example.com/team", "kubernetes.io/arch", "example.com/number"
VALUES = {TEAM: ("a", "b", "c"), ARCH: ("amd64", "arm64"), CPU: ("2", "4", "8")}
BLOCKS: Mapping[str, Sequence[object]] = {
    "imageFamily": (ABSENT, "Ubuntu", "Ubuntu2404", "AzureLinux"),
    "osDiskSizeGB": (ABSENT, 128, 64, 256),
    "maxPods": (ABSENT, 250, 30),
    "fipsMode": (ABSENT, "Disabled", "FIPS"),
    "vnetSubnetID": (ABSENT, "/subscriptions/a/subnets/B", "/subscriptions/a/subnets/b"),
    "tags": (ABSENT, {}, {"a": "b"}, {"a": "c"}),
    "gpu": (ABSENT, {}, {"mode": "Driver"}, {"mode": "None"}),
    "security": (ABSENT, {}, {"encryptionAtHost": False}, {"encryptionAtHost": True}),
    "artifactStreaming": (ABSENT, {}, {"enabled": False}, {"enabled": True}),
}
KUBELET: Mapping[str, Sequence[object]] = {
    "cpuManagerPolicy": (ABSENT, "none", "static"),
    "cpuCFSQuota": (ABSENT, True, False),
    "cpuCFSQuotaPeriod": (ABSENT, "100ms", "0.1s", "50ms"),
    "containerLogMaxSize": (ABSENT, "50Mi", "51200Ki"),
    "containerLogMaxFiles": (ABSENT, 5, 7),
    "topologyManagerPolicy": (ABSENT, "none", "restricted"),
    "imageGCHighThresholdPercent": (ABSENT, 85, 90),
    "podPidsLimit": (ABSENT, 100, 0),
    "allowedUnsafeSysctls": (ABSENT, [], ["a", "b"], ["b", "a"], ["a"]),
}
METADATA: Mapping[str, object] = {
    "httpEndpoint": "enabled",
    "httpProtocolIPv6": "disabled",
    "httpPutResponseHopLimit": 1,
    "httpTokens": "required",
}
EC2_BLOCKS: Mapping[str, Sequence[object]] = {
    "role": ("a", "b"),
    "amiFamily": (ABSENT, ABSENT, "AL2023", "Custom"),
    "amiSelectorTerms": (
        *([{"alias": alias}] for alias in ("al2023@latest", "al2023@v20260101", "bottlerocket@latest")),
        [{"id": "ami-1"}],
    ),
    "subnetSelectorTerms": ([{"id": "subnet-1"}], [{"tags": {"a": "b"}}]),
    "securityGroupSelectorTerms": ([{"id": "sg-1"}], [{"id": "sg-2"}]),
    "capacityReservationSelectorTerms": (ABSENT, [{"id": "cr-1"}]),
    "associatePublicIPAddress": (ABSENT, False, True),
    "ipPrefixCount": (ABSENT, 0, 2),
    "networkInterfaces": (
        ABSENT,
        [],
        [{"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}],
        [{"networkCardIndex": number, "deviceIndex": number, "interfaceType": "interface"} for number in (1, 0)],
    ),
    "connectionTracking": (ABSENT, {}, {"udpTimeout": 60}),
    "placementGroupSelector": (ABSENT, {"name": "a"}, {"id": "pg-1"}),
    "blockDeviceMappings": (
        ABSENT,
        [],
        [{"deviceName": "/dev/xvda"}],
        [{"deviceName": "/dev/xvda", "rootVolume": False}],
        [{"deviceName": "/dev/xvda", "rootVolume": True}],
        *([{"deviceName": "/dev/xvda", "ebs": {"volumeSize": size}}] for size in ("1Ti", "1024Gi", "1T", "1000G", "1000Gi")),
        [{"deviceName": "/dev/xvda", "ebs": {"encrypted": False}}, {"deviceName": "/dev/xvdb", "ebs": {}}],
        [{"deviceName": "/dev/xvdb", "ebs": {}}, {"deviceName": "/dev/xvda", "ebs": {"encrypted": False}}],
    ),
    "instanceStorePolicy": (ABSENT, "RAID0"),
    "userData": (ABSENT, "", "echo a", "echo b"),
    "detailedMonitoring": (ABSENT, False, True),
    "context": (ABSENT, "", "fleet"),
    "tags": (ABSENT, {}, {"a": "b"}),
    "metadataOptions": (ABSENT, {}, {"httpTokens": "required"}, {"httpTokens": "optional"}, {"httpPutResponseHopLimit": 2}),
    "kubelet": (ABSENT, {"maxPods": 20}, {"maxPods": 30}, {"podsPerCore": 2, "maxPods": 20}, {"maxPods": 20, "podsPerCore": 2}),
}
"""Of the kubelet only numbers: the hash of 1.14 compares its other values by meaning, that of 1.15 by their text, as ours does."""
SOFT = {"evictionSoft": {"memory.available": "5%"}}
FORMER_KUBELETS: Sequence[object] = (
    ABSENT,
    {},
    *EC2_BLOCKS["kubelet"],
    {"maxPods": 0},
    {"maxPods": 20, "podsPerCore": 0},
    {"cpuCFSQuota": False},
    {"cpuCFSQuota": True},
    {"systemReserved": {}},
    *({"systemReserved": {"cpu": cpu}} for cpu in ("1", "1000m")),
    *({"clusterDNS": servers} for servers in ([], ["a"], ["a", "b"], ["b", "a"])),
    *({**SOFT, "evictionSoftGracePeriod": {"memory.available": period}} for period in ("1m", "60s", "2m")),
    {"evictionHard": {"memory.available": "5%", "nodefs.available": "10%"}},
    {"evictionHard": {"nodefs.available": "10%", "memory.available": "5%"}},
)
"""Settings that the CRD of 1.14 accepts, some of them in several spellings."""
TOP: Mapping[str, object] = {"imageFamily": "Ubuntu", "osDiskSizeGB": 128}
IN_BLOCKS: Mapping[str, Mapping[str, object]] = {
    "gpu": {"mode": "Driver"},
    "kubelet": {
        "containerLogMaxFiles": 5,
        "containerLogMaxSize": "50Mi",
        "cpuCFSQuota": True,
        "cpuCFSQuotaPeriod": "100ms",
        "cpuManagerPolicy": "none",
        "topologyManagerPolicy": "none",
    },
}
"""What the API server writes before Karpenter sees the object: the defaults of the CRD, here said once more because the program has no API server."""


def picked(chance: random.Random, choices: Mapping[str, Sequence[object]]) -> Tree:
    return {key: value for key, values in choices.items() if (value := chance.choice(values)) is not ABSENT}


def edited(chance: random.Random, old: Tree, make: Callable[[random.Random], Tree]) -> Tree:
    """The old object with one to two of its parts from another."""
    other = make(chance)
    new = dict(old)
    for key in chance.sample(sorted(old.keys() | other.keys()), k=min(len(old.keys() | other.keys()), chance.choice((1, 1, 2)))):
        new.pop(key, None)
        if key in other:
            new[key] = other[key]
    keys = list(new)
    chance.shuffle(keys)
    return {key: new[key] for key in keys}


def taints(chance: random.Random) -> object:
    kind = chance.random()
    return ABSENT if kind < 0.4 else [] if kind < 0.5 else chance.choices(TAINTS[:5], k=chance.choice((1, 2, 3)))


def template(chance: random.Random) -> Tree:
    """The parts of a template, flat: an edit exchanges some."""
    parts = {
        "labels": chance.choice(LABELS),
        "annotations": chance.choice(LABELS),
        "taints": taints(chance),
        "startupTaints": taints(chance),
        "expireAfter": chance.choice((*DURATIONS, "Never")),
        "terminationGracePeriod": chance.choice(DURATIONS),
        "class": chance.choice(("default", "default", "own")),
        "metadata": chance.choice((ABSENT, True)),
        "weight": chance.choice((ABSENT, 1, 50)),
        "limits": chance.choice((ABSENT, {"cpu": "10"}, {"cpu": "20"})),
    }
    return {key: value for key, value in parts.items() if value is not ABSENT}


def node_pool(parts: Tree) -> Tree:
    metadata = {key: parts[key] for key in ("labels", "annotations") if key in parts}
    spec: Tree = {key: parts[key] for key in ("taints", "startupTaints", "expireAfter", "terminationGracePeriod") if key in parts}
    spec["nodeClassRef"] = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": parts["class"]} if "class" in parts else {}
    spec["requirements"] = []
    made: Tree = {"spec": spec, **({"metadata": metadata} if metadata or "metadata" in parts else {})}
    return {"template": made, **{key: parts[key] for key in ("weight", "limits") if key in parts}}


def node_class(chance: random.Random) -> Tree:
    made = picked(chance, BLOCKS)
    return {**made, **({"kubelet": picked(chance, KUBELET) if chance.random() < 0.6 else {}} if chance.random() < 0.7 else {})}


def edited_class(chance: random.Random, old: Tree) -> Tree:
    """Half of the edits are inside the block of the kubelet, where the defaults are."""
    kubelet = old.get("kubelet")
    if isinstance(kubelet, dict) and chance.random() < 0.7:
        return {**old, "kubelet": edited(chance, kubelet, lambda other: picked(other, KUBELET))}
    return edited(chance, old, node_class)


def as_served(spec: Tree) -> Tree:
    """With the defaults of the CRD."""
    made = {**TOP, **spec}
    for block, defaults in IN_BLOCKS.items():
        if isinstance(inner := made.get(block), dict):
            made[block] = {**defaults, **inner}
    return made


def pool_as_served(spec: Tree) -> Tree:
    made = json.loads(json.dumps(spec))
    made["template"]["spec"].setdefault("expireAfter", EXPIRE_AFTER)
    return made


def asked(program: Path, cases: Sequence[Tree]) -> list[dict[str, object]]:
    done = subprocess.run([str(program)], input="".join(json.dumps(case) + "\n" for case in cases), capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


SEEDS = pytest.mark.parametrize("seed", [1, 20261122, pytest.param(FRESH, id="a fresh seed")])


@SEEDS
def test_node_pools_drift_if_their_hash_differs(hashes_of_karpenter: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # the same cases for a seed
    flat = [(old := template(chance), edited(chance, old, template)) for _ in range(PAIRS)]
    pairs = [(node_pool(old), node_pool(new)) for old, new in flat]
    answers = asked(hashes_of_karpenter, [{"nodePool": pool_as_served(spec)} for pair in pairs for spec in pair])
    compared(pairs, answers, lambda spec: of_node_pool(spec, EXPIRE_AFTER), seed, node_pool_hash)


@SEEDS
def test_aks_node_classes_drift_if_their_hash_differs(hashes_of_karpenter: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # the same cases for a seed
    pairs = [(old := node_class(chance), edited_class(chance, old)) for _ in range(PAIRS)]
    answers = asked(hashes_of_karpenter, [{"aksNodeClass": as_served(spec)} for pair in pairs for spec in pair])
    compared(pairs, answers, of_aks_node_class, seed, aks_node_class_hash)


@SEEDS
def test_ec2_node_classes_drift_if_their_hash_differs(hashes_of_karpenter: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # the same cases for a seed
    pairs = [(old := ec2_node_class(chance), edited(chance, old, ec2_node_class)) for _ in range(2 * PAIRS)]
    answers = asked(hashes_of_karpenter, [{"ec2NodeClass": ec2_as_served(spec)} for pair in pairs for spec in pair])
    compared(pairs, answers, of_ec2_node_class, seed)


@SEEDS
def test_the_kubelet_was_compared_by_meaning_before_1_15(hashes_of_karpenter: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # the same cases for a seed
    pairs = [(former_node_class(chance), former_node_class(chance)) for _ in range(PAIRS)]
    answers = asked(hashes_of_karpenter, [{"ec2NodeClass": ec2_as_served(spec)} for pair in pairs for spec in pair])
    compared(pairs, answers, lambda spec: of_ec2_node_class(spec, "v5"), seed)


def former_node_class(chance: random.Random) -> Tree:
    return picked(chance, {**{name: values[:1] for name, values in EC2_BLOCKS.items()}, "kubelet": FORMER_KUBELETS})


def ec2_node_class(chance: random.Random) -> Tree:
    return picked(chance, EC2_BLOCKS)


def ec2_as_served(spec: Tree) -> Tree:
    """With the defaults of the CRD."""
    said = spec.get("metadataOptions")
    return {**spec, "metadataOptions": {**METADATA, **(said if isinstance(said, dict) else {})}}


def compared(
    pairs: Sequence[tuple[Tree, Tree]],
    answers: Sequence[dict[str, object]],
    ours: Callable[[Tree], object],
    seed: int,
    exact: Callable[[Tree], str] | None = None,
) -> None:
    """Equal if theirs are; with `exact`, the hash itself is theirs, bit for bit."""
    counts: Counter[bool] = Counter()
    for number, (old, new) in enumerate(pairs):
        theirs = answers[2 * number]["hash"] != answers[2 * number + 1]["hash"]
        assert (ours(old) != ours(new)) is theirs, (seed, old, new)
        assert exact is None or exact(old) == answers[2 * number]["hash"], (seed, old)
        counts[theirs] += 1
    print(f"\nseed {seed}: {counts[True]} drift, {counts[False]} do not")
    assert min(counts.values()) > PAIRS / 20


def requirement(chance: random.Random, key: str) -> Tree:
    operator = chance.choice(("In", "In", "In", "NotIn", "Exists", "DoesNotExist", *(("Gt", "Lt", "Gte", "Lte") if key == CPU else ())))
    if operator in ("Exists", "DoesNotExist"):
        return {"key": key, "operator": operator}
    count = 1 if operator.startswith(("G", "L")) else chance.choice((1, 1, 2))
    return {"key": key, "operator": operator, "values": chance.sample(VALUES[key], k=count)}


def requirements(chance: random.Random) -> list[Tree]:
    return [requirement(chance, key) for key in chance.sample(sorted(VALUES), k=chance.choice((0, 1, 2, 3)))]


def claims(chance: random.Random, labels: Mapping[str, str]) -> dict[str, str]:
    """Labels that a claim can have: those of the template, the architecture that Karpenter sets on every claim, and any value of the others."""
    others = {key: chance.choice((*values, "1", "9", None)) for key, values in VALUES.items()}
    return {**{key: value for key, value in others.items() if value is not None}, ARCH: chance.choice(VALUES[ARCH]), **labels}


@SEEDS
def test_what_is_said_of_requirements_holds_for_every_claim_that_met_the_old_ones(hashes_of_karpenter: Path, seed: int) -> None:
    """`rolls`: every such claim drifts; `in_place`: none does. A key that Karpenter does not set is on a claim only if the old side has it."""
    chance = random.Random(seed)  # noqa: S311  # the same cases for a seed
    cases: list[tuple[list[Tree], list[Tree], dict[str, str], dict[str, str]]] = []
    for _ in range(3 * PAIRS):
        old, new = requirements(chance), requirements(chance)
        labels = {TEAM: chance.choice(VALUES[TEAM])} if chance.random() < 0.2 else {}
        known = {ARCH, *(str(entry["key"]) for entry in old), *labels}
        cases.append((old, new, labels, {key: value for key, value in claims(chance, labels).items() if key in known}))
    before = asked(hashes_of_karpenter, [{"requirements": old, "labels": claim} for old, _, _, claim in cases])
    after = asked(hashes_of_karpenter, [{"requirements": new, "labels": claim} for _, new, _, claim in cases])
    counts: Counter[str] = Counter()
    for (old, new, labels, claim), was, now in zip(cases, before, after, strict=True):
        if was["drifted"]:
            continue  # no claim of this pool
        effect = drift(old, new, labels)
        counts[effect.value] += 1
        if effect is Effect.ROLLS:
            assert now["drifted"], (seed, old, new, labels, claim)
        if effect is Effect.IN_PLACE:
            assert not now["drifted"], (seed, old, new, labels, claim)
    print(f"\nseed {seed}: {dict(counts)}")
    assert min(counts[effect.value] for effect in (Effect.ROLLS, Effect.ROLLS_SOME, Effect.IN_PLACE)) > PAIRS / 50
