"""The fields of a pod, or of a template of pods, that the API server rejects: one table of checks.

Sources and limits are those of `workload_validation`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from nodepools.model.kubernetes.label import integer, is_key, is_value
from nodepools.model.kubernetes.pod import SYSTEMS, container_limits, container_requests, is_extended, is_native, thousandths
from nodepools.model.kubernetes.raw_fields import PodError, flag, text, texts
from nodepools.model.kubernetes.validated_part import LABEL, LABEL_LENGTH, MAX_INT32, SUBDOMAIN, SUBDOMAIN_LENGTH, InvalidField, Part, one_of, shown
from nodepools.model.kubernetes.volumes import ACCESS_MODES

_ENVIRONMENT: Final = re.compile(r"[ -<>-~]+")
_DNS: Final = ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")
_OF_VOLUMES: Final = (
    *(("persistentVolumeClaim", "claimName"), ("csi", "driver"), ("hostPath", "path"), ("nfs", "server"), ("nfs", "path")),
    *(("secret", "secretName"), ("configMap", "name")),
)
"""What each source of a volume requires."""
_OF_NODE: Final = ("hostNetwork", "hostPID", "hostIPC")
_PULLS: Final = ("Always", "IfNotPresent", "Never")
_OF_LINUX: Final = (
    *("appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities", "readOnlyRootFilesystem", "privileged", "allowPrivilegeEscalation"),
    *("procMount", "runAsUser", "runAsGroup", "fsGroup", "fsGroupChangePolicy", "sysctls", "supplementalGroups", "seLinuxChangePolicy"),
)
"""Fields of a security context that a pod for Windows cannot have."""
_PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")
_SECONDS: Final = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")
_LONG, _MAX_INT64 = ("activeDeadlineSeconds", "startingDeadlineSeconds"), 2**63 - 1
"""Numbers with 64 bits."""
_SCHEDULING: Final = "DuringSchedulingIgnoredDuringExecution"
_MAX_PORT: Final = 65535
_MAX_WEIGHT: Final = 100
_HUGEPAGES: Final = "hugepages-"
_OF_CONTAINERS: Final = ("cpu", "memory", "ephemeral-storage")
_RESTARTS: Final = ("Always", "OnFailure", "Never")
_OF_KIND: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(("Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "DaemonSet"), ("Always",)),
    **dict.fromkeys(("Job", "CronJob"), ("OnFailure", "Never")),
}
"""Restart policies that pods can have, by kind of workload."""
_NOT_ON_WINDOWS: Final = ("hostPID", "hostIPC", "shareProcessNamespace")


def pod_fields(pod: Part, kind: str, claims: Sequence[str]) -> Iterator[InvalidField]:
    """What the API server rejects of a pod or of a template; `claims` are names of volumes that a StatefulSet adds."""
    yield from label_fields(pod.part("metadata"), "labels")
    spec = pod.part("spec")
    yield from spec.one_of("restartPolicy", _OF_KIND.get(kind, _RESTARTS), "Always")
    if _OF_KIND.get(kind) == ("Always",) and spec.has("activeDeadlineSeconds"):
        yield spec.wrong("cannot be set: only pods of Jobs end", "activeDeadlineSeconds")
    yield from _mounts(spec, claims)
    yield from pod_resources(spec, of_template=kind != "Pod")
    labels = frozenset(pod.part("metadata", "labels").raw)
    known = {"": [spec]}
    for path, selecting in _SELECTORS:
        for part in _parts(known, path):
            yield from selecting(part, labels)
    for path, check in _CHECKS:
        for part in _parts(known, path):
            yield from check(part)


def _of_spec(spec: Part) -> Iterator[InvalidField]:
    yield from spec.one_of("dnsPolicy", _DNS, _DNS[0])
    deadline = spec.number("activeDeadlineSeconds")
    if deadline is not None and not 1 <= deadline <= MAX_INT32:
        yield spec.wrong(f"must be 1 or more, but is `{deadline}`", "activeDeadlineSeconds")
    yield from spec.named("serviceAccountName", SUBDOMAIN, SUBDOMAIN_LENGTH, required=False)
    if spec.text("dnsPolicy") == "None" and not spec.part("dnsConfig").raw.get("nameservers"):
        yield spec.wrong("is required with `dnsPolicy: None`", "dnsConfig", "nameservers")
    if flag(spec.raw, "shareProcessNamespace") and flag(spec.raw, "hostPID"):
        yield spec.wrong("cannot be set with `hostPID`", "shareProcessNamespace")
    if spec.raw.get("hostUsers") is False:
        yield from (spec.wrong("cannot be set with `hostUsers: false`", name) for name in _OF_NODE if flag(spec.raw, name))
    if spec.each("ephemeralContainers"):
        yield spec.wrong("cannot be set in a new pod: `kubectl debug` adds them", "ephemeralContainers")
    if spec.has("preemptionPolicy"):
        yield from spec.one_of("preemptionPolicy", ("PreemptLowerPriority", "Never"))
    system = spec.part("os").text("name")
    for part in _security(spec):
        yield from (part.wrong("cannot be set for Linux", name) for name in ("windowsOptions",) if system == "linux" and part.has(name))
        yield from (part.wrong("cannot be set for Windows", name) for name in _OF_LINUX if system == "windows" and part.has(name))
    for name in ("hostname", "subdomain"):
        yield from spec.named(name, LABEL, LABEL_LENGTH, required=False)


def _security(spec: Part) -> Iterator[Part]:
    for part in (spec, *spec.each("containers"), *spec.each("initContainers")):
        yield part.part("securityContext")


def _of_container(container: Part) -> Iterator[InvalidField]:
    image = container.text("image")
    if image != image.strip():
        yield container.wrong(f"must have no space around it, but is `{image}`", "image")
    yield from container.one_of("imagePullPolicy", _PULLS, _PULLS[0])
    for variable in container.each("env"):
        name = variable.text("name")
        if not _ENVIRONMENT.fullmatch(name):
            yield variable.wrong(f"must be printable characters without `=`, but is `{name}`" if name else "is required", "name")
        if variable.raw.get("value") and variable.has("valueFrom"):
            yield variable.wrong("cannot be set with `value`", "valueFrom")
    security = container.part("securityContext").raw
    if flag(security, "privileged") and security.get("allowPrivilegeEscalation") is False:
        yield container.wrong("cannot be false for a privileged container", "securityContext", "allowPrivilegeEscalation")
    for name in (*_PROBES, "lifecycle"):
        if container.has(name) and "initContainers" in container.path and container.text("restartPolicy") != "Always":
            yield container.wrong("cannot be set for an init container without `restartPolicy: Always`", name)
        elif container.has(name) and name in _PROBES:
            yield from _of_probe(container.part(name), name)


def _of_probe(probe: Part, name: str) -> Iterator[InvalidField]:
    yield from numbers(probe, _SECONDS)
    if (probe.number("successThreshold") or 1) > 1 and name != "readinessProbe":
        yield probe.wrong(f"must be 1, but is `{probe.number('successThreshold')}`", "successThreshold")
    handlers = [name for name in ("exec", "httpGet", "tcpSocket", "grpc") if probe.has(name)]
    if len(handlers) != 1:
        has = " and ".join(f"`{name}`" for name in handlers)
        yield InvalidField(probe.path, f"must have one handler, but has {has}" if has else "must have a handler, such as `httpGet`")


def numbers(part: Part, names: Sequence[str]) -> Iterator[InvalidField]:
    """Those of the fields that are set, and are not 0 or more."""
    for name in names:
        found = part.number(name)
        if found is not None and not 0 <= found <= (_MAX_INT64 if name in _LONG else MAX_INT32):
            yield part.wrong(f"must be 0 or more, but is `{found}`", name)


def _parts(known: dict[str, list[Part]], path: str) -> list[Part]:
    """The objects at a path such as `affinity.podAffinity`, `containers[].ports[]`; those at paths before it are `known`."""
    if path not in known:
        above, _, name = path.rpartition(".")
        known[path] = [
            found
            for part in _parts(known, above)
            for found in (part.each(name[:-2]) if name.endswith("[]") else [part.part(name)] if part.has(name) else ())
        ]
    return known[path]


def _structure(spec: Part) -> Iterator[InvalidField]:
    if not spec.each("containers"):
        yield spec.wrong("is required: a pod has at least one container", "containers")
    for name in ("hostNetwork", *_NOT_ON_WINDOWS):
        flag(spec.raw, name)
    for name in ("priorityClassName", "runtimeClassName", "nodeName"):
        yield from spec.named(name, SUBDOMAIN, SUBDOMAIN_LENGTH, required=False)
    if spec.has("runtimeClassName") and not spec.text("runtimeClassName"):
        yield spec.wrong("cannot be empty: remove it, or name a RuntimeClass", "runtimeClassName")
    if spec.text("nodeName") and spec.each("schedulingGates"):
        yield spec.wrong("cannot be set while the pod has scheduling gates", "nodeName")
    for names in (("containers", "initContainers"), ("schedulingGates",), ("resourceClaims",), ("volumes",)):
        yield from _repeated([part for name in names for part in spec.each(name)])
    yield from _on_host(spec)


def _repeated(parts: Sequence[Part]) -> Iterator[InvalidField]:
    found: set[str] = set()
    for part in parts:
        own = part.text("name")
        if own and own in found:
            yield part.wrong(f"must be unique, but another one is `{own}` too", "name")
        found.add(own)


def _on_host(spec: Part) -> Iterator[InvalidField]:
    """Ports of the node: those of all containers differ, each init container is alone."""
    on_host = flag(spec.raw, "hostNetwork")
    for group in [spec.each("containers"), *([one] for one in spec.each("initContainers"))]:
        ports = [port for container in group for port in container.each("ports")]
        taken: set[tuple[str, str, int]] = set()
        for port in ports:
            own, inside = port.number("hostPort"), port.number("containerPort")
            if on_host and own and own != inside and "initContainers" not in port.path:
                yield port.wrong(f"must be that of `containerPort` with `hostNetwork`, but is `{own}`", "hostPort")
            of_node = own if own or not on_host else inside
            key = (port.text("protocol") or "TCP", port.text("hostIP"), of_node or 0)
            if key[-1] and key in taken:
                yield port.wrong(f"must be unique in the pod, but another port is `{of_node}` too", "hostPort" if own else "containerPort")
            taken.add(key)


def _container(container: Part) -> Iterator[InvalidField]:
    yield from container.named("name", LABEL, LABEL_LENGTH, required=False)
    if container.has("restartPolicy"):
        yield from container.one_of("restartPolicy", _RESTARTS)


def _port(port: Part) -> Iterator[InvalidField]:
    for name, required in (("containerPort", True), ("hostPort", False)):
        found = port.number(name) or 0
        if not (0 < found <= _MAX_PORT or (found == 0 and not required)):
            yield port.wrong(f"must be from 1 to {_MAX_PORT}, but is `{found}`" if found else "is required", name)
    yield from port.one_of("protocol", ("TCP", "UDP", "SCTP"), "TCP")


def container_resources(resources: Part) -> Iterator[InvalidField]:
    """What a container requests, or the overhead of a RuntimeClass."""
    yield from _amounts(resources, lambda name: name in _OF_CONTAINERS or name.startswith(_HUGEPAGES) or ("/" in name and _qualified(name)))


def _qualified(name: str) -> bool:
    return is_key(name) and (is_native(name) or is_extended(name))


def _amounts(resources: Part, is_known: Callable[[str], bool]) -> Iterator[InvalidField]:
    limits = resources.part("limits").raw
    for of in ("limits", "requests"):
        for name, written in resources.part(of).raw.items():
            amount = thousandths(written, name)
            if not is_known(name):
                yield resources.wrong("is not a resource that containers can request", of, name)
            if amount < 0:
                yield resources.wrong(f"must be 0 or more, but is `{written}`", of, name)
            if is_extended(name) and amount % 1000:
                yield resources.wrong(f"must be a whole number, but is `{written}`", of, name)
            if name.startswith(_HUGEPAGES):
                yield from _pages(resources, of, name, amount)
            if of == "requests":
                yield from _within_limit(resources, name, amount, limits)
    named = {name for of in ("limits", "requests") for name in resources.part(of).raw}
    if any(name.startswith(_HUGEPAGES) for name in named) and not named & {"cpu", "memory"}:
        yield resources.wrong("must have `cpu` or `memory` next to huge pages")


def _pages(resources: Part, of: str, name: str, amount: int) -> Iterator[InvalidField]:
    try:
        size = thousandths(name.removeprefix(_HUGEPAGES), name)
    except PodError:
        size = 0
    if size <= 0 or size % 1000 or amount % size:
        yield resources.wrong("must be a multiple of the size of its pages", of, name)


def _within_limit(resources: Part, name: str, amount: int, limits: Mapping[str, object]) -> Iterator[InvalidField]:
    fixed = not is_native(name) or name.startswith(_HUGEPAGES)
    if name not in limits:
        if fixed:
            yield resources.wrong("is required: it must be equal to the request", "limits", name)
        return
    limit = thousandths(limits[name], name)
    if amount > limit or (fixed and amount != limit):
        asked = f"must be {'equal to' if fixed else 'at most'} the limit (`{limits[name]}`), but is `{resources.part('requests').raw[name]}`"
        yield resources.wrong(asked, "requests", name)


def pod_resources(spec: Part, *, of_template: bool = False) -> Iterator[InvalidField]:
    """Resources of the pod as a whole. Source: `validatePodResourceConsistency`; missing requests are set in pods alone (`SetDefaults_Pod`)."""
    if not spec.has("resources"):
        return
    resources = spec.part("resources")
    if spec.part("os").text("name") == "windows":
        yield spec.wrong("cannot be set for Windows", "resources")
        return
    yield from _amounts(resources, lambda name: name in ("cpu", "memory") or name.startswith(_HUGEPAGES))
    asked, most = container_requests(spec.raw, of_template=of_template), container_limits(spec.raw)
    for name, written in resources.part("requests").raw.items():
        if asked.get(name, 0) > thousandths(written, name):
            yield resources.wrong(f"must be at least what the containers request together, but is `{written}`", "requests", name)
    for name, written in resources.part("limits").raw.items():
        if name.startswith(_HUGEPAGES) and most.get(name, 0) > thousandths(written, name):
            yield resources.wrong(f"must be at least the limits of the containers together, but is `{written}`", "limits", name)
        for container in spec.each("containers"):
            limit = container.part("resources", "limits").raw.get(name)
            if limit is not None and thousandths(limit, name) > thousandths(written, name):
                asked_limit = f"must be at most the limit of the pod (`{written}`), but is `{limit}`"
                yield container.wrong(asked_limit, "resources", "limits", name)


def _toleration(toleration: Part) -> Iterator[InvalidField]:
    key, value = toleration.text("key"), toleration.text("value")
    operator, effect = toleration.text("operator") or "Equal", toleration.text("effect")
    if key and not is_key(key):
        yield toleration.wrong(f"is not a valid key: `{key}`", "key")
    if not key and operator != "Exists":
        yield toleration.wrong(f"must be `Exists` if `key` is empty, but is {shown(toleration.text('operator'))}", "operator")
    if toleration.number("tolerationSeconds") is not None and effect != "NoExecute":
        yield toleration.wrong(f"must be `NoExecute` if `tolerationSeconds` is set, but is {shown(effect)}", "effect")
    if operator == "Exists" and value:
        yield toleration.wrong(f"must be empty with the operator `Exists`, but is `{value}`", "value")
    elif operator == "Equal" and not is_value(value):
        yield toleration.wrong(f"is not a valid value: `{value}`", "value")
    elif operator in ("Gt", "Lt") and (integer(value) is None or str(integer(value)) != value):
        yield toleration.wrong(f"must be a whole number with the operator `{operator}`, but is {shown(value)}", "value")
    yield from toleration.one_of("operator", ("Equal", "Exists", "Gt", "Lt"), "Equal")
    if effect:
        yield from toleration.one_of("effect", ("NoSchedule", "PreferNoSchedule", "NoExecute"))


def node_selector(selector: Part) -> Iterator[InvalidField]:
    """Nodes that a pod requires, or that can mount a volume."""
    if not selector.each("nodeSelectorTerms"):
        yield selector.wrong("must have at least one term", "nodeSelectorTerms")
    for one in (one for term in selector.each("nodeSelectorTerms") for one in term.each("matchExpressions")):
        yield from (*_expression(one), *_required_expression(one))


def _expression(expression: Part) -> Iterator[InvalidField]:
    """An expression on labels of nodes."""
    operator, values = expression.text("operator"), texts(expression.raw, "values")
    yield from expression.one_of("operator", ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"))
    if operator in ("In", "NotIn") and not values:
        yield expression.wrong(f"is required with the operator `{operator}`", "values")
    if operator in ("Exists", "DoesNotExist") and values:
        yield expression.wrong(f"must be empty with the operator `{operator}`", "values")
    if operator in ("Gt", "Lt") and len(values) != 1:
        yield expression.wrong(f"must have one value with the operator `{operator}`, but has {len(values)}", "values")
    if not is_key(expression.text("key")):
        yield expression.wrong(f"is not a valid key: {shown(expression.text('key'))}", "key")


def _required_expression(expression: Part) -> Iterator[InvalidField]:
    for index, value in enumerate(texts(expression.raw, "values")):
        if not is_value(value):
            yield expression.wrong(f"is not a valid value of a label: `{value}`", "values", index)


def _field_expression(expression: Part) -> Iterator[InvalidField]:
    yield from expression.one_of("operator", ("In", "NotIn"))
    yield from expression.one_of("key", ("metadata.name",))
    values = texts(expression.raw, "values")
    if len(values) != 1:
        yield expression.wrong(f"must have one value, but has {len(values)}", "values")
    for index, value in enumerate(values):
        if not (SUBDOMAIN.fullmatch(value) and len(value) <= SUBDOMAIN_LENGTH):
            yield expression.wrong(f"is not a valid name of a node: `{value}`", "values", index)


def _weight(preference: Part) -> Iterator[InvalidField]:
    weight = preference.number("weight") or 0
    if not 1 <= weight <= _MAX_WEIGHT:
        yield preference.wrong(f"must be from 1 to {_MAX_WEIGHT}, but is `{weight}`", "weight")


def _pod_preference(preference: Part) -> Iterator[InvalidField]:
    yield from _weight(preference)
    if not preference.has("podAffinityTerm"):
        yield preference.wrong("is required", "podAffinityTerm")


def _pod_term(term: Part, labels: frozenset[str]) -> Iterator[InvalidField]:
    if not is_key(term.text("topologyKey")):
        yield term.wrong("is required" if not term.text("topologyKey") else f"is not a valid key: `{term.text('topologyKey')}`", "topologyKey")
    for index, name in enumerate(texts(term.raw, "namespaces")):
        if not LABEL.fullmatch(name):
            yield term.wrong(f"is not a valid name of a namespace: {shown(name)}", "namespaces", index)
    yield from label_selector(term, "labelSelector")
    yield from label_selector(term, "namespaceSelector")
    yield from _label_keys(term, labels)


def _spread(spread: Part, labels: frozenset[str]) -> Iterator[InvalidField]:
    for name, required in (("maxSkew", True), ("minDomains", False)):
        found = spread.number(name)
        if (found or 0) < 1 and (required or found is not None):
            yield spread.wrong("is required: 1 or more" if found is None else f"must be 1 or more, but is `{found}`", name)
    if not spread.text("topologyKey"):
        yield spread.wrong("is required", "topologyKey")
    yield from spread.one_of("whenUnsatisfiable", ("DoNotSchedule", "ScheduleAnyway"))
    if spread.has("minDomains") and spread.text("whenUnsatisfiable") != "DoNotSchedule":
        yield spread.wrong("can only be set with `whenUnsatisfiable: DoNotSchedule`", "minDomains")
    for name in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
        if spread.has(name):
            yield from spread.one_of(name, ("Honor", "Ignore"))
    yield from label_selector(spread, "labelSelector")
    yield from _label_keys(spread, labels)


def _spreads(spec: Part) -> Iterator[InvalidField]:
    found: set[tuple[str, str]] = set()
    for spread in spec.each("topologySpreadConstraints"):
        pair = (spread.text("topologyKey"), spread.text("whenUnsatisfiable"))
        if pair in found:
            yield spread.wrong(f"must differ from the others in `topologyKey` or `whenUnsatisfiable`, but another one has `{pair[0]}`, `{pair[1]}`")
        found.add(pair)


def label_selector(part: Part, name: str) -> Iterator[InvalidField]:
    """Of a selector of pods or namespaces."""
    selector = part.part(name)
    yield from label_fields(selector, "matchLabels")
    for expression in selector.each("matchExpressions"):
        operator = expression.text("operator")
        if operator in ("Gt", "Lt"):
            yield expression.wrong(f"must be `In`, `NotIn`, `Exists` or `DoesNotExist`, but is `{operator}`", "operator")
        else:
            yield from _expression(expression)
            yield from _required_expression(expression)


def _label_keys(part: Part, labels: frozenset[str]) -> Iterator[InvalidField]:
    """The API server adds `key In [value of the pod]` for each of `matchLabelKeys` that the pod has."""
    matched, different = texts(part.raw, "matchLabelKeys"), texts(part.raw, "mismatchLabelKeys")
    for name, keys in (("matchLabelKeys", matched), ("mismatchLabelKeys", different)):
        if keys and not part.has("labelSelector"):
            yield part.wrong("can only be set with `labelSelector`", name)
        for index, key in enumerate(keys):
            if not is_key(key):
                yield part.wrong(f"is not a valid key: {shown(key)}", name, index)
    selector = part.part("labelSelector")
    expressions = Counter([expression.text("key") for expression in selector.each("matchExpressions")] + [key for key in matched if key in labels])
    for index, key in enumerate(matched):
        if expressions[key] and expressions[key] + (key in selector.part("matchLabels").raw) > 1:
            yield part.wrong(f"must not be in `labelSelector` too: `{key}`", "matchLabelKeys", index)
        if key in different:
            yield part.wrong(f"must not be in `mismatchLabelKeys` too: `{key}`", "matchLabelKeys", index)


def label_fields(part: Part, name: str) -> Iterator[InvalidField]:
    """Labels in a field, or what selects them."""
    for key, value in part.part(name).raw.items():
        if not is_key(key):
            yield part.wrong("is not a valid key of a label", name, key)
        if not is_value(text(value, key)):
            yield part.wrong(f"is not a valid value of a label: `{value}`", name, key)


def scheduling_fields(scheduling: Part) -> Iterator[InvalidField]:
    """The node selector and the tolerations of a RuntimeClass."""
    yield from label_fields(scheduling, "nodeSelector")
    for toleration in scheduling.each("tolerations"):
        yield from _toleration(toleration)


def _gate(gate: Part) -> Iterator[InvalidField]:
    if not is_key(gate.text("name")):
        yield gate.wrong(f"is not a valid name: {shown(gate.text('name'))}", "name")


def _claim(claim: Part) -> Iterator[InvalidField]:
    yield from claim.named("name", LABEL, LABEL_LENGTH)
    for name in ("resourceClaimName", "resourceClaimTemplateName"):
        yield from claim.named(name, SUBDOMAIN, SUBDOMAIN_LENGTH, required=claim.has(name))
    if claim.has("resourceClaimName") == claim.has("resourceClaimTemplateName"):
        yield claim.wrong("must have one of `resourceClaimName` and `resourceClaimTemplateName`")


def _claims(spec: Part) -> Iterator[InvalidField]:
    known = {claim.text("name") for claim in spec.each("resourceClaims")}
    for container in (*spec.each("containers"), *spec.each("initContainers")):
        for claim in container.part("resources").each("claims"):
            if claim.text("name") not in known:
                yield claim.wrong(f"must be the name of one of `resourceClaims`, but is {shown(claim.text('name'))}", "name")


def _system(spec: Part) -> Iterator[InvalidField]:
    if not spec.has("os"):
        return
    system = spec.part("os")
    yield from system.one_of("name", SYSTEMS)
    if system.text("name") == "windows":
        for name in _NOT_ON_WINDOWS:
            if flag(spec.raw, name) or (name == "shareProcessNamespace" and spec.has(name)):
                yield spec.wrong("cannot be set for Windows", name)


def _volume(volume: Part) -> Iterator[InvalidField]:
    yield from volume.named("name", LABEL, LABEL_LENGTH)
    sources = [name for name, value in volume.raw.items() if name != "name" and value is not None]
    if len(sources) > 1:
        yield volume.wrong(f"must have one source, but has {' and '.join(f'`{name}`' for name in sources)}")
    for source, name in _OF_VOLUMES:
        if volume.has(source) and not volume.part(source).text(name):
            yield volume.wrong("is required", source, name)
    if thousandths(volume.part("emptyDir").raw.get("sizeLimit"), "sizeLimit") < 0:
        yield volume.wrong("must be 0 or more", "emptyDir", "sizeLimit")
    if volume.has("ephemeral"):
        yield from claim_fields(volume.part("ephemeral", "volumeClaimTemplate", "spec"))


def claim_fields(claim: Part) -> Iterator[InvalidField]:
    """The `spec` of a claim, also of one that is created for a pod."""
    modes = texts(claim.raw, "accessModes")
    if not modes or not set(modes) <= set(ACCESS_MODES) or ("ReadWriteOncePod" in modes and len(set(modes)) > 1):
        yield claim.wrong(f"must be of {one_of(ACCESS_MODES)}, and `ReadWriteOncePod` alone, but is `{', '.join(modes)}`", "accessModes")
    requests = claim.part("resources", "requests")
    if thousandths(requests.raw.get("storage"), "storage") <= 0:
        yield requests.wrong(f"must be more than 0, but is `{requests.raw['storage']}`" if requests.has("storage") else "is required", "storage")
    yield from claim.named("storageClassName", SUBDOMAIN, SUBDOMAIN_LENGTH, required=False)


def _mounts(spec: Part, claims: Sequence[str]) -> Iterator[InvalidField]:
    known = {*claims, *(volume.text("name") for volume in spec.each("volumes"))}
    for container in (*spec.each("containers"), *spec.each("initContainers")):
        paths: set[str] = set()
        for mount in container.each("volumeMounts"):
            path = mount.text("mountPath")
            if mount.text("name") not in known:
                yield mount.wrong(f"must be the name of a volume of the pod, but is {shown(mount.text('name'))}", "name")
            if not path or path in paths:
                yield mount.wrong(f"must be unique, but another mount has `{path}` too" if path else "is required", "mountPath")
            paths.add(path)


_REQUIRED_TERMS: Final = f"affinity.nodeAffinity.required{_SCHEDULING}"
_PREFERRED_TERMS: Final = f"affinity.nodeAffinity.preferred{_SCHEDULING}[]"
_POD_TERMS: Final = tuple(
    f"affinity.{kind}.{term}"
    for kind in ("podAffinity", "podAntiAffinity")
    for term in (f"required{_SCHEDULING}[]", f"preferred{_SCHEDULING}[].podAffinityTerm")
)
_CHECKS: Final[Sequence[tuple[str, Callable[[Part], Iterator[InvalidField]]]]] = (
    ("", _structure),
    ("", _spreads),
    ("", _claims),
    ("", _system),
    ("", lambda spec: label_fields(spec, "nodeSelector")),
    ("containers[]", _container),
    ("initContainers[]", _container),
    *((f"{containers}[].resources", container_resources) for containers in ("containers", "initContainers")),
    ("containers[].ports[]", _port),
    ("initContainers[].ports[]", _port),
    ("tolerations[]", _toleration),
    (_REQUIRED_TERMS, node_selector),
    (f"{_REQUIRED_TERMS}.nodeSelectorTerms[].matchFields[]", _field_expression),
    (_PREFERRED_TERMS, _weight),
    (f"{_PREFERRED_TERMS}.preference.matchExpressions[]", _expression),
    (f"{_PREFERRED_TERMS}.preference.matchFields[]", _field_expression),
    *((f"affinity.{kind}.preferred{_SCHEDULING}[]", _pod_preference) for kind in ("podAffinity", "podAntiAffinity")),
    ("schedulingGates[]", _gate),
    ("resourceClaims[]", _claim),
    ("volumes[]", _volume),
    ("", _of_spec),
    ("containers[]", _of_container),
    ("initContainers[]", _of_container),
)
"""What is checked of a pod, by the path in its spec."""
_SELECTORS: Final[Sequence[tuple[str, Callable[[Part, frozenset[str]], Iterator[InvalidField]]]]] = (
    *((path, _pod_term) for path in _POD_TERMS),
    ("topologySpreadConstraints[]", _spread),
)
"""What is checked of selectors of pods, next to the keys of the pod's own labels."""
