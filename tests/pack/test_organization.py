"""The policies of an organization: a row is a resource, the settings, and the paths that are complained of."""

from typing import Any

import pytest

from nodepools.pack.organization import ORGANIZATION
from nodepools.pack.policy import ResourceUnderCheck, Stack
from nodepools.resources.resource import UNKNOWN, Resource, Secret
from nodepools.resources.violation_text import ViolationText

POLICIES = {policy.name: policy for policy in ORGANIZATION}
CLUSTER = "azure-native:containerservice:ManagedCluster"
POOL = "azure-native:containerservice/v20250801:AgentPool"
EKS = "aws:eks/cluster:Cluster"
GROUP = "aws:eks/nodeGroup:NodeGroup"
NODE_POOL = "kubernetes:karpenter.sh/v1:NodePool"
CLASS = "kubernetes:eks.amazonaws.com/v1:NodeClass"
AKS_CLASS = "kubernetes:karpenter.azure.com/v1beta1:AKSNodeClass"
OBJECT = "kubernetes:apiextensions.k8s.io:CustomResource"
TAINT = "CriticalAddonsOnly=true:NoSchedule"


def said(policy: str, settings: dict[str, Any], type_: str, inputs: dict[str, Any]) -> list[ViolationText]:
    return list(POLICIES[policy].function(settings).of_resource(ResourceUnderCheck(Resource("urn", type_, "it", inputs))))


def cluster(*pools: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"agentPoolProfiles": list(pools), **more}


def requiring(*requirements: tuple[str, str, Any], **spec: Any) -> dict[str, Any]:
    listed = [{"key": key, "operator": operator, "values": values} for key, operator, values in requirements]
    return {"spec": {"template": {"spec": {"requirements": listed}}, **spec}}


SYSTEM = {"mode": "System", "nodeTaints": [TAINT], "availabilityZones": ["1", "2", "3"], "count": 3}
CATEGORY, FAMILY, TYPE = "eks.amazonaws.com/instance-category", "eks.amazonaws.com/instance-family", "node.kubernetes.io/instance-type"
SIZES = {"sizes": ["Standard_D*ds_v5", "m7g.*"]}
DENIED = {"deny": ["Standard_M*"]}
FAMILIES = {"families": ["c", "m7g", "D"]}

ROWS = [
    # Alone on their nodes
    ("isolated-system-pools", "a tainted system pool", {}, CLUSTER, cluster(SYSTEM), []),
    ("isolated-system-pools", "one without taints", {}, CLUSTER, cluster({"mode": "System"}), ["agentPoolProfiles[0].nodeTaints"]),
    ("isolated-system-pools", "a user pool", {}, POOL, {"mode": "User"}, []),
    ("isolated-system-pools", "a system pool of its own", {}, POOL, {"mode": "System", "nodeTaints": []}, ["nodeTaints"]),
    ("isolated-system-pools", "taints that are not known", {}, POOL, {"mode": "System", "nodeTaints": UNKNOWN}, []),
    ("isolated-system-pools", "one of them not known", {}, POOL, {"mode": "System", "nodeTaints": [UNKNOWN]}, []),
    ("isolated-system-pools", "a secret that is the taint", {}, POOL, {"mode": "System", "nodeTaints": Secret([TAINT])}, []),
    (
        "isolated-system-pools",
        "a softer taint",
        {},
        POOL,
        {"mode": "System", "nodeTaints": ["CriticalAddonsOnly=true:PreferNoSchedule"]},
        ["nodeTaints"],
    ),
    # In several zones
    ("zone-redundant-system-pools", "three zones", {"zones": 3}, CLUSTER, cluster(SYSTEM), []),
    ("zone-redundant-system-pools", "no zones", {}, CLUSTER, cluster({"mode": "System"}), ["agentPoolProfiles[0].availabilityZones"]),
    ("zone-redundant-system-pools", "one zone", {}, POOL, {"mode": "System", "availabilityZones": ["1"]}, ["availabilityZones"]),
    ("zone-redundant-system-pools", "one zone twice", {}, POOL, {"mode": "System", "availabilityZones": ["1", "1"]}, ["availabilityZones"]),
    ("zone-redundant-system-pools", "zones that are not known", {}, POOL, {"mode": "System", "availabilityZones": UNKNOWN}, []),
    ("zone-redundant-system-pools", "fewer nodes than zones", {"zones": 3}, CLUSTER, cluster({**SYSTEM, "count": 2}), ["agentPoolProfiles[0].count"]),
    (
        "zone-redundant-system-pools",
        "a scale that ends below",
        {},
        CLUSTER,
        cluster({**SYSTEM, "enableAutoScaling": True, "minCount": 1}),
        ["agentPoolProfiles[0].minCount"],
    ),
    # Limits
    (
        "node-pool-limits",
        "a NodePool as Pulumi YAML has it",
        {},
        OBJECT,
        {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "spec": {}},
        ["spec.limits"],
    ),
    ("node-pool-limits", "an object that is no NodePool", {}, OBJECT, {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "spec": {}}, []),
    ("node-pool-limits", "a NodePool of somebody else", {}, OBJECT, {"apiVersion": "example.com/v1", "kind": "NodePool", "spec": {}}, []),
    ("node-pool-limits", "a limited pool", {}, NODE_POOL, {"spec": {"limits": {"cpu": "10"}}}, []),
    ("node-pool-limits", "no limits", {}, NODE_POOL, {"spec": {}}, ["spec.limits"]),
    ("node-pool-limits", "another limit", {"resources": ["cpu", "memory"]}, NODE_POOL, {"spec": {"limits": {"cpu": 10}}}, ["spec.limits"]),
    ("node-pool-limits", "zero is a limit", {}, NODE_POOL, {"spec": {"limits": {"cpu": 0}}}, []),
    ("node-pool-limits", "limits that are not known", {}, NODE_POOL, {"spec": {"limits": UNKNOWN}}, []),
    ("node-pool-limits", "a pool of fixed size", {}, NODE_POOL, {"spec": {"replicas": 3}}, []),
    ("node-pool-limits", "an agent pool", {}, POOL, {}, []),
    # Most vCPUs
    ("maximum-vcpus", "without the setting", {}, NODE_POOL, {"spec": {}}, []),
    ("maximum-vcpus", "no limit", {"vcpus": 100}, NODE_POOL, {"spec": {}}, ["spec.limits.cpu"]),
    ("maximum-vcpus", "as many as allowed", {"vcpus": 100}, NODE_POOL, {"spec": {"limits": {"cpu": "100"}}}, []),
    ("maximum-vcpus", "a little more", {"vcpus": 100}, NODE_POOL, {"spec": {"limits": {"cpu": "100500m"}}}, ["spec.limits.cpu"]),
    ("maximum-vcpus", "a bare number", {"vcpus": 100}, NODE_POOL, {"spec": {"limits": {"cpu": 101}}}, ["spec.limits.cpu"]),
    ("maximum-vcpus", "no quantity", {"vcpus": 100}, NODE_POOL, {"spec": {"limits": {"cpu": "many"}}}, []),
    ("maximum-vcpus", "a limit that is not known", {"vcpus": 0}, NODE_POOL, {"spec": {"limits": {"cpu": UNKNOWN}}}, []),
    ("maximum-vcpus", "a pool of fixed size", {"vcpus": 100}, NODE_POOL, {"spec": {"replicas": 3}}, []),
    ("maximum-vcpus", "an agent pool as large as allowed", {"vcpus": 40}, POOL, {"vmSize": "Standard_D8ds_v5", "count": 5}, []),
    ("maximum-vcpus", "a larger one", {"vcpus": 39}, POOL, {"vmSize": "Standard_D8ds_v5", "count": 5}, ["count"]),
    (
        "maximum-vcpus",
        "one that may grow",
        {"vcpus": 40},
        POOL,
        {"vmSize": "Standard_D8ds_v5", "count": 1, "enableAutoScaling": True, "maxCount": 6},
        ["maxCount"],
    ),
    ("maximum-vcpus", "a size that nobody knows", {"vcpus": 0}, POOL, {"vmSize": "Standard_X1", "count": 5}, []),
    ("maximum-vcpus", "a count that is not known", {"vcpus": 0}, POOL, {"vmSize": "Standard_D8ds_v5", "count": UNKNOWN}, []),
    # Private API servers
    ("private-api-server", "private AKS", {}, CLUSTER, {"apiServerAccessProfile": {"enablePrivateCluster": True}}, []),
    ("private-api-server", "public AKS", {}, CLUSTER, {}, ["apiServerAccessProfile.enablePrivateCluster"]),
    ("private-api-server", "AKS not known", {}, CLUSTER, {"apiServerAccessProfile": UNKNOWN}, []),
    ("private-api-server", "private EKS", {}, EKS, {"vpcConfig": {"endpointPublicAccess": False}}, []),
    ("private-api-server", "EKS as it comes", {}, EKS, {"vpcConfig": {}}, ["vpcConfig.endpointPublicAccess"]),
    ("private-api-server", "EKS not known", {}, EKS, {"vpcConfig": {"endpointPublicAccess": UNKNOWN}}, []),
    ("private-api-server", "no cluster", {}, POOL, {}, []),
    # Sizes
    ("allowed-vm-sizes", "without the setting", {}, POOL, {"vmSize": "Standard_M416ms_v2"}, []),
    ("allowed-vm-sizes", "an allowed one, however written", SIZES, POOL, {"vmSize": "standard_d8DS_v5"}, []),
    ("allowed-vm-sizes", "another", SIZES, POOL, {"vmSize": "Standard_D8s_v5"}, ["vmSize"]),
    ("allowed-vm-sizes", "inside a cluster", SIZES, CLUSTER, cluster({}, {"vmSize": "Standard_A1"}), ["agentPoolProfiles[1].vmSize"]),
    ("allowed-vm-sizes", "not known", SIZES, POOL, {"vmSize": UNKNOWN}, []),
    (
        "allowed-vm-sizes",
        "types of a NodePool",
        SIZES,
        NODE_POOL,
        requiring((TYPE, "In", ["m7g.large", "c7g.large"])),
        ["spec.template.spec.requirements[0].values[1]"],
    ),
    ("allowed-vm-sizes", "types that it excludes", SIZES, NODE_POOL, requiring((TYPE, "NotIn", ["c7g.large"])), []),
    ("allowed-vm-sizes", "types of a node group", SIZES, GROUP, {"instanceTypes": ["m7g.large", "t3.micro"]}, ["instanceTypes[1]"]),
    (
        "allowed-vm-sizes",
        "pools of virtual machines",
        SIZES,
        POOL,
        {"virtualMachinesProfile": {"scale": {"manual": [{"size": "Standard_A1"}]}}},
        ["virtualMachinesProfile.scale.manual[0].size"],
    ),
    ("allowed-vm-sizes", "one that is denied", DENIED, POOL, {"vmSize": "standard_m416ms_V2"}, ["vmSize"]),
    ("allowed-vm-sizes", "one that is not denied, where none are named", DENIED, POOL, {"vmSize": "Standard_A1"}, []),
    ("allowed-vm-sizes", "denied and not known", DENIED, POOL, {"vmSize": UNKNOWN}, []),
    (
        "allowed-vm-sizes",
        "denied although it is allowed",
        {**SIZES, "deny": ["*_D96*"]},
        POOL,
        {"vmSize": "Standard_D96ds_v5"},
        ["vmSize"],
    ),
    ("allowed-vm-sizes", "neither denied nor allowed", {**SIZES, **DENIED}, POOL, {"vmSize": "Standard_A1"}, ["vmSize"]),
    ("allowed-vm-sizes", "allowed and not denied", {**SIZES, **DENIED}, POOL, {"vmSize": "Standard_D8ds_v5"}, []),
    # Families
    ("allowed-instance-families", "without the setting", {}, NODE_POOL, requiring((CATEGORY, "In", ["p"])), []),
    ("allowed-instance-families", "an allowed category", FAMILIES, NODE_POOL, requiring((CATEGORY, "In", ["c"])), []),
    ("allowed-instance-families", "a family of it", FAMILIES, NODE_POOL, requiring((FAMILY, "In", ["c7gn"])), []),
    ("allowed-instance-families", "an allowed family", FAMILIES, NODE_POOL, requiring((FAMILY, "In", ["m7g"])), []),
    (
        "allowed-instance-families",
        "its whole category",
        FAMILIES,
        NODE_POOL,
        requiring((CATEGORY, "In", ["m"])),
        ["spec.template.spec.requirements[0].values[0]"],
    ),
    (
        "allowed-instance-families",
        "a category with a family that is allowed",
        FAMILIES,
        NODE_POOL,
        requiring((CATEGORY, "In", ["m"]), (FAMILY, "In", ["m7g"])),
        [],
    ),
    ("allowed-instance-families", "a family of Azure", FAMILIES, NODE_POOL, requiring(("karpenter.azure.com/sku-family", "In", ["D"])), []),
    (
        "allowed-instance-families",
        "another of Azure",
        FAMILIES,
        NODE_POOL,
        requiring(("karpenter.azure.com/sku-family", "In", ["D", "N"])),
        ["spec.template.spec.requirements[0].values[1]"],
    ),
    ("allowed-instance-families", "any family", FAMILIES, NODE_POOL, requiring(), ["spec.template.spec.requirements"]),
    (
        "allowed-instance-families",
        "what is excluded",
        FAMILIES,
        NODE_POOL,
        requiring((CATEGORY, "NotIn", ["p"])),
        ["spec.template.spec.requirements"],
    ),
    ("allowed-instance-families", "named types", FAMILIES, NODE_POOL, requiring((TYPE, "In", ["x2gd.large"])), []),
    ("allowed-instance-families", "values that are not known", FAMILIES, NODE_POOL, requiring((CATEGORY, "In", UNKNOWN)), []),
    ("allowed-instance-families", "requirements that are not known", FAMILIES, NODE_POOL, {"spec": UNKNOWN}, []),
    ("allowed-instance-families", "a node group", FAMILIES, GROUP, {"instanceTypes": ["m7g.large", "m7i.large", "c5.large"]}, ["instanceTypes[1]"]),
    # Tags
    ("required-tags", "without the setting", {}, CLUSTER, cluster({}), []),
    ("required-tags", "all there", {"tags": {"owner": None}}, CLUSTER, cluster({"tags": {"owner": "a"}}, tags={"owner": "b"}), []),
    (
        "required-tags",
        "one missing, inside too",
        {"tags": {"owner": None}},
        CLUSTER,
        cluster({}, tags={"team": "b"}),
        ["tags", "agentPoolProfiles[0].tags"],
    ),
    ("required-tags", "a value that is not known", {"tags": {"owner": None}}, POOL, {"tags": {"owner": UNKNOWN}}, []),
    ("required-tags", "tags that are not known", {"tags": {"owner": None}}, POOL, {"tags": UNKNOWN}, []),
    ("required-tags", "tags of the provider", {"tags": {"owner": None}}, EKS, {"tagsAll": {"owner": "a"}}, []),
    ("required-tags", "a node group", {"tags": {"owner": None}}, GROUP, {}, ["tags"]),
    ("required-tags", "a NodeClass", {"tags": {"owner": None}}, CLASS, {"spec": {}}, ["spec.tags"]),
    ("required-tags", "an AKSNodeClass", {"tags": {"owner": None}}, AKS_CLASS, {"spec": {"tags": {"owner": "a"}}}, []),
    ("required-tags", "a NodePool has none", {"tags": {"owner": None}}, NODE_POOL, {"spec": {}}, []),
    # Labels
    ("required-labels", "without the setting", {}, POOL, {}, []),
    (
        "required-labels",
        "of agent pools",
        {"labels": ["team"]},
        CLUSTER,
        cluster({"nodeLabels": {"team": "a"}}, {}),
        ["agentPoolProfiles[1].nodeLabels"],
    ),
    ("required-labels", "that a NodePool requires", {"labels": ["team"]}, NODE_POOL, requiring(("team", "In", ["a"])), []),
    ("required-labels", "of a NodePool", {"labels": ["team"]}, NODE_POOL, {"spec": {}}, ["spec.template.metadata.labels"]),
    ("required-labels", "of a node group", {"labels": ["team"]}, GROUP, {"labels": {"team": "a"}}, []),
    ("required-labels", "not known", {"labels": ["team"]}, POOL, {"nodeLabels": UNKNOWN}, []),
    # Support of versions
    ("kubernetes-version-support", "long enough", {"today": "2026-11-21"}, CLUSTER, {"kubernetesVersion": "1.35.1"}, []),
    (
        "kubernetes-version-support",
        "too short",
        {"today": "2026-11-21", "days": 180},
        CLUSTER,
        {"kubernetesVersion": "1.35.1"},
        ["kubernetesVersion"],
    ),
    ("kubernetes-version-support", "over", {"today": "2026-11-21", "days": 0}, EKS, {"version": "1.33"}, ["version"]),
    ("kubernetes-version-support", "the last day", {"today": "2026-12-02", "days": 0}, EKS, {"version": "1.34"}, []),
    ("kubernetes-version-support", "a day after", {"today": "2026-12-03", "days": 0}, EKS, {"version": "1.34"}, ["version"]),
    (
        "kubernetes-version-support",
        "long-term support",
        {"today": "2026-11-21"},
        CLUSTER,
        {"kubernetesVersion": "1.33", "supportPlan": "AKSLongTermSupport"},
        [],
    ),
    ("kubernetes-version-support", "a version that nobody knows", {"today": "2026-11-21"}, EKS, {"version": "9.99"}, []),
    ("kubernetes-version-support", "none", {"today": "2026-11-21"}, EKS, {}, []),
    ("kubernetes-version-support", "not known", {"today": "2026-11-21"}, EKS, {"version": UNKNOWN}, []),
    ("kubernetes-version-support", "no cluster", {"today": "2026-11-21"}, POOL, {}, []),
    # Consolidation
    ("consolidate-after", "without the setting", {}, NODE_POOL, {"spec": {}}, []),
    ("consolidate-after", "long enough", {"after": "30s"}, NODE_POOL, {"spec": {"disruption": {"consolidateAfter": "1m"}}}, []),
    (
        "consolidate-after",
        "too short",
        {"after": "5m"},
        NODE_POOL,
        {"spec": {"disruption": {"consolidateAfter": "1m"}}},
        ["spec.disruption.consolidateAfter"],
    ),
    ("consolidate-after", "missing", {"after": "30s"}, NODE_POOL, {"spec": {}}, ["spec.disruption.consolidateAfter"]),
    ("consolidate-after", "never", {"after": "30s"}, NODE_POOL, {"spec": {"disruption": {"consolidateAfter": "Never"}}}, []),
    ("consolidate-after", "no duration", {"after": "30s"}, NODE_POOL, {"spec": {"disruption": {"consolidateAfter": "soon"}}}, []),
    ("consolidate-after", "not known", {"after": "30s"}, NODE_POOL, {"spec": {"disruption": UNKNOWN}}, []),
]


PROVIDERS = [
    pytest.param({"defaultTags": {"tags": {"owner": "web"}}}, [], id="as a mapping"),
    pytest.param({"defaultTags": '{"tags": {"owner": "web"}}'}, [], id="as JSON, which is how they travel"),
    pytest.param({"defaultTags": '{"tags": {"team": "web"}}'}, ["tags"], id="other tags"),
    pytest.param({"defaultTags": "{"}, ["tags"], id="no JSON"),
    pytest.param({}, ["tags"], id="none"),
]


@pytest.mark.parametrize(("provider", "paths"), PROVIDERS)
def test_tags_of_the_provider_count(provider, paths):
    asked = ResourceUnderCheck(Resource("urn", EKS, "it", {}), provider)
    assert [one.path for one in POLICIES["required-tags"].function({"tags": {"owner": None}}).of_resource(asked)] == paths


@pytest.mark.parametrize(
    ("policy", "settings", "type_", "inputs", "paths"), [pytest.param(row[0], *row[2:], id=f"{row[0]}: {row[1]}") for row in ROWS]
)
def test_of_one_resource(policy, settings, type_, inputs, paths):
    complaints = said(policy, settings, type_, inputs)
    assert [one.path for one in complaints] == paths
    assert all(one.message and one.fix for one in complaints)


def test_every_policy_of_one_resource_complains_of_something_and_is_content_with_something():
    named = {row[0]: set() for row in ROWS}
    for row in ROWS:
        named[row[0]].add(bool(row[5]))
    assert named == {name: {True, False} for name in POLICIES.keys() - {"no-spot-only-production", "no-plain-kubeconfig"}}


KUBECONFIG = "apiVersion: v1\nclusters: [{cluster: {server: x}}]\ncontexts: []\nusers: []\n"

OUTPUTS = [
    pytest.param({"kubeconfig": KUBECONFIG}, ["kubeconfig"], id="a plain one"),
    pytest.param({"kubeconfig": Secret(KUBECONFIG)}, [], id="a secret one"),
    pytest.param({"kubeconfig": UNKNOWN}, [], id="one that is not known yet"),
    pytest.param({"clusters": [{"a": {"config": KUBECONFIG}}]}, ["clusters[0].a.config"], id="deep inside, under another name"),
    pytest.param({"clusters": Secret({"a": KUBECONFIG})}, [], id="inside of what is secret"),
    pytest.param({"config": {"clusters": [], "contexts": [], "users": []}}, ["config"], id="as an object"),
    pytest.param({"encoded": "YXBpVmVyc2lvbjogdjEKY2x1c3RlcnM6IFtdCmNvbnRleHRzOiBbXQp1c2VyczogW10Kc2VydmVyOiB4Cg=="}, ["encoded"], id="in base64"),
    pytest.param({"endpoint": "https://x", "pools": ["a"], "count": 3}, [], id="other outputs"),
    pytest.param({"binary": "/////w=="}, [], id="base64 of something else"),
]


@pytest.mark.parametrize(("outputs", "paths"), OUTPUTS)
def test_kubeconfigs_among_the_outputs(outputs, paths):
    stack = Stack([Resource("stack", "pulumi:pulumi:Stack", "it", {})], {"stack": outputs})
    complaints = list(POLICIES["no-plain-kubeconfig"].function({}).of_stack(stack))
    assert [(urn, one.path) for urn, one in complaints] == [("stack", path) for path in paths]
    assert all(isinstance(one.value, Secret) for _, one in complaints)


def test_outputs_of_components_are_not_those_of_the_stack():
    stack = Stack([Resource("it", "my:index:Component", "it", {})], {"it": {"kubeconfig": KUBECONFIG}})
    assert not list(POLICIES["no-plain-kubeconfig"].function({}).of_stack(stack))
