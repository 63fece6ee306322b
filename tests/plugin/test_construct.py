"""What a program in another language gets is what Python gets: the same resources, options and dependencies, in preview and in update."""

import textwrap
from concurrent.futures import ThreadPoolExecutor

import pytest
from pulumi.runtime.proto.provider_pb2 import ConstructRequest
from pulumi.runtime.proto.resource_pb2 import RegisterResourceRequest

from nodepools.engine.property_values import json_of, struct_of
from nodepools.engine.run import Program, run
from nodepools.engine.signatures import OUTPUT, RESOURCE, SECRET, SIGNATURE, UNKNOWN

pytestmark = pytest.mark.program

UNIT = "aws:ec2/vpc:Vpc"
VPC = f"urn:pulumi:dev::shop::{UNIT}::net"
SUBNET = "urn:pulumi:dev::shop::azure-native:network:Subnet::nodes"

SAME = {
    "an AKS cluster, by words and numbers alone": (
        "AksCluster",
        """
        AksCluster("shop", AksClusterArgs(
            location="westeurope", kubernetes_version="1.35",
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2, zones=[1, 2]),
            pools={
                "web": UserPool(vm_size="Standard_D2ds_v5", scale=Autoscale(1, 5), labels={"example.com/Tier": "web"}, taints=[Taint("team", "web")]),
                "cheap": UserPool(
                    vm_size="Standard_D2ds_v5", count=0, spot=Spot(max_price=0.25), overrides={"message_of_the_day": "aGk=", "max_pods": 110}),
                "train": GpuPool(vm_size="Standard_NC24ads_A100_v4", scale=Autoscale(0, 4)),
            },
            autoscaler=AutoscalerProfile(expander="priority", priorities={50: ["cheap"], 10: ["web"]}, scale_down_utilization_threshold=0.5),
            tags={"team_name": "core"},
        ))
        """,
        {
            "location": "westeurope",
            "kubernetesVersion": "1.35",
            "systemPool": {"vmSize": "Standard_D4ds_v5", "count": 2, "zones": [1, 2]},
            "pools": {
                "web": {
                    "kind": "UserPool",
                    "vmSize": "Standard_D2ds_v5",
                    "scale": {"min": 1, "max": 5},
                    "labels": {"example.com/Tier": "web"},
                    "taints": [{"key": "team", "value": "web"}],
                },
                "cheap": {
                    "kind": "UserPool",
                    "vmSize": "Standard_D2ds_v5",
                    "count": 0,
                    "spot": {"maxPrice": 0.25},
                    "overrides": {"message_of_the_day": "aGk=", "max_pods": 110},
                },
                "train": {"kind": "GpuPool", "vmSize": "Standard_NC24ads_A100_v4", "scale": {"min": 0, "max": 4}},
            },
            "autoscaler": {"expander": "priority", "priorities": {"50": ["cheap"], "10": ["web"]}, "scaleDownUtilizationThreshold": 0.5},
            "tags": {"team_name": "core"},
        },
    ),
    "node auto provisioning in a network of the caller's": (
        "AksCluster",
        """
        AksCluster("shop", AksClusterArgs(
            location="northeurope", kubernetes_version="1.35",
            system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=2),
            network=ExistingAksNetwork(subnet_id="/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes"),
            network_profile=NetworkProfile(plugin_mode=None, dataplane="azure"),
            entra=None,
            node_provisioning=NodeProvisioning(node_pools={"general": AksNodePool(
                weight=10, limits={"cpu": 200}, requirements=[Requirement("kubernetes.io/arch", "In", ["amd64"])])}),
        ))
        """,
        {
            "location": "northeurope",
            "kubernetesVersion": "1.35",
            "systemPool": {"kind": "SystemPool", "vmSize": "Standard_D4ds_v5", "count": 2},
            "network": {
                "kind": "ExistingAksNetwork",
                "subnetId": "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes",
            },
            "networkProfile": {"pluginMode": "none", "dataplane": "azure"},
            "entra": {"enabled": False},
            "nodeProvisioning": {
                "nodePools": {
                    "general": {
                        "weight": 10,
                        "limits": {"cpu": 200},
                        "requirements": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}],
                    }
                }
            },
        },
    ),
    "an EKS cluster with a class of its own": (
        "EksCluster",
        """
        EksCluster("shop", EksClusterArgs(
            region="us-east-1", kubernetes_version="1.35",
            network=EksNetworkArgs(cidr="10.30.0.0/16", zones=["us-east-1a", "us-east-1b"], nat="single"),
            auto_mode=AutoMode(
                built_in_node_pools=["system"],
                node_classes={"private": EksNodeClass(ephemeral_storage="100Gi", ephemeral_storage_iops=4000)},
                node_pools={"compute": EksNodePool(
                    node_class="private", weight=20, limits={"cpu": 200, "memory": "1000Gi"},
                    requirements=[
                        Requirement("karpenter.sh/capacity-type", "In", ["spot", "on-demand"]),
                        Requirement("eks.amazonaws.com/instance-category", "In", ["c", "m", "r"], min_values=2)],
                    disruption=Disruption(consolidate_after="5m", budgets=[Budget(nodes="20%")]))},
            ),
            objects=ClusterObjects(ingress_class=None),
            add_ons={"metrics-server": AddOn(configuration={"replicas": 2, "someKey": {"a_b": 1}})},
        ))
        """,
        {
            "region": "us-east-1",
            "kubernetesVersion": "1.35",
            "network": {"kind": "EksNetwork", "cidr": "10.30.0.0/16", "zones": ["us-east-1a", "us-east-1b"], "nat": "single"},
            "autoMode": {
                "builtInNodePools": ["system"],
                "nodeClasses": {"private": {"ephemeralStorage": "100Gi", "ephemeralStorageIops": 4000}},
                "nodePools": {
                    "compute": {
                        "nodeClass": "private",
                        "weight": 20,
                        "limits": {"cpu": 200, "memory": "1000Gi"},
                        "requirements": [
                            {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot", "on-demand"]},
                            {"key": "eks.amazonaws.com/instance-category", "operator": "In", "values": ["c", "m", "r"], "minValues": 2},
                        ],
                        "disruption": {"consolidateAfter": "5m", "budgets": [{"nodes": "20%"}]},
                    }
                },
            },
            "objects": {"storageClass": {"enabled": True}, "ingressClass": {"enabled": False}},
            "addOns": {"metrics-server": {"configuration": {"replicas": 2, "someKey": {"a_b": 1}}}},
        },
    ),
    "an EKS cluster without a way to the internet": (
        "EksCluster",
        """
        EksCluster("shop", EksClusterArgs(
            region="us-east-1", kubernetes_version="1.35", network=EksNetworkArgs(nat=None), node_role="arn:aws:iam::123456789012:role/nodes"))
        """,
        {
            "region": "us-east-1",
            "kubernetesVersion": "1.35",
            "network": {"kind": "EksNetwork", "nat": "none"},
            "nodeRole": "arn:aws:iam::123456789012:role/nodes",
        },
    ),
}


def made(resources):
    """What two ways have to agree on. The SDK says two options of a remote component where nobody did, as they are anyway."""
    return {urn: {**one, "options": {name: value for name, value in one["options"].items() if value is not False}} for urn, one in resources.items()}


UPDATED = ("an AKS cluster, by words and numbers alone", "an EKS cluster with a class of its own")


@pytest.mark.parametrize(("case", "preview"), [*((case, True) for case in SAME), *((case, False) for case in UPDATED)])
def test_the_same_declaration_registers_the_same(construct, tmp_path, case, preview):
    kind, python, wire = SAME[case]
    (tmp_path / "__main__.py").write_text(
        "from nodepools import *; from nodepools.aks import *; from nodepools.eks import *\n" + textwrap.dedent(python), encoding="utf-8"
    )
    fixtures = {"outputs": OUTPUTS if not preview else {}}
    plan = run(Program(tmp_path, "shop", "dev"), preview=preview, timeout=120, **fixtures)
    theirs = {one.urn: one.to_json() for one in plan.resources if one.parent is not None}
    ours = construct(kind, "shop", wire, preview=preview, **fixtures)
    assert ours.refused is None
    assert len(theirs) > 5
    assert made(ours.registered) == made(theirs)
    assert {one.urn: one.outputs for one in ours.plan.resources if one.outputs} == {
        one.urn: one.outputs for one in plan.resources if one.outputs and one.parent is not None
    }


OUTPUTS = {
    "azure-native:resources:ResourceGroup": lambda name, _: {"name": name},
    "azure-native:containerservice:ManagedCluster": lambda name, _: {
        "name": name,
        "fqdn": "shop.example.com",
        "oidcIssuerProfile": {"enabled": True, "issuerURL": "https://issuer.example.com"},
    },
    "aws:eks/cluster:Cluster": lambda name, _: {
        "name": name,
        "endpoint": "https://eks.example.com",
        "certificateAuthority": {"data": "Q0E="},
        "identities": [{"oidcs": [{"issuer": "https://issuer.example.com"}]}],
        "vpcConfig": {"clusterSecurityGroupId": "sg-1"},
    },
    "aws:iam/role:Role": lambda name, _: {"arn": f"arn:aws:iam::123456789012:role/{name}", "name": name},
}


def test_outputs_come_back_in_the_caller_s_words(construct):
    _, _, wire = SAME["an EKS cluster with a class of its own"]
    told = construct("EksCluster", "shop", wire, preview=False, outputs=OUTPUTS)
    assert told.urn == "urn:pulumi:dev::shop::nodepools:index:EksCluster::shop"
    state = json_of(told.state)
    assert state["name"] == "shop"
    assert state["endpoint"] == "https://eks.example.com"
    assert state["oidcIssuer"] == "https://issuer.example.com"
    assert state["nodeRole"] == "arn:aws:iam::123456789012:role/shop-node-role"
    assert state["pools"] == {"system": "system", "compute": "compute"}
    assert state["kubeconfig"] == {"$secret": True}
    assert told.dependencies["name"] == ["urn:pulumi:dev::shop::nodepools:index:EksCluster$aws:eks/cluster:Cluster::shop"]


def test_every_output_of_the_schema_is_told(construct, schema):
    for kind, case in (("AksCluster", "an AKS cluster, by words and numbers alone"), ("EksCluster", "an EKS cluster with a class of its own")):
        told = construct(kind, "shop", SAME[case][2], preview=False, outputs=OUTPUTS)
        component = schema["resources"][f"nodepools:index:{kind}"]
        assert set(component["required"]) <= set(told.state) <= set(component["properties"]), kind


def output(value=None, *, secret=False, of=()):
    """An Output as the engine sends it: without a value it is unknown."""
    return {
        SIGNATURE: OUTPUT,
        **({"value": value} if value is not None else {}),
        **({"secret": True} if secret else {}),
        "dependencies": list(of),
    }


EKS = {"region": "us-east-1", "kubernetesVersion": "1.35", "autoMode": {"builtInNodePools": []}}
AKS = {"location": "westeurope", "kubernetesVersion": "1.35", "systemPool": {"vmSize": "Standard_D4ds_v5", "count": 2}}


def cluster(made, kind):
    [found] = [one for one in made.plan.resources if one.type == kind]
    return found


def test_references_that_are_not_known_yet_are_unknown_in_what_is_registered(construct):
    network = {"kind": "ExistingEksNetwork", "vpcId": UNKNOWN, "privateSubnetIds": [output(of=[VPC]), "subnet-2"]}
    made = construct("EksCluster", "shop", {**EKS, "network": network, "nodeRole": UNKNOWN, "autoMode": {"builtInNodePools": ["system"]}})
    eks = cluster(made, "aws:eks/cluster:Cluster")
    assert eks.inputs["vpcConfig"]["subnetIds"] == [{"$unknown": True}, "subnet-2"]
    assert eks.inputs["computeConfig"]["nodeRoleArn"] == {"$unknown": True}


def test_what_a_reference_depends_on_is_a_dependency_of_what_takes_it(construct):
    subnet = output("/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes", of=[SUBNET])
    inputs = struct_of({**AKS, "network": {"kind": "ExistingAksNetwork", "subnetId": subnet}})
    made = construct("AksCluster", "shop", inputs, preview=False, outputs=OUTPUTS)
    assert SUBNET in cluster(made, "azure-native:containerservice:ManagedCluster").dependencies


def test_an_output_at_the_top_comes_plain_with_its_dependencies_beside_it(construct):
    beside = {"clusterRole": ConstructRequest.PropertyDependencies(urns=[VPC])}
    made = construct("EksCluster", "shop", {**EKS, "clusterRole": "arn:aws:iam::123456789012:role/control"}, inputDependencies=beside)
    eks = cluster(made, "aws:eks/cluster:Cluster")
    assert eks.inputs["roleArn"] == "arn:aws:iam::123456789012:role/control"
    assert eks.property_dependencies["roleArn"] == (VPC,)


BESIDE = {"network": ConstructRequest.PropertyDependencies(urns=[VPC])}


@pytest.mark.parametrize("subnet", [UNKNOWN, "subnet-1"], ids=["not known yet", "known"])
def test_a_property_with_outputs_in_it_may_come_with_its_dependencies_beside_it(construct, subnet):
    """So it is of languages that cannot say which part of a property is an Output."""
    network = {"kind": "ExistingEksNetwork", "vpcId": UNKNOWN, "privateSubnetIds": [subnet, "subnet-2"], "cidr": "10.0.0.0/16"}
    made = construct("EksCluster", "shop", {**EKS, "network": network}, inputDependencies=BESIDE)
    eks = cluster(made, "aws:eks/cluster:Cluster")
    assert eks.inputs["vpcConfig"]["subnetIds"] == [{"$unknown": True} if subnet == UNKNOWN else subnet, "subnet-2"]
    assert VPC in eks.property_dependencies["vpcConfig"]


def test_a_list_that_is_one_output_is_taken_where_it_is_known(construct):
    network = {"kind": "ExistingEksNetwork", "vpcId": "vpc-1", "privateSubnetIds": output(["subnet-1", "subnet-2"], of=[VPC])}
    eks = cluster(construct("EksCluster", "shop", {**EKS, "network": network}), "aws:eks/cluster:Cluster")
    assert eks.inputs["vpcConfig"]["subnetIds"] == ["subnet-1", "subnet-2"]
    assert VPC in eks.property_dependencies["vpcConfig"]


@pytest.mark.parametrize("password", [output("Secret-0123456789", secret=True), output(secret=True)], ids=["known", "not known yet"])
def test_a_secret_stays_one(construct, password):
    made = construct("AksCluster", "shop", {**AKS, "windowsProfile": {"adminPassword": password}})
    profile = cluster(made, "azure-native:containerservice:ManagedCluster").inputs["windowsProfile"]
    assert profile == {"$secret": True} or profile["adminPassword"] == {"$secret": True}
    assert "Secret-0123456789" not in str(made.plan)


def test_a_secret_at_the_top_stays_one(construct):
    key = {SIGNATURE: SECRET, "value": "arn:aws:kms:us-east-1:123456789012:key/k"}
    made = construct("EksCluster", "shop", {**EKS, "secretsKey": key})
    assert cluster(made, "aws:eks/cluster:Cluster").inputs["encryptionConfig"]["provider"]["keyArn"] == {"$secret": True}


def test_children_go_through_the_provider_that_the_caller_gives(construct):
    provider = "urn:pulumi:dev::shop::pulumi:providers:aws::elsewhere"
    beside = [RegisterResourceRequest(type="pulumi:providers:aws", name="elsewhere", custom=True)]
    made = construct("EksCluster", "shop", EKS, beside=beside, providers={"aws": f"{provider}::id"})
    assert cluster(made, "aws:eks/cluster:Cluster").options["provider"] == provider


def test_two_clusters_at_once_do_not_meet(construct):
    with ThreadPoolExecutor(2) as pool:
        aks, eks = pool.map(lambda kind: construct(kind, kind.lower(), {"AksCluster": AKS, "EksCluster": EKS}[kind]), ["AksCluster", "EksCluster"])
    assert {one.rpartition("::")[2].partition("-")[0] for one in aks.registered} == {"akscluster"}
    assert {one.rpartition("::")[2].partition("-")[0] for one in eks.registered} == {"ekscluster"}


def test_a_resource_in_place_of_its_id_is_its_id(construct):
    reference = {SIGNATURE: RESOURCE, "urn": "urn:pulumi:dev::shop::other:index:Group::rg", "id": "rg-1"}
    made = construct("AksCluster", "shop", {**AKS, "resourceGroup": reference})
    assert cluster(made, "azure-native:containerservice:ManagedCluster").inputs["resourceGroupName"] == "rg-1"
