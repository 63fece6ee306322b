"""The fields of an object next to workloads that the API server rejects, as far as they decide how many pods there are, and where.

Source: Kubernetes 1.36, `validation.go` in `pkg/apis/autoscaling`, `core`, `policy` and `storage`, 2026-11. What only some of the supported versions
reject is not invalid.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from nodepools.model.kubernetes.admission_objects import COUNTED, is_of_quotas
from nodepools.model.kubernetes.label import is_key
from nodepools.model.kubernetes.pod import is_extended, thousandths
from nodepools.model.kubernetes.pod_validation import claim_fields, label_selector, node_selector
from nodepools.model.kubernetes.raw_fields import flag, texts
from nodepools.model.kubernetes.validated_part import MAX_INT32, InvalidField, InvalidWorkloadError, Part, one_of, shown
from nodepools.model.kubernetes.workload_validation import metadata_fields

_METRICS: Final = ("ContainerResource", "External", "Object", "Pods", "Resource")
_NAMED: Final = {"ContainerResource": ("name", "container"), "Resource": ("name",)}
_VALUES: Final = ("averageUtilization", "averageValue", "value")
_WINDOW, _PERIOD = 3600, 1800
"""Seconds: the most of `stabilizationWindowSeconds` and of `periodSeconds`."""
_NOT_SOURCES: Final = (
    *("accessModes", "capacity", "claimRef", "mountOptions", "nodeAffinity", "persistentVolumeReclaimPolicy", "storageClassName", "volumeMode"),
    "volumeAttributesClassName",
)
_OF_SOURCES: Final = {"csi": ("driver", "volumeHandle"), "local": ("path",), "hostPath": ("path",), "nfs": ("server", "path")}
"""What each source of a PersistentVolume requires."""


def check_object(kind: str, raw: Mapping[str, object]) -> None:
    """Checks an object next to workloads, unless the API server has accepted it, which an export shows.

    Raises:
        InvalidWorkloadError: the API server rejects it.
        PodError: a field has another type.
    """
    found = Part((), raw)
    metadata = found.part("metadata")
    if metadata.has("uid"):
        return
    wrong = list(metadata_fields(kind, metadata))
    if kind in _OF_OBJECTS:
        wrong += _OF_OBJECTS[kind](found if kind == "StorageClass" else found.part("spec"))
    if wrong:
        raise InvalidWorkloadError(f"{kind}/{metadata.text('name')}", wrong)


def _required(part: Part, *names: str) -> Iterator[InvalidField]:
    yield from (part.wrong("is required", name) for name in names if part.raw.get(name) in (None, "", {}, []))


def _between(part: Part, name: str, least: int, most: int = MAX_INT32) -> Iterator[InvalidField]:
    found = part.number(name)
    if found is not None and not least <= found <= most:
        yield part.wrong(f"must be {f'{least} or more' if most == MAX_INT32 else f'from {least} to {most}'}, but is `{found}`", name)


def _autoscaler(spec: Part) -> Iterator[InvalidField]:
    """Without the gate HPAScaleToZero, `minReplicas` is 1 or more."""
    yield from (*_required(spec.part("scaleTargetRef"), "kind", "name"), *_required(spec, "maxReplicas"), *_between(spec, "maxReplicas", 1))
    least, most = spec.number("minReplicas"), spec.number("maxReplicas")
    yield from (*_between(spec, "minReplicas", 0), *_between(spec, "targetCPUUtilizationPercentage", 1))
    if most is not None and 1 <= most < (1 if least is None else least):
        yield spec.wrong(f"must be at least `minReplicas` ({1 if least is None else least}), but is `{most}`", "maxReplicas")
    for metric in spec.each("metrics"):
        kind = metric.text("type")
        yield from metric.one_of("type", _METRICS)
        name = kind[:1].lower() + kind[1:]
        if kind in _METRICS and not metric.has(name):
            yield metric.wrong(f"is required with `type: {kind}`", name)
        elif kind in _METRICS:
            yield from _required(metric.part(name), *_NAMED.get(kind, ()))
            target = metric.part(name, "target")
            yield from (*target.one_of("type", ("Utilization", "Value", "AverageValue")), *_between(target, "averageUtilization", 1))
            if not any(target.has(value) for value in _VALUES):
                yield metric.wrong(f"must have {one_of(_VALUES)}", name, "target")
    for name in ("scaleUp", "scaleDown"):
        rules = spec.part("behavior", name)
        yield from _between(rules, "stabilizationWindowSeconds", 0, _WINDOW)
        yield from rules.one_of("selectPolicy", ("Max", "Min", "Disabled"), "Max")
        for policy in rules.each("policies"):
            yield from (*policy.one_of("type", ("Pods", "Percent")), *_required(policy, "value", "periodSeconds"))
            yield from (*_between(policy, "value", 1), *_between(policy, "periodSeconds", 1, _PERIOD))


def _claim(spec: Part) -> Iterator[InvalidField]:
    yield from claim_fields(spec)
    yield from label_selector(spec, "selector")
    yield from spec.one_of("volumeMode", ("Filesystem", "Block"), "Filesystem")
    yield from _required(spec.part("dataSourceRef"), "kind", "name") if spec.has("dataSourceRef") else ()


def _volume(spec: Part) -> Iterator[InvalidField]:
    capacity = {"resources": {"requests": spec.part("capacity").raw}}
    yield from (InvalidField(("spec", *_PLACES.get(one.path, one.path)), one.reason) for one in claim_fields(Part((), {**spec.raw, **capacity})))
    yield from spec.one_of("volumeMode", ("Filesystem", "Block"), "Filesystem")
    yield from spec.one_of("persistentVolumeReclaimPolicy", ("Retain", "Delete", "Recycle"), "Retain")
    sources = [name for name, value in spec.raw.items() if value is not None and name not in _NOT_SOURCES]
    if len(sources) != 1:
        yield spec.wrong(f"must have one source, such as `csi`, but has {' and '.join(f'`{name}`' for name in sources) or 'none'}")
    for source in sources:
        yield from _required(spec.part(source), *_OF_SOURCES.get(source, ())) if source in _OF_SOURCES else ()
    for source in ("hostPath", "local"):
        if ".." in spec.part(source).text("path").split("/"):
            yield spec.wrong("must not have `..`", source, "path")
    if spec.has("nodeAffinity") or spec.has("local"):
        affinity = spec.part("nodeAffinity")
        yield from node_selector(affinity.part("required")) if affinity.has("required") else _required(affinity, "required")


_PLACES: Final[Mapping[tuple[str | int, ...], tuple[str | int, ...]]] = {("resources", "requests", "storage"): ("capacity", "storage")}


def _budget(spec: Part) -> Iterator[InvalidField]:
    yield from label_selector(spec, "selector")
    yield from spec.one_of("unhealthyPodEvictionPolicy", ("IfHealthyBudget", "AlwaysAllow"), "IfHealthyBudget")


def _storage(raw: Part) -> Iterator[InvalidField]:
    if not is_key(raw.text("provisioner").lower()):
        yield raw.wrong(f"must be a name such as `disk.csi.azure.com`, but is {shown(raw.text('provisioner'))}", "provisioner")
    flag(raw.raw, "allowVolumeExpansion")
    yield from raw.one_of("reclaimPolicy", ("Delete", "Retain"), "Delete")
    yield from raw.one_of("volumeBindingMode", ("Immediate", "WaitForFirstConsumer")) if raw.has("volumeBindingMode") else ()
    if "" in raw.part("parameters").raw:
        yield raw.wrong("must have no empty key", "parameters")
    parts = [term.each("matchLabelExpressions") for term in raw.each("allowedTopologies")]
    for one in (one for term in parts for one in term):
        if not is_key(one.text("key")):
            yield one.wrong(f"must be a key of a label, but is {shown(one.text('key'))}", "key")
        if not (values := texts(one.raw, "values")) or len({*values}) < len(values):
            yield one.wrong(f"must be different ones, at least one, but is `{list(values)}`", "values")
    terms = [{one.text("key"): {*texts(one.raw, "values")} for one in term} for term in parts]
    for index, term in enumerate(terms):
        if not term or len(term) < len(parts[index]) or term in terms[:index]:
            yield raw.wrong("must have keys, and must not repeat one of them or another entry", "allowedTopologies", index)


def _limits(spec: Part) -> Iterator[InvalidField]:
    for limit in spec.each("limits"):
        kind = limit.text("type")
        if "/" not in kind:
            yield from limit.one_of("type", ("Container", "Pod", "PersistentVolumeClaim"))
        if kind == "PersistentVolumeClaim" and not any(limit.part(name).has("storage") for name in ("min", "max")):
            yield limit.wrong("must have `min.storage` or `max.storage`")
        for resource, ratio in limit.part("maxLimitRequestRatio").raw.items():
            if thousandths(ratio, resource) < 1000:  # noqa: PLR2004
                yield limit.wrong(f"must be 1 or more, but is `{ratio}`", "maxLimitRequestRatio", resource)
        names = {(name, key) for name in ("min", "max", "default", "defaultRequest", "maxLimitRequestRatio") for key in limit.part(name).raw}
        for name, key in sorted(names) if kind in ("Container", "Pod") else ():
            if "/" not in key and key not in ("cpu", "memory", "ephemeral-storage") and not key.startswith("hugepages-"):
                yield limit.wrong("is not a resource of containers", name, key)


def _quota(spec: Part) -> Iterator[InvalidField]:
    for name, amount in spec.part("hard").raw.items():
        if not is_key(name) or ("/" not in name and not is_of_quotas(name)):
            yield spec.wrong("is not a resource of a quota", "hard", name)
        if (name in COUNTED or is_extended(name)) and thousandths(amount, name) % 1000:
            yield spec.wrong(f"must be a whole number, but is `{amount}`", "hard", name)


def _scaled_object(spec: Part) -> Iterator[InvalidField]:
    """Source: the CRD of KEDA 2.18."""
    yield from _required(spec.part("scaleTargetRef"), "name")
    if not spec.has("triggers"):
        yield spec.wrong("is required", "triggers")


def _vertical(spec: Part) -> Iterator[InvalidField]:
    modes = ("Off", "Initial", "Recreate", "InPlaceOrRecreate", "InPlace", "Auto")
    yield from spec.part("updatePolicy").one_of("updateMode", modes, "Auto")


_OF_OBJECTS: Final = {
    "HorizontalPodAutoscaler": _autoscaler,
    "PersistentVolumeClaim": _claim,
    "PersistentVolume": _volume,
    "PodDisruptionBudget": _budget,
    "StorageClass": _storage,
    "LimitRange": _limits,
    "ResourceQuota": _quota,
    "ScaledObject": _scaled_object,
    "VerticalPodAutoscaler": _vertical,
}
