"""Labels of nodes: each has a row, and means the same after the conversion."""

import pytest

from nodepools.clouds.aks.karpenter import aks_cloud
from nodepools.clouds.eks.karpenter import NODE_GROUP_LABELS, eks_cloud
from nodepools.clouds.eks.self_managed import self_managed_cloud
from nodepools.conversion.label_table import BY_NAME, CLASS_LABELS, GROUP_LABELS, LABELS, POOL_LABELS
from nodepools.conversion.labels import Labels
from nodepools.conversion.targets import ConversionOptions, Target
from tests.conversion.objects import AUTO, NAP

CLOUDS = {AUTO: eks_cloud(), NAP: aks_cloud()}
ALIASES = {
    *("beta.kubernetes.io/arch", "beta.kubernetes.io/os", "beta.kubernetes.io/instance-type"),
    *("failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"),
}
"""Karpenter reads them as the labels without `beta`."""
OUR_ROWS = {*BY_NAME, *CLASS_LABELS, *GROUP_LABELS, *POOL_LABELS, *ALIASES}


@pytest.mark.parametrize("cloud", [self_managed_cloud(), eks_cloud(), aks_cloud()], ids=lambda cloud: cloud.name)
def test_every_label_that_karpenter_knows_has_a_row(cloud):
    assert cloud.well_known - OUR_ROWS == set()


def test_every_label_of_node_groups_has_a_row():
    assert set(NODE_GROUP_LABELS) - OUR_ROWS == set()


@pytest.mark.parametrize("label", LABELS, ids=lambda label: label.names[0])
def test_a_row_has_a_label_of_each_target_or_a_reason(label):
    for target, cloud in CLOUDS.items():
        name = label.to.get(target)
        assert (
            name in cloud.well_known | cloud.own_labels | ALIASES or cloud.of_types(name) or name.startswith("kubernetes.azure.com/")
            if name
            else label.reason
        )


@pytest.mark.parametrize("label", LABELS, ids=lambda label: label.names[0])
def test_a_converted_label_is_converted_to_itself(label):
    for target, name in label.to.items():
        assert Labels(ConversionOptions(target)).term(name, ()).key == name


CASES = {
    "the same name in another domain": (AUTO, "karpenter.k8s.aws/instance-cpu", ["4"], "eks.amazonaws.com/instance-cpu", ["4"], []),
    "another name on Azure": (NAP, "karpenter.k8s.aws/instance-memory", ["8192"], "karpenter.azure.com/sku-memory", ["8192"], []),
    "a label of Auto Mode on Azure": (NAP, "eks.amazonaws.com/instance-cpu", ["4"], "karpenter.azure.com/sku-cpu", ["4"], []),
    "a label of Azure in Auto Mode": (AUTO, "karpenter.azure.com/sku-cpu", ["4"], "eks.amazonaws.com/instance-cpu", ["4"], []),
    "families by purpose": (NAP, "karpenter.k8s.aws/instance-category", ["m", "c", "inf"], "karpenter.azure.com/sku-family", ["D", "F"], ["inf"]),
    "families of Azure": (AUTO, "karpenter.azure.com/sku-family", ["D", "N", "Z"], "eks.amazonaws.com/instance-category", ["m", "g", "p"], ["Z"]),
    "families that are converted already": (NAP, "karpenter.azure.com/sku-family", ["D"], "karpenter.azure.com/sku-family", ["D"], []),
    "a GPU of both clouds": (NAP, "karpenter.k8s.aws/instance-gpu-name", ["t4", "l4"], "karpenter.azure.com/sku-gpu-name", ["T4"], ["l4"]),
    "a GPU of Azure": (AUTO, "karpenter.azure.com/sku-gpu-name", ["A100", "MI300X"], "eks.amazonaws.com/instance-gpu-name", ["a100"], ["MI300X"]),
    "zones of AWS on Azure": (
        NAP,
        "topology.kubernetes.io/zone",
        ["eu-west-1a", "westeurope-1"],
        "topology.kubernetes.io/zone",
        ["westeurope-1"],
        ["eu-west-1a"],
    ),
    "zones of Azure in Auto Mode": (AUTO, "topology.kubernetes.io/zone", ["westeurope-1"], "topology.kubernetes.io/zone", [], ["westeurope-1"]),
    "instance types on Azure": (NAP, "node.kubernetes.io/instance-type", ["m5.large"], "node.kubernetes.io/instance-type", [], ["m5.large"]),
    "reserved capacity on Azure": (NAP, "karpenter.sh/capacity-type", ["spot", "reserved"], "karpenter.sh/capacity-type", ["spot"], ["reserved"]),
    "Windows": (AUTO, "kubernetes.io/os", ["windows"], "kubernetes.io/os", [], ["windows"]),
    "the capacity type of node groups": (AUTO, "eks.amazonaws.com/capacityType", ["ON_DEMAND"], "karpenter.sh/capacity-type", ["on-demand"], []),
    "the priority of agent pools": (AUTO, "kubernetes.azure.com/scalesetpriority", ["regular"], "karpenter.sh/capacity-type", ["on-demand"], []),
    "the priority of agent pools, which NAP has": (
        NAP,
        "kubernetes.azure.com/scalesetpriority",
        ["spot"],
        "kubernetes.azure.com/scalesetpriority",
        ["spot"],
        [],
    ),
    "memory of agent pools in GB": (NAP, "kubernetes.azure.com/sku-memory", ["16"], "kubernetes.azure.com/sku-memory", ["16384"], []),
    "memory in MiB": (NAP, "kubernetes.azure.com/sku-memory", ["16384"], "kubernetes.azure.com/sku-memory", ["16384"], []),
    "memory of agent pools for Auto Mode": (AUTO, "kubernetes.azure.com/sku-memory", ["16"], "eks.amazonaws.com/instance-memory", ["16384"], []),
    "a label of Karpenter before 0.32": (AUTO, "karpenter.sh/provisioner-name", ["web"], "karpenter.sh/nodepool", ["web-auto"], []),
    "the label of a node class": (AUTO, "karpenter.k8s.aws/ec2nodeclass", ["gpu"], "eks.amazonaws.com/nodeclass", ["gpu-auto"], []),
    "a node group with a NodePool of its name": (AUTO, "eks.amazonaws.com/nodegroup", ["web"], "karpenter.sh/nodepool", ["web-auto"], []),
    "a node group that has a NodePool": (AUTO, "alpha.eksctl.io/nodegroup-name", ["blue"], "karpenter.sh/nodepool", ["web-auto"], []),
    "an agent pool without a NodePool": (NAP, "agentpool", ["green"], None, [], ["green"]),
    "one of two node groups": (AUTO, "eks.amazonaws.com/nodegroup", ["web", "green"], "karpenter.sh/nodepool", ["web-auto"], ["green"]),
    "a label without an equivalent": (NAP, "karpenter.k8s.aws/instance-generation", ["5"], None, [], []),
    "an unknown label of self-managed Karpenter": (AUTO, "karpenter.k8s.aws/instance-color", ["red"], None, [], []),
    "a label of the user": (AUTO, "team", ["web"], "team", ["web"], []),
}


@pytest.mark.parametrize(("target", "key", "values", "name", "new", "lost"), CASES.values(), ids=CASES)
def test_a_term(target: Target, key, values, name, new, lost):
    labels = Labels(ConversionOptions(target, groups={"blue": "web"}), {"web": "web-auto"}, {"gpu": "gpu-auto"})
    term = labels.term(key, values)
    assert (term.key, list(term.values), list(term.lost)) == (name, new, lost)
    assert term.reason or not (lost or name is None)
    if name is not None and not lost and key not in POOL_LABELS and name != "karpenter.sh/nodepool" and key not in CLASS_LABELS:
        again = labels.term(name, new)
        assert (again.key, list(again.values)) == (name, new)
