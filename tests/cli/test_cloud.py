"""`--cloud`: what `az` and `aws` say of the cluster of a context."""

import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.cli.inputs import WITH_POOL
from tests.cli.running import LABELS, agent, node

CLOUD = Path(__file__).with_name("fake_cloud.py")
GROUP = "/subscriptions/0/resourceGroups/dev-weu/providers"
CLUSTER = f"{GROUP}/Microsoft.ContainerService/managedClusters/dev-weu"
SUBNET = f"{GROUP}/Microsoft.Network/virtualNetworks/dev-weu/subnets/nodes"
HOST = "dev-weu-dns-1a2b3c.hcp.westeurope.azmk8s.io"
POOL = {"name": "web", "mode": "User", "count": 1, "vmSize": "Standard_D2ds_v5", "osType": "Linux", "osSku": "Ubuntu", "vnetSubnetId": SUBNET}
POOL |= {
    "enableAutoScaling": True,
    "minCount": 0,
    "maxCount": 5,
    "maxPods": 30,
    "orchestratorVersion": "1.35.1",
    "currentOrchestratorVersion": "1.35.1",
}
SHOWN = {
    "id": CLUSTER,
    "name": "dev-weu",
    "type": "Microsoft.ContainerService/ManagedClusters",
    "resourceGroup": "dev-weu",
    "nodeResourceGroup": "dev-weu-nodes",
    "location": "westeurope",
    "fqdn": HOST,
    "kubernetesVersion": "1.35.1",
    "currentKubernetesVersion": "1.35.1",
    "provisioningState": "Succeeded",
    "agentPoolProfiles": [POOL],
}
OTHER = {**SHOWN, "id": f"{CLUSTER}2", "name": "dev-weu2", "nodeResourceGroup": "MC_other", "fqdn": "other.hcp.westeurope.azmk8s.io"}
AZURE = {
    "aks list": [OTHER, SHOWN],
    "aks nodepool list": [{**POOL, "id": f"{CLUSTER}/agentPools/web", "typePropertiesType": "VirtualMachineScaleSets"}],
    "vm list-usage": [
        {"currentValue": "4", "limit": "10", "name": {"value": "cores"}},
        {"currentValue": "4", "limit": "10", "name": {"value": "standardDDSv5Family"}},
    ],
    "network vnet subnet show": {"id": SUBNET, "addressPrefix": "10.0.0.0/24", "ipConfigurations": []},
}
EKS_HOST = "0A1B2C.gr7.eu-west-1.eks.amazonaws.com"
EKS = {
    "arn": "arn:aws:eks:eu-west-1:123456789012:cluster/shop",
    "name": "shop",
    "version": "1.33",
    "status": "ACTIVE",
    "endpoint": f"https://{EKS_HOST}",
    "resourcesVpcConfig": {"vpcId": "vpc-1", "subnetIds": ["subnet-1"]},
    "computeConfig": {"enabled": False},
}
WORKERS = {
    "nodegroupName": "workers",
    "nodegroupArn": "arn:aws:eks:eu-west-1:123456789012:nodegroup/shop/workers/1",
    "clusterName": "shop",
    "version": "1.33",
    "status": "ACTIVE",
    "capacityType": "ON_DEMAND",
    "scalingConfig": {"minSize": 0, "maxSize": 3, "desiredSize": 1},
    "amiType": "AL2023_x86_64_STANDARD",
    "subnets": ["subnet-1"],
    "launchTemplate": {"name": "workers", "id": "lt-1", "version": "2"},
}
TEMPLATE = {
    "LaunchTemplateId": "lt-1",
    "LaunchTemplateName": "workers",
    "VersionNumber": 2,
    "DefaultVersion": True,
    "LaunchTemplateData": {"InstanceType": "m5.large"},
}


def quota(code: str, value: float) -> dict[str, object]:
    return {"ServiceCode": "ec2", "QuotaArn": f"arn:aws:servicequotas:eu-west-1:123456789012:ec2/{code}", "QuotaCode": code, "Value": value}


AWS = {
    "eks describe-cluster": {"cluster": EKS},
    "eks list-nodegroups": {"nodegroups": ["workers"]},
    "eks describe-nodegroup": {"nodegroup": WORKERS},
    "service-quotas list-service-quotas --service-code ec2": {"Quotas": [quota("L-1216C47A", 5.0)]},
    "service-quotas list-service-quotas --service-code vpc": {"Quotas": [quota("L-F678F1CE", 5.0)]},
    "ec2 describe-subnets": {"Subnets": [{"SubnetId": "subnet-1", "CidrBlock": "10.0.0.0/24", "AvailableIpAddressCount": 200}]},
    "ec2 describe-launch-template-versions": {"LaunchTemplateVersions": [TEMPLATE]},
}


def config(cluster: str, host: str, **login: object) -> dict[str, Any]:
    return {
        "contexts": [{"name": "dev", "context": {"cluster": cluster, "user": "jane"}}],
        "clusters": [{"name": cluster, "cluster": {"server": f"https://{host}:443"}}],
        "users": [{"name": "jane", "user": {"exec": login}}],
    }


OF_AZURE = config("dev-weu", HOST)
OF_AWS = config(EKS["arn"], EKS_HOST)
WORKER = {
    **copy.deepcopy(node()),
    "metadata": {
        "name": "w0",
        "uid": "w0",
        "labels": {**LABELS, "eks.amazonaws.com/nodegroup": "workers", "topology.kubernetes.io/region": "eu-west-1", "kubernetes.io/hostname": "w0"},
    },
    "spec": {"providerID": "aws:///eu-west-1a/i-0a1b"},
}


@pytest.fixture
def cloud(tmp_path):
    """Returns a function that puts a tool of a cloud next to kubectl, and returns the file with its calls."""

    def installed(tool: str, answers: dict[str, Any], **told: Any) -> Path:
        folder = tmp_path / "bin"
        (folder / "cloud.json").write_text(json.dumps({"answers": answers, **told}))
        script = folder / tool
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{CLOUD}" "{folder / "cloud.json"}" {tool} "$@"\n')
        script.chmod(0o755)
        return folder / "cloud.log"

    return installed


@pytest.fixture
def azure(kubectl, cloud, tmp_path):
    """The cluster `dev-weu` with its declaration."""
    (tmp_path / "platform.yaml").write_text(WITH_POOL)
    kubectl(**OF_AZURE, objects={"nodes": [node(group="dev-weu-nodes")], "pods": [agent(0)]})
    return lambda **told: cloud("az", told.pop("answers", AZURE), **told)


@pytest.fixture
def eks(kubectl, cloud):
    """The cluster `shop`."""
    kubectl(**OF_AWS, objects={"nodes": [WORKER], "pods": []})
    return lambda **told: cloud("aws", told.pop("answers", AWS), **told)


def test_azure_of_a_declared_cluster(nodepools: Run, azure, tmp_path):
    log = azure()
    answer = nodepools("capacity", "--file", "platform.yaml", "--context", "dev", "--cloud", "--format", "json", cwd=tmp_path)
    assert answer.status == 1, answer.all
    assert "problems" not in answer.json or answer.json["problems"] == []
    assert "does not fit: weu needs 12 vCPUs, 6 to 10 available" in answer.json["answer"]
    assert all("are not counted here" not in one["message"] for one in answer.json["notices"])
    assert sorted(line.split(" --")[0] for line in log.read_text().splitlines()) == sorted(f"az {command}" for command in AZURE)


def test_azure_without_a_declaration(nodepools: Run, azure, tmp_path):
    azure()
    answer = nodepools("upgrade", "--to", "1.36", "--context", "dev", "--cloud", cwd=tmp_path)
    assert answer.status in (0, 1), answer.all
    assert "dev-weu" in answer.out.splitlines()[0]
    assert "next: nodepools upgrade --context dev --cloud --to 1.36" in answer.out
    assert "running/" not in answer.all


def test_aws_without_a_declaration(nodepools: Run, eks, tmp_path):
    log = eks()
    answer = nodepools("capacity", "--context", "dev", "--cloud", "--format", "json", cwd=tmp_path)
    assert answer.status in (0, 1), answer.all
    [cluster] = answer.json["clusters"]
    assert {one["what"]: one["message"] for one in cluster["items"]} == {
        "node_subnet": "The addresses of the subnet `subnet-1` are 200 to 251; nodes and their pods can take 0 to 1,305",
        "vcpus": "The quota of Standard in eu-west-1 is 5; how much of it is in use is not known; the cluster needs 0 to 6",
    }
    calls = log.read_text()
    assert "ec2 describe-launch-template-versions --launch-template-id lt-1 --versions 2 --region eu-west-1" in calls
    assert all("describe-" in line or " list-" in line for line in calls.splitlines())


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("expired", "the login of `az` has expired or is not valid"),
        ("forbidden", "you may not ask for it"),
        ("unreachable", "the cloud cannot be reached"),
        ("rubbish", "`az aks list` did not print JSON"),
        ("hangs", "`az` did not end within 2 s"),
    ],
)
def test_one_clear_message_of_azure(nodepools: Run, azure, tmp_path, monkeypatch, behaviour, message):
    azure(behaviour=behaviour)
    monkeypatch.setenv("NODEPOOLS_MAX_SECONDS", "2" if behaviour == "hangs" else "60")
    answer = nodepools("capacity", "--file", "platform.yaml", "--context", "dev", "--cloud", cwd=tmp_path)
    assert answer.status == 2
    assert answer.out == ""
    assert message in answer.err
    assert "which cluster of Azure it is is not known" in answer.err or "did not" in answer.err
    assert answer.err.count("error:") == 1


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("expired", "the login of `aws` has expired or is not valid (Error when retrieving token"),
        ("forbidden", "you may not ask for it"),
        ("unreachable", "the cloud cannot be reached"),
    ],
)
def test_one_clear_message_of_aws(nodepools: Run, eks, tmp_path, behaviour, message):
    eks(behaviour=behaviour)
    answer = nodepools("capacity", "--context", "dev", "--cloud", cwd=tmp_path)
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err
    assert answer.err.count("error:") == 1


def test_what_is_forbidden_is_not_known(nodepools: Run, azure, tmp_path):
    azure(failures={"vm list-usage": "forbidden", "network vnet subnet show": "forbidden"})
    answer = nodepools("capacity", "--file", "platform.yaml", "--context", "dev", "--cloud", cwd=tmp_path)
    assert answer.status == 2
    assert "`az vm list-usage`: you may not ask for it" in answer.err
    assert "which vCPUs are available is not known" in answer.err
    assert "which addresses are free is not known" in answer.err


@pytest.mark.parametrize(("of", "tool"), [(OF_AZURE, "az"), (OF_AWS, "aws")])
def test_no_tool(nodepools: Run, kubectl, tmp_path, monkeypatch, of, tool):
    kubectl(**of, objects={"nodes": [], "pods": []})
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin")
    answer = nodepools("capacity", "--context", "dev", "--cloud", cwd=tmp_path)
    assert answer.status == 2
    assert f"--cloud: needs `{tool}` on PATH" in answer.err


@pytest.mark.parametrize(
    ("of", "message"),
    [
        (config("x", "10.0.0.1"), "neither the ids of its nodes nor its API server (`10.0.0.1`) say whether `dev` is in Azure or AWS"),
        (config("x", "gone.hcp.westeurope.azmk8s.io"), "`az aks list` has no cluster with the API server `gone.hcp.westeurope.azmk8s.io`"),
    ],
)
def test_a_cluster_that_is_in_no_cloud(nodepools: Run, kubectl, cloud, tmp_path, of, message):
    kubectl(**of, objects={"nodes": [], "pods": []})
    cloud("az", AZURE)
    answer = nodepools("capacity", "--context", "dev", "--cloud", cwd=tmp_path)
    assert answer.status == 2
    assert message in answer.err


@pytest.mark.parametrize(
    ("of", "message"),
    [
        (config("shop", EKS_HOST), "the kubeconfig does not say which cluster of EKS `dev` is"),
        (config(EKS["arn"], f"ffff.{EKS_HOST.partition('.')[2]}"), "`shop` in eu-west-1 is another cluster"),
        (config("shop", EKS_HOST, args=["eks", "get-token", "--cluster-name", "shop"], env=[{"name": "AWS_PROFILE", "value": "ops"}]), None),
    ],
)
def test_the_cluster_of_eks_that_the_kubeconfig_names(nodepools: Run, kubectl, cloud, tmp_path, of, message):
    kubectl(**of, objects={"nodes": [WORKER], "pods": []})
    log = cloud("aws", AWS)
    answer = nodepools("capacity", "--context", "dev", "--cloud", cwd=tmp_path)
    if message is None:
        assert answer.status in (0, 1), answer.all
        assert "--profile ops" in log.read_text()
    else:
        assert answer.status == 2
        assert message in answer.err


def test_no_context(nodepools: Run, tmp_path):
    answer = nodepools("capacity", "--cloud", cwd=tmp_path)
    assert answer.status == 2
    assert "`--cloud` asks about a running cluster: it needs `--context NAME`" in answer.err
