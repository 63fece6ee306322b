"""Labels of nodes: each has a row, and means the same after the conversion."""

import pytest

from nodepools.clouds.aks.pools import aks_cloud
from nodepools.clouds.eks.pools import NODE_GROUP_LABELS, eks_cloud
from nodepools.clouds.eks.self_managed import self_managed_cloud
from nodepools.conversion.converted import convert
from nodepools.conversion.labels import BY_NAME, CLASS_LABELS, GROUP_LABELS, LABELS, POOL_LABELS, Labels, selected_groups, selected_pools
from nodepools.conversion.unconverted import ConversionOptions, Target
from tests.conversion.objects import AUTO, NAP, deployment, entry, inside, listed, one, pool

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


POD = ("spec", "template", "spec")
REQUIRED, PREFERRED = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"


def affinity(*expressions, weight=None):
    if weight is not None:
        return {"affinity": {"nodeAffinity": {PREFERRED: [{"weight": weight, "preference": {"matchExpressions": list(expressions)}}]}}}
    return {"affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": list(expressions)}]}}}}


def expression(key, *values, operator="In"):
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {})}


SELECTORS = {
    "a label of self-managed Karpenter": (AUTO, {"karpenter.k8s.aws/instance-cpu": "4"}, {"eks.amazonaws.com/instance-cpu": "4"}, []),
    "the zone of the EBS CSI driver": (AUTO, {"topology.ebs.csi.aws.com/zone": "eu-west-1a"}, {"topology.kubernetes.io/zone": "eu-west-1a"}, []),
    "in its place": (
        AUTO,
        {"a": "b", "karpenter.k8s.aws/instance-cpu": "4", "c": "d"},
        {"a": "b", "eks.amazonaws.com/instance-cpu": "4", "c": "d"},
        [],
    ),
    "a label without an equivalent": (NAP, {"karpenter.k8s.aws/instance-size": "large"}, {"karpenter.k8s.aws/instance-size": "large"}, ["kept"]),
    "a value without an equivalent": (NAP, {"topology.kubernetes.io/zone": "eu-west-1a"}, {"topology.kubernetes.io/zone": "eu-west-1a"}, ["kept"]),
    "a value by purpose": (NAP, {"karpenter.k8s.aws/instance-category": "m"}, {"karpenter.azure.com/sku-family": "D"}, ["changed"]),
    "a value with several equivalents": (AUTO, {"karpenter.azure.com/sku-family": "N"}, {"karpenter.azure.com/sku-family": "N"}, ["kept"]),
    "a node group": (AUTO, {"eks.amazonaws.com/nodegroup": "web"}, {"eks.amazonaws.com/nodegroup": "web"}, ["kept"]),
    "an agent pool": (NAP, {"agentpool": "web"}, {"agentpool": "web"}, ["kept"]),
    "a label of the user": (AUTO, {"team": "web"}, {"team": "web"}, []),
    "a value of another type": (AUTO, {"karpenter.k8s.aws/instance-cpu": 4}, {"karpenter.k8s.aws/instance-cpu": 4}, []),
}


@pytest.mark.parametrize(("target", "selector", "new", "outcomes"), SELECTORS.values(), ids=SELECTORS)
def test_a_node_selector(target, selector, new, outcomes):
    found = one(deployment(nodeSelector=selector), target)
    assert list(inside(found.new, *POD)["nodeSelector"].items()) == list(new.items())
    assert [outcome for outcome, _ in listed(found)] == outcomes
    assert found.is_changed is (new != selector)


def test_the_nodepool_of_a_node_group_can_be_given():
    raws = [deployment(nodeSelector={"eks.amazonaws.com/nodegroup": "blue"}), pool()]
    [moved, _] = convert(raws, ConversionOptions(AUTO, "-auto", groups={"blue": "general"}))
    assert inside(moved.new, *POD)["nodeSelector"] == {"karpenter.sh/nodepool": "general-auto"}


def test_the_advice_for_a_node_group_is_an_option():
    found = one(deployment(nodeSelector={"eks.amazonaws.com/nodegroup": "blue"}))
    assert "--group blue=NODEPOOL" in str(entry(found, 'spec.template.spec.nodeSelector["eks.amazonaws.com/nodegroup"]').fix)


TERMS = {
    "required": (
        {},
        expression("karpenter.k8s.aws/instance-cpu", "3", operator="Gt"),
        expression("karpenter.azure.com/sku-cpu", "3", operator="Gt"),
        [],
    ),
    "some values are left": (
        {},
        expression("karpenter.sh/capacity-type", "spot", "reserved"),
        expression("karpenter.sh/capacity-type", "spot"),
        ["removed"],
    ),
    "no value is left": ({}, expression("node.kubernetes.io/instance-type", "m5.large"), None, ["kept"]),
    "no label is left": ({}, expression("karpenter.k8s.aws/instance-size", operator="Exists"), None, ["kept"]),
    "preferred": ({"weight": 1}, expression("karpenter.k8s.aws/instance-size", "large"), None, ["kept"]),
    "not a term": ({}, {"operator": "In"}, None, []),
}


@pytest.mark.parametrize(("how", "given", "new", "outcomes"), TERMS.values(), ids=TERMS)
def test_node_affinity(how, given, new, outcomes):
    found = one(deployment(**affinity(given, **how)), NAP)
    assert inside(found.new, *POD)["affinity"] == affinity(new if new is not None else given, **how)["affinity"]
    assert [outcome for outcome, _ in listed(found)] == outcomes
    assert all(each.fix is None for each in found.unconverted) is ("weight" in how or outcomes in ([], ["removed"]))


def test_what_excludes_nodes_that_are_not_there_needs_nothing():
    found = one(deployment(**affinity(expression("karpenter.k8s.aws/instance-size", "large", operator="NotIn"))), NAP)
    assert [each.fix for each in found.unconverted] == [None]


DOMAINS = {
    "karpenter.k8s.aws/instance-family": "eks.amazonaws.com/instance-family",
    "topology.ebs.csi.aws.com/zone": "topology.kubernetes.io/zone",
}


@pytest.mark.parametrize("label", DOMAINS)
def test_domains_of_spreading_and_affinity(label):
    key = "topologyKey"
    terms = {REQUIRED: [{key: label}], PREFERRED: [{"weight": 1, "podAffinityTerm": {key: label}}]}
    found = one(deployment(topologySpreadConstraints=[{key: label}], affinity={"podAffinity": terms, "podAntiAffinity": terms}))
    assert str(found.new).count(DOMAINS[label]) == 5


def test_domains_that_nodes_of_the_target_do_not_have():
    kept = one(deployment(topologySpreadConstraints=[{"topologyKey": "karpenter.k8s.aws/instance-family"}]), NAP)
    assert listed(kept) == [("kept", "spec.template.spec.topologySpreadConstraints[0].topologyKey")]


def test_tolerations_of_taints_that_were_renamed():
    found = one(deployment(tolerations=[{"key": "karpenter.sh/disruption", "value": "disrupting"}, {"key": "karpenter.sh/disruption"}]))
    assert inside(found.new, *POD)["tolerations"] == [{"key": "karpenter.sh/disrupted"}, {"key": "karpenter.sh/disrupted"}]
    assert not one(deployment(tolerations=[{"operator": "Exists"}])).is_changed


def test_annotations_of_pods():
    found = one(deployment(annotations={"karpenter.sh/do-not-evict": "true"}))
    assert inside(found.new, "spec", "template", "metadata", "annotations") == {"karpenter.sh/do-not-disrupt": "true"}
    assert [outcome for outcome, _ in listed(found)] == ["kept"]
    assert listed(one(deployment(annotations={"karpenter.sh/do-not-disrupt": "true"}), NAP)) == []


@pytest.mark.parametrize(
    ("annotations", "number"),
    [
        pytest.param({"cluster-autoscaler.kubernetes.io/safe-to-evict": "false"}, 1, id="Karpenter does not read it"),
        pytest.param({"cluster-autoscaler.kubernetes.io/safe-to-evict": "true"}, 0, id="pods may be moved"),
        pytest.param({"cluster-autoscaler.kubernetes.io/safe-to-evict": "false", "karpenter.sh/do-not-disrupt": "true"}, 0, id="both"),
    ],
)
def test_the_annotation_of_the_cluster_autoscaler_has_no_effect(annotations: dict[str, str], number: int) -> None:
    place = 'spec.template.metadata.annotations["cluster-autoscaler.kubernetes.io/safe-to-evict"]'
    assert listed(one(deployment(annotations=annotations), NAP)) == [("kept", place)] * number


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob"])
def test_every_kind_of_workload(kind):
    found = one(deployment(kind, nodeSelector={"karpenter.k8s.aws/instance-cpu": "4"}))
    assert "eks.amazonaws.com/instance-cpu" in str(found.new)


OF_OTHERS = {
    "Rollout": ("argoproj.io/v1alpha1", ("template",)),
    "ScaledJob": ("keda.sh/v1alpha1", ("jobTargetRef", "template")),
    "JobSet": ("jobset.x-k8s.io/v1alpha2", ("replicatedJobs", 0, "template", "spec", "template")),
}


@pytest.mark.parametrize(("kind", "of"), OF_OTHERS.items(), ids=OF_OTHERS)
def test_templates_of_other_api_groups(kind, of):
    """Where `explain` reads pods, `convert` does. What else such an object selects is none of pods."""
    api_version, places = of
    spec = deployment(nodeSelector={"karpenter.k8s.aws/instance-cpu": "4", "agentpool": "web"})["spec"]["template"]
    for step in reversed(places):
        spec = [spec] if step == 0 else {step: spec}
    raw = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "web"}, "spec": {**spec, "nodeSelector": {"agentpool": "batch"}}}
    pod = inside(one(raw).new, "spec", *places, "spec")
    assert pod["nodeSelector"] == {"eks.amazonaws.com/instance-cpu": "4", "agentpool": "web"}
    assert selected_groups(raw) == ("agent pool web",)


def test_a_pod():
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"nodeSelector": {"karpenter.k8s.aws/instance-cpu": "4"}}}
    assert one(pod).new["spec"] == {"nodeSelector": {"eks.amazonaws.com/instance-cpu": "4"}}


GROUPS = {
    "by a selector": (deployment(nodeSelector={"agentpool": "web"}), ("agent pool web",)),
    "by node affinity": (deployment(**affinity(expression("eks.amazonaws.com/nodegroup", "a", "b"))), ("node group a", "node group b")),
    "only excluded": (deployment(**affinity(expression("eks.amazonaws.com/nodegroup", "a", operator="NotIn"))), ()),
    "not at all": (deployment(), ()),
    "no pods": ({"kind": "ConfigMap"}, ()),
}


@pytest.mark.parametrize(("raw", "groups"), GROUPS.values(), ids=GROUPS)
def test_the_groups_that_pods_require(raw, groups):
    assert selected_groups(raw) == groups


INCLUDED = {
    "the VPC CNI": (AUTO, "DaemonSet", "602401143452.dkr.ecr.eu-west-1.amazonaws.com/amazon-k8s-cni:v1.19.0", True),
    "kube-proxy": (AUTO, "DaemonSet", "602401143452.dkr.ecr.eu-west-1.amazonaws.com/eks/kube-proxy:v1.31.2", True),
    "CoreDNS": (AUTO, "Deployment", "registry.k8s.io/coredns/coredns:v1.11.1", True),
    "the EBS CSI driver": (AUTO, "DaemonSet", "public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver@sha256:0", True),
    "the Pod Identity agent": (AUTO, "DaemonSet", "602401143452.dkr.ecr.eu-west-1.amazonaws.com/eks/eks-pod-identity-agent:v0.1.15", True),
    "the load balancer controller": (AUTO, "Deployment", "public.ecr.aws/eks/aws-load-balancer-controller:v2.8.1", True),
    "the node monitoring agent": (AUTO, "DaemonSet", "602401143452.dkr.ecr.eu-west-1.amazonaws.com/eks/eks-node-monitoring-agent:v1.0.1", True),
    "Karpenter": (AUTO, "Deployment", "public.ecr.aws/karpenter/controller:1.8.1", True),
    "the cluster autoscaler": (NAP, "Deployment", "registry.k8s.io/autoscaling/cluster-autoscaler:v1.31.0", True),
    "another controller": (AUTO, "Deployment", "example.com/shop/controller:1", False),
    "CoreDNS on Azure": (NAP, "Deployment", "registry.k8s.io/coredns/coredns:v1.11.1", False),
    "an application": (AUTO, "Deployment", "nginx", False),
}


@pytest.mark.parametrize(("target", "kind", "image", "included"), INCLUDED.values(), ids=INCLUDED)
def test_software_that_the_target_includes(target, kind, image, included):
    found = one(deployment(kind, containers=[{"name": "a", "image": image}]), target)
    assert (found.included, found.is_changed, len(found.unconverted)) == (included, False, int(included))


def test_a_daemon_set_is_kept_off_the_new_nodes():
    found = one(deployment("DaemonSet", containers=[{"name": "a", "image": "x/kube-proxy:1"}]))
    assert "compute-type NotIn [auto]" in str(found.unconverted[0].fix)


@pytest.mark.parametrize("key", sorted(POOL_LABELS))
def test_pods_name_the_pools_that_they_select(key: str) -> None:
    assert selected_pools({"kind": "Pod", "spec": {"nodeSelector": {key: "web"}}}) == ("web",)
    assert selected_pools({"kind": "Pod", "spec": {}}) == ()


def test_pods_that_select_what_no_node_of_the_target_has():
    type_ = {"node.kubernetes.io/instance-type": "m5.large"}
    assert one(deployment(nodeSelector=type_), NAP).is_stranded
    assert not one(deployment(nodeSelector=type_)).is_stranded
    assert not one(deployment(**affinity(expression("node.kubernetes.io/instance-type", "m5.large"))), NAP).is_stranded, "another term can match"


_SELECTS = {
    "nodeSelector": {"karpenter.sh/nodepool": "general", "karpenter.k8s.aws/instance-category": "m", "kubernetes.io/os": "linux"},
    "spread": [{"topologyKey": "karpenter.k8s.aws/instance-family"}, {"topologyKey": "kubernetes.io/hostname"}],
    "expressions": [{"key": "eks.amazonaws.com/nodegroup", "operator": "In", "values": ["blue"]}, {"key": 1}],
}


@pytest.mark.parametrize(
    ("kind", "version", "is_listed"),
    [
        pytest.param("ClusterPolicy", "kyverno.io/v1", True, id="a policy"),
        pytest.param("HelmRelease", "helm.toolkit.fluxcd.io/v2", True, id="values of a chart"),
        pytest.param("Application", "argoproj.io/v1alpha1", True, id="an application"),
        pytest.param("NodeClaim", "karpenter.sh/v1", False, id="what Karpenter writes"),
        pytest.param("PersistentVolume", "v1", False, id="a volume that exists"),
    ],
)
def test_labels_in_objects_of_other_kinds_are_listed(kind, version, is_listed):
    other = {"apiVersion": version, "kind": kind, "metadata": {"name": "x"}, "spec": {"values": _SELECTS}}
    result = convert([pool(), other], ConversionOptions(Target.AUTO_MODE, "-auto"))[1]
    assert not result.is_changed
    found = {entry.steps[2:]: str(entry.fix).partition(":")[0] for entry in result.unconverted}
    assert found == (
        {
            ("nodeSelector", "karpenter.sh/nodepool"): "Change it yourself to `karpenter.sh/nodepool`, general-auto",
            ("nodeSelector", "karpenter.k8s.aws/instance-category"): "Change it yourself to `eks.amazonaws.com/instance-category`, m",
            ("spread", 0, "topologyKey"): "Change it yourself to `eks.amazonaws.com/instance-family`",
            ("expressions", 0, "key"): "Change it yourself",
        }
        if is_listed
        else {}
    )
