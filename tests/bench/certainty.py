"""How much of what `explain` says is certain: of clusters and NodePools that it was not made with, for workloads of a seed.

Each cluster of the recorded exports, and each NodePool of the public manifests as a cluster of its own, is asked about one workload at a time. A
NodePool comes with what `kubectl` would print next to it: its class (a plain one if the manifests lack it), their `status`, the default storage class
and the node of Karpenter. What is not certain is printed by its cause. `python -m tests.bench.certainty [SEED]`; without the data next to the
repository it says so.
"""

import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import yaml

from nodepools.cli.command_run import CommandRun
from nodepools.cli.existing.existing_cluster import read_cluster
from nodepools.cli.inputs.input_files import InputFiles
from nodepools.placement.verdict import Verdict
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import explain_replicas

SHARED = Path(__file__).resolve().parents[3] / "shared"
OBSERVED, MANIFESTS = SHARED / "data" / "observed", SHARED / "manifests"
WORKLOADS, SEED, SHOWN = 50, 40, 12
ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
CLASSES = {
    "EC2NodeClass": {
        "apiVersion": "karpenter.k8s.aws/v1",
        "role": "nodes",
        "amiSelectorTerms": [{"alias": "al2023@latest"}],
        "subnetSelectorTerms": [{"tags": {"a": "b"}}],
        "securityGroupSelectorTerms": [{"tags": {"a": "b"}}],
    },
    "NodeClass": {"apiVersion": "eks.amazonaws.com/v1", "role": "nodes"},
    "AKSNodeClass": {"apiVersion": "karpenter.azure.com/v1beta1"},
}
"""A plain class of each kind."""
DISKS = {
    "apiVersion": "storage.k8s.io/v1",
    "kind": "StorageClass",
    "metadata": {"name": "disks", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
    "volumeBindingMode": "WaitForFirstConsumer",
}
SUBNETS = [{"id": f"subnet-{zone}", "zone": f"us-east-1{zone}", "zoneID": f"use1-az{number}"} for number, zone in enumerate("abc", 1)]
DRIVERS = {"EC2NodeClass": "ebs.csi.aws.com", "NodeClass": "ebs.csi.eks.amazonaws.com", "AKSNodeClass": "disk.csi.azure.com"}
BESIDE = [
    *(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "own", "namespace": space, "uid": space},
            "spec": {"nodeName": "karpenter", "containers": [{"name": "main", "image": "x", "resources": {"requests": {"cpu": "500m"}}}]},
        }
        for space in ("kube-system", "default")
    ),
]
REJECTED = ("rejects", "not a known field", "is not valid")
"""Parts of the reasons of a NodePool that an API server does not accept: nothing is certain about it."""


def clusters(into):
    """The files of each cluster, by the data that they are of."""
    for folder in sorted(one for one in OBSERVED.iterdir() if one.is_dir() and one.name != "expected"):
        yield "exports", folder
    for file in sorted(MANIFESTS.glob("*.yaml")):
        found = [one for one in yaml.safe_load_all(file.read_text()) if one]
        classes = {(one["kind"], one.get("metadata", {}).get("name")): [one] for one in found if one["kind"] != "NodePool"}
        for number, written in enumerate(one for one in found if one["kind"] == "NodePool"):
            pool = {**written, "status": {"resources": {"nodes": "0"}}, "metadata": {"name": "pool", **written.get("metadata", {})}}
            named = pool["spec"].get("template", {}).get("spec", {}).get("nodeClassRef", {})
            own = classes.get((named.get("kind"), named.get("name"))) or _plain(named)
            path = into / f"{file.stem}-{number}.yaml"
            driver = DRIVERS.get(named.get("kind"), "disks.example.com")
            own = [{**one, "status": {"subnets": SUBNETS}} for one in own]
            path.write_text(yaml.safe_dump_all([pool, *own, _node(named.get("kind")), *BESIDE, {**DISKS, "provisioner": driver}]))
            yield "NodePools", path


def _node(kind):
    """The node that runs Karpenter: it has the region."""
    region = "westeurope" if kind == "AKSNodeClass" else "us-east-1"
    labels = {"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", "topology.kubernetes.io/region": region}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "karpenter", "uid": "1", "labels": {**labels, ZONE: f"{region}{'-1' if kind == 'AKSNodeClass' else 'a'}"}},
        "spec": {"taints": [{"key": "karpenter", "effect": "NoSchedule"}]},
        "status": {"allocatable": {"cpu": "1", "memory": "1Gi", "pods": "4"}},
    }


def _plain(named):
    if named.get("kind") not in CLASSES:
        return []
    version, spec = CLASSES[named["kind"]]["apiVersion"], {key: value for key, value in CLASSES[named["kind"]].items() if key != "apiVersion"}
    return [{"apiVersion": version, "kind": named["kind"], "metadata": {"name": named.get("name")}, "spec": spec}]


def workloads(seed):
    """As people write them, from plain ones to those that ask for zones, machines, disks, devices and each other."""
    chance = random.Random(seed)  # noqa: S311  # cases, no secrets
    return [_workload(chance, f"app-{number}") for number in range(WORKLOADS)]


def _workload(chance, name):
    spec = {"containers": [{"name": "main", "image": "x", "resources": _resources(chance)}], **_nodes(chance)}
    kind = chance.choice(["Deployment"] * 5 + ["StatefulSet", "Job", "DaemonSet"])
    if kind != "DaemonSet":  # one on each node: people do not spread it
        _apart(spec, chance, {"labelSelector": {"matchLabels": {"app": name}}})
    template = {"metadata": {"labels": {"app": name}}, "spec": spec}
    replicas = chance.choice([1, 2, 2, 3, 3, 4, 6, 10])
    of = {"template": template, "selector": {"matchLabels": {"app": name}}}
    if kind == "Job":
        spec["restartPolicy"] = "Never"
        of = {"template": template, "parallelism": replicas, "completions": replicas}
    elif kind != "DaemonSet":
        of["replicas"] = replicas
    if kind == "StatefulSet":
        of["serviceName"] = name
        if chance.random() < 0.5:
            claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "10Gi"}}}
            of["volumeClaimTemplates"] = [{"metadata": {"name": "data"}, "spec": claim}]
    return {"apiVersion": "batch/v1" if kind == "Job" else "apps/v1", "kind": kind, "metadata": {"name": name}, "spec": of}


def _resources(chance):
    requests = {"cpu": chance.choice(["100m", "250m", "500m", "1", "2", "4"]), "memory": chance.choice(["128Mi", "512Mi", "1Gi", "4Gi", "8Gi"])}
    return {"requests": requests, **({"limits": {"nvidia.com/gpu": "1"}} if chance.random() < 0.1 else {})}


def _nodes(chance):
    """What the pods require of nodes."""
    selector, spec = {}, {}
    if chance.random() < 0.25:
        labels = [("kubernetes.io/arch", "amd64"), ("kubernetes.io/arch", "arm64"), ("kubernetes.io/os", "linux"), ("team", "a")]
        selector |= dict([chance.choice(labels)])
    if chance.random() < 0.2:
        selector["karpenter.sh/capacity-type"] = chance.choice(["spot", "on-demand"])
    if chance.random() < 0.2:
        term = {"key": chance.choice(["eks.amazonaws.com/instance-category", "karpenter.k8s.aws/instance-category"]), "operator": "In"}
        affinity = {"nodeSelectorTerms": [{"matchExpressions": [{**term, "values": chance.choice([["c"], ["m", "r"], ["g"]])}]}]}
        spec["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": affinity}}
    if chance.random() < 0.3:
        key = chance.choice([{}, {"key": "nvidia.com/gpu"}, {"key": "CriticalAddonsOnly"}])
        spec["tolerations"] = [{**key, "operator": "Exists"}]
    return {**spec, **({"nodeSelector": selector} if selector else {})}


def _apart(spec, chance, chosen):
    """How the pods keep away from each other."""
    if chance.random() < 0.4:
        unsatisfiable = chance.choice(["DoNotSchedule", "DoNotSchedule", "ScheduleAnyway"])
        spread = {"topologyKey": chance.choice([ZONE, ZONE, HOST]), "maxSkew": chance.choice([1, 1, 2]), "whenUnsatisfiable": unsatisfiable}
        spec["topologySpreadConstraints"] = [{**spread, **chosen}]
    if chance.random() < 0.25:
        apart = {"topologyKey": chance.choice([HOST, HOST, ZONE]), **chosen}
        required = {"requiredDuringSchedulingIgnoredDuringExecution": [apart]}
        preferred = {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": apart}]}
        spec["affinity"] = {**spec.get("affinity", {}), "podAntiAffinity": required if chance.random() < 0.7 else preferred}


def kind_of(message):
    """The cause without the names and numbers of one case."""
    text = re.sub(r"\(.*?\)", "", re.sub(r"`[^`]*`", "…", message))
    return re.sub(r"\s+", " ", re.sub(r"\d[\w,.]*", "#", text)).strip()[:120]


class Figures:
    """Verdicts and counts of one kind of data."""

    def __init__(self):
        self.verdicts, self.counts = Counter(), Counter()
        self.causes, self.wide = Counter(), Counter()

    def add(self, explained, node_pools):
        verdicts = set()
        for one in explained.answer.pools:
            why = [reason.message for reason in one.reasons if reason.verdict is Verdict.UNKNOWN]
            what = "NodePool" if one.pool in node_pools else "static pool"
            is_rejected = one.verdict is Verdict.UNKNOWN and any(part in message for part in REJECTED for message in why)
            verdict = "of a rejected NodePool" if is_rejected else one.verdict.value
            verdicts.add(verdict)
            self.verdicts[what, verdict] += 1
            if one.verdict is Verdict.UNKNOWN and not is_rejected:
                self.causes[what, kind_of(why[0] if why else "?")] += 1
        count = explained.count
        is_exact = count.scheduled.minimum == count.scheduled.maximum
        if "of a rejected NodePool" in verdicts:
            return
        self.counts["exact" if is_exact else "interval"] += 1
        if not is_exact:
            self.wide[kind_of(count.decisive.message if count.decisive else "?")] += 1

    def told(self, of):
        print(f"{of}:")
        for what in sorted({what for what, _ in self.verdicts}):
            own = {verdict: many for (whose, verdict), many in self.verdicts.items() if whose == what}
            print(f"  verdicts on a {what}: {sum(own.values()):,}: " + ", ".join(f"{many:,} {verdict}" for verdict, many in sorted(own.items())))
        for (what, cause), many in self.causes.most_common(SHOWN):
            print(f"    {many:5}  {what}: {cause}")
        every = sum(self.counts.values())
        print(f"  replicas: {self.counts['exact']:,} of {every:,} exact ({self.counts['exact'] / every:.0%})")
        for cause, many in self.wide.most_common(SHOWN):
            print(f"    {many:5}  {cause}")


def certainty(seed=SEED):
    """The report."""
    if not OBSERVED.is_dir() or not MANIFESTS.is_dir():
        print(f"certainty: not measured, there is no {OBSERVED} or no {MANIFESTS}")
        return
    asked, of = workloads(seed), {"exports": Figures(), "NodePools": Figures()}
    with tempfile.TemporaryDirectory() as scratch:
        for kind, path in clusters(Path(scratch)):
            found = read_cluster(InputFiles([path]), CommandRun("explain", "json"))
            node_pools = {pool.address for pool in found.pools_with_pods.provisioned}
            for raw in asked:
                [explained] = explain_replicas(list(read_workloads(raw)), [found.pools_with_pods], read_workload_objects([*found.objects, raw]))
                of[kind].add(explained, node_pools)
    print(f"certainty, seed {seed}, {len(asked)} workloads, one at a time")
    for kind, figures in of.items():
        figures.told(kind)


if __name__ == "__main__":
    certainty(int(sys.argv[1]) if len(sys.argv) > 1 else SEED)
