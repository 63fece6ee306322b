"""What the API server rejects: a row for each check. `tests/oracle/admission` compares random workloads with the server's own code."""

from typing import Any

import pytest

from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.kubernetes.workload_validation import invalid_fields

NODES, PODS = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
KEY, LONG = "topology.kubernetes.io/zone", "a" * 64
WEB = {"matchLabels": {"app": "web"}}


def pod(**spec: Any) -> tuple[str, dict[str, Any]]:
    return "Pod", {"metadata": {"name": "p", "labels": {"app": "web", "team": "a"}}, "spec": {"containers": [{"name": "c"}], **spec}}


def asking(**resources: Any) -> tuple[str, dict[str, Any]]:
    return pod(containers=[{"name": "c", "resources": resources}])


def ports(*written: dict[str, Any], **spec: Any) -> tuple[str, dict[str, Any]]:
    return pod(containers=[{"name": "c", "ports": list(written)}], **spec)


def terms(*written: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return pod(affinity={"nodeAffinity": {NODES: {"nodeSelectorTerms": list(written)}}})


def requires(**expression: Any) -> tuple[str, dict[str, Any]]:
    return terms({"matchExpressions": [{"key": "a", **expression}]})


def near(**term: Any) -> tuple[str, dict[str, Any]]:
    return pod(affinity={"podAffinity": {NODES: [{"topologyKey": KEY, "labelSelector": WEB, **term}]}})


def spread(*more: dict[str, Any], **fields: Any) -> tuple[str, dict[str, Any]]:
    first = {"maxSkew": 1, "topologyKey": KEY, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": WEB, **fields}
    return pod(topologySpreadConstraints=[first, *more])


def volume(**source: Any) -> tuple[str, dict[str, Any]]:
    return pod(volumes=[{"name": "data", **source}])


def claim(modes: list[str], storage: str | None) -> tuple[str, dict[str, Any]]:
    spec = {"accessModes": modes, "resources": {"requests": {} if storage is None else {"storage": storage}}}
    return volume(ephemeral={"volumeClaimTemplate": {"spec": spec}})


def owned(kind: str, template: dict[str, Any] | None = None, **spec: Any) -> tuple[str, dict[str, Any]]:
    own = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c"}], **(template or {})}}
    written = {"template": own, **spec}
    return kind, {"spec": {"jobTemplate": {"spec": written}} if kind == "CronJob" else written}


def scheduled(**spec: Any) -> tuple[str, dict[str, Any]]:
    return "CronJob", {"spec": {**spec, **owned("CronJob", NEVER)[1]["spec"]}}


NEVER = {"restartPolicy": "Never"}
PROBE = {"exec": {"command": ["x"]}}
TOLERATION = "spec.tolerations[0]"
EXPRESSION = f"spec.affinity.nodeAffinity.{NODES}.nodeSelectorTerms[0].matchExpressions[0]"
TERM = f"spec.affinity.podAffinity.{NODES}[0]"
SPREAD = "spec.topologySpreadConstraints[0]"
RESOURCES = "spec.containers[0].resources"
REJECTED = [
    (("Pod", {"metadata": {"name": "Web"}, "spec": {"containers": [{"name": "c"}]}}), "`metadata.name` must be lower-case letters"),
    (("CronJob", {"metadata": {"name": "a" * 53}}), "`metadata.name` must be lower-case letters, digits and `-`, at most 52"),
    (("Pod", {"metadata": {"namespace": "a.b"}, "spec": {"containers": [{"name": "c"}]}}), "`metadata.namespace` must be"),
    (("Pod", {"metadata": {"annotations": {"a b": "x"}}, "spec": {"containers": [{"name": "c"}]}}), "is not a valid key of an annotation"),
    (pod(dnsPolicy="Foo"), "`spec.dnsPolicy` must be `ClusterFirst`"),
    (pod(activeDeadlineSeconds=0), "`spec.activeDeadlineSeconds` must be 1 or more, but is `0`"),
    (owned("Deployment", {"activeDeadlineSeconds": 5}), "`spec.template.spec.activeDeadlineSeconds` cannot be set: only pods of Jobs end"),
    (pod(hostname="a.b"), "`spec.hostname` must be"),
    (pod(os={"name": "linux"}, securityContext={"windowsOptions": {}}), "`spec.securityContext.windowsOptions` cannot be set for Linux"),
    (
        pod(os={"name": "windows"}, initContainers=[{"name": "i", "securityContext": {"runAsUser": 1}}]),
        "`spec.initContainers[0].securityContext.runAsUser` cannot be set for Windows",
    ),
    (pod(containers=[{"name": "c", "image": " x"}]), "`spec.containers[0].image` must have no space around it"),
    (pod(containers=[{"name": "c", "imagePullPolicy": "Sometimes"}]), "`spec.containers[0].imagePullPolicy` must be `Always`"),
    (pod(containers=[{"name": "c", "env": [{"name": "A=B"}]}]), "`spec.containers[0].env[0].name` must be printable characters without `=`"),
    (pod(containers=[{"name": "c", "env": [{"name": ""}]}]), "`spec.containers[0].env[0].name` is required"),
    (
        pod(containers=[{"name": "c", "securityContext": {"privileged": True, "allowPrivilegeEscalation": False}}]),
        "`spec.containers[0].securityContext.allowPrivilegeEscalation` cannot be false for a privileged container",
    ),
    (pod(containers=[{"name": "c", "livenessProbe": {}}]), "`spec.containers[0].livenessProbe` must have a handler"),
    (pod(containers=[{"name": "c", "startupProbe": {"exec": {}, "grpc": {}}}]), "must have one handler, but has `exec` and `grpc`"),
    (pod(tolerations=[{}]), f"`{TOLERATION}.operator` must be `Exists` if `key` is empty, but is empty"),
    (pod(tolerations=[{"effect": "NoSchedule"}]), f"`{TOLERATION}.operator` must be `Exists`"),
    (pod(tolerations=[{"key": "a", "operator": "Exists", "value": "true"}]), f"`{TOLERATION}.value` must be empty with the operator `Exists`"),
    (pod(tolerations=[{"key": "a", "effect": "NoSchedule", "tolerationSeconds": 60}]), f"`{TOLERATION}.effect` must be `NoExecute`"),
    (pod(tolerations=[{"key": "a", "effect": "noSchedule"}]), f"`{TOLERATION}.effect` must be `NoSchedule`, `PreferNoSchedule` or `NoExecute`"),
    (pod(tolerations=[{"key": "a", "operator": "exists"}]), f"`{TOLERATION}.operator` must be"),
    (pod(tolerations=[{"key": "a b"}]), f"`{TOLERATION}.key` is not a valid key"),
    (pod(tolerations=[{"key": "a", "value": "a b"}]), f"`{TOLERATION}.value` is not a valid value"),
    (pod(tolerations=[{"key": "a", "operator": "Gt", "value": "x"}]), f"`{TOLERATION}.value` must be a whole number with the operator `Gt`"),
    (asking(requests={"cpu": 2}, limits={"cpu": 1}), f"`{RESOURCES}.requests.cpu` must be at most the limit (`1`), but is `2`"),
    (asking(requests={"cpu": -1}), f"`{RESOURCES}.requests.cpu` must be 0 or more, but is `-1`"),
    (asking(requests={"gpu": 1}), f"`{RESOURCES}.requests.gpu` is not a resource"),
    (asking(requests={"requests.a/b": 1}), f'`{RESOURCES}.requests["requests.a/b"]` is not a resource'),
    (asking(limits={"nvidia.com/gpu": "500m"}), f'`{RESOURCES}.limits["nvidia.com/gpu"]` must be a whole number'),
    (asking(requests={"nvidia.com/gpu": 1}), f'`{RESOURCES}.limits["nvidia.com/gpu"]` is required'),
    (asking(requests={"nvidia.com/gpu": 1}, limits={"nvidia.com/gpu": 2}), f'`{RESOURCES}.requests["nvidia.com/gpu"]` must be equal to the limit'),
    (asking(limits={"hugepages-2Mi": "3Mi", "cpu": 1}), f"`{RESOURCES}.limits.hugepages-2Mi` must be a multiple of the size of its pages"),
    (asking(limits={"hugepages-x": "3Mi", "cpu": 1}), f"`{RESOURCES}.limits.hugepages-x` must be a multiple"),
    (asking(limits={"hugepages-2Mi": "4Mi"}), f"`{RESOURCES}` must have `cpu` or `memory` next to huge pages"),
    (pod(containers=[]), "`spec.containers` is required: a pod has at least one container"),
    (pod(containers=[{"name": "c"}, {"name": "c"}]), "`spec.containers[1].name` must be unique"),
    (pod(initContainers=[{"name": "c"}]), "`spec.initContainers[0].name` must be unique"),
    (pod(initContainers=[{"name": "i", "restartPolicy": "always"}]), "`spec.initContainers[0].restartPolicy` must be"),
    (pod(containers=[{"name": LONG}]), "`spec.containers[0].name` must be lower-case letters, digits and `-`, at most 63"),
    (ports({"hostPort": 80}), "`spec.containers[0].ports[0].containerPort` is required"),
    (ports({"containerPort": 80, "hostPort": 70000}), "`spec.containers[0].ports[0].hostPort` must be from 1 to 65535, but is `70000`"),
    (ports({"containerPort": 80, "protocol": "tcp"}), "`spec.containers[0].ports[0].protocol` must be `TCP`, `UDP` or `SCTP`"),
    (ports({"containerPort": 1, "hostPort": 80}, {"containerPort": 2, "hostPort": 80}), "`spec.containers[0].ports[1].hostPort` must be unique"),
    (ports({"containerPort": 80, "hostPort": 81}, hostNetwork=True), "`spec.containers[0].ports[0].hostPort` must be that of `containerPort`"),
    (ports({"containerPort": 80}, {"containerPort": 80}, hostNetwork=True), "`spec.containers[0].ports[1].containerPort` must be unique"),
    (terms(), f"`spec.affinity.nodeAffinity.{NODES}.nodeSelectorTerms` must have at least one term"),
    (requires(operator="In"), f"`{EXPRESSION}.values` is required with the operator `In`"),
    (requires(operator="Exists", values=["x"]), f"`{EXPRESSION}.values` must be empty with the operator `Exists`"),
    (requires(operator="Gt", values=["1", "2"]), f"`{EXPRESSION}.values` must have one value with the operator `Gt`, but has 2"),
    (requires(operator="Is"), f"`{EXPRESSION}.operator` must be"),
    (requires(operator="In", values=["a b"]), f"`{EXPRESSION}.values[0]` is not a valid value of a label: `a b`"),
    (requires(key="", operator="Exists"), f"`{EXPRESSION}.key` is not a valid key: empty"),
    (terms({"matchFields": [{"key": "metadata.uid", "operator": "Exists"}]}), "matchFields[0].operator` must be `In` or `NotIn`"),
    (terms({"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["N 1"]}]}), "values[0]` is not a valid name of a node"),
    (pod(affinity={"nodeAffinity": {PODS: [{"weight": 101}]}}), f"`spec.affinity.nodeAffinity.{PODS}[0].weight` must be from 1 to 100, but is `101`"),
    (pod(affinity={"podAntiAffinity": {PODS: [{"weight": 1}]}}), f"`spec.affinity.podAntiAffinity.{PODS}[0].podAffinityTerm` is required"),
    (near(topologyKey=""), f"`{TERM}.topologyKey` is required"),
    (near(topologyKey="a b"), f"`{TERM}.topologyKey` is not a valid key: `a b`"),
    (near(namespaces=["A"]), f"`{TERM}.namespaces[0]` is not a valid name of a namespace"),
    (near(labelSelector={"matchLabels": {"a": "b c"}}), f"`{TERM}.labelSelector.matchLabels.a` is not a valid value of a label"),
    (near(labelSelector={"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]}), "matchExpressions[0].operator` must be `In`"),
    (near(labelSelector=None, matchLabelKeys=["app"]), f"`{TERM}.matchLabelKeys` can only be set with `labelSelector`"),
    (near(matchLabelKeys=["a b"]), f"`{TERM}.matchLabelKeys[0]` is not a valid key"),
    (near(matchLabelKeys=["app"]), f"`{TERM}.matchLabelKeys[0]` must not be in `labelSelector` too: `app`"),
    (near(matchLabelKeys=["team"], mismatchLabelKeys=["team"]), f"`{TERM}.matchLabelKeys[0]` must not be in `mismatchLabelKeys` too"),
    (spread(maxSkew=None), f"`{SPREAD}.maxSkew` is required: 1 or more"),
    (spread(maxSkew=0), f"`{SPREAD}.maxSkew` must be 1 or more, but is `0`"),
    (spread(minDomains=0), f"`{SPREAD}.minDomains` must be 1 or more"),
    (spread(topologyKey=""), f"`{SPREAD}.topologyKey` is required"),
    (spread(whenUnsatisfiable="No"), f"`{SPREAD}.whenUnsatisfiable` must be `DoNotSchedule` or `ScheduleAnyway`, but is `No`"),
    (spread(whenUnsatisfiable="ScheduleAnyway", minDomains=2), f"`{SPREAD}.minDomains` can only be set with `whenUnsatisfiable: DoNotSchedule`"),
    (spread(nodeTaintsPolicy="honor"), f"`{SPREAD}.nodeTaintsPolicy` must be `Honor` or `Ignore`"),
    (
        spread({"maxSkew": 2, "topologyKey": KEY, "whenUnsatisfiable": "DoNotSchedule"}),
        "`spec.topologySpreadConstraints[1]` must differ from the others",
    ),
    (pod(nodeSelector={"a b": "c"}), "`spec.nodeSelector.a b` is not a valid key"),
    (pod(priorityClassName="High"), "`spec.priorityClassName` must be lower-case letters"),
    (pod(schedulingGates=[{"name": ""}]), "`spec.schedulingGates[0].name` is not a valid name: empty"),
    (pod(schedulingGates=[{"name": "a"}], nodeName="n"), "`spec.nodeName` cannot be set while the pod has scheduling gates"),
    (pod(resourceClaims=[{"name": "a"}]), "`spec.resourceClaims[0]` must have one of `resourceClaimName` and `resourceClaimTemplateName`"),
    (pod(resourceClaims=[{"resourceClaimName": "a"}]), "`spec.resourceClaims[0].name` is required"),
    (asking(claims=[{"name": "a"}]), f"`{RESOURCES}.claims[0].name` must be the name of one of `resourceClaims`"),
    (pod(os={"name": "Windows"}), "`spec.os.name` must be `linux` or `windows`, but is `Windows`"),
    (pod(os={"name": "windows"}, hostPID=True), "`spec.hostPID` cannot be set for Windows"),
    (pod(os={"name": "windows"}, resources={"limits": {"cpu": 1}}), "`spec.resources` cannot be set for Windows"),
    (pod(resources={"limits": {"nvidia.com/gpu": 1}}), '`spec.resources.limits["nvidia.com/gpu"]` is not a resource'),
    (
        pod(containers=[{"name": "c", "resources": {"requests": {"cpu": 2}}}], resources={"requests": {"cpu": 1}}),
        "`spec.resources.requests.cpu` must be at least what the containers request together, but is `1`",
    ),
    (
        pod(containers=[{"name": "c", "resources": {"limits": {"cpu": 2}}}], resources={"limits": {"cpu": 1}, "requests": {"cpu": 1}}),
        f"`{RESOURCES}.limits.cpu` must be at most the limit of the pod (`1`), but is `2`",
    ),
    (
        pod(
            containers=[{"name": name, "resources": {"limits": {"cpu": 1, "hugepages-2Mi": "4Mi"}}} for name in "ab"],
            resources={"limits": {"cpu": 2, "hugepages-2Mi": "4Mi"}},
        ),
        "`spec.resources.limits.hugepages-2Mi` must be at least the limits of the containers together",
    ),
    (pod(runtimeClassName=""), "`spec.runtimeClassName` cannot be empty"),
    (volume(emptyDir={}, hostPath={"path": "/x"}), "`spec.volumes[0]` must have one source, but has `emptyDir` and `hostPath`"),
    (volume(persistentVolumeClaim={}), "`spec.volumes[0].persistentVolumeClaim.claimName` is required"),
    (volume(csi={}), "`spec.volumes[0].csi.driver` is required"),
    (claim([], "1Gi"), "volumeClaimTemplate.spec.accessModes` must be of"),
    (claim(["ReadWriteOnce"], None), "volumeClaimTemplate.spec.resources.requests.storage` is required"),
    (claim(["ReadWriteOnce"], "0"), "volumeClaimTemplate.spec.resources.requests.storage` must be more than 0, but is `0`"),
    (pod(containers=[{"name": "c", "volumeMounts": [{"name": "data", "mountPath": "/a"}]}]), "volumeMounts[0].name` must be the name of a volume"),
    (
        pod(containers=[{"name": "c", "volumeMounts": [{"name": "d", "mountPath": "/a"}] * 2}], volumes=[{"name": "d"}]),
        "`spec.containers[0].volumeMounts[1].mountPath` must be unique, but another mount has `/a` too",
    ),
    (pod(restartPolicy="always"), "`spec.restartPolicy` must be `Always`, `OnFailure` or `Never`, but is `always`"),
    (owned("Deployment", {"restartPolicy": "Never"}), "`spec.template.spec.restartPolicy` must be `Always`, but is `Never`"),
    (owned("Job"), "`spec.template.spec.restartPolicy` must be `OnFailure` or `Never`, but is `Always`"),
    (owned("Deployment", strategy={"type": "Blue"}), "`spec.strategy.type` must be `Recreate` or `RollingUpdate`, but is `Blue`"),
    (owned("Deployment", strategy={"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}), "`spec.strategy.rollingUpdate` cannot be set with"),
    (owned("Deployment", strategy={"rollingUpdate": {"maxSurge": "0%", "maxUnavailable": 0}}), "rollingUpdate.maxUnavailable` cannot be 0 when"),
    (owned("Deployment", minReadySeconds=-1), "`spec.minReadySeconds` must be 0 or more, but is `-1`"),
    (owned("Deployment", minReadySeconds=9, progressDeadlineSeconds=9), "must be more than `minReadySeconds` (9), but is `9`"),
    (owned("Deployment", progressDeadlineSeconds=0), "must be more than `minReadySeconds` (0), but is `0`"),
    (owned("Deployment", minReadySeconds=700), "must be more than `minReadySeconds` (700), but is not set, which is 600"),
    (
        owned("Deployment", strategy={"rollingUpdate": {"maxUnavailable": "150%"}}),
        "`spec.strategy.rollingUpdate.maxUnavailable` must be at most 100%",
    ),
    (
        owned("Deployment", strategy={"rollingUpdate": {"maxSurge": "x"}}),
        "maxSurge` must be a number of pods or a percentage such as `25%`, but is `x`",
    ),
    (
        owned("Deployment", strategy={"rollingUpdate": {"maxSurge": -1}}),
        "maxSurge` must be a number of pods or a percentage such as `25%`, but is `-1`",
    ),
    (owned("DaemonSet", updateStrategy={"rollingUpdate": {"maxSurge": 1}}), "rollingUpdate.maxSurge` can only be set with `maxUnavailable: 0`"),
    (owned("DaemonSet", updateStrategy={"rollingUpdate": {"maxSurge": "150%", "maxUnavailable": 0}}), "rollingUpdate.maxSurge` must be at most 100%"),
    (owned("DaemonSet", updateStrategy={"rollingUpdate": {"maxUnavailable": 0}}), "rollingUpdate.maxUnavailable` cannot be 0 when `maxSurge` is 0"),
    (owned("DaemonSet", updateStrategy={"type": "Recreate"}), "`spec.updateStrategy.type` must be `OnDelete` or `RollingUpdate`"),
    (owned("StatefulSet", updateStrategy={"type": "OnDelete", "rollingUpdate": {}}), "rollingUpdate` cannot be set with `type: OnDelete`"),
    (owned("StatefulSet", updateStrategy={"rollingUpdate": {"partition": -1}}), "rollingUpdate.partition` must be 0 or more, but is `-1`"),
    (owned("StatefulSet", persistentVolumeClaimRetentionPolicy={"whenScaled": "Keep"}), "whenScaled` must be `Retain` or `Delete`, but is `Keep`"),
    (owned("Job", NEVER, backoffLimit=-1), "`spec.backoffLimit` must be 0 or more, but is `-1`"),
    (owned("Job", NEVER, completionMode="indexed"), "`spec.completionMode` must be `NonIndexed` or `Indexed`"),
    (owned("Job", NEVER, completionMode="Indexed", parallelism=2), "`spec.completions` is required with `completionMode: Indexed`"),
    (owned("Job", NEVER, backoffLimitPerIndex=1), "`spec.backoffLimitPerIndex` can only be set with `completionMode: Indexed`"),
    (owned("Job", NEVER, maxFailedIndexes=1), "`spec.backoffLimitPerIndex` is required with `maxFailedIndexes`"),
    (owned("Job", NEVER, podReplacementPolicy="TerminatingOrFailed", podFailurePolicy={}), "`spec.podReplacementPolicy` must be `Failed`"),
    (owned("Job", {"restartPolicy": "OnFailure"}, podFailurePolicy={}), "`spec.template.spec.restartPolicy` must be `Never` with `podFailurePolicy`"),
    (
        ("Job", {"metadata": {"name": "a.b"}, **owned("Job", NEVER, completionMode="Indexed", completions=2)[1]}),
        "`metadata.name` is the start of host names with `completionMode: Indexed`, and `a.b` is not valid there",
    ),
    (scheduled(schedule="61 * * * *"), "`spec.schedule` cannot be parsed: invalid minute `61`, in `61 * * * *`"),
    (scheduled(schedule="CRON_TZ=UTC 0 0 * * *"), "`spec.schedule` cannot have a time zone: use `timeZone`"),
    (scheduled(concurrencyPolicy="forbid"), "`spec.concurrencyPolicy` must be `Allow`, `Forbid` or `Replace`, but is `forbid`"),
    (scheduled(failedJobsHistoryLimit=-1), "`spec.failedJobsHistoryLimit` must be 0 or more, but is `-1`"),
    (scheduled(timeZone="Local"), "`spec.timeZone` must be a name such as `Europe/Berlin`, but is `Local`"),
    (pod(dnsPolicy="None"), "`spec.dnsConfig.nameservers` is required with `dnsPolicy: None`"),
    (pod(hostPID=True, shareProcessNamespace=True), "`spec.shareProcessNamespace` cannot be set with `hostPID`"),
    (pod(hostUsers=False, hostNetwork=True), "`spec.hostNetwork` cannot be set with `hostUsers: false`"),
    (pod(ephemeralContainers=[{"name": "e"}]), "`spec.ephemeralContainers` cannot be set in a new pod"),
    (pod(preemptionPolicy="never"), "`spec.preemptionPolicy` must be `PreemptLowerPriority` or `Never`"),
    (pod(initContainers=[{"name": "i", "readinessProbe": PROBE}]), "readinessProbe` cannot be set for an init container without"),
    (pod(initContainers=[{"name": "i", "lifecycle": {"preStop": PROBE}}]), "lifecycle` cannot be set for an init container without"),
    (pod(containers=[{"name": "c", "livenessProbe": {**PROBE, "successThreshold": 2}}]), "livenessProbe.successThreshold` must be 1, but is `2`"),
    (pod(containers=[{"name": "c", "livenessProbe": {**PROBE, "periodSeconds": -1}}]), "livenessProbe.periodSeconds` must be 0 or more"),
    (pod(containers=[{"name": "c", "env": [{"name": "A", "value": "x", "valueFrom": {}}]}]), "env[0].valueFrom` cannot be set with `value`"),
    (volume(emptyDir={"sizeLimit": "-1"}), "`spec.volumes[0].emptyDir.sizeLimit` must be 0 or more"),
    (volume(nfs={"path": "/a"}), "`spec.volumes[0].nfs.server` is required"),
    (owned("Deployment", replicas=-1), "`spec.replicas` must be 0 or more, but is `-1`"),
    (owned("Deployment", selector={}), "`spec.selector` is empty: it must have labels of the template"),
    (owned("Deployment", selector={"matchLabels": {"app": "x"}}), "`spec.selector` does not match the labels of the template (app=web)"),
    (owned("Deployment", selector={"matchLabels": {"app": "x y"}}), "`spec.selector.matchLabels.app` is not a valid value"),
    (owned("StatefulSet", podManagementPolicy="parallel"), "`spec.podManagementPolicy` must be `OrderedReady` or `Parallel`"),
    (owned("StatefulSet", ordinals={"start": -1}), "`spec.ordinals.start` must be 0 or more, but is `-1`"),
    (
        owned("CronJob", {"restartPolicy": "Never"}, completionMode="Indexed"),
        "`spec.jobTemplate.spec.completions` is required with `completionMode: Indexed`",
    ),
]
"""A workload, and what is said of it."""
ACCEPTED = [
    pod(),
    ("Pod", {"metadata": {"name": "a.b", "annotations": {"Example.com/Team": "x"}}, "spec": {"containers": [{"name": "c"}]}}),
    pod(
        dnsPolicy="Default",
        activeDeadlineSeconds=1,
        containers=[{"name": "c", "image": "x", "env": [{"name": "a b"}, {"name": "A"}], "livenessProbe": {"httpGet": {"port": 80}}}],
    ),
    pod(
        tolerations=[
            {"operator": "Exists"},
            {"key": "a", "operator": "Lt", "value": "-3"},
            {"key": "a", "effect": "NoExecute", "tolerationSeconds": -1},
        ]
    ),
    asking(requests={"cpu": 0.5, "memory": None}, limits={"nvidia.com/gpu": 1, "kubernetes.io/x": "500m"}),
    asking(limits={"hugepages-2Mi": "4Mi", "memory": "1Gi"}),
    ports({"containerPort": 80}, {"containerPort": 80, "protocol": "UDP"}, hostNetwork=True),
    ports({"containerPort": 1, "hostPort": 80, "hostIP": "10.0.0.1"}, {"containerPort": 2, "hostPort": 80, "hostIP": "10.0.0.2"}),
    terms({}),
    requires(operator="Gt", values=["x"]),
    near(matchLabelKeys=["pod-template-hash"], namespaceSelector={}),
    pod(containers=[{"name": "c", "volumeMounts": [{"name": "d", "mountPath": "/a"}]}], volumes=[{"name": "d"}]),
    owned("StatefulSet", {"containers": [{"volumeMounts": [{"name": "d", "mountPath": "/a"}]}]}, volumeClaimTemplates=[{"metadata": {"name": "d"}}]),
    owned("DaemonSet", selector=WEB),
    owned("Job", {"restartPolicy": "Never"}, completionMode="Indexed"),
    owned("Deployment", strategy={"rollingUpdate": {"maxSurge": "150%", "maxUnavailable": 0}}, minReadySeconds=599),
    owned("DaemonSet", updateStrategy={"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}),
    owned("DaemonSet", updateStrategy={"type": "OnDelete", "rollingUpdate": {"maxSurge": 1}}),
    owned("StatefulSet", revisionHistoryLimit=-1),
    scheduled(schedule="@every 5m", timeZone="Europe/Berlin", startingDeadlineSeconds=2**40),
    terms(None),
    pod(resourceClaims=[{"name": "a", "resourceClaimName": "a.b"}]),
    pod(initContainers=[{"name": "i", "restartPolicy": "Always", "readinessProbe": {**PROBE, "successThreshold": 2}}]),
    pod(hostUsers=False, dnsPolicy="None", dnsConfig={"nameservers": ["10.0.0.1"]}),
    pod(os={"name": "linux"}, hostPID=True),
    pod(resources={"limits": {"cpu": 16}}),
    ("Pod", {"metadata": {"uid": "1"}, "spec": {}}),
]


@pytest.mark.parametrize(("workload", "expected"), REJECTED, ids=[message[:70] for _, message in REJECTED])
def test_what_is_rejected(workload: tuple[str, dict[str, Any]], expected: str) -> None:
    said = [str(field) for field in invalid_fields(*workload)]
    assert any(expected in one for one in said), said


@pytest.mark.parametrize("workload", ACCEPTED)
def test_what_is_accepted(workload: tuple[str, dict[str, Any]]) -> None:
    assert not list(invalid_fields(*workload))


def test_a_selector_of_a_template_without_labels() -> None:
    workload = {"spec": {"selector": WEB, "template": {"spec": {"containers": [{"name": "c"}]}}}}
    assert [str(field) for field in invalid_fields("Deployment", workload)] == ["`spec.selector` matches no label: the template has none"]


def test_a_flag_that_is_text() -> None:
    with pytest.raises(PodError, match="`hostNetwork` must be `true` or `false`, but is `'yes'`"):
        list(invalid_fields(*pod(hostNetwork="yes")))


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(
            pod(resources={"requests": {"cpu": "2"}}, containers=[{"name": "c", "resources": {"requests": {"cpu": "1"}}}]), id="enough for all"
        ),
        pytest.param(
            pod(affinity={"podAffinity": {PODS: [{"weight": 1, "podAffinityTerm": {"topologyKey": KEY, "labelSelector": WEB}}]}}), id="a preference"
        ),
        pytest.param(
            pod(resourceClaims=[{"name": "gpu", "resourceClaimName": "g"}], containers=[{"name": "c", "resources": {"claims": [{"name": "gpu"}]}}]),
            id="a claim of the pod",
        ),
    ],
)
def test_what_the_api_server_accepts(written: tuple[str, dict[str, Any]]) -> None:
    assert list(invalid_fields(*written)) == []
