"""Manifests in API versions that the new version does not serve."""

import pytest

from nodepools.data.version_support import removal
from nodepools.upgrades.karpenter_versions import UsedApi
from tests.upgrades.declared import aks, eks, plan, step


def used(api_version: str, kind: str) -> UsedApi:
    planned = removal(api_version, kind)
    assert planned is not None
    return UsedApi(api_version, kind, "web", "a.yaml:1:1", planned)


CASES = {
    "removed by the new version": (aks(kubernetes_version="1.36"), "storage.k8s.io/v1beta1", "VolumeAttributesClass", "error"),
    "removed by a later version": (aks(kubernetes_version="1.36"), "resource.k8s.io/v1beta1", "ResourceClaim", None),
    "removed long ago": (aks(kubernetes_version="1.36"), "policy/v1beta1", "PodDisruptionBudget", "warning"),
    "removed by the new version, on EKS": (eks(kubernetes_version="1.36"), "networking.k8s.io/v1beta1", "IPAddress", "error"),
}


@pytest.mark.parametrize(("platform", "api_version", "kind", "severity"), CASES.values(), ids=CASES)
def test_the_step_that_removes_an_api_is_blocked(platform, api_version, kind, severity):
    [cluster] = platform.clusters
    found = [blocker for blocker in step(plan(platform, "1.37", apis=[used(api_version, kind)]), cluster).blocked_by if blocker.kind == "removed-api"]
    assert [str(blocker.severity) for blocker in found] == ([severity] if severity else [])


def test_only_the_cloud_that_looks_rejects_the_upgrade():
    apis = [used("networking.k8s.io/v1beta1", "ServiceCIDR")]
    [of_aks] = [blocker for blocker in plan(aks(kubernetes_version="1.36"), "1.37", apis=apis).blockers if blocker.kind == "removed-api"]
    [of_eks] = [blocker for blocker in plan(eks(kubernetes_version="1.36"), "1.37", apis=apis).blockers if blocker.kind == "removed-api"]
    assert (of_aks.refusal, of_eks.refusal) == ("UpgradeBlockedOnDeprecatedAPIUsage", "")
    assert of_eks.fix == "Use `apiVersion: networking.k8s.io/v1`"
    assert "wait 12 hours" in str(of_aks.fix)


def test_a_kind_without_replacement_is_removed():
    found = plan(aks(), "1.36", apis=[used("policy/v1beta1", "PodSecurityPolicy")]).blockers
    assert [blocker.fix for blocker in found if blocker.kind == "removed-api"] == ["Remove it: nothing replaces PodSecurityPolicy"]


def test_new_removals_come_before_old_ones():
    apis = [used("policy/v1beta1", "PodDisruptionBudget"), used("networking.k8s.io/v1beta1", "ServiceCIDR")]
    found = [blocker for blocker in plan(aks(kubernetes_version="1.36"), "1.37", apis=apis).blockers if blocker.kind == "removed-api"]
    assert [blocker.subject for blocker in found] == ["ServiceCIDR/web", "PodDisruptionBudget/web"]


@pytest.mark.parametrize(
    ("api_version", "kind", "minor", "replacement"),
    [
        ("policy/v1beta1", "PodDisruptionBudget", 25, "policy/v1"),
        ("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", 32, "flowcontrol.apiserver.k8s.io/v1"),
        ("networking.k8s.io/v1beta1", "Ingress", 22, "networking.k8s.io/v1"),
        ("networking.k8s.io/v1beta1", "ServiceCIDR", 37, "networking.k8s.io/v1"),
    ],
)
def test_removals_are_those_of_kubernetes(api_version, kind, minor, replacement):
    planned = removal(api_version, kind)
    assert planned is not None
    assert (planned.minor, planned.replacement) == (minor, replacement)


def test_current_apis_are_not_removed():
    assert [removal(*key) for key in (("apps/v1", "Deployment"), ("policy/v1", "PodDisruptionBudget"), ("", ""))] == [None, None, None]
