"""Storage, load balancing and other objects next to pools and workloads."""

import pytest

from nodepools.conversion.converted import convert
from nodepools.conversion.targets import ConversionOptions
from tests.conversion.objects import AUTO, NAP, deployment, listed, one


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
