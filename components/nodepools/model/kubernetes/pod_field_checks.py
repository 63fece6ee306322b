"""Fields of a pod without effect on its scheduling, of which the API server rejects invalid values: then no pod is created at all.

Source: Kubernetes 1.36, `pkg/apis/core/validation/validation.go`; `tests/oracle/admission` compares with it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from nodepools.model.kubernetes.label import is_key
from nodepools.model.kubernetes.raw_fields import flag
from nodepools.model.kubernetes.validated_part import LABEL, LABEL_LENGTH, MAX_INT32, SUBDOMAIN, SUBDOMAIN_LENGTH, InvalidField, Part

_CRON_JOB_LENGTH: Final = 52
"""The names of its Jobs have 11 characters more."""
_ENVIRONMENT: Final = re.compile(r"[ -<>-~]+")
_DNS: Final = ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")
_PULLS: Final = ("Always", "IfNotPresent", "Never")
_OF_LINUX: Final = (
    *("appArmorProfile", "seLinuxOptions", "seccompProfile", "capabilities", "readOnlyRootFilesystem", "privileged", "allowPrivilegeEscalation"),
    *("procMount", "runAsUser", "runAsGroup", "fsGroup", "fsGroupChangePolicy", "sysctls", "supplementalGroups", "seLinuxChangePolicy"),
)
"""Fields of a security context that a pod for Windows cannot have."""
_PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")
_HANDLERS: Final = ("exec", "httpGet", "tcpSocket", "grpc")


def metadata_fields(kind: str, metadata: Part) -> Iterator[InvalidField]:
    """The name, the namespace and the annotations of a workload. One that is not written completely can have no name."""
    longest = _CRON_JOB_LENGTH if kind == "CronJob" else SUBDOMAIN_LENGTH
    yield from metadata.named("name", SUBDOMAIN, longest, required=False)
    yield from metadata.named("namespace", LABEL, LABEL_LENGTH, required=False)
    yield from annotations(metadata)


def annotations(metadata: Part) -> Iterator[InvalidField]:
    """The keys of annotations have the form of those of labels, and can have capitals in their prefix."""
    for key in metadata.part("annotations").raw:
        if not is_key(key.lower()):
            yield metadata.wrong("is not a valid key of an annotation", "annotations", key)


def _of_spec(spec: Part) -> Iterator[InvalidField]:
    yield from spec.one_of("dnsPolicy", _DNS, _DNS[0])
    deadline = spec.number("activeDeadlineSeconds")
    if deadline is not None and not 1 <= deadline <= MAX_INT32:
        yield spec.wrong(f"must be 1 or more, but is `{deadline}`", "activeDeadlineSeconds")
    yield from spec.named("serviceAccountName", SUBDOMAIN, SUBDOMAIN_LENGTH, required=False)
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
    security = container.part("securityContext").raw
    if flag(security, "privileged") and security.get("allowPrivilegeEscalation") is False:
        yield container.wrong("cannot be false for a privileged container", "securityContext", "allowPrivilegeEscalation")
    for name in _PROBES:
        if container.has(name):
            yield from _of_probe(container.part(name))


def _of_probe(probe: Part) -> Iterator[InvalidField]:
    handlers = [name for name in _HANDLERS if probe.has(name)]
    if len(handlers) != 1:
        has = " and ".join(f"`{name}`" for name in handlers)
        yield InvalidField(probe.path, f"must have one handler, but has {has}" if has else "must have a handler, such as `httpGet`")


FIELD_CHECKS: Final[Sequence[tuple[str, Callable[[Part], Iterator[InvalidField]]]]] = (
    ("", _of_spec),
    ("containers[]", _of_container),
    ("initContainers[]", _of_container),
)
"""What is checked, by the path in the spec of a pod."""
