"""Random workloads: valid ones, of which some fields are replaced by values that are valid or not."""

import copy
import random
from typing import Any, Final

Object = dict[str, Any]
REQUIRED, PREFERRED = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
KINDS: Final = ("Pod", "Pod", "Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob")
JOBS: Final = ("Job", "CronJob")
VERSIONS: Final = {"Pod": "v1", "Job": "batch/v1", "CronJob": "batch/v1"}
KEYS: Final = ("team", "example.com/team", "", "-x", "a/b/c", "app", "Example.com/x", f"{'a' * 64}", "pod-template-hash")
VALUES: Final = ("web", "", "a b", "x" * 64, "-1", "1.5", "A_b")
NAMES: Final = ("web", "Web", "", "a" * 64, "a.b", "x-y")
AMOUNTS: Final = ("1", "500m", "-1", "0", "2Gi", "x", 1, 0.5, "1.5", None, "4Mi", "3Mi")
RESOURCES: Final = ("cpu", "memory", "nvidia.com/gpu", "hugepages-2Mi", "ephemeral-storage", "pods", "foo", "requests.x/y", "kubernetes.io/batch")
NUMBERS: Final = (None, 0, 1, 2, -1, 65535, 65536, 100, 101, 8080)
OPERATORS: Final = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "in", "", "Equal")


def workload(chance: random.Random) -> Object:
    kind = chance.choice(KINDS)
    template = _template(chance)
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        chance.choice(MUTATIONS)(template["spec"], chance)
    template["spec"]["restartPolicy"] = "OnFailure" if kind in JOBS else "Always"
    if chance.random() < 0.08:
        template["spec"]["restartPolicy"] = chance.choice(("Always", "OnFailure", "Never", "always", None))
    names = ("it", "It", "a-", "a" * 53, "a" * 254, *(() if kind == "StatefulSet" else ("a.b",)))  # dots: not in every version
    metadata: Object = {"name": chance.choice(names) if chance.random() < 0.08 else "it"}
    if chance.random() < 0.08:
        metadata["annotations"] = {chance.choice(KEYS): "x"}
    if kind == "Pod":
        return {"apiVersion": "v1", "kind": kind, "metadata": {**template["metadata"], **metadata}, "spec": template["spec"]}
    spec = {"template": template, **_counts(kind, chance), **(_of_jobs(chance) if kind in JOBS else _of_others(kind, chance))}
    for name, values in OF_KINDS.get(kind, ()):
        if chance.random() < 0.05:
            spec[name] = copy.deepcopy(chance.choice(values))
    if kind == "CronJob":
        spec = {"schedule": "@daily", "jobTemplate": {"spec": spec}}
        for name, values in OF_CRON_JOBS:
            if chance.random() < 0.05:
                spec[name] = chance.choice(values)
    return {"apiVersion": VERSIONS.get(kind, "apps/v1"), "kind": kind, "metadata": metadata, "spec": spec}


def _counts(kind: str, chance: random.Random) -> Object:
    names = ("parallelism", "completions") if kind in JOBS else () if kind == "DaemonSet" else ("replicas",)
    return {name: chance.choice((0, 1, 5, -1, 2**31)) for name in names if chance.random() < 0.3}


def _of_jobs(chance: random.Random) -> Object:
    return {"completionMode": "Indexed"} if chance.random() < 0.1 else {}


def _of_others(kind: str, chance: random.Random) -> Object:
    found: Object = {"selector": {"matchLabels": {"app": "web"}}}
    if chance.random() < 0.1:
        found["selector"] = chance.choice(({"matchLabels": {"app": "other"}}, {}, _selector(chance)))
    if kind == "StatefulSet" and chance.random() < 0.3:
        found["podManagementPolicy"] = chance.choice(("Parallel", "OrderedReady", "parallel"))
        found["ordinals"] = {"start": chance.choice((0, 3, -1))}
    return found


def pod_of(written: Object) -> Object:
    """The pod that a controller creates, with the label that it adds."""
    if written["kind"] == "Pod":
        return written
    spec = written["spec"]["jobTemplate"]["spec"] if written["kind"] == "CronJob" else written["spec"]
    pod = copy.deepcopy(spec["template"])
    if written["kind"] in ("Deployment", "ReplicaSet"):
        pod["metadata"]["labels"]["pod-template-hash"] = "abc"
    return {"apiVersion": "v1", "kind": "Pod", **pod, "metadata": {**pod["metadata"], "name": "it-0"}}


def _template(chance: random.Random) -> Object:
    containers: list[Object] = [{"name": "c", "image": "i"}]
    if chance.random() < 0.3:
        containers.append({"name": "d", "image": "i"})
    return {"metadata": {"labels": {"app": "web", "team": "a"}}, "spec": {"containers": containers}}


def _expression(chance: random.Random) -> Object:
    written: Object = {"key": chance.choice(KEYS[:2] if chance.random() < 0.7 else KEYS), "operator": chance.choice(OPERATORS)}
    if chance.random() < 0.7:
        written["values"] = chance.choices(VALUES[:1] if chance.random() < 0.6 else VALUES, k=chance.choice((0, 1, 1, 2)))
    return written


def _selector(chance: random.Random) -> Object:
    found: Object = {"matchLabels": {"app": chance.choice(VALUES[:1] if chance.random() < 0.8 else VALUES)}}
    if chance.random() < 0.3:
        found["matchExpressions"] = [_expression(chance)]
    return found


def _label_keys(term: Object, chance: random.Random, *, mismatch: bool) -> None:
    if chance.random() < 0.3:
        term["matchLabelKeys"] = chance.choices(KEYS, k=chance.choice((1, 2)))
    if mismatch and chance.random() < 0.2:
        term["mismatchLabelKeys"] = chance.choices(KEYS, k=1)


def _tolerations(spec: Object, chance: random.Random) -> None:
    written: Object = {}
    for name, choices in (
        ("key", (*KEYS[:2], *KEYS)),
        ("operator", ("Equal", "Exists", "Exists", "exists", "")),
        ("value", (*VALUES, "", "web")),
        ("effect", ("NoSchedule", "NoExecute", "NoExecute", "PreferNoSchedule", "noSchedule", "")),
        ("tolerationSeconds", (0, 5, -1)),
    ):
        if chance.random() < 0.6:
            written[name] = chance.choice(choices)
    spec["tolerations"] = [written]


def _resources(spec: Object, chance: random.Random) -> None:
    on_pod = chance.random() < 0.2
    owner = spec if on_pod else chance.choice(spec.get("containers") or [spec])
    resources: Object = {}
    for of in ("requests", "limits"):
        if chance.random() < 0.7:
            usual = chance.random() < 0.6
            names = chance.sample(RESOURCES[:4] if usual else RESOURCES, k=chance.choice((1, 1, 2)))
            resources[of] = {name: chance.choice(AMOUNTS[:2] if usual and chance.random() < 0.6 else AMOUNTS) for name in names}
    owner["resources"] = resources


def _ports(spec: Object, chance: random.Random) -> None:
    if chance.random() < 0.4:
        spec["hostNetwork"] = chance.choice((True, True, False))
    for container in spec.get("containers") or []:
        ports: list[Object] = []
        for _ in range(chance.choice((1, 2))):
            port: Object = {"containerPort": chance.choice((80, 80, 8080, 0, 65536))}
            if chance.random() < 0.6:
                port["hostPort"] = chance.choice((80, 80, 8080, 0, 70000, -1))
            if chance.random() < 0.3:
                port["protocol"] = chance.choice(("TCP", "UDP", "tcp"))
            if chance.random() < 0.2:
                port["hostIP"] = chance.choice(("10.0.0.1", "10.0.0.2"))
            ports.append(port)
        container["ports"] = ports


def _containers(spec: Object, chance: random.Random) -> None:
    if chance.random() < 0.1 or not spec["containers"]:
        spec["containers"] = []
    elif chance.random() < 0.4:
        spec["containers"][-1]["name"] = chance.choice(("c", "Web", "a.b", "x-y", "a" * 64))
    elif chance.random() < 0.3:
        spec["containers"][-1]["restartPolicy"] = chance.choice(("Always", "always"))
    else:
        spec["initContainers"] = [{"name": chance.choice(("c", "i", "I")), "image": "i", "restartPolicy": chance.choice(("Always", "always", None))}]
        if chance.random() < 0.5:
            spec["initContainers"][0]["ports"] = [{"containerPort": 80, "hostPort": chance.choice((80, 99999))}] * chance.choice((1, 2))


def _node_affinity(spec: Object, chance: random.Random) -> None:
    nodes: Object = {}
    if chance.random() < 0.7:
        terms: list[Object] = []
        for _ in range(chance.choice((0, 1, 1, 2))):
            term: Object = {}
            if chance.random() < 0.7:
                term["matchExpressions"] = [_expression(chance)]
            if chance.random() < 0.3:
                names = chance.choice((["n1"], ["n1", "n2"], [], ["N 1"]))
                key, operator = chance.choice(("metadata.name", "metadata.name", "x")), chance.choice(("In", "NotIn", "Exists"))
                term["matchFields"] = [{"key": key, "operator": operator, "values": names}]
            terms.append(term)
        nodes[REQUIRED] = {"nodeSelectorTerms": terms}
    if chance.random() < 0.4:
        nodes[PREFERRED] = [{"weight": chance.choice(NUMBERS), "preference": {"matchExpressions": [_expression(chance)]}}]
    spec.setdefault("affinity", {})["nodeAffinity"] = nodes


def _pod_affinity(spec: Object, chance: random.Random) -> None:
    term: Object = {}
    if chance.random() < 0.85:
        term["topologyKey"] = chance.choice(KEYS[:2] if chance.random() < 0.6 else KEYS)
    if chance.random() < 0.85:
        term["labelSelector"] = _selector(chance)
    if chance.random() < 0.2:
        term["namespaces"] = [chance.choice(NAMES)]
    if chance.random() < 0.2:
        term["namespaceSelector"] = chance.choice(({}, _selector(chance)))
    _label_keys(term, chance, mismatch=True)
    kind = chance.choice(("podAffinity", "podAntiAffinity"))
    weighted = {"weight": chance.choice(NUMBERS)} if chance.random() < 0.1 else {"weight": chance.choice(NUMBERS), "podAffinityTerm": term}
    spec.setdefault("affinity", {})[kind] = {REQUIRED: [term]} if chance.random() < 0.6 else {PREFERRED: [weighted]}


def _spreads(spec: Object, chance: random.Random) -> None:
    found: list[Object] = []
    for _ in range(chance.choice((1, 1, 2))):
        spread: Object = {"maxSkew": 1, "topologyKey": "team", "whenUnsatisfiable": chance.choice(("DoNotSchedule", "ScheduleAnyway"))}
        if chance.random() < 0.3:
            spread[chance.choice(("maxSkew", "minDomains"))] = chance.choice((0, 1, 2, -1, None))
        if chance.random() < 0.2:
            spread["topologyKey"] = chance.choice(KEYS)
        if chance.random() < 0.2:
            spread["whenUnsatisfiable"] = chance.choice(("", "no", None))
        if chance.random() < 0.2:
            spread[chance.choice(("nodeAffinityPolicy", "nodeTaintsPolicy"))] = chance.choice(("Honor", "Ignore", "honor"))
        if chance.random() < 0.7:
            spread["labelSelector"] = _selector(chance)
        _label_keys(spread, chance, mismatch=False)
        found.append(spread)
    spec["topologySpreadConstraints"] = found


def _names(spec: Object, chance: random.Random) -> None:
    spec[chance.choice(("priorityClassName", "runtimeClassName", "nodeName"))] = chance.choice(("web", "a.b", "Web", "a b", "x" * 254))


def _fields(spec: Object, chance: random.Random) -> None:
    """Fields without effect on scheduling."""
    name, values = chance.choice(OTHER_FIELDS)
    spec[name] = chance.choice(values)


def _of_container(spec: Object, chance: random.Random) -> None:
    name, values = chance.choice(OF_CONTAINERS)
    if spec.get("containers"):
        spec["containers"][0][name] = copy.deepcopy(chance.choice(values))


def _node_selector(spec: Object, chance: random.Random) -> None:
    spec["nodeSelector"] = {chance.choice(KEYS): chance.choice(VALUES)}


def _gates(spec: Object, chance: random.Random) -> None:
    spec["schedulingGates"] = [{"name": chance.choice(KEYS)} for _ in range(chance.choice((1, 1, 2)))]


def _claims(spec: Object, chance: random.Random) -> None:
    claim: Object = {"name": chance.choice(NAMES)}
    for name in ("resourceClaimName", "resourceClaimTemplateName"):
        if chance.random() < 0.5:
            claim[name] = "x"
    spec["resourceClaims"] = [claim]
    if chance.random() < 0.5 and spec.get("containers"):
        spec["containers"][0]["resources"] = {"claims": [{"name": chance.choice(("web", "other"))}]}


def _system(spec: Object, chance: random.Random) -> None:
    spec["os"] = {"name": chance.choice(("linux", "windows", "Windows", ""))}
    if chance.random() < 0.4:
        spec[chance.choice(("hostPID", "shareProcessNamespace", "hostIPC"))] = chance.choice((True, False))


def _volumes(spec: Object, chance: random.Random) -> None:
    volume: Object = {"name": chance.choice(NAMES[:1] if chance.random() < 0.7 else NAMES)}
    sources: list[Object] = [
        {"persistentVolumeClaim": {"claimName": chance.choice(("data", ""))}},
        {"csi": {"driver": chance.choice(("ebs.csi.aws.com", ""))}},
        {"emptyDir": {}},
        {"emptyDir": {"sizeLimit": chance.choice(("1Gi", "-1"))}},
        {"hostPath": {"path": chance.choice(("/x", ""))}},
        {"secret": {"secretName": chance.choice(("x", ""))}},
        {"configMap": {"name": chance.choice(("x", ""))}},
        {"nfs": {"server": chance.choice(("x", "")), "path": "/a"}},
        {"emptyDir": {}, "hostPath": {"path": "/x"}},
        {"ephemeral": {"volumeClaimTemplate": {"spec": _claim(chance)}}},
        {},
    ]
    volume.update(chance.choice(sources))
    spec["volumes"] = [volume] * chance.choice((1, 1, 1, 2))
    for container in spec.get("containers") or []:
        mounts = [{"name": chance.choice(("web", "web", "other")), "mountPath": chance.choice(("/a", "/a", "/b", ""))} for _ in range(2)]
        container["volumeMounts"] = mounts[: chance.choice((0, 1, 2))]


def _claim(chance: random.Random) -> Object:
    modes = chance.choice((["ReadWriteOnce"], ["ReadWriteOnce"], [], ["ReadWriteOncePod", "ReadWriteOnce"], ["rwo"]))
    storage = chance.choice(("10Gi", "10Gi", "0", "-1", None))
    claim: Object = {"accessModes": modes, "resources": {"requests": {} if storage is None else {"storage": storage}}}
    if chance.random() < 0.3:
        claim["storageClassName"] = chance.choice(("fast", "Fast", ""))
    return claim


_SHARES: Final = (None, 0, 1, "0%", "50%", "100%", "150%", -1, "x", "1")
_UPDATES: Final[tuple[Any, ...]] = (
    *({"rollingUpdate": {"maxSurge": surge, "maxUnavailable": unavailable}} for surge in _SHARES for unavailable in _SHARES),
    *({"type": name} for name in ("OnDelete", "RollingUpdate", "Recreate", "x")),
)
_SMALL: Final = (0, 1, -1)
OF_KINDS: Final[dict[str, tuple[tuple[str, tuple[Any, ...]], ...]]] = {
    "Deployment": (
        ("strategy", _UPDATES),
        ("minReadySeconds", (0, 5, 600, 700, -1)),
        ("progressDeadlineSeconds", (5, 600, 800, 0, -1)),
        ("revisionHistoryLimit", _SMALL),
    ),
    "DaemonSet": (("updateStrategy", _UPDATES), ("minReadySeconds", _SMALL), ("revisionHistoryLimit", _SMALL)),
    "ReplicaSet": (("minReadySeconds", _SMALL),),
    "StatefulSet": (
        (
            "updateStrategy",
            (*_UPDATES[-4:], *({"type": name, "rollingUpdate": {"partition": n}} for name in ("OnDelete", "RollingUpdate") for n in _SMALL)),
        ),
        ("minReadySeconds", _SMALL),
        ("revisionHistoryLimit", _SMALL),
        ("persistentVolumeClaimRetentionPolicy", ({"whenDeleted": "Delete"}, {"whenScaled": "Keep"}, {})),
    ),
    **dict.fromkeys(
        JOBS,
        (
            *(
                (name, _SMALL)
                for name in ("backoffLimit", "activeDeadlineSeconds", "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes")
            ),
            ("completionMode", ("Indexed", "NonIndexed", "indexed")),
            ("completions", (3,)),
            ("podFailurePolicy", ({"rules": [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [1]}}]},)),
            ("podReplacementPolicy", ("Failed", "TerminatingOrFailed", "x")),
        ),
    ),
}
OF_CRON_JOBS: Final[tuple[tuple[str, tuple[Any, ...]], ...]] = (
    (
        "schedule",
        (
            "61 * * * *",
            "0 0 * * 7",
            "@every 5m",
            "@reboot",
            "*/5 * * * *",
            "TZ=UTC 0 0 * * *",
            "CRON_TZ=UTC 0 0 * * *",
            "0 0 * *",
            "0 0 1-7 * mon,tue",
        ),
    ),
    ("concurrencyPolicy", ("Allow", "Forbid", "Replace", "forbid")),
    ("timeZone", ("UTC", "Local", "Europe/Berlin", "local")),
    *((name, _SMALL) for name in ("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit")),
)
OTHER_FIELDS: Final[tuple[tuple[str, tuple[Any, ...]], ...]] = (
    ("dnsPolicy", ("None",)),
    ("hostUsers", (False, True)),
    ("hostPID", (True,)),
    ("shareProcessNamespace", (True,)),
    ("ephemeralContainers", ([{"name": "e", "image": "x"}],)),
    ("preemptionPolicy", ("Never", "never")),
    ("terminationGracePeriodSeconds", (0, -1)),
    ("initContainers", tuple([{"name": "i", "image": "x", name: {"exec": {"command": ["x"]}}}] for name in ("livenessProbe", "readinessProbe"))),
    ("initContainers", ([{"name": "i", "image": "x", "restartPolicy": "Always", "readinessProbe": {"exec": {"command": ["x"]}}}],)),
    ("initContainers", ([{"name": "i", "image": "x", "lifecycle": {"preStop": {"exec": {"command": ["x"]}}}}],)),
    ("dnsPolicy", ("Default", "ClusterFirst", "clusterfirst", "")),
    ("activeDeadlineSeconds", (None, 0, 1, -1, 2**31 - 1, 2**31)),
    ("serviceAccountName", ("web", "a.b", "Web", "", "x" * 254)),
    ("hostname", ("web", "a.b", "Web", "", "x" * 64)),
    ("subdomain", ("web", "a.b", "Web", "")),
    ("securityContext", ({}, {"windowsOptions": {"runAsUserName": "x"}}, {"fsGroup": 1}, {"runAsGroup": 1}, {"supplementalGroups": [1]})),
    ("os", ({"name": "windows"},)),
)
OF_CONTAINERS: Final[tuple[tuple[str, tuple[Any, ...]], ...]] = (
    ("imagePullPolicy", ("Always", "always", "")),
    ("image", ("x", " x", "x ", "x y")),
    ("env", tuple([{"name": name, "value": "x"}] for name in ("A", "", "A=B", "a b", "a-b.c", "é", "1", "A\tB"))),
    ("env", ([{"name": "A", "value": "x", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],)),
    *(
        (
            probe,
            tuple(
                {"exec": {"command": ["x"]}, name: n} for name in ("periodSeconds", "successThreshold", "initialDelaySeconds") for n in (0, 1, 2, -1)
            ),
        )
        for probe in ("livenessProbe", "readinessProbe")
    ),
    ("securityContext", ({"allowPrivilegeEscalation": False, "runAsUser": 1}, {"readOnlyRootFilesystem": True}, {"capabilities": {"drop": ["ALL"]}})),
    *(
        (probe, ({}, {"exec": {"command": ["x"]}}, {"tcpSocket": {"port": 1}, "grpc": {"port": 1}}, {"httpGet": {"port": 80, "scheme": "HTTP"}}))
        for probe in ("livenessProbe", "startupProbe", "readinessProbe")
    ),
)
MUTATIONS: Final = (
    _fields,
    _of_container,
    _tolerations,
    _tolerations,
    _resources,
    _resources,
    _ports,
    _containers,
    _node_affinity,
    _node_affinity,
    _pod_affinity,
    _spreads,
    _spreads,
    _names,
    _node_selector,
    _gates,
    _claims,
    _system,
    _volumes,
)
