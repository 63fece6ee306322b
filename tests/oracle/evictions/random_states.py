"""Random workloads with PodDisruptionBudgets, and the pods that they have at some moment."""

import random
from dataclasses import dataclass, field
from typing import Any

Object = dict[str, Any]
TEAMS = ("a", "b")
OWNED = {"Deployment": "apps/v1", "StatefulSet": "apps/v1", "ReplicaSet": "apps/v1", "DaemonSet": "apps/v1", "Job": "batch/v1"}
KINDS = ("Deployment", "Deployment", "Deployment", "StatefulSet", "ReplicaSet", "Pod", "Job", "DaemonSet")
READY, UNREADY, PENDING, FAILED, TERMINATING = "ready", "not ready", "Pending", "Failed", "terminating"


@dataclass
class State:
    """One moment of a namespace."""

    workloads: list[Object] = field(default_factory=list[Object])
    budgets: list[Object] = field(default_factory=list[Object])
    pods: list[Object] = field(default_factory=list[Object])
    of: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    """For each pod: its workload, and the condition that it is in."""
    sets: list[Object] = field(default_factory=list[Object])
    """What a Deployment creates for its pods."""
    healthy: bool = True
    """All declared pods exist and are ready."""

    def asked(self) -> Object:
        def of(kind: str) -> list[Object]:
            return [one for one in (*self.workloads, *self.sets) if one["kind"] == kind]

        return {
            "pods": self.pods,
            "budgets": self.budgets,
            "replicaSets": of("ReplicaSet"),
            "deployments": of("Deployment"),
            "statefulSets": of("StatefulSet"),
        }


def state(chance: random.Random) -> State:
    made = State(healthy=chance.random() < 0.5)
    for number in range(chance.choice((1, 1, 2, 3))):
        _add(made, chance, number)
    made.budgets = [_budget(chance, number) for number in range(chance.choice((1, 1, 1, 2)))]
    return made


def _add(made: State, chance: random.Random, number: int) -> None:
    kind, name = chance.choice(KINDS), f"w{number}"
    labels = {"team": chance.choice((*TEAMS, "a")), "app": name}
    replicas = 1 if kind == "Pod" else chance.choice((1, 2, 3, 4, 5, 7, 10))
    metadata = {"name": name, "uid": name, "labels": labels}
    template: Object = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    if kind == "Pod":
        workload: Object = {"kind": kind, "apiVersion": "v1", "metadata": metadata, "spec": template["spec"]}
    else:
        count = {} if kind == "DaemonSet" else {"parallelism" if kind == "Job" else "replicas": replicas}
        if kind == "Job":
            template["spec"] = {**template["spec"], "restartPolicy": "Never"}
        workload = {"kind": kind, "apiVersion": OWNED[kind], "metadata": metadata, "spec": {**count, "template": template}}
    made.workloads.append(workload)
    owner = _owner(made, workload)
    existing = replicas if made.healthy else chance.randint(1, replicas)
    for position in range(existing):
        condition = READY if made.healthy else chance.choice((READY, READY, READY, READY, UNREADY, PENDING, FAILED, TERMINATING))
        made.of.append((number, condition))
        made.pods.append(_pod(f"{name}-{position}", labels, owner, condition))


def _owner(made: State, workload: Object) -> list[Object]:
    if workload["kind"] == "Pod":
        return []
    reference: Object = {"kind": workload["kind"], "apiVersion": workload["apiVersion"], "name": workload["metadata"]["name"], "controller": True}
    reference["uid"] = workload["metadata"]["uid"]
    if workload["kind"] != "Deployment":
        return [reference]
    name = f"{reference['name']}-1"
    metadata = {"name": name, "uid": name, "ownerReferences": [reference]}
    made.sets.append({"kind": "ReplicaSet", "apiVersion": "apps/v1", "metadata": metadata, "spec": {"replicas": workload["spec"]["replicas"]}})
    return [{"kind": "ReplicaSet", "apiVersion": "apps/v1", "name": name, "uid": name, "controller": True}]


def _pod(name: str, labels: Object, owner: list[Object], condition: str) -> Object:
    metadata: Object = {"name": name, "uid": name, "labels": labels, "ownerReferences": owner, "resourceVersion": "1"}
    if condition == TERMINATING:
        metadata["deletionTimestamp"] = "2026-11-23T00:00:00Z"
    phase = condition if condition in (PENDING, FAILED) else "Running"
    ready = "True" if condition in (READY, TERMINATING) else "False"
    status = {"phase": phase, "conditions": [{"type": "Ready", "status": ready}]}
    return {"metadata": metadata, "spec": {"containers": [{"name": "c", "image": "i"}]}, "status": status}


def _budget(chance: random.Random, number: int) -> Object:
    amount = chance.choice((0, 1, 1, 2, 3, 10, "0%", "1%", "10%", "34%", "50%", "90%", "100%"))
    spec: Object = {chance.choice(("minAvailable", "maxUnavailable")): amount, "selector": {"matchLabels": {"team": chance.choice(TEAMS)}}}
    policy = chance.choice((None, None, "AlwaysAllow", "IfHealthyBudget"))
    if policy is not None:
        spec["unhealthyPodEvictionPolicy"] = policy
    return {"kind": "PodDisruptionBudget", "apiVersion": "policy/v1", "metadata": {"name": f"budget-{number}"}, "spec": spec}
