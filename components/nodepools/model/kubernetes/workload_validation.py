"""The fields of a workload that the API server rejects, as far as they decide where and how pods run.

Source: Kubernetes 1.36, `validation.go` in `pkg/apis/core`, `apps` and `batch`; `tests/oracle/admission` compares with it. What only some of the
supported versions reject is not invalid, and neither is a name, an image or a selector that is not set: nothing here depends on them, and people ask
about pods that they have not written completely.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nodepools.model.kubernetes.cron import unreadable
from nodepools.model.kubernetes.label import is_key
from nodepools.model.kubernetes.pod_validation import label_fields, label_selector, numbers, pod_fields
from nodepools.model.kubernetes.raw_fields import text
from nodepools.model.kubernetes.topology import read_selector
from nodepools.model.kubernetes.validated_part import LABEL, LABEL_LENGTH, MAX_INT32, SUBDOMAIN, SUBDOMAIN_LENGTH, InvalidField, Part

_CRON_JOB_LENGTH: Final = 52
"""The names of its Jobs have 11 characters more."""
_MAX_PERCENT: Final = 100
_SELECTING: Final = ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet")
_COUNTS: Final = (
    *("replicas", "parallelism", "completions", "minReadySeconds", "revisionHistoryLimit", "activeDeadlineSeconds", "backoffLimit"),
    *("backoffLimitPerIndex", "maxFailedIndexes", "ttlSecondsAfterFinished"),
    *("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"),
)
"""Fields of the spec of a workload that are 0 or more."""
_ANY_NUMBER: Final = ("StatefulSet", "revisionHistoryLimit")
_DEADLINE: Final = 600
"""Seconds: `progressDeadlineSeconds` of a Deployment if it is not set."""
_PERCENT: Final = re.compile(r"[0-9]+%")


def metadata_fields(kind: str, metadata: Part) -> Iterator[InvalidField]:
    """The name, the namespace, labels and annotations. An object that is not written completely can have no name."""
    longest = _CRON_JOB_LENGTH if kind == "CronJob" else SUBDOMAIN_LENGTH
    if kind != "PodDisruptionBudget":  # which can have any name
        yield from metadata.named("name", LABEL if kind == "Namespace" else SUBDOMAIN, longest, required=False)
    yield from metadata.named("namespace", LABEL, LABEL_LENGTH, required=False)
    yield from annotations(metadata)
    yield from label_fields(metadata, "labels")


def annotations(metadata: Part) -> Iterator[InvalidField]:
    """The keys of annotations have the form of those of labels, and can have capitals in their prefix."""
    for key in metadata.part("annotations").raw:
        if not is_key(key.lower()):
            yield metadata.wrong("is not a valid key of an annotation", "annotations", key)


def invalid_fields(kind: str, raw: Mapping[str, object]) -> Iterator[InvalidField]:
    """The fields of a workload that the API server rejects; nothing for a pod that it has accepted, which an export shows.

    Raises:
        PodError: a field has another type.
    """
    workload = Part((), raw)
    if not workload.part("metadata").has("uid"):
        yield from metadata_fields(kind, workload.part("metadata"))
    if kind == "Pod":
        if not workload.part("metadata").has("uid"):
            yield from pod_fields(workload, kind, claims=())
        return
    spec = workload.part("spec")
    if kind == "CronJob":
        yield from _schedule(spec)
        yield from numbers(spec, _COUNTS)
        spec = spec.part("jobTemplate", "spec")
    yield from numbers(spec, [name for name in _COUNTS if (kind, name) != _ANY_NUMBER])
    template = spec.part("template")
    if kind in _SELECTING and spec.has("selector"):
        yield from _selector(spec, template)
    if kind in _OF_SPECS:
        yield from _OF_SPECS[kind](spec)
    indexed, name = spec.text("completionMode") == "Indexed", workload.part("metadata").text("name")
    if kind == "CronJob" and indexed and not spec.has("completions"):
        yield spec.wrong("is required with `completionMode: Indexed`", "completions")
    if kind == "Job" and indexed and name and not LABEL.fullmatch(f"{name}-{max(spec.number('completions') or 1, 1) - 1}"):
        yield workload.wrong(f"is the start of host names with `completionMode: Indexed`, and `{name}` is not valid there", "metadata", "name")
    claims = tuple(claim.part("metadata").text("name") for claim in spec.each("volumeClaimTemplates"))
    yield from pod_fields(template, kind, claims)


def _selector(spec: Part, template: Part) -> Iterator[InvalidField]:
    written = spec.part("selector")
    if not (written.raw.get("matchLabels") or written.raw.get("matchExpressions")):
        yield spec.wrong("is empty: it must have labels of the template", "selector")
        return
    found = list(label_selector(spec, "selector"))
    yield from found
    labels = {key: text(value, key) for key, value in template.part("metadata", "labels").raw.items()}
    if not found and not read_selector(spec.raw, "selector").matches(labels):
        listed = ", ".join(f"{key}={value}" for key, value in sorted(labels.items()))
        yield spec.wrong(f"does not match the labels of the template ({listed})" if listed else "matches no label: the template has none", "selector")


def _surge(rolling: Part, unset: tuple[object, object], within: Sequence[str]) -> Iterator[InvalidField]:
    """`maxUnavailable` and `maxSurge`; `unset`: what they are otherwise; `within`: those that are at most 100%."""
    unavailable, surge = (_pods(rolling, name, default) for name, default in zip(("maxUnavailable", "maxSurge"), unset, strict=True))
    for name, found in (("maxUnavailable", unavailable), ("maxSurge", surge)):
        if found is None:
            yield rolling.wrong(f"must be a number of pods or a percentage such as `25%`, but is `{rolling.raw[name]}`", name)
    if unavailable == surge == 0:
        yield rolling.wrong("cannot be 0 when `maxSurge` is 0", "maxUnavailable")
    for name in within:
        written = rolling.raw.get(name)
        if isinstance(written, str) and (_pods(rolling, name, 0) or 0) > _MAX_PERCENT:
            yield rolling.wrong(f"must be at most 100%, but is `{written}`", name)


def _pods(rolling: Part, name: str, unset: object) -> int | None:
    """The number of pods, or the percentage; `None` if it is neither."""
    written = rolling.raw.get(name)
    written = unset if written is None else written
    if isinstance(written, str):
        return int(written[:-1]) if _PERCENT.fullmatch(written) else None
    return written if isinstance(written, int) and 0 <= written <= MAX_INT32 else None


def _rollout(spec: Part) -> Iterator[InvalidField]:
    """Source: `ValidateDeploymentSpec` and `ValidateDeploymentStrategy` in `pkg/apis/apps/validation`."""
    strategy = spec.part("strategy")
    yield from strategy.one_of("type", ("Recreate", "RollingUpdate"), "RollingUpdate")
    rolling = strategy.part("rollingUpdate")
    if strategy.text("type") == "Recreate" and rolling.raw:
        yield strategy.wrong("cannot be set with `type: Recreate`", "rollingUpdate")
    else:
        yield from _surge(rolling, ("25%", "25%"), ("maxUnavailable",))
    ready, deadline = spec.number("minReadySeconds") or 0, spec.number("progressDeadlineSeconds")
    if ready >= 0 and (_DEADLINE if deadline is None else deadline) <= ready:
        is_now = f"is `{deadline}`" if deadline is not None else f"is not set, which is {_DEADLINE}"
        yield spec.wrong(f"must be more than `minReadySeconds` ({ready}), but {is_now}", "progressDeadlineSeconds")


def _daemons(spec: Part) -> Iterator[InvalidField]:
    """Source: `ValidateRollingUpdateDaemonSet`."""
    strategy = spec.part("updateStrategy")
    yield from strategy.one_of("type", ("OnDelete", "RollingUpdate"), "RollingUpdate")
    rolling = strategy.part("rollingUpdate")
    if strategy.text("type") != "OnDelete":
        yield from _surge(rolling, (1, 0), ("maxUnavailable", "maxSurge"))
        if _pods(rolling, "maxUnavailable", 1) and _pods(rolling, "maxSurge", 0):
            yield rolling.wrong("can only be set with `maxUnavailable: 0`", "maxSurge")


def _stateful(spec: Part) -> Iterator[InvalidField]:
    yield from spec.one_of("podManagementPolicy", ("OrderedReady", "Parallel"), "OrderedReady")
    yield from numbers(spec.part("ordinals"), ("start",))
    strategy = spec.part("updateStrategy")
    yield from strategy.one_of("type", ("OnDelete", "RollingUpdate"), "RollingUpdate")
    yield from numbers(strategy.part("rollingUpdate"), ("partition",))
    if strategy.text("type") == "OnDelete" and strategy.has("rollingUpdate"):
        yield strategy.wrong("cannot be set with `type: OnDelete`", "rollingUpdate")
    for name in ("whenDeleted", "whenScaled"):
        yield from spec.part("persistentVolumeClaimRetentionPolicy").one_of(name, ("Retain", "Delete"), "Retain")


def _job(spec: Part) -> Iterator[InvalidField]:
    """Source: `validateJobSpec` in `pkg/apis/batch/validation`."""
    indexed = spec.text("completionMode") == "Indexed"
    yield from spec.one_of("completionMode", ("NonIndexed", "Indexed"), "NonIndexed")
    if indexed and spec.has("parallelism") and not spec.has("completions"):
        yield spec.wrong("is required with `completionMode: Indexed`", "completions")
    for name in ("backoffLimitPerIndex", "maxFailedIndexes", "successPolicy") if not indexed else ():
        if spec.has(name):
            yield spec.wrong("can only be set with `completionMode: Indexed`", name)
    if spec.has("maxFailedIndexes") and not spec.has("backoffLimitPerIndex"):
        yield spec.wrong("is required with `maxFailedIndexes`", "backoffLimitPerIndex")
    if spec.has("podFailurePolicy") and spec.part("template", "spec").text("restartPolicy") == "OnFailure":
        yield spec.part("template", "spec").wrong("must be `Never` with `podFailurePolicy`, but is `OnFailure`", "restartPolicy")
    if spec.has("podReplacementPolicy"):
        yield from spec.one_of("podReplacementPolicy", ("Failed",) if spec.has("podFailurePolicy") else ("Failed", "TerminatingOrFailed"))


def _schedule(spec: Part) -> Iterator[InvalidField]:
    """Of a CronJob: parsed as Karpenter's schedules are, and `@every 5m` too."""
    yield from spec.one_of("concurrencyPolicy", ("Allow", "Forbid", "Replace"), "Allow")
    written = spec.text("schedule")
    why = unreadable(written) if written and not written.startswith("@every ") else None
    if "TZ" in written or why:
        yield spec.wrong("cannot have a time zone: use `timeZone`" if "TZ" in written else f"cannot be parsed: {why}, in `{written}`", "schedule")
    if spec.text("timeZone").lower() == "local":
        yield spec.wrong("must be a name such as `Europe/Berlin`, but is `Local`", "timeZone")


_OF_SPECS: Final = {"StatefulSet": _stateful, "Deployment": _rollout, "DaemonSet": _daemons, "Job": _job, "CronJob": _job}
