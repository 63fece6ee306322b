"""Good objects of the kinds that decide next to workloads, and what becomes of them when one field at a time is another."""

import copy
from collections.abc import Iterator
from typing import Any, Final

Object = dict[str, Any]
Step = str | int


def _of(version: str, kind: str, name: str = "it", **fields: Any) -> Object:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, **fields}


_DEVICES: Final[Object] = {
    "requests": [
        {"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": 2}},
        {
            "name": "nic",
            "firstAvailable": [
                {"name": "large", "deviceClassName": "nic.example.com", "selectors": [{"cel": {"expression": "device.driver == 'a.b'"}}]},
                {"name": "small", "deviceClassName": "nic.example.com", "count": 1},
            ],
        },
        {"name": "every", "exactly": {"deviceClassName": "x", "allocationMode": "All", "adminAccess": True}},
    ],
    "constraints": [{"requests": ["gpu", "nic"], "matchAttribute": "example.com/numa"}],
}
_METRICS: Final = [
    {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}},
    {"type": "Pods", "pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1"}}},
    {
        "type": "ContainerResource",
        "containerResource": {"name": "cpu", "container": "c", "target": {"type": "Utilization", "averageUtilization": 50}},
    },
    {
        "type": "Object",
        "object": {
            "describedObject": {"kind": "Service", "name": "s", "apiVersion": "v1"},
            "metric": {"name": "m"},
            "target": {"type": "Value", "value": "1"},
        },
    },
    {"type": "External", "external": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "1"}}},
]
_NODES: Final = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}]}
_LABELS: Final = {"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "tier", "operator": "In", "values": ["a"]}]}
GOOD: Final[tuple[Object, ...]] = (
    _of("v1", "ResourceQuota", spec={"hard": {"cpu": "4", "requests.memory": "8Gi", "pods": "10", "requests.nvidia.com/gpu": "2"}}),
    _of("v1", "ResourceQuota", spec={"hard": {"pods": "10"}, "scopes": ["BestEffort"]}),
    _of(
        "v1",
        "ResourceQuota",
        spec={
            "hard": {"pods": "10", "limits.cpu": "4"},
            "scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]},
        },
    ),
    _of(
        "v1",
        "LimitRange",
        spec={
            "limits": [
                {
                    "type": "Container",
                    "default": {"cpu": "1", "memory": "1Gi"},
                    "defaultRequest": {"cpu": "500m"},
                    "min": {"cpu": "100m", "memory": "64Mi"},
                    "max": {"cpu": "2", "memory": "2Gi"},
                    "maxLimitRequestRatio": {"cpu": "4"},
                },
                {"type": "Pod", "max": {"cpu": "4"}, "min": {"cpu": "1"}, "maxLimitRequestRatio": {"cpu": "3"}},
                {"type": "PersistentVolumeClaim", "min": {"storage": "1Gi"}, "max": {"storage": "10Gi"}},
            ]
        },
    ),
    _of(
        "storage.k8s.io/v1",
        "StorageClass",
        provisioner="disk.csi.azure.com",
        parameters={"skuName": "Premium_LRS"},
        reclaimPolicy="Delete",
        volumeBindingMode="WaitForFirstConsumer",
        allowVolumeExpansion=True,
        allowedTopologies=[{"matchLabelExpressions": [{"key": "topology.kubernetes.io/zone", "values": ["a", "b"]}]}],
    ),
    _of("policy/v1", "PodDisruptionBudget", spec={"minAvailable": 1, "selector": _LABELS, "unhealthyPodEvictionPolicy": "AlwaysAllow"}),
    _of("policy/v1", "PodDisruptionBudget", spec={"maxUnavailable": "50%", "selector": _LABELS}),
    _of("scheduling.k8s.io/v1", "PriorityClass", value=1000, preemptionPolicy="Never", globalDefault=False, description="x"),
    _of("scheduling.k8s.io/v1", "PriorityClass", name="system-cluster-critical", value=2_000_000_000),
    _of(
        "node.k8s.io/v1",
        "RuntimeClass",
        handler="kata",
        overhead={"podFixed": {"cpu": "250m", "memory": "100Mi"}},
        scheduling={"nodeSelector": {"team": "web"}, "tolerations": [{"key": "a", "operator": "Equal", "value": "b", "effect": "NoSchedule"}]},
    ),
    _of("resource.k8s.io/v1", "ResourceClaim", spec={"devices": _DEVICES}),
    _of("resource.k8s.io/v1", "ResourceClaimTemplate", spec={"metadata": {"labels": {"a": "b"}}, "spec": {"devices": _DEVICES}}),
    _of("resource.k8s.io/v1", "DeviceClass", spec={"selectors": [{"cel": {"expression": "device.driver == 'gpu.example.com'"}}]}),
    _of(
        "resource.k8s.io/v1",
        "ResourceSlice",
        spec={
            "driver": "gpu.example.com",
            "nodeName": "n",
            "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1},
            "devices": [
                {
                    "name": "gpu-0",
                    "attributes": {"model": {"string": "a100"}, "index": {"int": 0}, "on": {"bool": True}, "at": {"version": "1.0.0"}},
                    "capacity": {"memory": {"value": "40Gi"}},
                },
                {"name": "gpu-1"},
            ],
        },
    ),
    _of(
        "resource.k8s.io/v1",
        "ResourceSlice",
        spec={
            "driver": "gpu.example.com",
            "nodeSelector": _NODES,
            "pool": {"name": "shared/all", "generation": 0, "resourceSliceCount": 2},
            "devices": [{"name": "gpu-0"}],
        },
    ),
    _of("v1", "Namespace", metadata={"name": "it", "labels": {"team": "web"}, "annotations": {"a.b/c": "d"}}),
    _of(
        "v1",
        "PersistentVolumeClaim",
        spec={
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "10Gi"}},
            "storageClassName": "fast",
            "volumeMode": "Filesystem",
            "selector": _LABELS,
            "volumeName": "v",
        },
    ),
    _of(
        "v1",
        "PersistentVolume",
        spec={
            "accessModes": ["ReadWriteOnce"],
            "capacity": {"storage": "10Gi"},
            "storageClassName": "fast",
            "volumeMode": "Filesystem",
            "persistentVolumeReclaimPolicy": "Retain",
            "csi": {"driver": "disk.csi.azure.com", "volumeHandle": "h"},
            "claimRef": {"name": "c", "namespace": "default"},
            "nodeAffinity": {"required": _NODES},
        },
    ),
    _of(
        "v1",
        "PersistentVolume",
        spec={
            "accessModes": ["ReadWriteOnce"],
            "capacity": {"storage": "10Gi"},
            "local": {"path": "/x"},
            "nodeAffinity": {"required": _NODES},
        },
    ),
    _of(
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        spec={
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "minReplicas": 2,
            "maxReplicas": 10,
            "metrics": _METRICS,
            "behavior": {
                "scaleUp": {
                    "stabilizationWindowSeconds": 60,
                    "selectPolicy": "Max",
                    "policies": [{"type": "Pods", "value": 2, "periodSeconds": 60}],
                }
            },
        },
    ),
    _of(
        "scheduling.k8s.io/v1beta1",
        "PodGroup",
        spec={"schedulingPolicy": {"gang": {"minCount": 3}}, "podGroupTemplateRef": {"workload": {"workloadName": "w", "podGroupTemplateName": "t"}}},
    ),
    _of("scheduling.k8s.io/v1beta1", "PodGroup", spec={"schedulingPolicy": {"basic": {}}}),
)
_SELECTED: Final = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": "topology.kubernetes.io/zone"}
_POD: Final[Object] = {
    "metadata": {"labels": {"app": "web"}, "annotations": {"a.b/c": "d"}},
    "spec": {
        "containers": [
            {
                "name": "c",
                "image": "i",
                "resources": {"requests": {"cpu": "1", "memory": "1Gi", "nvidia.com/gpu": "1"}, "limits": {"memory": "1Gi", "nvidia.com/gpu": "1"}},
                "ports": [{"containerPort": 80, "hostPort": 8080, "protocol": "TCP"}],
                "volumeMounts": [{"name": "data", "mountPath": "/data"}],
            }
        ],
        "initContainers": [{"name": "i", "image": "i", "restartPolicy": "Always"}],
        "volumes": [{"name": "data", "emptyDir": {"sizeLimit": "1Gi"}}, {"name": "pvc", "persistentVolumeClaim": {"claimName": "x"}}],
        "nodeSelector": {"team": "web"},
        "tolerations": [{"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute", "tolerationSeconds": 5}],
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": _NODES,
                "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 5, "preference": _NODES["nodeSelectorTerms"][0]}],
            },
            "podAntiAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [{**_SELECTED, "namespaces": ["default"]}],
                "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 5, "podAffinityTerm": _SELECTED}],
            },
        },
        "topologySpreadConstraints": [
            {**_SELECTED, "maxSkew": 1, "minDomains": 2, "whenUnsatisfiable": "DoNotSchedule", "nodeTaintsPolicy": "Honor"}
        ],
        "priorityClassName": "high",
        "runtimeClassName": "kata",
        "schedulingGates": [{"name": "a.b/c"}],
        "resourceClaims": [{"name": "gpu", "resourceClaimName": "x"}],
        "terminationGracePeriodSeconds": 30,
        "hostNetwork": False,
    },
}
_OF_JOBS: Final = {**_POD, "spec": {**_POD["spec"], "restartPolicy": "Never"}}
_SELECTOR: Final = {"matchLabels": {"app": "web"}}
_JOB: Final = {"template": _OF_JOBS, "parallelism": 2, "completions": 3, "completionMode": "Indexed", "backoffLimit": 1}
WORKLOADS: Final[tuple[Object, ...]] = (
    _of("v1", "Pod", metadata={"name": "it", **_POD["metadata"]}, spec=_POD["spec"]),
    _of(
        "apps/v1",
        "Deployment",
        spec={
            "replicas": 3,
            "selector": _SELECTOR,
            "template": _POD,
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 0}},
            "minReadySeconds": 5,
            "progressDeadlineSeconds": 600,
        },
    ),
    _of(
        "apps/v1",
        "StatefulSet",
        spec={
            "replicas": 3,
            "selector": _SELECTOR,
            "serviceName": "s",
            "template": _POD,
            "podManagementPolicy": "Parallel",
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}},
            "volumeClaimTemplates": [
                {
                    "metadata": {"name": "disk"},
                    "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "fast", "resources": {"requests": {"storage": "1Gi"}}},
                }
            ],
            "ordinals": {"start": 1},
            "minReadySeconds": 5,
        },
    ),
    _of(
        "apps/v1",
        "DaemonSet",
        spec={
            "selector": _SELECTOR,
            "template": _POD,
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1, "maxSurge": 0}},
        },
    ),
    _of("apps/v1", "ReplicaSet", spec={"replicas": 3, "selector": _SELECTOR, "template": _POD, "minReadySeconds": 5}),
    _of("batch/v1", "Job", spec=_JOB),
    _of(
        "batch/v1",
        "CronJob",
        spec={
            "schedule": "@daily",
            "timeZone": "Europe/Berlin",
            "concurrencyPolicy": "Forbid",
            "startingDeadlineSeconds": 60,
            "jobTemplate": {"spec": _JOB},
        },
    ),
)
TEXTS: Final = (
    "",
    "web",
    "Web",
    "a.b",
    "a b",
    "-x",
    "x" * 64,
    "x" * 254,
    "a/b",
    "a.b/c",
    "1",
    "0",
    "-1",
    "0.5",
    "1.5",
    "10%",
    "150%",
    "2Gi",
    "x/y/z",
    "é",
)
NUMBERS: Final = (0, 1, -1, 2, 3, 101, 4000, 2**31, 2**33, "1", "x")
ADDED: Final[dict[str, tuple[tuple[tuple[Step, ...], Any], ...]]] = {
    "ResourceQuota": (
        *(
            (("spec", "hard", name), "1")
            for name in ("foo", "count/pods", "count/x", "requests.foo", "limits.nvidia.com/gpu", "nvidia.com/gpu", "a b/c")
        ),
        *((("spec", "hard", name), "1") for name in ("storage", "hugepages-2Mi", "requests.hugepages-2Mi", "limits.ephemeral-storage", "services")),
        *((("spec", "hard", name), "1") for name in ("fast.storageclass.storage.k8s.io/requests.storage", "a.deviceclass.resource.k8s.io/devices")),
        *(
            (("spec", "hard", name), "1500m")
            for name in ("pods", "services", "requests.x/y", "count/pods", "requests.cpu", "hugepages-2Mi", "configmaps")
        ),
        *(
            (("spec", "scopes"), [name])
            for name in ("Terminating", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity", "VolumeAttributesClass")
        ),
        (("spec", "scopes"), ["BestEffort", "NotBestEffort"]),
        (("spec", "scopes"), ["Terminating", "NotTerminating"]),
        (("spec", "scopes"), ["BestEffort", "BestEffort"]),
        (("spec", "scopes"), ["Terminating", "BestEffort"]),
        *(
            (("spec", "scopeSelector"), {"matchExpressions": [{"scopeName": name, "operator": operator, "values": values}]})
            for name in ("PriorityClass", "BestEffort", "VolumeAttributesClass", "foo")
            for operator in ("In", "NotIn", "Exists", "DoesNotExist", "Gt")
            for values in ([], ["high"])
        ),
        (("spec", "scopeSelector"), {}),
    ),
    "LimitRange": (
        *(
            (("spec", "limits", n, field, name), amount)
            for n in range(3)
            for field in ("min", "max", "default", "defaultRequest", "maxLimitRequestRatio")
            for name in ("cpu", "memory", "storage", "ephemeral-storage", "nvidia.com/gpu", "foo", "hugepages-2Mi", "pods", "requests.x/y")
            for amount in ("1", "1500m", "-1", "16Gi")
        ),
        *(
            (("spec", "limits", n, "type"), name)
            for n in range(3)
            for name in ("Container", "Pod", "PersistentVolumeClaim", "container", "x.y/z", "a b")
        ),
    ),
    "StorageClass": (
        (("mountOptions",), ["a"]),
        *((("volumeBindingMode",), mode) for mode in ("Immediate", "immediate", None)),
        *((("reclaimPolicy",), mode) for mode in ("Retain", "Recycle", None)),
        (("allowedTopologies", 0), {}),
        (("allowedTopologies", 0, "matchLabelExpressions"), []),
        *((("provisioner",), name) for name in ("a/b", "A.b/C", "kubernetes.io/aws-ebs", "a/b/c", "x" * 63 + "/y", "_a")),
        (("parameters", ""), "x"),
        *((("parameters", "x"), "y" * many) for many in (1000, 300_000)),
        *((("parameters", f"k{n}"), "y") for n in range(3)),
    ),
    "PodDisruptionBudget": (
        *(
            (("spec", name), value)
            for name in ("minAvailable", "maxUnavailable")
            for value in (0, -1, "0%", "100%", "101%", "50", "x", "5.5%", None, 2**31)
        ),
        *((("spec", "unhealthyPodEvictionPolicy"), value) for value in ("IfHealthyBudget", "IfHealthy", None)),
        *((("spec", "selector"), value) for value in ({}, None)),
    ),
    "PriorityClass": (
        *((("value",), value) for value in (1_000_000_000, 1_000_000_001, 2_000_000_000, 2_000_001_000, -(2**31), -(2**31) - 1, 0, None)),
        *((("metadata", "name"), name) for name in ("system-x", "system-node-critical", "system-cluster-critical", "systemx", "System")),
        *((("preemptionPolicy",), value) for value in ("PreemptLowerPriority", "never", None)),
        (("globalDefault",), True),
    ),
    "RuntimeClass": (
        *(
            (("overhead", "podFixed", name), amount)
            for name in ("cpu", "foo", "nvidia.com/gpu", "pods", "hugepages-2Mi", "a b")
            for amount in ("1", "-1", "1500m")
        ),
        *((("scheduling", "nodeSelector", key), "x") for key in ("a", "a b", "-x", "a.b/c")),
        *((("scheduling", "tolerations", 0, "operator"), operator) for operator in ("Exists", "Gt", "Lt", "")),
        *((("scheduling", "tolerations", 0), value) for value in ({}, {"operator": "Exists"}, {"tolerationSeconds": 5, "operator": "Exists"})),
        (("scheduling", "tolerations"), [{"operator": "Exists"}, {"operator": "Exists"}]),
    ),
    "DeviceClass": (
        *(
            (("spec", "selectors", 0, "cel", "expression"), text)
            for text in (
                "true",
                "1",
                "device",
                "device.foo",
                "device.attributes['a.b'].x == 'y'",
                "device.attributes['a.b'].x > 3",
                "device.attributes['a.b'].x",
                "device.capacity['a.b'].x.compareTo(quantity('1Gi')) >= 0",
                "device.capacity['a.b'].x.isGreaterThan(quantity('1'))",
                "has(device.driver)",
                "device.driver",
                "foo",
                "'a' in device.attributes",
                "device.attributes['a.b'].exists(k, true)",
                "device.allowMultipleAllocations",
                "cel.bind(d, device.attributes['a.b'], d.x == 1 && d.y == 'z')",
                "semver('1.0.0').isLessThan(device.attributes['a.b'].v)",
                "true ||",
                "device.driver == 1",
                "device.driver.matches('[')",
                "device.driver in ['a']",
                "x" * 11000,
                "device.attributes['a.b'].?x.orValue(1) == 1",
                "[1,2,3].all(x, [1,2,3].all(y, x == y))",
                "device.attributes['A.b'].x == 1",
                "isSemver('1.0.0')",
                "isQuantity('1')",
                "now() > 1",
            )
        ),
        (("spec", "selectors", 0), {}),
        (("spec", "selectors"), [{"cel": {"expression": "true"}}] * 33),
        (("spec", "selectors"), [{"cel": {"expression": "true"}}] * 32),
        (("spec", "config"), [{"opaque": {"driver": "a.b", "parameters": {"x": 1}}}]),
        (("spec", "config"), [{"opaque": {"driver": "A b", "parameters": {"x": 1}}}]),
        (("spec", "config"), [{}]),
        *((("spec", "extendedResourceName"), name) for name in ("example.com/gpu", "gpu", "kubernetes.io/x", "requests.a/b")),
    ),
    "ResourceSlice": (
        *(
            (("spec", name), value)
            for name in ("allNodes", "nodeName", "nodeSelector", "perDeviceNodeSelection")
            for value in (True, "n", {}, _NODES, None)
        ),
        (("spec", "devices"), [{"name": f"d{n}"} for n in range(128)]),
        (("spec", "devices"), [{"name": f"d{n}"} for n in range(129)]),
        (("spec", "devices", 1, "name"), "gpu-0"),
        *(
            (("spec", "devices", 0, "attributes", "x"), value)
            for value in ({}, {"string": "a", "int": 1}, {"version": "1"}, {"string": "y" * 65}, {"int": "1"})
        ),
        *(
            (("spec", "devices", 0, "attributes", name), {"int": 1})
            for name in ("a.b/c", "A.b/c", "a-b", "a/b", "gpu.example.com/model", "1a", "_a", "x" * 33)
        ),
        *((("spec", "devices", 0, "capacity", name), {"value": "1"}) for name in ("a.b/c", "a-b", "a/b", "1a")),
        *((("spec", "devices", 0, "taints"), [{"key": "a", "effect": effect}]) for effect in ("NoSchedule", "NoExecute", "None", "x", "")),
        (("spec", "devices", 0, "attributes"), {f"a{n}": {"int": 1} for n in range(33)}),
        (("spec", "sharedCounters"), [{"name": "c", "counters": {"x": {"value": "1"}}}]),
        (("spec", "devices", 0, "consumesCounters"), [{"counterSet": "c", "counters": {"x": {"value": "1"}}}]),
        *((("spec", "pool", "name"), name) for name in ("a/b", "a//b", "/a", "A", "x" * 254, "a.b/c.d")),
    ),
    "PodGroup": (
        (("spec", "schedulingPolicy", "basic"), {}),
        (("spec", "schedulingPolicy"), {}),
        (("spec", "schedulingPolicy"), None),
        *((("spec", "schedulingPolicy", "gang"), value) for value in ({}, {"minCount": 0}, {"minCount": 1}, {"minCount": "1"}, None)),
    ),
    "PersistentVolumeClaim": (
        *(
            (("spec", "accessModes"), modes)
            for modes in ([], ["ReadWriteOncePod"], ["ReadWriteOncePod", "ReadOnlyMany"], ["rwo"], ["ReadWriteOnce"] * 2)
        ),
        *(
            (("spec", "resources", "requests"), value)
            for value in ({}, {"storage": "0"}, {"cpu": "1"}, {"storage": "1", "cpu": "1"}, {"storage": "1500m"})
        ),
        (("spec", "resources", "limits"), {"storage": "1Gi"}),
        *(
            (("spec", name), {"kind": kind, "name": "x", "apiGroup": group})
            for name in ("dataSource", "dataSourceRef")
            for kind in ("VolumeSnapshot", "PersistentVolumeClaim", "")
            for group in ("snapshot.storage.k8s.io", "", None)
        ),
        *((("spec", "volumeAttributesClassName"), name) for name in ("gold", "", "Gold")),
    ),
    "PersistentVolume": (
        *(
            (("spec", name), value)
            for name, value in (
                ("hostPath", {"path": "/x"}),
                ("hostPath", {"path": "/x/../y"}),
                ("hostPath", {"path": ""}),
                ("nfs", {"server": "x", "path": "/y"}),
                ("nfs", {"server": "x", "path": "y"}),
                ("awsElasticBlockStore", {"volumeID": "v"}),
                ("azureDisk", {"diskName": "d", "diskURI": "u"}),
                ("local", {"path": "y/../x"}),
                ("local", {"path": ""}),
            )
        ),
        *((("spec", "persistentVolumeReclaimPolicy"), value) for value in ("Delete", "Recycle", "retain", None)),
        *((("spec", "capacity"), value) for value in ({}, {"storage": "0"}, {"cpu": "1"}, {"storage": "1", "cpu": "1"})),
        *((("spec", "accessModes"), modes) for modes in ([], ["ReadWriteOncePod"], ["ReadWriteOncePod", "ReadOnlyMany"], ["rwo"])),
        *(
            (("spec", "nodeAffinity"), value)
            for value in ({}, {"required": {}}, {"required": {"nodeSelectorTerms": []}}, {"required": {"nodeSelectorTerms": [{}]}})
        ),
        (("spec", "mountOptions"), ["a"]),
    ),
    "HorizontalPodAutoscaler": (
        *((("spec", "minReplicas"), value) for value in (0, 10, 11, None)),
        *((("spec", "behavior", "scaleDown"), value) for value in ({}, {"policies": []}, {"stabilizationWindowSeconds": 3601}, {"tolerance": "0.1"})),
        (("spec", "metrics"), []),
        *(
            (("spec", "metrics", n, "type"), name)
            for n in range(5)
            for name in ("Resource", "Pods", "Object", "External", "ContainerResource", "resource")
        ),
        *((("spec", "scaleTargetRef", "apiVersion"), name) for name in ("apps/v1", "a/b/c", "x")),
    ),
}
_OF_CLAIMS: Final[tuple[tuple[tuple[Step, ...], Any], ...]] = (
    *((("requests", n, "exactly", "adminAccess"), True) for n in (0, 2)),
    (("requests", 0, "exactly"), None),
    (("requests", 1, "exactly"), {"deviceClassName": "x"}),
    (("requests", 1, "firstAvailable"), []),
    (("requests", 1, "firstAvailable", 1, "name"), "large"),
    (("requests", 1, "firstAvailable"), [{"name": f"n{n}", "deviceClassName": "x"} for n in range(9)]),
    (("requests", 1, "name"), "gpu"),
    (("requests",), []),
    (("requests",), [{"name": f"n{n}", "exactly": {"deviceClassName": "x"}} for n in range(33)]),
    (("requests",), [{"name": f"n{n}", "exactly": {"deviceClassName": "x"}} for n in range(32)]),
    *((("constraints", 0, "requests"), value) for value in ([], ["gpu", "gpu"], ["nic/large"], ["nic/other"], ["gpu/large"], ["other"])),
    *((("constraints", 0, "matchAttribute"), value) for value in ("a.b/c", "c", "a/b", "A.b/c", "a.b/c-d", "a.b/1", "a.b/_x", None)),
    (("constraints", 0, "distinctAttribute"), "a.b/c"),
    (("constraints", 0), {}),
    *(
        (("requests", 0, "exactly", "tolerations"), [value])
        for value in ({"operator": "Exists"}, {"key": "a", "operator": "Gt"}, {"operator": "Equal"}, {})
    ),
    *((("requests", 0, "exactly", "allocationMode"), value) for value in ("All", "Exact", None)),
    (("requests", 0, "exactly", "capacity"), {"requests": {"a.b/memory": "1Gi"}}),
    *((("requests", 0, "exactly", "selectors"), value) for value in ([], [{}], [{"cel": {}}], [{"cel": {"expression": "true"}}] * 33)),
    *((("config",), [{"requests": [name], "opaque": {"driver": "a.b", "parameters": {"x": 1}}}]) for name in ("gpu", "nic/large", "other", "gpu/x")),
)
ADDED["ResourceClaim"] = tuple((("spec", "devices", *path), value) for path, value in _OF_CLAIMS)
ADDED["ResourceClaimTemplate"] = tuple((("spec", "spec", "devices", *path), value) for path, value in _OF_CLAIMS)
_OF_METADATA: Final[tuple[tuple[tuple[Step, ...], Any], ...]] = (
    *((("metadata", "labels"), {key: "x"}) for key in ("a", "a b", "A.b/c", "a.b/c", "")),
    *((("metadata", "labels"), {"a": value}) for value in ("", "a b", "x" * 64)),
    *((("metadata", "annotations"), {key: "x"}) for key in ("a", "a b", "A.b/c", "")),
    *((("metadata", "name"), name) for name in ("a.b", "It", "a_b", "x" * 64, "x" * 253, "x" * 254, "a-", "1")),
)
_DELETED: Final = object()


def changed(good: Object) -> Iterator[tuple[str, Object]]:
    """The object itself, and with one field of it changed, added or taken out: what, and the object."""
    yield "as it is", good
    for path in _paths(good):
        if path[0] in ("apiVersion", "kind"):
            continue
        old = _at(good, path)
        for new in (_DELETED, None, *_others(old)):
            if new is not old:
                yield f"{path} is {'deleted' if new is _DELETED else repr(new)[:40]}", _with(good, path, new)
    for path, new in (*ADDED.get(good["kind"], ()), *_OF_METADATA):
        try:
            yield f"{path} is {repr(new)[:40]}", _with(good, path, new)
        except (KeyError, IndexError, TypeError):
            continue  # of another object of this kind


def _others(old: Any) -> tuple[Any, ...]:
    if isinstance(old, str):
        return TEXTS
    if isinstance(old, bool):
        return not old, "true", 1
    if isinstance(old, int):
        return NUMBERS
    return ([], [*old, *old], "x") if isinstance(old, list) else ({}, [], "x")


def _paths(value: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    if path:
        yield path
    for key, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from _paths(one, (*path, key))


def _at(value: Any, path: tuple[Step, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def _with(good: Object, path: tuple[Step, ...], new: Any) -> Object:
    made = copy.deepcopy(good)
    owner = made
    for step in path[:-1]:
        owner = owner.setdefault(step, {}) if isinstance(owner, dict) else owner[step]
    if new is _DELETED:
        del owner[path[-1]]
    else:
        owner[path[-1]] = copy.deepcopy(new)
    return made
