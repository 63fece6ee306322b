"""The SDKs of the providers mark no input of a resource that the components register as secret: `SECRET_NAMES` is the only table."""

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import pulumi
import pytest

import nodepools
from nodepools import AksCluster, Autoscale, Headroom, Spot, UserPool, derive, testing
from nodepools.model.aks.cluster import AutoscalerProfile
from nodepools.rules.engine.samples import aks

_COMPONENTS: Final = Path(nodepools.__file__).parent
_FOLDERS: Final = ("aks", "eks", "kubernetes", "component")
_SDKS: Final = ("pulumi_azure_native", "pulumi_aws", "pulumi_kubernetes")
_MODULES: Final = (*_SDKS, "nodepools.eks.network")
"""The SDKs, and our module that has one of them."""
_MARK: Final = re.compile(r"None if (\w+) is None else pulumi\.Output\.secret\(")
_OUTPUTS: Final = "additional_secret_outputs"

OF_PROVIDERS: Final = {
    "pulumi_aws.provider": {"access_key", "secret_key", "token"},
    "pulumi_azure_native.provider": {"client_certificate_password", "client_id", "client_secret"},
}
"""Inputs of explicit providers, which the components do not set and which have no overrides."""


def registered() -> Iterator[type[pulumi.Resource]]:
    """The resource classes of provider SDKs that the components use."""
    for folder in _FOLDERS:
        for path in (_COMPONENTS / folder).glob("*.py"):
            yield from _used(ast.parse(path.read_text(encoding="utf-8")))
    yield from _by_type()


def _used(module: ast.Module) -> Iterator[type[pulumi.Resource]]:
    imports = [node for node in ast.walk(module) if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_MODULES)]
    whole = [name.name for node in ast.walk(module) if isinstance(node, ast.Import) for name in node.names if name.name in _SDKS]
    names: dict[str, object] = {name: import_module(name) for name in whole}
    names |= {name.name: _member(node.module or "", name.name) for node in imports for name in node.names}
    read = [(node.value.id, node.attr) for node in ast.walk(module) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    used = [*names.values(), *(getattr(names[name], attribute, None) for name, attribute in read if name in names)]
    yield from (found for found in used if inspect.isclass(found) and issubclass(found, pulumi.Resource))


def _by_type() -> Iterator[type[pulumi.Resource]]:
    """The classes of the objects that the components register by type, because they have no `spec`."""
    room = Headroom(1, {"cpu": "1"})
    spot = UserPool(vm_size="Standard_D4ds_v5", scale=Autoscale(0, 3), spot=Spot(), headroom=room)
    pools = {"spot": spot, "web": derive(spot, spot=None, headroom=derive(room, by="capacity-buffer"))}
    cluster = aks(pools=pools, autoscaler=AutoscalerProfile(expander="priority", priorities={10: ["spot"]}))
    for node in testing.run(lambda: AksCluster("shop", cluster)).all():
        package, module, name = node.type.split(":")
        if package == "kubernetes" and "spec" not in node.request.object:
            group, _, version = module.partition("/")
            yield getattr(import_module(f"pulumi_kubernetes.{group.partition('.')[0]}.{version}"), name)


def _member(module: str, name: str) -> object:
    found = getattr(import_module(module), name, None)
    return found if found is not None else import_module(f"{module}.{name}")


RESOURCES: Final = (
    "pulumi_aws.cloudwatch.log_group.LogGroup",
    "pulumi_aws.ec2.egress_only_internet_gateway.EgressOnlyInternetGateway",
    "pulumi_aws.ec2.eip.Eip",
    "pulumi_aws.ec2.internet_gateway.InternetGateway",
    "pulumi_aws.ec2.nat_gateway.NatGateway",
    "pulumi_aws.ec2.route.Route",
    "pulumi_aws.ec2.route_table.RouteTable",
    "pulumi_aws.ec2.route_table_association.RouteTableAssociation",
    "pulumi_aws.ec2.security_group.SecurityGroup",
    "pulumi_aws.ec2.subnet.Subnet",
    "pulumi_aws.ec2.vpc.Vpc",
    "pulumi_aws.ec2.vpc_endpoint.VpcEndpoint",
    "pulumi_aws.eks.access_entry.AccessEntry",
    "pulumi_aws.eks.access_policy_association.AccessPolicyAssociation",
    "pulumi_aws.eks.addon.Addon",
    "pulumi_aws.eks.cluster.Cluster",
    "pulumi_aws.eks.identity_provider_config.IdentityProviderConfig",
    "pulumi_aws.eks.pod_identity_association.PodIdentityAssociation",
    "pulumi_aws.iam.open_id_connect_provider.OpenIdConnectProvider",
    "pulumi_aws.iam.role.Role",
    "pulumi_aws.iam.role_policy.RolePolicy",
    "pulumi_aws.iam.role_policy_attachment.RolePolicyAttachment",
    "pulumi_aws.kms.key.Key",
    "pulumi_aws.provider.Provider",
    "pulumi_azure_native.authorization.role_assignment.RoleAssignment",
    "pulumi_azure_native.containerservice.agent_pool.AgentPool",
    "pulumi_azure_native.containerservice.maintenance_configuration.MaintenanceConfiguration",
    "pulumi_azure_native.containerservice.managed_cluster.ManagedCluster",
    "pulumi_azure_native.managedidentity.federated_identity_credential.FederatedIdentityCredential",
    "pulumi_azure_native.managedidentity.user_assigned_identity.UserAssignedIdentity",
    "pulumi_azure_native.monitor.azure_monitor_workspace.AzureMonitorWorkspace",
    "pulumi_azure_native.monitor.data_collection_endpoint.DataCollectionEndpoint",
    "pulumi_azure_native.monitor.data_collection_rule.DataCollectionRule",
    "pulumi_azure_native.monitor.data_collection_rule_association.DataCollectionRuleAssociation",
    "pulumi_azure_native.monitor.diagnostic_setting.DiagnosticSetting",
    "pulumi_azure_native.network.nat_gateway.NatGateway",
    "pulumi_azure_native.network.public_ip_address.PublicIPAddress",
    "pulumi_azure_native.network.subnet.Subnet",
    "pulumi_azure_native.network.virtual_network.VirtualNetwork",
    "pulumi_azure_native.provider.Provider",
    "pulumi_azure_native.resources.resource_group.ResourceGroup",
    "pulumi_kubernetes.apiextensions.CustomResource.CustomResource",
    "pulumi_kubernetes.core.v1.ConfigMap.ConfigMap",
    "pulumi_kubernetes.core.v1.ConfigMapPatch.ConfigMapPatch",
    "pulumi_kubernetes.core.v1.PodTemplate.PodTemplate",
    "pulumi_kubernetes.provider.Provider",
    "pulumi_kubernetes.scheduling.v1.PriorityClass.PriorityClass",
    "pulumi_kubernetes.storage.v1.StorageClass.StorageClass",
)
"""Written down, because a process that only collects tests need not import the SDKs."""


def test_the_resources_of_the_components_are_these() -> None:
    assert sorted({f"{one.__module__}.{one.__name__}" for one in registered()}) == list(RESOURCES)


@pytest.mark.parametrize("resource", RESOURCES)
def test_the_sdk_marks_no_input_as_secret(resource: str) -> None:
    module = resource.rpartition(".")[0]
    text = inspect.getsource(import_module(module))
    expected = OF_PROVIDERS.get(module, set())
    assert set(_MARK.findall(text)) == expected
    assert _OUTPUTS not in text or expected
