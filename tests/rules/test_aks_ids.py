"""Ids of Azure resources: their form, for each field that has one."""

import pytest

from nodepools import AksClusterArgs, ExistingAksNetwork, UserPool
from nodepools.aks import EntraPrincipal
from nodepools.model.base import Model
from nodepools.model.ref import Ref
from nodepools.model.schema import field_docs
from nodepools.rules.aks.names import TYPES, names
from nodepools.rules.engine.field_annotations import reachable
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks
from tests.rules.test_samples import DAY

GROUP = "/subscriptions/s/resourceGroups/g/providers"
SUBNET = f"{GROUP}/Microsoft.Network/virtualNetworks/v/subnets/n"
GUID = "9999999a-9999-9999-9999-999999999999"
VAULT = f"{GROUP}/Microsoft.KeyVault/vaults/a"
IDENTITY = f"{GROUP}/Microsoft.ManagedIdentity/userAssignedIdentities/own"


def told(declared: Model) -> list[str]:
    return [found.path for found in check(declared, today=DAY) if found.code in ("AKS336", "AKS341", "AKS342")]


@pytest.mark.parametrize(
    ("written", "kind", "is_one"),
    [
        pytest.param(IDENTITY, "Microsoft.ManagedIdentity/userAssignedIdentities", True, id="an identity"),
        pytest.param(IDENTITY.lower(), "Microsoft.ManagedIdentity/userAssignedIdentities", True, id="in another case"),
        pytest.param(SUBNET, "Microsoft.Network/virtualNetworks/subnets", True, id="a subnet"),
        pytest.param(SUBNET, "Microsoft.Network/virtualNetworks", False, id="a part of it"),
        pytest.param(SUBNET.rpartition("/subnets")[0], "Microsoft.Network/virtualNetworks/subnets", False, id="its network"),
        pytest.param("/subscriptions/x/y", "Microsoft.ManagedIdentity/userAssignedIdentities", False, id="two segments"),
        pytest.param(f"{IDENTITY}/", "Microsoft.ManagedIdentity/userAssignedIdentities", False, id="a slash at the end"),
        pytest.param(IDENTITY.replace("/g/", "//"), "Microsoft.ManagedIdentity/userAssignedIdentities", False, id="no resource group"),
        pytest.param(IDENTITY[1:], "Microsoft.ManagedIdentity/userAssignedIdentities", False, id="no slash at the beginning"),
        pytest.param(IDENTITY.replace("/providers", "/provider"), "Microsoft.ManagedIdentity/userAssignedIdentities", False, id="misspelt"),
        pytest.param(SUBNET, "Microsoft.ManagedIdentity/userAssignedIdentities", False, id="another type"),
    ],
)
def test_an_id_has_its_type(written: str, kind: str, *, is_one: bool) -> None:
    assert names(written, kind) is is_one


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param(aks(identity="/subscriptions/x/y"), ["identity"], id="an identity"),
        pytest.param(aks(identity=IDENTITY), [], id="that of an identity"),
        pytest.param(aks(network=ExistingAksNetwork(subnet_id=f"/subscriptions/{'s' * 200}")), ["network.subnet_id"], id="a subnet"),
        pytest.param(
            UserPool(vm_size=SIZE, application_security_group_ids=[f"{GROUP}/Microsoft.Network/applicationSecurityGroups/a", IDENTITY]),
            ["application_security_group_ids[1]"],
            id="one of a list",
        ),
        pytest.param(
            aks(network_profile={"load_balancer": {"outbound_ip_ids": ["/x"]}}), ["network_profile.load_balancer.outbound_ip_ids[0]"], id="an address"
        ),
        pytest.param(aks(admins=[EntraPrincipal("team")]), ["admins[0].object_id"], id="a principal by its name"),
        pytest.param(aks(admins=[EntraPrincipal(GUID), EntraPrincipal(f"{{{GUID.upper()}}}")]), [], id="principals"),
        pytest.param(aks(entra={"tenant_id": "acme.com"}), ["entra.tenant_id"], id="a tenant by its domain"),
        pytest.param(aks(resource_group="shop."), ["resource_group"], id="a group with a period at the end"),
        pytest.param(aks(resource_group="/subscriptions/s/resourceGroups/shop"), ["resource_group"], id="the id of a group"),
        pytest.param(aks(resource_group="Shop_(1).x"), [], id="a group"),
        pytest.param(aks(identity="system"), [], id="the identity of AKS"),
        pytest.param(aks(identity="shop"), ["identity"], id="the name of an identity"),
        pytest.param(aks(disk_encryption_set_id="own"), ["disk_encryption_set_id"], id="a name"),
        pytest.param(aks(logs={"workspace": "logs"}), ["logs.workspace"], id="the name of a workspace"),
        pytest.param(aks(key_vault_provider={"vaults": [VAULT, "b"]}), ["key_vault_provider.vaults[1]"], id="a vault"),
        pytest.param(aks(kubelet_identity={"id": "/x"}), ["kubelet_identity.id"], id="an identity of the kubelet"),
    ],
)
def test_malformed_ids_are_told(declared: Model, expected: list[str]) -> None:
    assert told(declared) == expected


def test_every_field_with_an_id_is_in_the_table() -> None:
    """Every field of those classes whose name says that it is an id."""
    for model, fields in TYPES.items():
        assert issubclass(model, Model)
        ids = {name for name, field in model.model_fields.items() if name.endswith(("_id", "_ids")) and Ref in _kinds(field.annotation)}
        assert ids - {"client_id", "object_id"} <= fields.keys(), model


ELSEWHERE = {
    "registries": "AKS263",
    "private_dns_zone": "AKS215: a word, or the id of a zone",
    "dns_zones": "public or private zones",
    "EtcdKey.vault_id": "AKS295, AKS357",
    "EtcdKey.key_id": "AKS292",
    "AksNodeClass.vnet_subnet_id": "NAP017",
    "gating_identities": "ids by registry",
    "on": "any resource",
    "client_id": "a GUID",
    "object_id": "a GUID, AKS341",
}


def test_every_field_that_says_it_is_an_id_is_checked() -> None:
    """Every reference of the models of AKS whose documentation begins with `Id` is in the table, or a rule of its own checks it."""
    of_azure = [model for model in reachable(AksClusterArgs) if model.__module__.startswith("nodepools.model.aks")]
    for model in of_azure:
        known = {name for declares, fields in TYPES.items() if issubclass(model, declares) for name in fields}
        for name, field in model.model_fields.items():
            if Ref in _kinds(field.annotation) and docs_of(model).get(name, "").startswith(("Id ", "Ids ", "Resource id")):
                assert name in known or ELSEWHERE.get(name) or ELSEWHERE.get(f"{model.__name__}.{name}"), f"{model.__name__}.{name}"


def docs_of(model: type[Model]) -> dict[str, str]:
    return {name: text for base in reversed(model.__mro__) if issubclass(base, Model) for name, text in field_docs(base).items()}


def _kinds(annotation: object) -> tuple[object, ...]:
    inner = getattr(annotation, "__args__", ())
    return (annotation, *inner, *(below for one in inner for below in _kinds(one)))
