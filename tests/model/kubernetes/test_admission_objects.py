"""Pod Security Standards: https://kubernetes.io/docs/concepts/security/pod-security-standards."""

from typing import Any

import pytest

from nodepools.model.kubernetes.admission_objects import PodSecurity, read_pod_security
from nodepools.model.kubernetes.raw_fields import PodError

HARDENED: dict[str, Any] = {
    "runAsNonRoot": True,
    "allowPrivilegeEscalation": False,
    "seccompProfile": {"type": "RuntimeDefault"},
    "capabilities": {"drop": ["ALL"]},
}


def spec(context: dict[str, Any] | None = None, container: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A pod whose one container has a security context."""
    return {"containers": [{"name": "c", "securityContext": context or {}, **(container or {})}], **fields}


BASELINE = [
    (spec(), []),
    (spec(hostNetwork=True, hostIPC=False), ["`hostNetwork` is `true`"]),
    (spec(volumes=[{"name": "v", "hostPath": {"path": "/"}}, {"name": "e", "emptyDir": {}}]), ["volume `v` is a `hostPath`"]),
    (spec({"privileged": True}), ["container `c` is `privileged`"]),
    (spec({"capabilities": {"add": ["CHOWN", "SYS_ADMIN"]}}), ["container `c` adds capability `SYS_ADMIN`"]),
    (spec({"procMount": "Unmasked"}), ["container `c` sets `procMount`"]),
    (spec(container={"ports": [{"containerPort": 80, "hostPort": 80}]}), ["container `c` uses a `hostPort`"]),
    (spec(container={"ports": [{"containerPort": 80}, {"containerPort": 81, "hostPort": 81}]}), ["container `c` uses a `hostPort`"]),
    (spec(container={"livenessProbe": {"httpGet": {"port": 80, "host": "h"}}}), ["container `c` sets a `host` in `livenessProbe`"]),
    (spec(container={"lifecycle": {"preStop": {"tcpSocket": {"port": 80, "host": "h"}}}}), ["container `c` sets a `host` in `preStop`"]),
    (spec(container={"readinessProbe": {"httpGet": {"port": 80}}}), []),
    (spec({"windowsOptions": {"hostProcess": True}}), ["container `c` runs as a `hostProcess`"]),
    (spec({"seLinuxOptions": {"type": "container_t"}}), []),
    (spec({"seLinuxOptions": {"user": "u"}}), ["container `c` sets `seLinuxOptions`"]),
    (spec(securityContext={"seccompProfile": {"type": "Unconfined"}}), ["the `seccompProfile` of the pod is `Unconfined`"]),
    (spec({"appArmorProfile": {"type": "Unconfined"}}), ["the `appArmorProfile` of container `c` is `Unconfined`"]),
    (
        spec(securityContext={"sysctls": [{"name": "kernel.msgmax", "value": "1"}, {"name": "net.ipv4.tcp_rmem", "value": "1"}]}),
        ["`sysctls` sets `kernel.msgmax`"],
    ),
    ({"initContainers": [{"name": "i", "securityContext": {"privileged": True}}], "containers": []}, ["container `i` is `privileged`"]),
]


@pytest.mark.parametrize(("pod", "found"), BASELINE)
def test_what_baseline_forbids(pod: dict[str, Any], found: list[str]) -> None:
    assert list(PodSecurity("baseline").violations(pod)) == found


RESTRICTED = [
    (spec(HARDENED), []),
    (spec(HARDENED, volumes=[{"name": "v", "nfs": {}}, {"name": "d", "projected": {}}]), ["volume `v` is a `nfs`"]),
    (spec({**HARDENED, "runAsNonRoot": None}), ["container `c` or the pod must set `runAsNonRoot: true`"]),
    (spec({**HARDENED, "runAsNonRoot": None}, securityContext={"runAsNonRoot": True}), []),
    (spec({**HARDENED, "runAsNonRoot": False}, securityContext={"runAsNonRoot": True}), ["container `c` or the pod must set `runAsNonRoot: true`"]),
    (spec({**HARDENED, "runAsUser": 0}), ["container `c` runs as user 0"]),
    (spec(HARDENED, securityContext={"runAsUser": 0}), ["the pod runs as user 0"]),
    (spec({**HARDENED, "allowPrivilegeEscalation": True}), ["container `c` must set `allowPrivilegeEscalation: false`"]),
    (spec({**HARDENED, "seccompProfile": None}), ["container `c` or the pod must set a `seccompProfile`"]),
    (spec({**HARDENED, "seccompProfile": None}, securityContext={"seccompProfile": {"type": "Localhost"}}), []),
    (spec({**HARDENED, "capabilities": {"drop": ["NET_RAW"]}}), ["container `c` must drop all capabilities"]),
    (spec({**HARDENED, "capabilities": {"drop": ["ALL"], "add": ["NET_BIND_SERVICE"]}}), []),
    (
        spec({**HARDENED, "capabilities": {"drop": ["ALL"], "add": ["CHOWN"]}}),
        ["container `c` adds a capability other than `NET_BIND_SERVICE`"],
    ),
    (spec({"runAsNonRoot": True}, os={"name": "windows"}), []),
    (spec({**HARDENED, "privileged": True}), ["container `c` is `privileged`"]),
]


@pytest.mark.parametrize(("pod", "found"), RESTRICTED)
def test_what_restricted_requires(pod: dict[str, Any], found: list[str]) -> None:
    assert list(PodSecurity("restricted").violations(pod)) == found


def namespace(**labels: object) -> dict[str, Any]:
    return {"metadata": {"labels": {f"pod-security.kubernetes.io/{key.replace('_', '-')}": value for key, value in labels.items()}}}


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ({}, None),
        (namespace(warn="restricted"), None),
        (namespace(enforce="privileged"), None),
        (namespace(enforce="baseline"), PodSecurity("baseline")),
        (namespace(enforce="restricted", enforce_version="v1.30"), PodSecurity("restricted", "v1.30")),
    ],
)
def test_what_a_namespace_enforces(raw: dict[str, Any], found: PodSecurity | None) -> None:
    assert read_pod_security(raw) == found


def test_only_the_latest_version_has_all_checks() -> None:
    assert PodSecurity("baseline").is_latest
    assert not PodSecurity("baseline", "v1.30").is_latest


def test_a_label_that_is_no_text_is_an_error() -> None:
    with pytest.raises(PodError):
        read_pod_security(namespace(enforce=1))
