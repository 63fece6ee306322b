"""Objects are converted once, and whatever is in them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodepools.conversion.converted import Converted, convert
from nodepools.conversion.labels import BY_NAME, CLASS_LABELS, GROUP_LABELS, POOL_LABELS
from nodepools.conversion.node_classes import FIELDS
from nodepools.conversion.unconverted import NODE_CLASSES, ConversionOptions, Target
from tests.conversion.objects import AUTO, NAP, deployment, listed, one

SCALARS = st.none() | st.booleans() | st.integers(-1, 300) | st.sampled_from(["", "4", "720h", "Never", "gp3", "100Gi", "m5.large", "web"])
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["key", "name", "x"]), inner, max_size=2))
KEYS = st.sampled_from(sorted({*BY_NAME, *CLASS_LABELS, *GROUP_LABELS, *POOL_LABELS, "team"}))
TERMS = st.lists(
    st.fixed_dictionaries(
        {"key": KEYS, "operator": st.sampled_from(["In", "NotIn", "Exists", "Gt"])},
        optional={
            "values": st.lists(st.sampled_from(["4", "m", "D", "spot", "reserved", "eu-west-1a", "westeurope-1", "general"]), max_size=3) | VALUES
        },
    ),
    max_size=3,
)
NAMES = st.sampled_from(["general", "default", "web"])
GROUPS = st.sampled_from([*NODE_CLASSES, "karpenter.kwok.sh"])
NODES = st.fixed_dictionaries(
    {},
    optional={
        "nodeClassRef": st.fixed_dictionaries({"group": GROUPS, "kind": SCALARS, "name": NAMES}) | VALUES,
        "requirements": TERMS | VALUES,
        "expireAfter": SCALARS,
        "terminationGracePeriod": SCALARS,
        "startupTaints": VALUES,
        "kubelet": VALUES,
    },
)
POOLS = st.fixed_dictionaries(
    {
        "apiVersion": st.sampled_from(["karpenter.sh/v1", "karpenter.sh/v1beta1"]),
        "kind": st.just("NodePool"),
        "metadata": st.fixed_dictionaries({"name": NAMES}) | VALUES,
        "spec": st.fixed_dictionaries({"template": st.fixed_dictionaries({"spec": NODES | VALUES})}, optional={"disruption": VALUES}) | VALUES,
    }
)
FIELD = st.sampled_from(sorted({name for fields in FIELDS.values() for name in fields}))
CLASSES = st.builds(
    lambda kind, name, spec: {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": name}, "spec": spec},
    st.sampled_from(sorted(NODE_CLASSES.values(), key=str)),
    NAMES,
    st.dictionaries(FIELD, VALUES, max_size=4) | VALUES,
)
PODS = st.fixed_dictionaries(
    {}, optional={"nodeSelector": st.dictionaries(KEYS, SCALARS, max_size=3) | VALUES, "affinity": VALUES, "tolerations": VALUES}
)
WORKLOADS = st.builds(
    lambda kind, pod: {"kind": kind, "spec": {"template": {"spec": pod}}}, st.sampled_from(["Deployment", "CronJob"]), PODS | VALUES
)
OTHERS = st.builds(
    lambda kind, fields: {"apiVersion": "v1", "kind": kind, "metadata": {"name": "web"}, **fields},
    st.sampled_from(["StorageClass", "Ingress", "IngressClass", "Service", "PersistentVolumeClaim", "PodDisruptionBudget"]),
    st.dictionaries(st.sampled_from(["spec", "provisioner", "parameters"]), VALUES, max_size=2),
)


@pytest.mark.parametrize("target", Target)
@given(raws=st.lists(POOLS | CLASSES | WORKLOADS | OTHERS, max_size=4))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_to_convert_again_changes_nothing(target, raws):
    wanted = ConversionOptions(target, target.suffix)
    once = [found.new for found in convert(raws, wanted)]
    again = convert(once, wanted)
    assert [found.new for found in again] == once
    assert not any(found.is_changed for found in again)


@pytest.mark.parametrize("target", Target)
@given(raws=st.lists(POOLS | CLASSES | WORKLOADS | OTHERS, max_size=3))
@settings(max_examples=50, deadline=None, derandomize=True)
def test_the_input_is_never_changed(target, raws):
    before = repr(raws)
    convert(raws, ConversionOptions(target, target.suffix))
    assert repr(raws) == before


def made(kind, name="gp3", api_version="v1", annotations=None, **fields):
    metadata = {"name": name, **({"annotations": annotations} if annotations else {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **fields}


def storage(**more):
    return made("StorageClass", api_version="storage.k8s.io/v1", provisioner="ebs.csi.aws.com", **more)


def service(annotations=None, **spec):
    return made("Service", "web", annotations=annotations, spec={"type": "LoadBalancer", **spec})


def test_a_storage_class_is_created_next_to_the_old_one():
    found = one(storage(parameters={"type": "gp3", "fsType": "xfs"}, annotations={"storageclass.kubernetes.io/is-default-class": "true"}))
    assert found.new["metadata"]["name"] == "gp3-auto"
    assert found.new["provisioner"] == "ebs.csi.eks.amazonaws.com"
    assert found.new["parameters"] == {"type": "gp3", "csi.storage.k8s.io/fstype": "xfs"}
    assert [outcome for outcome, _ in listed(found)] == ["changed", "kept"]


AUTO_NODES = {"key": "eks.amazonaws.com/compute-type", "values": ["auto"]}


def test_volumes_are_for_nodes_of_auto_mode_only():
    assert one(storage()).new["allowedTopologies"] == [{"matchLabelExpressions": [AUTO_NODES]}]


def test_zones_of_volumes_have_another_label():
    topologies = [{"matchLabelExpressions": [{"key": "topology.ebs.csi.aws.com/zone", "values": ["eu-west-1a"]}, {"key": "x"}]}]
    [found] = one(storage(allowedTopologies=topologies)).new["allowedTopologies"]
    assert found["matchLabelExpressions"] == [{"key": "topology.kubernetes.io/zone", "values": ["eu-west-1a"]}, {"key": "x"}, AUTO_NODES]


def test_a_class_of_snapshots():
    found = one(made("VolumeSnapshotClass", api_version="snapshot.storage.k8s.io/v1", driver="ebs.csi.aws.com"))
    assert (found.new["metadata"]["name"], found.new["driver"]) == ("gp3-auto", "ebs.csi.eks.amazonaws.com")


CLAIMS = {
    "a claim": made("PersistentVolumeClaim", "data", spec={"storageClassName": "gp3"}),
    "a template of claims": deployment("StatefulSet") | {"spec": {"volumeClaimTemplates": [{"spec": {"storageClassName": "gp3"}}]}},
}


@pytest.mark.parametrize("raw", CLAIMS.values(), ids=CLAIMS)
def test_claims_keep_their_class_because_their_data_does_not_move(raw):
    _, found = convert([storage(), raw], ConversionOptions(AUTO, "-auto"))
    assert not found.is_changed
    assert [outcome for outcome, _ in listed(found)] == ["kept"]
    assert listed(one(raw)) == []


def ingress(**spec):
    return made("Ingress", "web", "networking.k8s.io/v1", spec={"ingressClassName": "alb", **spec})


CLASS = made(
    "IngressClass",
    "alb",
    "networking.k8s.io/v1",
    spec={"controller": "ingress.k8s.aws/alb", "parameters": {"apiGroup": "elbv2.k8s.aws", "kind": "IngressClassParams", "name": "alb"}},
)
PARAMS = made("IngressClassParams", "alb", "elbv2.k8s.aws/v1beta1", spec={"scheme": "internal"})


def test_ingresses_and_their_classes_refer_to_each_other_by_new_names():
    cls, params, route = convert([CLASS, PARAMS, ingress()], ConversionOptions(AUTO, "-auto"))
    assert cls.new["spec"] == {
        "controller": "eks.amazonaws.com/alb",
        "parameters": {"apiGroup": "eks.amazonaws.com", "kind": "IngressClassParams", "name": "alb-auto"},
    }
    assert (params.new["apiVersion"], params.new["metadata"]) == ("eks.amazonaws.com/v1", {"name": "alb-auto"})
    assert (route.new["metadata"], route.new["spec"]) == ({"name": "web-auto"}, {"ingressClassName": "alb-auto"})
    assert listed(route) == [("changed", "spec.ingressClassName")]


def test_parameters_that_are_not_among_the_files_are_listed():
    assert listed(one(CLASS)) == [("kept", "spec.parameters.name")]


def test_an_ingress_class_without_parameters():
    found = one(made("IngressClass", "alb", spec={"controller": "ingress.k8s.aws/alb"}))
    assert (found.new["spec"], listed(found)) == ({"controller": "eks.amazonaws.com/alb"}, [])


def test_an_ingress_whose_class_is_not_among_the_files_is_listed():
    found = one(ingress())
    assert (found.is_changed, listed(found)) == (False, [("kept", "spec.ingressClassName")])
    assert listed(one(made("Ingress", "web", spec={"ingressClassName": "nginx"}))) == []


def test_annotations_of_ingresses_that_auto_mode_ignores():
    annotations = {"kubernetes.io/ingress.class": "alb", "alb.ingress.kubernetes.io/group.name": "a"}
    _, found = convert([CLASS, made("Ingress", "web", annotations=annotations, spec={})], ConversionOptions(AUTO, "-auto"))
    assert found.new["metadata"]["annotations"] == {"alb.ingress.kubernetes.io/group.name": "a"}
    assert [outcome for outcome, _ in listed(found)] == ["kept", "changed"]


def params(**spec):
    return one(made("IngressClassParams", "alb", "elbv2.k8s.aws/v1beta1", spec=spec))


def test_parameters_of_ingress_classes_have_other_fields():
    found = params(certificateArn=["arn:1"], subnets={"tags": {"a": ["b"]}}, listeners=[{"port": 80, "listenerAttributes": []}, {"port": 443}])
    assert found.new["spec"] == {"certificateARNs": ["arn:1"], "listeners": [{"port": 80}, {"port": 443}]}
    assert listed(found) == [("removed", "spec.subnets.tags"), ("removed", "spec.listeners[0].listenerAttributes")]
    assert params(certificateArn="arn:1").new["spec"] == {"certificateARNs": ["arn:1"]}


def test_target_groups():
    found = one(made("TargetGroupBinding", "web", "elbv2.k8s.aws/v1beta1", spec={}))
    assert found.new["apiVersion"] == "eks.amazonaws.com/v1"
    assert [outcome for outcome, _ in listed(found)] == ["missing", "changed"]
    assert [outcome for outcome, _ in listed(one(made("TargetGroupBinding", "web", "elbv2.k8s.aws/v1beta1", spec={"targetType": "ip"})))] == [
        "changed"
    ]


SERVICES = {
    "by its class": service(loadBalancerClass="service.k8s.aws/nlb", clusterIP="10.0.0.1", ports=[{"port": 80, "nodePort": 30000}]),
    "by its annotation": service({"service.beta.kubernetes.io/aws-load-balancer-type": "external"}, ports=[{"port": 80}]),
}


@pytest.mark.parametrize("raw", SERVICES.values(), ids=SERVICES)
def test_a_service_with_a_load_balancer_of_the_controller(raw):
    found = one(raw)
    assert found.new["metadata"]["name"] == "web-auto"
    assert found.new["spec"] == {"type": "LoadBalancer", "ports": [{"port": 80}], "loadBalancerClass": "eks.amazonaws.com/nlb"}
    assert listed(found) == [("changed", "spec.loadBalancerClass")]


LEFT = {
    "a load balancer of the cloud provider": (AUTO, service(), ["kept"]),
    "a Service in the cluster": (AUTO, made("Service", spec={"type": "ClusterIP"}), []),
    "a load balancer of Auto Mode": (AUTO, service(loadBalancerClass="eks.amazonaws.com/nlb"), []),
    "security groups for pods": (AUTO, made("SecurityGroupPolicy", api_version="vpcresources.k8s.aws/v1beta1"), ["kept"]),
    "custom networking": (AUTO, made("ENIConfig", api_version="crd.k8s.amazonaws.com/v1alpha1"), ["kept"]),
    "an ingress class of others": (AUTO, made("IngressClass", spec={"controller": "k8s.io/ingress-nginx"}), []),
    "a storage class of others": (AUTO, made("StorageClass", provisioner="efs.csi.aws.com"), []),
    "a storage class on Azure": (NAP, storage(), ["kept"]),
    "an ingress class on Azure": (NAP, CLASS, ["kept"]),
    "a load balancer on Azure": (NAP, service(loadBalancerClass="service.k8s.aws/nlb"), ["kept"]),
    "another Service on Azure": (NAP, service(), []),
    "a Provisioner": (AUTO, made("Provisioner", api_version="karpenter.sh/v1alpha5"), ["kept"]),
    "a budget that allows no eviction": (AUTO, made("PodDisruptionBudget", api_version="policy/v1", spec={"maxUnavailable": 0}), ["kept"]),
    "a budget that requires all pods": (AUTO, made("PodDisruptionBudget", api_version="policy/v1", spec={"minAvailable": "100%"}), ["kept"]),
    "a budget that allows evictions": (AUTO, made("PodDisruptionBudget", api_version="policy/v1", spec={"maxUnavailable": 1}), []),
    "a budget on Azure": (NAP, made("PodDisruptionBudget", api_version="policy/v1", spec={"maxUnavailable": 0}), []),
    "a ConfigMap": (AUTO, made("ConfigMap", data={"a": "b"}), []),
}


@pytest.mark.parametrize(("target", "raw", "outcomes"), LEFT.values(), ids=LEFT)
def test_objects_that_stay(target, raw, outcomes):
    found = one(raw, target)
    assert found.new is raw
    assert [outcome for outcome, _ in listed(found)] == outcomes


OS, BUILD = "kubernetes.io/os", "node.kubernetes.io/windows-build"
KEEP = {Target.AUTO_MODE: "Keep Karpenter or a node group for its pods", Target.NAP: "Use an agent pool with Windows nodes for its pods"}


def requires(key: str, *values: str, operator: str = "In") -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": list(values)}


def pool(*requirements: dict[str, Any], name: str = "win", node_class: str = "win") -> dict[str, Any]:
    reference = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": node_class}
    spec = {
        "template": {"spec": {"nodeClassRef": reference, "requirements": list(requirements), "terminationGracePeriod": "1h", "expireAfter": "72h"}}
    }
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}, "spec": spec}


WINDOWS_CLASS = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "win"}, "spec": {"role": "x"}}
LINUX = pool(requires(OS, "linux"), name="linux")


def converted(*objects: dict[str, Any], target: Target = Target.AUTO_MODE) -> list[Converted]:
    return convert(list(objects), ConversionOptions(target, suffix="-new", role="nodes"))


@pytest.mark.parametrize("target", Target)
@pytest.mark.parametrize(
    ("requirement", "stays"),
    [
        pytest.param(requires(OS, "windows"), True, id="Windows alone"),
        pytest.param(requires(BUILD, "10.0.20348"), True, id="a build of Windows"),
        pytest.param(requires(BUILD), False, id="no build, which is not valid"),
        pytest.param(requires(OS, "linux", "windows"), False, id="both systems"),
        pytest.param(requires(OS, "windows", operator="NotIn"), False, id="everything but Windows"),
        pytest.param(requires(OS, "linux", operator="NotIn"), True, id="everything but Linux"),
        pytest.param(requires(OS, operator="Exists"), False, id="any system"),
        pytest.param(requires(BUILD, operator="Exists"), True, id="any build of Windows"),
        pytest.param(requires(BUILD, operator="DoesNotExist"), False, id="no build of Windows"),
        pytest.param(requires("team", "windows"), False, id="another label"),
    ],
)
def test_a_node_pool_and_its_class(requirement: dict[str, Any], stays: bool, target: Target) -> None:  # noqa: FBT001  # a row
    found = converted(pool(requirement), WINDOWS_CLASS, target=target)
    assert [not one.is_changed for one in found] == [stays, stays]
    kept = [value.fix for one in found for value in one.unconverted if "the object stays as it is" in value.message]
    assert kept == [KEEP[target]] * 2 * stays


@pytest.mark.parametrize(("system", "left"), [("windows", ()), ("linux", ("node group blue",))])
def test_a_nodepool_could_replace_the_node_group_of_pods_that_do_not_require_windows(system: str, left: tuple[str, ...]) -> None:
    spec = {"nodeSelector": {OS: system, "eks.amazonaws.com/nodegroup": "blue"}, "containers": [{"name": "a", "image": "b"}]}
    [_, found] = converted(LINUX, {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": spec})
    assert found.left_groups == left


def test_a_class_that_linux_nodes_use_too_is_converted() -> None:
    first, second, node_class = converted(pool(requires(OS, "windows")), LINUX, WINDOWS_CLASS)
    assert [one.is_changed for one in (first, second, node_class)] == [False, True, True]
    assert node_class.new["kind"] == "NodeClass"


def test_a_former_version_becomes_v1() -> None:
    former = {**pool(requires(OS, "windows")), "apiVersion": "karpenter.sh/v1beta1"}
    [found] = converted(former)
    assert found.new["apiVersion"] == "karpenter.sh/v1"
    assert found.new["metadata"] == {"name": "win"}


def test_the_own_node_pools_of_the_target_are_not_touched() -> None:
    own = pool(requires(OS, "windows"))
    own["spec"]["template"]["spec"]["nodeClassRef"] = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}
    assert [(one.is_changed, one.unconverted) for one in converted(own)] == [(False, ())]


def affinity(*terms: dict[str, Any]) -> dict[str, Any]:
    required = {"nodeSelectorTerms": [{"matchExpressions": [term]} for term in terms]}
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}}


@pytest.mark.parametrize(
    ("spec", "stays"),
    [
        pytest.param({"nodeSelector": {OS: "windows"}}, True, id="a selector"),
        pytest.param({"nodeSelector": {BUILD: "10.0.20348"}}, True, id="a build"),
        pytest.param({"os": {"name": "windows"}}, True, id="the system of the pod"),
        pytest.param(affinity(requires(OS, "windows")), True, id="node affinity"),
        pytest.param(affinity(requires(OS, "windows"), requires("team", "a")), False, id="node affinity with another way"),
        pytest.param({"nodeSelector": {OS: "linux"}}, False, id="Linux"),
        pytest.param({}, False, id="nothing"),
    ],
)
def test_pods(spec: dict[str, Any], stays: bool) -> None:  # noqa: FBT001  # a row
    preferred = {"preference": {"matchExpressions": [requires("karpenter.k8s.aws/instance-cpu", "4")]}, "weight": 1}
    nodes = {**spec.get("affinity", {}).get("nodeAffinity", {}), "preferredDuringSchedulingIgnoredDuringExecution": [preferred]}
    [found] = converted({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {**spec, "affinity": {"nodeAffinity": nodes}}})
    assert found.is_changed is not stays
    assert any("the pods stay as they are" in value.message for value in found.unconverted) is stays


@pytest.mark.parametrize("named", ["default", "other"])
def test_a_node_pool_of_v1beta1_can_leave_out_the_kind_of_its_class(named: str) -> None:
    """Karpenter adds it; here, the class of this name decides. Without it, the NodePool is not converted."""
    node_pool: dict[str, Any] = {
        "apiVersion": "karpenter.sh/v1beta1",
        "kind": "NodePool",
        "metadata": {"name": "web"},
        "spec": {"template": {"spec": {"nodeClassRef": {"name": named}}}, "disruption": {"expireAfter": "720h"}},
    }
    node_class = {"apiVersion": "karpenter.k8s.aws/v1beta1", "kind": "EC2NodeClass", "metadata": {"name": "default"}, "spec": {"role": "nodes"}}
    made = convert([node_pool, node_class], ConversionOptions(AUTO, "-auto"))[0]
    assert made.is_changed is (made.why_not_ready == "") is (named == "default")
    if made.is_changed:
        spec = made.new["spec"]["template"]["spec"]  # pyright: ignore[reportIndexIssue]
        assert spec["nodeClassRef"] == {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default-auto"}
        assert spec["expireAfter"] == "480h"
