"""The stacks of docs/guides/fleets.md that read each other's outputs: each runs with what the one before exports, and its ESC environment."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from nodepools import testing
from nodepools.testing import Graph

pytestmark = pytest.mark.program

PROJECTS = ("network", "cluster", "workloads")
KUBECONFIG = "apiVersion: v1\nkind: Config\n"


@pytest.fixture(scope="module")
def example(project: Path) -> Path:
    return project / "examples/micro-stacks"


@pytest.fixture(scope="module")
def environment(example: Path) -> Mapping[str, Any]:
    """The definition of the ESC environment that all three import."""
    values: Mapping[str, Any] = yaml.safe_load((example / "environments/prod.yaml").read_text(encoding="utf-8"))["values"]
    return values


@pytest.fixture(scope="module")
def network(example: Path, environment: Mapping[str, Any]) -> Graph:
    return testing.run(example / "network", stack="prod", config=environment["pulumiConfig"])


@pytest.fixture(scope="module")
def cluster(example: Path, environment: Mapping[str, Any], network: Graph) -> Graph:
    stacks = {"acme/network/prod": exported(network)}
    return testing.run(example / "cluster", stack="prod", config=environment["pulumiConfig"], stacks=stacks)


def exported(graph: Graph) -> dict[str, Any]:
    """The outputs of a stack as plain data, as a reference to it gets them; secrets are kubeconfigs."""
    return {name: plain(graph.outputs[name]) for name in graph.outputs}


def plain(value: object) -> Any:
    if isinstance(value, testing.Secret):
        return KUBECONFIG
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in cast("Mapping[str, object]", value).items()}
    return [plain(part) for part in cast("list[object]", value)] if isinstance(value, list | tuple) else value


def test_the_network_exports_what_the_cluster_reads(network: Graph):
    assert network.one("ResourceGroup").inputs["location"] == "westeurope", "the environment says where"
    assert network.one("Subnet").inputs["addressPrefix"] == "10.60.0.0/20"
    assert exported(network).keys() == {"node_subnet_id", "cidr"}


def test_the_cluster_is_in_the_subnet_of_the_network(cluster: Graph, network: Graph):
    subnet = network.outputs["node_subnet_id"]
    assert subnet
    assert cluster.one("ManagedCluster/*").inputs["agentPoolProfiles"][0]["vnetSubnetID"] == subnet
    assert cluster.pool("weu/web").inputs["vnetSubnetID"] == subnet
    assert not cluster.find("VirtualNetwork")


def test_workloads_reach_the_cluster_with_its_kubeconfig(example: Path, environment: Mapping[str, Any], cluster: Graph):
    assert cluster.outputs.secret("kubeconfig-weu")
    stacks = {"acme/cluster/prod": exported(cluster)}
    graph = testing.run(example / "workloads", stack="prod", config=environment["pulumiConfig"], stacks=stacks)
    assert graph.one("kubernetes/weu").inputs["kubeconfig"] == KUBECONFIG
    assert graph.outputs["endpoint"] == cluster.outputs.text("clusters", "weu", "endpoint")
    [name] = {pool.inputs["nodeLabels"]["nodepools/name"] for pool in [cluster.pool("weu/web")]}
    assert graph.one("Deployment/web").inputs["spec"]["template"]["spec"]["nodeSelector"] == {"nodepools/name": name}


@pytest.mark.parametrize("project_name", PROJECTS)
def test_every_stack_imports_the_environment(example: Path, project_name: str):
    settings = yaml.safe_load((example / project_name / "Pulumi.prod.yaml").read_text(encoding="utf-8"))
    assert settings == {"environment": ["micro-stacks/prod"]}


def test_the_environment_logs_in_without_a_stored_credential(environment: Mapping[str, Any]):
    login = environment["azure"]["login"]["fn::open::azure-login"]
    assert login["oidc"] is True
    assert "clientSecret" not in login
    used = {**environment["environmentVariables"], **environment["files"]}
    assert {"ARM_USE_OIDC", "ARM_OIDC_TOKEN", "ARM_CLIENT_ID", "ARM_TENANT_ID", "ARM_SUBSCRIPTION_ID"} <= used.keys(), "what azure-native reads"
    assert {"AAD_LOGIN_METHOD", "AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_FEDERATED_TOKEN_FILE"} <= used.keys(), "what kubelogin reads"
    outputs = {"clientId", "tenantId", "subscriptionId", "oidc.token"}
    assert {found for text in used.values() for found in re.findall(r"\$\{azure\.login\.([\w.]+)\}", text)} == outputs
