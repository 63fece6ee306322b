"""Objects of self-managed Karpenter for the version that runs: what a later one introduced is an error, and the newest accepts all of it."""

from typing import Any

import pytest
import yaml

from nodepools.data.karpenter_releases import KarpenterRelease, karpenter_release, karpenter_releases, karpenter_releases_origin
from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.placement.explain import Explainer
from nodepools.placement.workloads.reader import read_workloads
from tests.clouds.test_eks_self_managed import LINUX
from tests.placement.conftest import pod

ON_DEMAND = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]}
REFERENCE = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "default"}


def release(version: str) -> KarpenterRelease:
    found = karpenter_release(version)
    assert found is not None
    return found


def pool(requirement: dict[str, Any] | None = None, labels: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    template = {
        "metadata": {"labels": labels or {}},
        "spec": {"nodeClassRef": REFERENCE, "requirements": [ON_DEMAND, *([requirement] if requirement else [])]},
    }
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "web"}, "spec": {"template": template, **spec}}


def node_class(**spec: Any) -> dict[str, Any]:
    base = {"role": "nodes", "amiSelectorTerms": [{"alias": "al2023@latest"}]}
    selectors = {"subnetSelectorTerms": [{"id": "subnet-1"}], "securityGroupSelectorTerms": [{"id": "sg-1"}]}
    spec = {**base, **selectors, **spec}
    return {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "default"}, "spec": spec}


def told(raw: dict[str, Any], version: str) -> list[str]:
    found = check_objects(list(objects(yaml.safe_dump(raw), "x.yaml")), karpenter=release(version)).findings
    return [finding.path for finding in found if finding.code == "OBJ016"]


INTERFACES = [{"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface"}]
SINCE = [
    pytest.param(node_class(capacityReservationSelectorTerms=[{"id": "cr-1"}]), "1.3", "spec.capacityReservationSelectorTerms", id="reservations"),
    pytest.param(node_class(amiSelectorTerms=[{"ssmParameter": "a"}], amiFamily="AL2023"), "1.4", "spec.amiSelectorTerms[0].ssmParameter", id="SSM"),
    pytest.param(node_class(ipPrefixCount=1), "1.8", "spec.ipPrefixCount", id="prefixes"),
    pytest.param(node_class(networkInterfaces=INTERFACES), "1.11", "spec.networkInterfaces", id="interfaces"),
    pytest.param(node_class(placementGroupSelector={"name": "a"}), "1.11", "spec.placementGroupSelector", id="a placement group"),
    pytest.param(node_class(connectionTracking={"udpTimeout": 30}), "1.13", "spec.connectionTracking", id="connection tracking"),
    pytest.param(node_class(enclaveOptions={"enabled": True}), "1.15", "spec.enclaveOptions", id="enclaves"),
    pytest.param(node_class(kubelet={"registryPullQPS": 1}), "1.15", "spec.kubelet.registryPullQPS", id="any field of the kubelet"),
    pytest.param(node_class(kubelet={"maxPods": 8}), "1.0", "", id="fields of the kubelet that were always there"),
    pytest.param(node_class(amiFamily="Windows2025", amiSelectorTerms=[{"id": "ami-1"}]), "1.9", "spec.amiFamily", id="a family"),
    pytest.param(node_class(amiSelectorTerms=[{"alias": "windows2025@latest"}]), "1.9", "spec.amiSelectorTerms[0].alias", id="a family of an alias"),
    pytest.param(pool(replicas=2), "1.8", "spec.replicas", id="static NodePools"),
    pytest.param(
        pool({"key": "karpenter.k8s.aws/instance-cpu", "operator": "Gte", "values": ["4"]}),
        "1.9",
        "spec.template.spec.requirements[1].operator",
        id="operators",
    ),
    pytest.param(
        pool(disruption={"consolidationPolicy": "Balanced", "consolidateAfter": "1m"}), "1.14", "spec.disruption.consolidationPolicy", id="a policy"
    ),
    pytest.param(
        pool(disruption={"consolidateAfter": "1m", "budgets": [{"nodes": "1", "reasons": ["Unhealthy"]}]}),
        "1.15",
        "spec.disruption.budgets[0].reasons[0]",
        id="a reason",
    ),
    pytest.param(
        pool({"key": "karpenter.k8s.aws/instance-tenancy", "operator": "In", "values": ["default"]}),
        "1.9",
        "spec.template.spec.requirements[1].key",
        id="a label of Karpenter",
    ),
    pytest.param(pool(labels={"kubernetes.io/team": "a"}), "1.9", 'spec.template.metadata.labels["kubernetes.io/team"]', id="a label of Kubernetes"),
    pytest.param(pool(labels={"node.kubernetes.io/team": "a"}), "1.0", "", id="a label of nodes, which was always free"),
    pytest.param(pool(labels={"example.com/team": "a"}), "1.0", "", id="a label of one's own"),
]


@pytest.mark.parametrize(("raw", "since", "path"), SINCE)
def test_each_version_accepts_what_it_introduced(raw: dict[str, Any], since: str, path: str) -> None:
    for one in karpenter_releases():
        assert told(raw, one.version) == ([path] if one.number < release(since).number else []), one.version


def test_without_a_version_nothing_is_too_new() -> None:
    found = check_objects(list(objects(yaml.safe_dump(pool(replicas=2)), "x.yaml"))).findings
    assert "OBJ016" not in [finding.code for finding in found]


@pytest.mark.parametrize(("version", "code"), [("1.0", "OBJ002"), ("1.1", "OBJ001")])
def test_version_1_0_serves_v1beta1_too(version: str, code: str) -> None:
    raw = {**pool(), "apiVersion": "karpenter.sh/v1beta1"}
    assert [finding.code for finding in check_objects(list(objects(yaml.safe_dump(raw), "x.yaml")), karpenter=release(version)).findings] == [code]


@pytest.mark.parametrize(("version", "found"), [("1.14", True), ("1.15", False)])
def test_consolidate_after_has_a_default_since_1_15(version: str, *, found: bool) -> None:
    raw = pool(disruption={"consolidationPolicy": "WhenEmpty"})
    codes = [finding.code for finding in check_objects(list(objects(yaml.safe_dump(raw), "x.yaml")), karpenter=release(version)).findings]
    assert ("OBJ014" in codes) is found


@pytest.mark.parametrize(
    ("raw", "severities"),
    [
        pytest.param(node_class(kubelet={"maxPods": "110"}), {"1.14": {"SMK047": "error"}, "1.15": {"SMK047": "warning"}}, id="an expression"),
        pytest.param(
            node_class(kubelet={"podsPerCore": 5}, amiSelectorTerms=[{"alias": "bottlerocket@v1.50.0"}]),
            {"1.14": {"SMK048": "warning"}, "1.15": {"SMK048": "error"}},
            id="a setting that images do not get",
        ),
        pytest.param(node_class(kubelet={"maxPod": 60}), {"1.14": {"SMK032": "error"}, "1.15": {"SMK032": "error"}}, id="no version has it"),
        pytest.param(pool(disruption={"consolidationPolicy": "WhenEmpty"}), {"1.14": {"OBJ014": "error"}, "1.15": {}}, id="a field with a default"),
    ],
)
def test_severities_follow_the_version(raw: dict[str, Any], severities: dict[str, dict[str, str]]) -> None:
    for version, expected in severities.items():
        findings = check_objects(list(objects(yaml.safe_dump(raw), "x.yaml")), karpenter=release(version)).findings
        assert {one.code: one.severity.value for one in findings if one.code in ("SMK032", "SMK047", "SMK048", "OBJ014", "OBJ016")} == expected


KINDS = [
    ("karpenter.sh/v1alpha1", "NodeOverlay", {"requirements": [ON_DEMAND], "price": "1"}, "1.7", "error"),
    ("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", {"podTemplateRef": {"name": "a"}, "replicas": 1}, "1.14", "warning"),
]


@pytest.mark.parametrize(("api", "kind", "spec", "since", "severity"), KINDS, ids=[kind for _, kind, *_ in KINDS])
def test_kinds_that_a_version_does_not_have(api: str, kind: str, spec: dict[str, Any], since: str, severity: str) -> None:
    raw = {"apiVersion": api, "kind": kind, "metadata": {"name": "a"}, "spec": spec}
    for one in karpenter_releases():
        found = check_objects(list(objects(yaml.safe_dump(raw), "x.yaml")), karpenter=one).findings
        told = [(finding.code, finding.severity.value) for finding in found if finding.code in ("OBJ016", "OBJ028")]
        assert told == ([("OBJ016", severity)] if one.number < release(since).number else [("OBJ028", "note")]), one.version


@pytest.mark.parametrize(
    ("version", "verdict"), [pytest.param("1.9", "unknown", id="it exists"), pytest.param("1.8", "cannot", id="no node has it yet")]
)
def test_a_pod_that_selects_a_label_of_a_later_version(version: str, verdict: str) -> None:
    pools = read_existing_pools([(LINUX, "pool.yaml")], lacks=release(version).newer_labels)
    [workload] = read_workloads(pod(nodeSelector={"karpenter.k8s.aws/instance-tenancy": "default"}))
    assert Explainer(pools).answer(workload).verdict.value == verdict


@pytest.mark.parametrize("text", ["2.7", "1", "1.99", "latest", "", "0.37.8"])
def test_other_versions_are_not_known(text: str) -> None:
    assert karpenter_release(text) is None


def test_the_table_has_its_source_and_day() -> None:
    assert karpenter_releases_origin() == "aws/karpenter-provider-aws, 2026-11-23"
    assert [one.hash_version for one in (karpenter_releases()[0], karpenter_releases()[-1])] == ["v3", "v6"]
    assert karpenter_release("v1.8.2") == karpenter_release("1.8")
