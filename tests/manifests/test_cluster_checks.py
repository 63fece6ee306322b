"""Pools, nodes and workloads of files, seen together."""

import json
from typing import Any

import pytest

from nodepools import AksNodeClass, AksNodePool, EksNodePool, Requirement, Taint
from nodepools.clouds.karpenter_objects import aks_node_class, node_pool
from nodepools.manifests.existing.existing_pools import CloudPools
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS

ASKED = [Requirement("karpenter.sh/capacity-type", "In", ["on-demand"]), Requirement("kubernetes.io/arch", "In", ["amd64"])]
ML = Taint("team", "ml")

Object = dict[str, object]


WHOLE = {"nodeSelector": {"x": "y"}, "containers": [{}]}


def eks(name: str, **fields: object) -> Object:
    return node_pool(name, EksNodePool.model_validate({"requirements": ASKED, "expire_after": "300h", **fields}), EKS_NODE_CLASS)


def own(name: str, **fields: object) -> Object:
    """A NodePool of self-managed Karpenter on AWS."""
    return node_pool(name, EksNodePool.model_validate({"requirements": ASKED, "expire_after": "300h", **fields}), EC2_NODE_CLASS)


def aks(name: str, **fields: object) -> Object:
    return node_pool(name, AksNodePool.model_validate({"requirements": ASKED, **fields}), AKS_NODE_CLASS)


def node(name: str, *, taints: list[Object] | None = None, **labels: str) -> Object:
    said = {"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", **labels}
    allocatable = {"cpu": "4", "memory": "16Gi", "pods": "110"}
    metadata = {"name": name, "labels": said}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "spec": {"taints": taints or []}, "status": {"allocatable": allocatable}}


def deployment(name: str, **spec: object) -> Object:
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name},
        "spec": {"template": {"spec": {"containers": [{}], **spec}}},
    }


def told(*written: Object) -> list[str]:
    text = "\n---\n".join(json.dumps(one) for one in written)
    findings = check_objects(list(objects(text, "x.yaml"))).findings
    return [f"{finding.code} {finding.severity} {finding.object} {finding.path}".rstrip() for finding in findings if finding.code.startswith("OBJ")]


OF_KARPENTER: dict[str, Any] = {"karpenter.sh/nodepool": "general"}
AGENT_POOL: dict[str, Any] = {"kubernetes.azure.com/agentpool": "web"}
MISSPELT = deployment("web", nodeSelector={"tier": "trian"})
OFF_AUTO_MODE = {"matchExpressions": [{"key": "eks.amazonaws.com/compute-type", "operator": "NotIn", "values": ["auto", "hybrid"]}]}


def requiring(*terms: Object, **spec: object) -> Object:
    required = {"nodeSelectorTerms": list(terms)}
    return deployment("web", affinity={"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}, **spec)


ON_FARGATE = deployment("web", nodeSelector={"eks.amazonaws.com/compute-type": "fargate"})


@pytest.mark.parametrize(
    ("written", "found"),
    [
        pytest.param([eks("web")], [], id="a pool for all"),
        pytest.param(
            [eks("web", taints=[ML])], ["OBJ009 note x.yaml#NodePool/web spec.template.spec.taints"], id="a pool for some, and others unknown"
        ),
        pytest.param([eks("web", limits={"cpu": 100})], [], id="a limit leaves room"),
        pytest.param([eks("web", limits={"cpu": 0})], ["OBJ009 note x.yaml#NodePool/web spec.limits"], id="a pool that is turned off"),
        pytest.param([eks("a", taints=[ML]), eks("b")], [], id="one of two"),
        pytest.param([eks("web", taints=[Taint("team", "ml", "PreferNoSchedule")])], [], id="a taint that is only preferred"),
        pytest.param([aks("jobs", taints=[ML]), node("n")], [], id="a node for all"),
        pytest.param(
            [aks("jobs", taints=[ML]), node("n", taints=[{"key": "a", "effect": "NoSchedule"}])],
            ["OBJ009 warning x.yaml#NodePool/jobs spec.template.spec.taints"],
            id="nodes are there, and none is for all",
        ),
        pytest.param([node("n", taints=[{"key": "a", "effect": "NoSchedule"}])], [], id="no pools, nothing to say"),
    ],
)
def test_ordinary_pods(written: list[Object], found: list[str]) -> None:
    assert told(*written) == found


AT = "spec.template.spec.nodeSelector"


@pytest.mark.parametrize(
    ("written", "found"),
    [
        pytest.param([MISSPELT], [], id="no pools to select from"),
        pytest.param([eks("web", labels={"tier": "train"}), MISSPELT], [f"OBJ010 warning x.yaml#Deployment/web {AT}"], id="a value that no pool has"),
        pytest.param([eks("web", labels={"tier": "train"}), ON_FARGATE], [], id="nodes of Fargate, which no pool has"),
        pytest.param([eks("web"), requiring(OFF_AUTO_MODE)], [], id="pods that keep themselves off Auto Mode, which all pools are of"),
        pytest.param([eks("web"), node("n"), requiring(OFF_AUTO_MODE)], [], id="and fit a node"),
        pytest.param(
            [eks("web"), node("n", tier="train"), requiring(OFF_AUTO_MODE, nodeSelector={"tier": "trian"})],
            [f"OBJ010 warning x.yaml#Deployment/web {AT}"],
            id="and select a value that no other pool has",
        ),
        pytest.param([node("n", tier="train"), MISSPELT], [f"OBJ010 warning x.yaml#Deployment/web {AT}"], id="nor a node"),
        pytest.param([eks("web", labels={"tier": "trian"}), MISSPELT], [], id="one that a pool has"),
        pytest.param([eks("web"), node("n", tier="trian"), MISSPELT], [], id="or a node"),
        pytest.param(
            [
                eks("web"),
                deployment(
                    "web",
                    affinity={
                        "nodeAffinity": {
                            "requiredDuringSchedulingIgnoredDuringExecution": {
                                "nodeSelectorTerms": [{"matchExpressions": [{"key": "tier", "operator": "In", "values": ["web"]}]}]
                            }
                        }
                    },
                ),
            ],
            ["OBJ010 warning x.yaml#Deployment/web spec.template.spec.affinity"],
            id="an affinity",
        ),
        pytest.param([eks("web"), deployment("web", nodeSelector={"karpenter.sh/nodepool": "general-purpose"})], [], id="a pool that EKS makes"),
        pytest.param([aks("web"), deployment("web", nodeSelector={"karpenter.sh/nodepool": "default"})], [], id="a pool that AKS makes"),
        pytest.param(
            [aks("web"), node("n"), deployment("web", nodeSelector={"karpenter.sh/nodepool": "default"})],
            [f"OBJ010 warning x.yaml#Deployment/web {AT}"],
            id="which is not there, where all is told",
        ),
        pytest.param([eks("a", taints=[ML]), eks("b"), deployment("web")], [], id="selects nothing"),
        pytest.param(
            [
                eks("web"),
                {
                    "apiVersion": "batch/v1",
                    "kind": "CronJob",
                    "metadata": {"name": "a"},
                    "spec": {"jobTemplate": {"spec": {"template": {"spec": {**WHOLE, "restartPolicy": "Never"}}}}},
                },
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "b"}, "spec": WHOLE},
            ],
            [
                "OBJ010 warning x.yaml#CronJob/a spec.jobTemplate.spec.template.spec.nodeSelector",
                "OBJ010 warning x.yaml#Pod/b spec.nodeSelector",
            ],
            id="pods of other kinds",
        ),
        pytest.param(
            [eks("web"), deployment("web", nodeSelector={"tier": 3})], ["OBJ008 warning x.yaml#Deployment/web"], id="a pod that cannot be read"
        ),
        pytest.param([eks("web"), {**MISSPELT, "kind": "Secret"}], [], id="no pods"),
        pytest.param([eks("web"), eks("web"), MISSPELT], ["OBJ005 warning x.yaml#NodePool/web metadata.name"], id="more than one cluster"),
        pytest.param([{**node("n"), "metadata": {"name": 3}}, eks("web"), MISSPELT], [], id="a node that is none"),
    ],
)
def test_selectors(written: list[Object], found: list[str]) -> None:
    assert told(*written) == found


def test_what_was_meant() -> None:
    text = "\n---\n".join(json.dumps(one) for one in (eks("web", labels={"tier": "train"}), MISSPELT))
    [finding] = [finding for finding in check_objects(list(objects(text, "x.yaml"))).findings if finding.code == "OBJ010"]
    assert (
        finding.message == "No pool in these files has the labels that the pods select; closest is `web` "
        "(incompatible requirements: pod requires `tier=trian`, nodes have `tier=train`)"
    )
    assert finding.fix is not None
    assert finding.fix.text == "Change `tier=trian` to `tier=train`"


@pytest.mark.parametrize(
    ("written", "found"),
    [
        pytest.param([aks("general"), node("n", **AGENT_POOL), deployment("web")], ["OBJ011 note x.yaml#Deployment/web"], id="both take it"),
        pytest.param([aks("general", taints=[ML]), node("n", **AGENT_POOL), deployment("web")], [], id="fenced off"),
        pytest.param(
            [aks("general", labels={"tier": "web"}), node("n", **AGENT_POOL), deployment("web", nodeSelector={"tier": "web"})], [], id="selects one"
        ),
        pytest.param(
            [aks("general"), node("n", **AGENT_POOL, **OF_KARPENTER), deployment("web")],
            [],
            id="a node that Karpenter has made",
        ),
        pytest.param([eks("general"), node("n", **AGENT_POOL), deployment("web")], [], id="no NodePool of AKS"),
        pytest.param([aks("general"), node("n", **AGENT_POOL), {**deployment("web"), "kind": "DaemonSet"}], [], id="a daemon starts no nodes"),
    ],
)
def test_agent_pools_beside_node_pools(written: list[Object], found: list[str]) -> None:
    assert told(*written) == found


@pytest.mark.parametrize(
    ("written", "found"),
    [
        pytest.param([eks("auto"), own("web"), deployment("web")], ["OBJ011 note x.yaml#Deployment/web"], id="both take it"),
        pytest.param([eks("auto"), own("web", taints=[ML]), deployment("web")], [], id="a taint keeps them apart"),
        pytest.param([eks("auto"), own("web", labels={"t": "w"}), deployment("web", nodeSelector={"t": "w"})], [], id="it selects one"),
        pytest.param([eks("auto"), own("web"), {**deployment("web"), "kind": "DaemonSet"}], [], id="a daemon starts no nodes"),
        pytest.param([own("a"), own("web"), deployment("web")], [], id="one Karpenter"),
    ],
)
def test_two_karpenters_in_one_cluster(written: list[Object], found: list[str]) -> None:
    assert [line for line in told(*written) if "OBJ013" not in line] == found


GROUP: Object = {
    "nodegroupName": "blue",
    "nodegroupArn": "arn:aws:eks:eu-west-1:123456789012:nodegroup/shop/blue/x",
    "clusterName": "shop",
    "amiType": "AL2023_x86_64_STANDARD",
    "instanceTypes": ["m6i.large"],
    "labels": {"tier": "blue"},
    "scalingConfig": {"minSize": 1, "desiredSize": 2, "maxSize": 4},
}
CROWDED = {"taints": [{"key": "team", "value": "ml", "effect": "NO_SCHEDULE"}]}
GROUP_POOL = {
    "id": "/subscriptions/s/resourcegroups/r/providers/Microsoft.ContainerService/managedClusters/shop/agentPools/web",
    "name": "web",
    "type": "Microsoft.ContainerService/managedClusters/agentPools",
    "vmSize": "Standard_D4ds_v5",
    "count": 2,
    "minCount": 1,
    "maxCount": 5,
    "enableAutoScaling": True,
    "mode": "User",
    "nodeLabels": {"tier": "web"},
}
GREEN: dict[str, Any] = {"eks.amazonaws.com/nodegroup": "green"}
BLUE = deployment("web", nodeSelector={"tier": "blue"})
TOO_BIG = deployment("web", nodeSelector={"tier": "blue"}, containers=[{"name": "a", "resources": {"requests": {"cpu": "64"}}}])
FIXED = {"scalingConfig": {"minSize": 2, "desiredSize": 2, "maxSize": 2}}
HIDDEN = {"launchTemplate": {"id": "lt-0aa1bb2cc3dd4ee5f", "version": "1"}}


def told_next_to(written: list[Object], *exported: object) -> list[str]:
    text, pools = "\n---\n".join(json.dumps(one) for one in written), CloudPools()
    documents = "\n---\n".join(json.dumps(one) for one in exported)
    found = [*objects(text, "x.yaml"), *objects(documents, "exports.json", pools.take)]
    findings = check_objects(found, cloud=pools.cluster(lambda _: None)).findings
    return [f"{finding.code}: {finding.message}" for finding in findings if finding.code in ("OBJ009", "OBJ010", "OBJ011")]


MISMATCH = "nodes didn't match node affinity/selector `tier=trian`: they have `tier=blue`"
BOTH = "OBJ011: The pods fit {}: if the {} is autoscaled, both autoscalers add nodes for the same pending pod"


@pytest.mark.parametrize(
    ("written", "exported", "found"),
    [
        pytest.param([own("general"), BLUE], {"nodegroup": GROUP}, [], id="a node group has the label"),
        pytest.param(
            [own("general"), MISSPELT],
            {"nodegroup": GROUP},
            [f"OBJ010: No pool in these files has the labels that the pods select; closest is `blue` ({MISMATCH})"],
            id="no pool and no node group",
        ),
        pytest.param(
            [own("general"), deployment("web", nodeSelector={"disk": "ssd"})], {"nodegroup": GROUP | HIDDEN}, [], id="user data can set the label"
        ),
        pytest.param([BLUE], {"nodegroup": GROUP}, [], id="node groups alone"),
        pytest.param([own("general"), TOO_BIG], {"nodegroup": GROUP}, [], id="it selects a node group, on which it has no room"),
        pytest.param(
            [own("general"), deployment("web")],
            {"nodegroup": GROUP},
            [BOTH.format("node group `blue` and NodePool `general`", "node group")],
            id="both scale",
        ),
        pytest.param(
            [eks("auto"), deployment("web")],
            {"nodegroup": GROUP},
            [BOTH.format("node group `blue` and NodePool `auto`", "node group")],
            id="both scale, with Auto Mode",
        ),
        pytest.param([own("general"), deployment("web")], {"nodegroup": GROUP | FIXED}, [], id="a node group with one size"),
        pytest.param([own("general"), deployment("web")], {"nodegroup": GROUP | CROWDED}, [], id="a taint keeps them apart"),
        pytest.param([own("general"), {**deployment("web"), "kind": "DaemonSet"}], {"nodegroup": GROUP}, [], id="a daemon starts no nodes"),
        pytest.param([own("general", replicas=2), deployment("web")], {"nodegroup": GROUP}, [], id="a static NodePool starts none"),
        pytest.param(
            [own("general"), node("n", **GREEN), deployment("web")],
            {"nodegroup": GROUP},
            [BOTH.format("node group `blue`, `green` and NodePool `general`", "node group")],
            id="a node group that only a node shows",
        ),
        pytest.param([own("jobs", taints=[ML])], {"nodegroup": GROUP}, [], id="ordinary pods run on the node group"),
        pytest.param(
            [own("jobs", taints=[ML])],
            {"nodegroup": GROUP | CROWDED},
            ["OBJ009: No NodePool or node in these files can take pods without tolerations: ordinary pods stay Pending"],
            id="a node group that is tainted, too",
        ),
        pytest.param(
            [aks("general"), deployment("web")],
            [GROUP_POOL],
            [BOTH.format("agent pool `web` and NodePool `general`", "agent pool")],
            id="an agent pool and node auto provisioning",
        ),
        pytest.param([aks("general"), deployment("web", nodeSelector={"tier": "web"})], [GROUP_POOL], [], id="an agent pool has the label"),
    ],
)
def test_node_groups_and_agent_pools_of_exports(written: list[Object], exported: object, found: list[str]) -> None:
    assert told_next_to(written, exported) == found


def test_an_ec2_node_class_that_no_pool_uses() -> None:
    term = [{"id": "sg-0123456789abcdef0"}]
    spec: Object = {"role": "nodes", "amiSelectorTerms": [{"alias": "al2023@v20260801"}], "securityGroupSelectorTerms": term}
    spec["subnetSelectorTerms"] = [{"tags": {"a": "b"}}]
    kind = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass"}
    classes = [{**kind, "metadata": {"name": name}, "spec": spec} for name in ("default", "unused")]
    text = "\n---\n".join(json.dumps(one) for one in (own("web"), *classes))
    findings = check_objects(list(objects(text, "x.yaml"))).findings
    assert [finding.object for finding in findings if finding.code == "KAR061"] == ["x.yaml#EC2NodeClass/unused"]


def test_rules_across_pools_and_classes_are_asked_of_files() -> None:
    twins = [eks("a", weight=10), eks("b", weight=10), eks("c", weight=5)]
    classes = [aks_node_class("own", AksNodeClass(), str), aks_node_class("unused", AksNodeClass(), str)]
    bounded = {"expire_after": "720h", "limits": {"cpu": 100}}
    pools = [aks("d", node_class="own", **bounded), aks("e", node_class="onw", weight=7, expire_after="720h")]
    text = "\n---\n".join(json.dumps(one) for one in (*twins, *classes, *pools))
    found = {f"{finding.code} {finding.object}": finding for finding in check_objects(list(objects(text, "x.yaml"))).findings}
    assert set(found) == {
        "KAR052 x.yaml#NodePool/a",
        "KAR060 x.yaml#NodePool/c",
        "KAR061 x.yaml#AKSNodeClass/unused",
        "NAP006 x.yaml#NodePool/e",
        "KAR060 x.yaml#NodePool/d",
        "NAP031 x.yaml#NodePool/e",
    }
    assert found["KAR052 x.yaml#NodePool/a"].message == (
        "The NodePools `a` and `b` have the same weight: Karpenter tries `b` first (last name in alphabetical order)"
    )


@pytest.mark.parametrize(
    ("changed", "path"),
    [({"replicas": 0}, "spec.replicas"), ({"limits": {"cpu": "0"}}, "spec.limits"), ({"taints": [ML]}, "spec.template.spec.taints")],
    ids=["no nodes", "no CPUs", "a taint"],
)
def test_what_keeps_ordinary_pods_off_is_shown(changed: Object, path: str) -> None:
    found = check_objects(list(objects(json.dumps(own("jobs", **changed)), "x.json"))).findings
    assert [one.path for one in found if one.code == "OBJ009"] == [path]
