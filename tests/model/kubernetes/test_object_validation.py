"""Objects next to workloads that the API server rejects, and the reason; those that it accepts."""

from copy import deepcopy
from typing import Any

import pytest

from nodepools.model.kubernetes.object_validation import check_object
from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.placement.workloads.objects import read_workload_objects

CPU = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}
OBJECTS: dict[str, dict[str, Any]] = {
    "HorizontalPodAutoscaler": {"spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "maxReplicas": 3, "metrics": [CPU]}},
    "PersistentVolumeClaim": {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}},
    "PersistentVolume": {
        "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "csi": {"driver": "d.csi", "volumeHandle": "h"}},
    },
    "PodDisruptionBudget": {"spec": {"selector": {"matchLabels": {"a": "b"}}, "minAvailable": 1}},
    "StorageClass": {"provisioner": "disk.csi.azure.com", "allowedTopologies": [{"matchLabelExpressions": [{"key": "a", "values": ["x"]}]}]},
    "LimitRange": {"spec": {"limits": [{"type": "Container", "max": {"cpu": "1"}, "maxLimitRequestRatio": {"hugepages-2Mi": "1"}}]}},
    "ResourceQuota": {"spec": {"hard": {"pods": "1", "requests.cpu": "1500m", "requests.nvidia.com/gpu": "1", "count/jobs.batch": "3"}}},
    "Namespace": {},
    "PriorityClass": {"value": 1},
    "RuntimeClass": {"handler": "kata", "overhead": {"podFixed": {"cpu": "250m"}}},
    "ScaledObject": {"spec": {"scaleTargetRef": {"name": "web"}, "triggers": []}},
    "VerticalPodAutoscaler": {"spec": {"targetRef": {"kind": "Deployment", "name": "web"}, "updatePolicy": {"updateMode": "Initial"}}},
}


def made(kind: str, **changes: Any) -> dict[str, Any]:
    """A valid object with other values at paths; `None`: the field is not there. Steps are joined by `__`."""
    found: dict[str, Any] = {"kind": kind, "metadata": {"name": "x"}, **deepcopy(OBJECTS[kind])}
    for path, value in changes.items():
        *above, last = [int(step) if step.isdecimal() else step for step in path.split("__")]
        at: Any = found
        for step in above:
            at = at[step] if isinstance(step, int) else at.setdefault(step, {})
        if value is None:
            del at[last]
        else:
            at[last] = value
    return found


def checked(raw: dict[str, Any]) -> None:
    check_object(str(raw["kind"]), raw)
    read_workload_objects([raw])


HPA, PVC, PV, PDB, SC = "HorizontalPodAutoscaler", "PersistentVolumeClaim", "PersistentVolume", "PodDisruptionBudget", "StorageClass"
NO_VALUES = {"matchExpressions": [{"key": "a", "operator": "In"}]}
TERM = {"required": {"nodeSelectorTerms": [NO_VALUES]}}
REJECTED: list[tuple[dict[str, Any], str]] = [
    (made(HPA, spec__scaleTargetRef=None), "`spec.scaleTargetRef.kind` is required; `spec.scaleTargetRef.name` is required"),
    (made(HPA, spec__maxReplicas=None), "`spec.maxReplicas` is required"),
    (made(HPA, spec__maxReplicas=0), "`spec.maxReplicas` must be 1 or more, but is `0`"),
    (made(HPA, spec__maxReplicas="5"), "`maxReplicas` must be a whole number, but is `'5'`"),
    (made(HPA, spec__minReplicas=-1), "`spec.minReplicas` must be 0 or more, but is `-1`"),
    (made(HPA, spec__minReplicas=5), "`spec.maxReplicas` must be at least `minReplicas` (5), but is `3`"),
    (made(HPA, spec__metrics__0__type="Foo"), "`spec.metrics[0].type` must be `ContainerResource`, `External`, `Object`, `Pods` or `Resource`"),
    (made(HPA, spec__metrics__0__resource=None), "`spec.metrics[0].resource` is required with `type: Resource`"),
    (made(HPA, spec__metrics__0__resource__name=None), "`spec.metrics[0].resource.name` is required"),
    (made(HPA, spec__metrics__0__resource__target__type="x"), "`spec.metrics[0].resource.target.type` must be `Utilization`, `Value` or"),
    (made(HPA, spec__metrics__0__resource__target__averageUtilization=None), "target` must have `averageUtilization`, `averageValue` or `value`"),
    (made(HPA, spec__metrics__0__resource__target__averageUtilization=0), "target.averageUtilization` must be 1 or more, but is `0`"),
    (made(HPA, spec__behavior__scaleUp__stabilizationWindowSeconds=9999), "stabilizationWindowSeconds` must be from 0 to 3600, but is `9999`"),
    (made(HPA, spec__behavior__scaleDown__selectPolicy="x"), "`spec.behavior.scaleDown.selectPolicy` must be `Max`, `Min` or `Disabled`"),
    (made(HPA, spec__behavior__scaleDown__policies=[{"type": "Pods"}]), "policies[0].value` is required; "),
    (made(HPA, metadata__name="A_b"), "`metadata.name` must be lower-case letters, digits and `-`, at most 253, but is `A_b`"),
    (made(HPA, metadata__labels={"a": "b c"}), "`metadata.labels.a` is not a valid value of a label: `b c`"),
    (made(PVC, spec=None), "`spec.accessModes` must be of `ReadWriteOnce`, "),
    (made(PVC, spec__resources=None), "`spec.resources.requests.storage` is required"),
    (made(PVC, spec__storageClassName="A_b"), "`spec.storageClassName` must be lower-case letters, digits and `-`"),
    (made(PVC, spec__volumeMode="x"), "`spec.volumeMode` must be `Filesystem` or `Block`, but is `x`"),
    (made(PVC, spec__selector=NO_VALUES), "`spec.selector.matchExpressions[0].values` is required with the operator `In`"),
    (made(PVC, spec__dataSourceRef={"kind": "x"}), "`spec.dataSourceRef.name` is required"),
    (made(PV, spec__capacity=None), "`spec.capacity.storage` is required"),
    (made(PV, spec__capacity__storage="0"), "`spec.capacity.storage` must be more than 0, but is `0`"),
    (made(PV, spec__accessModes=["x"]), "`spec.accessModes` must be of "),
    (made(PV, spec__csi=None), "`spec` must have one source, such as `csi`, but has none"),
    (made(PV, spec__nfs={"server": "a", "path": "/"}), "`spec` must have one source, such as `csi`, but has `csi` and `nfs`"),
    (made(PV, spec__csi__volumeHandle=None), "`spec.csi.volumeHandle` is required"),
    (made(PV, spec__csi=None, spec__local={"path": "/x"}), "`spec.nodeAffinity.required` is required"),
    (made(PV, spec__csi=None, spec__hostPath={"path": "/x/../y"}), "`spec.hostPath.path` must not have `..`"),
    (made(PV, spec__persistentVolumeReclaimPolicy="x"), "`spec.persistentVolumeReclaimPolicy` must be `Retain`, `Delete` or `Recycle`"),
    (made(PV, spec__volumeMode="x"), "`spec.volumeMode` must be `Filesystem` or `Block`, but is `x`"),
    (made(PV, spec__nodeAffinity={"required": {}}), "`spec.nodeAffinity.required.nodeSelectorTerms` must have at least one term"),
    (made(PV, spec__nodeAffinity=TERM), "nodeSelectorTerms[0].matchExpressions[0].values` is required with the operator `In`"),
    (made(PDB, spec__unhealthyPodEvictionPolicy="x"), "`spec.unhealthyPodEvictionPolicy` must be `IfHealthyBudget` or `AlwaysAllow`"),
    (made(PDB, spec__selector=NO_VALUES), "`spec.selector.matchExpressions[0].values` is required"),
    (made(PDB, spec__selector__matchLabels={"a b": "c"}), "is not a valid key of a label"),
    (made(SC, provisioner=None), "`provisioner` must be a name such as `disk.csi.azure.com`, but is empty"),
    (made(SC, reclaimPolicy="Recycle"), "`reclaimPolicy` must be `Delete` or `Retain`, but is `Recycle`"),
    (made(SC, volumeBindingMode="Later"), "`volumeBindingMode` must be `Immediate` or `WaitForFirstConsumer`, but is `Later`"),
    (made(SC, allowedTopologies__0__matchLabelExpressions__0__key="a b"), "matchLabelExpressions[0].key` must be a key of a label, but is `a b`"),
    (made(SC, allowedTopologies__0__matchLabelExpressions__0__values=[]), "values` must be different ones, at least one, but is `[]`"),
    (made(SC, allowedTopologies__0__matchLabelExpressions__0__values=["a", "a"]), "values` must be different ones, at least one, but is `['a'"),
    (made(PVC, spec__accessModes=["ReadWriteOncePod", "ReadWriteOnce"]), "`ReadWriteOncePod` alone, but is `ReadWriteOncePod, ReadWriteOnce`"),
    (made(PVC, spec__resources__requests__storage="0"), "`spec.resources.requests.storage` must be more than 0, but is `0`"),
    (made(SC, allowVolumeExpansion="yes"), "`allowVolumeExpansion` must be `true` or `false`"),
    (made(SC, parameters={"": "x"}), "`parameters` must have no empty key"),
    (made(SC, allowedTopologies=OBJECTS[SC]["allowedTopologies"] * 2), "`allowedTopologies[1]` must have keys, and must not repeat"),
    (made(SC, allowedTopologies=[{}]), "`allowedTopologies[0]` must have keys"),
    (made(SC, volumeBindingMode=""), "`volumeBindingMode` must be `Immediate` or `WaitForFirstConsumer`, but is empty"),
    (
        made(PV, spec__nodeAffinity={"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "In", "values": ["a b"]}]}]}}),
        "is not a valid value of a label: `a b`",
    ),
    (
        made("LimitRange", spec__limits=[{"type": "Pod", "min": {"cpu": "1"}, "max": {"cpu": "2"}, "maxLimitRequestRatio": {"cpu": "3"}}]),
        "`maxLimitRequestRatio.cpu` must be at most `max` / `min` (2 / 1), but is 3",
    ),
    (
        made("LimitRange", spec__limits=[{"type": "PersistentVolumeClaim", "min": {"storage": "1Gi"}, "default": {"storage": "1"}}]),
        "`default.storage` must be at least `min`",
    ),
    (made("ResourceQuota", spec__hard={"services": "1"}, spec__scopes=["Terminating"]), "is not a scope that the API server accepts for `services`"),
    (made("ResourceQuota", spec__hard={"storage": "1"}), "`spec.hard.storage` is not a resource of a quota"),
    (made("PriorityClass", metadata__name="system-node-critical"), "cannot begin with `system-`"),
    (made("RuntimeClass", overhead={"podFixed": {"foo": "1"}}), "`overhead.podFixed.foo` is not a resource that containers can request"),
    (made("LimitRange", spec__limits__0__type=None), "`spec.limits[0].type` must be `Container`, `Pod` or `PersistentVolumeClaim`, but is empty"),
    (made("LimitRange", spec__limits=[{"type": "PersistentVolumeClaim"}]), "`spec.limits[0]` must have `min.storage` or `max.storage`"),
    (made("LimitRange", spec__limits__0__maxLimitRequestRatio={"cpu": "500m"}), "maxLimitRequestRatio.cpu` must be 1 or more, but is `500m`"),
    (made("LimitRange", spec__limits__0__max={"gpu": "1"}), "`spec.limits[0].max.gpu` is not a resource of containers"),
    (made("ResourceQuota", spec__hard={"gpu": "1"}), "`spec.hard.gpu` is not a resource of a quota"),
    (made("ResourceQuota", spec__hard={"pods": "1500m"}), "`spec.hard.pods` must be a whole number, but is `1500m`"),
    (made("Namespace", metadata__name="a.b"), "`metadata.name` must be lower-case letters"),
    (made("PriorityClass", metadata__annotations={"a b": "c"}), "is not a valid key of an annotation"),
    (made("ScaledObject", spec__scaleTargetRef=None), "`spec.scaleTargetRef.name` is required"),
    (made("ScaledObject", spec__triggers=None), "`spec.triggers` is required"),
    (made("VerticalPodAutoscaler", spec__updatePolicy__updateMode="x"), "`spec.updatePolicy.updateMode` must be `Off`, `Initial`, "),
]


@pytest.mark.parametrize(("raw", "message"), REJECTED)
def test_what_the_api_server_rejects(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(PodError) as raised:
        checked(raw)
    assert message in str(raised.value)


@pytest.mark.parametrize("kind", OBJECTS)
def test_what_it_accepts(kind: str) -> None:
    checked(made(kind))


ACCEPTED = [
    made(PVC, spec__dataSource={"kind": "x"}),
    made(PDB, metadata__name="A_b"),
    {**made("PriorityClass"), "value": None},
    made(
        "ResourceQuota",
        spec__hard={"pods": "1"},
        spec__scopeSelector={"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["a b"]}]},
    ),
    made("ResourceQuota", spec__hard={"requests.storage": "1"}, spec__scopes=["VolumeAttributesClass"]),
    made(HPA, spec__minReplicas=0),
    made(HPA, spec__behavior__scaleDown__policies=[{"type": "Percent", "value": 10, "periodSeconds": 60}]),
    made(PV, spec__nodeAffinity={"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Exists"}]}]}}),
    made(PV, spec__csi=None, spec__fc={"wwids": ["a"]}),
    made("LimitRange", spec__limits=[{"type": "PersistentVolumeClaim", "max": {"storage": "1Gi"}}, {"type": "a.b/c"}]),
    made("ResourceQuota", spec__hard={"requests.nvidia.com/gpu": "1500m", "hugepages-2Mi": "1"}),
]


@pytest.mark.parametrize("raw", ACCEPTED)
def test_more_that_it_accepts(raw: dict[str, Any]) -> None:
    checked(raw)


def test_what_it_has_accepted_is_not_checked() -> None:
    check_object(PVC, made(PVC, spec=None, metadata__uid="1"))
