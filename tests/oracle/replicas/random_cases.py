"""Random workloads, the pods that their controllers create, and how the schedulers' own code is asked about them."""

import json
import random
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.workloads.objects import read_workload_objects
from nodepools.placement.workloads.reader import read_workloads
from nodepools.replicas.explained import Explained, explain_replicas
from nodepools.replicas.shortages import with_shortages

Object = dict[str, Any]
HOST, ZONE, RACK = "kubernetes.io/hostname", "topology.kubernetes.io/zone", "example.com/rack"
KEYS = (HOST, ZONE, ZONE, RACK)
APPS = ("web", "api")
REVISION = "pod-template-hash"


def workloads(chance: random.Random, zones: Sequence[str]) -> list[Object]:
    return [_workload(chance, app, zones) for app in chance.sample(APPS, chance.choice((1, 1, 2)))]


def _workload(chance: random.Random, app: str, zones: Sequence[str]) -> Object:
    container: Object = {"name": "c", "image": "i", "resources": {"requests": {"cpu": chance.choice(("100m", "400m", "900m", "2"))}}}
    if chance.random() < 0.15:
        container["ports"] = [{"containerPort": 80, "hostPort": 80}]
    spec: Object = {"containers": [container]}
    if chance.random() < 0.3:
        spec["tolerations"] = [{"key": "team", "operator": "Exists"}]
    if chance.random() < 0.2:
        spec["nodeSelector"] = chance.choice(({ZONE: chance.choice(zones)}, {RACK: chance.choice("12")}))
    if chance.random() < 0.5:
        drawn = [_spread(chance, app) for _ in range(chance.choice((1, 1, 2)))]
        spec["topologySpreadConstraints"] = list(
            {(one["topologyKey"], one["whenUnsatisfiable"]): one for one in drawn}.values()
        )  # a server rejects two
    affinity = {name: _terms(chance) for name in ("podAffinity", "podAntiAffinity") if chance.random() < 0.2}
    if affinity:
        spec["affinity"] = affinity
    template = {"metadata": {"labels": {"app": app}}, "spec": spec}
    metadata = {"name": app, "namespace": chance.choice(("default", "default", "default", "shop"))}
    selector = {"matchLabels": {"app": app}}
    replicas = chance.choice((1, 2, 3, 4, 6))
    return {"kind": "Deployment", "metadata": metadata, "spec": {"replicas": replicas, "selector": selector, "template": template}}


def _spread(chance: random.Random, app: str) -> Object:
    constraint: Object = {
        "topologyKey": chance.choice(KEYS),
        "maxSkew": chance.choice((1, 1, 2)),
        "whenUnsatisfiable": chance.choice(("DoNotSchedule", "DoNotSchedule", "DoNotSchedule", "ScheduleAnyway")),
        "labelSelector": {"matchLabels": {"app": chance.choice((app, app, *APPS))}},
    }
    if constraint["whenUnsatisfiable"] == "DoNotSchedule" and chance.random() < 0.3:
        constraint["minDomains"] = chance.choice((1, 2, 3, 4))
    for policy in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
        if chance.random() < 0.2:
            constraint[policy] = chance.choice(("Honor", "Ignore"))
    if chance.random() < 0.2:
        constraint["matchLabelKeys"] = [REVISION]
    return constraint


def _terms(chance: random.Random) -> Object:
    term: Object = {"topologyKey": chance.choice(KEYS), "labelSelector": {"matchLabels": {"app": chance.choice(APPS)}}}
    if chance.random() < 0.3:
        term[chance.choice(("matchLabelKeys", "mismatchLabelKeys"))] = [REVISION]
    if chance.random() < 0.3:
        term["namespaces"] = chance.choice((["shop"], ["default", "shop"]))
    if chance.random() < 0.3:
        expression = {"key": "team", "operator": chance.choice(("In", "NotIn")), "values": ["shop"]}
        term["namespaceSelector"] = chance.choice(({}, {"matchExpressions": [expression]}, {"matchLabels": {"kubernetes.io/metadata.name": "shop"}}))
    return {"requiredDuringSchedulingIgnoredDuringExecution": [term]}


def pods_of(workload: Mapping[str, Any]) -> list[Object]:
    """The pods that its controller creates, as the API server stores them."""
    template, name = workload["spec"]["template"], workload["metadata"]["name"]
    labels = {**template["metadata"]["labels"], REVISION: name}
    spec = {**template["spec"]}
    if "topologySpreadConstraints" in spec:
        spec["topologySpreadConstraints"] = [_stored(constraint, labels) for constraint in spec["topologySpreadConstraints"]]
    spec["affinity"] = {
        kind: {required: [_stored(term, labels) for term in terms] for required, terms in affinity.items()}
        for kind, affinity in spec.get("affinity", {}).items()
    }
    namespace = workload["metadata"]["namespace"]
    return [
        {"metadata": {"name": f"{name}-{number}", "namespace": namespace, "labels": labels}, "spec": spec}
        for number in range(workload["spec"]["replicas"])
    ]


def _stored(part: Mapping[str, Any], labels: Mapping[str, str]) -> Object:
    """The server writes the values of `matchLabelKeys` and `mismatchLabelKeys` into the selector."""
    fields = (("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn"))
    revision = [{"key": key, "operator": operator, "values": [labels[key]]} for field, operator in fields for key in part.get(field, ())]
    return {**part, "labelSelector": {**part["labelSelector"], "matchExpressions": revision}}


NAMESPACES = read_workload_objects({"kind": "Namespace", "metadata": {"name": name, "labels": {"team": name}}} for name in ("default", "shop"))


def ours(pools: ClusterPools, found: Sequence[Mapping[str, Any]]) -> list[Explained]:
    return with_shortages(explain_replicas(list(read_workloads(found)), [pools], NAMESPACES), [pools])


def theirs(program: Path, cases: Sequence[Mapping[str, Any]]) -> list[list[list[dict[str, int]]]]:
    """For each case, order and workload: the pods that are scheduled, by the place where they are."""
    done = subprocess.run([str(program)], input="".join(f"{json.dumps(case)}\n" for case in cases), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
