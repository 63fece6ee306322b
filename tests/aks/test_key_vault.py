"""Rights on key vaults: those of the provider that mounts secrets, and those of the cluster that uses a key."""

import pytest

from nodepools.aks import EtcdKey, KeyVaultProvider

VAULTS = "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/keys/providers/Microsoft.KeyVault/vaults"
KEY = "https://main.vault.azure.net/keys/etcd/0123456789abcdef"
SECRETS_USER, CRYPTO_USER, CONTRIBUTOR = (
    "4633458b-17de-408a-b874-0445c86b69e6",
    "12338af0-0e69-4776-bea7-57ae8d297424",
    "f25e0fa2-a7c8-4377-a976-54943a77a395",
)


def roles_on_vaults(graph):
    grants = [node for node in graph if node.kind == "RoleAssignment" and "KeyVault" in str(node.inputs["scope"])]
    return [(node.inputs["roleDefinitionId"].rpartition("/")[2], node.inputs["scope"].rpartition("/")[2]) for node in grants]


def test_the_provider_reads_the_secrets_of_its_vaults(deploy):
    graph = deploy(key_vault_provider=KeyVaultProvider(vaults=[f"{VAULTS}/one", f"{VAULTS}/two"]))
    assert roles_on_vaults(graph) == [(SECRETS_USER, "one"), (SECRETS_USER, "two")]
    assert all(node.depends_on("ManagedCluster") for node in graph if "KeyVault" in str(node.inputs.get("scope")))


def test_its_identity_is_not_known_in_a_preview(deploy):
    graph = deploy(key_vault_provider=KeyVaultProvider(vaults=[f"{VAULTS}/one"]), preview=True)
    [grant] = [node for node in graph if "KeyVault" in str(node.inputs.get("scope"))]
    assert not isinstance(grant.inputs["principalId"], str | None)


def test_a_provider_that_is_off_gets_no_role(deploy):
    assert roles_on_vaults(deploy(key_vault_provider=KeyVaultProvider(vaults=[f"{VAULTS}/one"], enabled=False))) == []


@pytest.mark.parametrize(
    ("key", "roles"),
    [
        pytest.param(EtcdKey(KEY), [], id="no vault is said"),
        pytest.param(EtcdKey(KEY, vault_id=f"{VAULTS}/main"), [CRYPTO_USER], id="a public vault"),
        pytest.param(EtcdKey(KEY, vault_id=f"{VAULTS}/main", vault_access="Private"), [CRYPTO_USER, CONTRIBUTOR], id="a private one"),
    ],
)
def test_the_cluster_uses_its_key_from_the_beginning(deploy, key, roles):
    fields = (
        {"api_server_subnet_id": f"{VAULTS.partition('/Microsoft.KeyVault')[0]}/Microsoft.Network/virtualNetworks/net/subnets/api"}
        if key.vault_access == "Private"
        else {}
    )
    graph = deploy(etcd_key=key, **fields)
    assert [role for role, vault in roles_on_vaults(graph) if vault == "main"] == roles
    for node in graph:
        if node.kind == "RoleAssignment" and str(node.inputs["scope"]).endswith("vaults/main"):
            assert graph.one("ManagedCluster").depends_on(node)
