"""NodePools and node classes as the cluster takes them."""

from nodepools import (
    AksNodeClass,
    AksNodePool,
    Budget,
    Disruption,
    EksNodeClass,
    EksNodePool,
    Requirement,
    StackOutput,
    Taint,
    keys,
)
from nodepools.clouds.karpenter_objects import aks_node_class, eks_node_class, node_pool
from nodepools.eks import SelectorTerm
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS


def spec(pool, kind=EKS_NODE_CLASS, **more):
    return node_pool("web", pool, kind, **more)["spec"]


def test_an_empty_pool_says_what_the_cluster_requires_and_no_more():
    assert node_pool("web", EksNodePool(), EKS_NODE_CLASS) == {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "web", "annotations": {"pulumi.com/waitFor": "condition=Ready"}},
        "spec": {
            "template": {
                "metadata": {"labels": {"nodepools/name": "web"}},
                "spec": {"nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}, "requirements": []},
            },
            "disruption": {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"},
        },
    }


def test_every_field_is_written_where_karpenter_reads_it():
    written = spec(
        AksNodePool(
            node_class="gpu",
            weight=10,
            requirements=[keys.aks.sku_cpu.one_of(8, 16, min_values=2), Requirement("team", "Exists")],
            labels={"tier": "web"},
            annotations={"a": "b"},
            taints=[Taint("team", "ml"), Taint("gpu")],
            startup_taints=[Taint("cilium", "", "NoExecute")],
            limits={"cpu": 200, "memory": "1Ti"},
            disruption=Disruption(
                consolidation_policy="WhenEmpty",
                consolidate_after="Never",
                budgets=[Budget(nodes="0", schedule="0 9 * * 1-5", duration="8h", reasons=["Drifted"]), Budget()],
            ),
            expire_after="Never",
            termination_grace_period="24h",
        ),
        AKS_NODE_CLASS,
    )
    template = written["template"]["spec"]
    assert template["nodeClassRef"] == {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"}
    assert template["requirements"] == [
        {"key": "karpenter.azure.com/sku-cpu", "operator": "In", "values": ["8", "16"], "minValues": 2},
        {"key": "team", "operator": "Exists"},
    ]
    assert template["taints"] == [{"key": "team", "value": "ml", "effect": "NoSchedule"}, {"key": "gpu", "effect": "NoSchedule"}]
    assert template["startupTaints"] == [{"key": "cilium", "effect": "NoExecute"}]
    assert (template["expireAfter"], template["terminationGracePeriod"]) == ("Never", "24h")
    assert written["template"]["metadata"] == {"labels": {"nodepools/name": "web", "tier": "web"}, "annotations": {"a": "b"}}
    assert written["limits"] == {"cpu": "200", "memory": "1Ti"}
    assert written["weight"] == 10
    assert written["disruption"] == {
        "consolidationPolicy": "WhenEmpty",
        "consolidateAfter": "Never",
        "budgets": [{"nodes": "0", "schedule": "0 9 * * 1-5", "duration": "8h", "reasons": ["Drifted"]}, {"nodes": "10%"}],
    }


def test_zero_replicas_is_a_size_and_not_left_out():
    assert spec(EksNodePool(replicas=0))["replicas"] == 0


def test_a_better_name_of_the_class_wins():
    assert spec(EksNodePool(node_class="a"), node_class="a-x1y2")["template"]["spec"]["nodeClassRef"]["name"] == "a-x1y2"


def test_overrides_lie_over_the_spec():
    written = spec(EksNodePool(weight=5, overrides={"weight": 7, "template": {"spec": {"newField": [1]}}, "disruption": {"budgets": None}}))
    assert written["weight"] == 7
    assert written["template"]["spec"]["newField"] == [1]
    assert written["template"]["spec"]["requirements"] == []


def test_an_eks_class_names_the_clusters_own_parts_where_it_names_none():
    made = eks_node_class("private", EksNodeClass(), str, role="node", subnets=[{"id": "subnet-1"}], security_groups=[{"id": "sg-1"}])
    assert (made["apiVersion"], made["kind"]) == ("eks.amazonaws.com/v1", "NodeClass")
    assert made["spec"] == {
        "role": "node",
        "subnetSelectorTerms": [{"id": "subnet-1"}],
        "securityGroupSelectorTerms": [{"id": "sg-1"}],
        "networkPolicy": "DefaultAllow",
        "networkPolicyEventLogs": "Disabled",
        "snatPolicy": "Random",
        "ephemeralStorage": {"size": "80Gi"},
    }


def test_an_eks_class_keeps_what_it_names():
    declared = EksNodeClass(
        role=StackOutput("o/p/s", "role"),
        subnets=[SelectorTerm(tags={"tier": "a"}), SelectorTerm(id=StackOutput("o/p/s", "subnet")), SelectorTerm(id="subnet-2")],
        security_groups=[SelectorTerm(name="web")],
        ephemeral_storage="1Ti",
        ephemeral_storage_iops=4000,
        ephemeral_storage_throughput=250,
        ephemeral_storage_kms_key_id=StackOutput("o/p/s", "key"),
        tags={"team": "a"},
    )
    made = eks_node_class("private", declared, lambda ref: f"<{ref.output}>", role="node", subnets=[], security_groups=[])["spec"]
    assert made["role"] == "<role>"
    assert made["subnetSelectorTerms"] == [{"tags": {"tier": "a"}}, {"id": "<subnet>"}, {"id": "subnet-2"}]
    assert made["securityGroupSelectorTerms"] == [{"name": "web"}]
    assert made["ephemeralStorage"] == {"size": "1Ti", "iops": 4000, "throughput": 250, "kmsKeyID": "<key>"}
    assert made["tags"] == {"team": "a"}


def test_an_aks_class_leaves_out_what_is_not_said():
    made = aks_node_class("a", AksNodeClass(), str)
    assert (made["apiVersion"], made["kind"], made["spec"]) == ("karpenter.azure.com/v1beta1", "AKSNodeClass", {"imageFamily": "Ubuntu"})


def test_an_aks_class_says_what_is_declared():
    declared = AksNodeClass(
        image_family="AzureLinux", os_disk_size_gb=64, max_pods=30, vnet_subnet_id="/s", tags={"a": "b"}, overrides={"fipsMode": "FIPS"}
    )
    assert aks_node_class("a", declared, str)["spec"] == {
        "imageFamily": "AzureLinux",
        "osDiskSizeGB": 64,
        "maxPods": 30,
        "vnetSubnetID": "/s",
        "tags": {"a": "b"},
        "fipsMode": "FIPS",
    }
