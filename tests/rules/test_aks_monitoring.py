"""Logs, metrics and services of AKS clusters: what AKS rejects beside what it accepts."""

from collections.abc import Mapping

import pytest

from nodepools.model.aks.agent_pool import UserPool, WindowsPool
from nodepools.model.base import Model
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks

WORKSPACE = "/subscriptions/s/resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/w"
OWN = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/own"
VAULT = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v"
SUBNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/a"
KEY = "https://v.vault.azure.net/keys/etcd/0123456789abcdef"
PEM = "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n"


def logs(**fields: object) -> Model:
    return aks(logs={"workspace": WORKSPACE, "location": "westeurope", **fields})


def proxy(**fields: object) -> Model:
    return aks(http_proxy={"http": "http://proxy:3128", **fields})


def key(api_server_subnet_id: str | None = None, identity: str | None = None, **fields: object) -> Model:
    return aks(etcd_key={"key_id": KEY, **fields}, api_server_subnet_id=api_server_subnet_id, identity=identity)


def windows() -> Model:
    profile = {"dataplane": "azure"}
    return aks(kubernetes_version="1.35", pools={"win": WindowsPool(vm_size=SIZE)}, windows_profile={}, network_profile=profile)


MESH = {"revisions": ["asm-1-30"]}
OUT = {"name": "out", "configuration": "fixed"}
ROUTED = {"static_egress_gateway": True}


def newer(**fields: object) -> Model:
    return aks(api_version="2026-05-01", **fields)


def gateways(network: Mapping[str, object] = ROUTED, **fields: object) -> Model:
    pool = UserPool.model_validate({"vm_size": SIZE, "count": 2, "gateway_prefix_size": 31, **fields})
    return aks(network_profile=network, pools={"out": pool})


ROWS: list[tuple[str, Model, list[str]]] = [
    ("logs", logs(), []),
    ("logs of a region, in both forms", aks(logs={"workspace": WORKSPACE}, log_analytics_workspace_location="x"), ["AKS280"]),
    ("namespaces that are included", logs(only_namespaces=["web"]), []),
    ("namespaces that are excluded", logs(except_namespaces=["web"]), []),
    ("the older table", logs(streams=["ContainerLog"]), []),
    ("an interval of half an hour", logs(interval="30m"), []),
    ("an hour, as minutes", logs(interval="1h"), ["AKS283"]),
    ("minutes and seconds", logs(interval="1m30s"), ["AKS283"]),
    ("no time at all", logs(interval="0m"), ["AKS283"]),
    ("every request is audited", aks(audit={"workspace": WORKSPACE, "categories": ["kube-audit"]}), []),
    ("cost analysis", aks(cost_analysis=True), []),
    ("cost analysis that is off in the free tier", aks(cost_analysis=False, tier="Free"), []),
    ("Gateways", newer(gateway_api=True, app_routing={"gateway": True}), []),
    ("Gateways without their CRDs", newer(app_routing={"gateway": True}), ["AKS361"]),
    ("CRDs alone", newer(gateway_api=True), []),
    ("Gateways next to a mesh", newer(gateway_api=True, app_routing={"gateway": True}, istio=MESH), ["AKS360"]),
    ("Gateways next to a mesh that is off", newer(gateway_api=True, app_routing={"gateway": True}, istio={**MESH, "enabled": False}), []),
    ("Gateways of a mesh", newer(gateway_api=True, app_routing={"gateway": False}, istio=MESH), []),
    ("Gateways that the version of the API does not have", aks(gateway_api=True), ["AKS344"]),
    ("profiles of the scheduler", newer(scheduler_profiles=True), []),
    ("profiles of an older scheduler", newer(scheduler_profiles=True, kubernetes_version="1.32"), ["AKS362", "AKS070"]),
    ("an egress gateway", aks(istio={**MESH, "egress": [OUT]}, network_profile=ROUTED), []),
    ("an egress gateway without the feature", aks(istio={**MESH, "egress": [OUT]}), ["AKS367"]),
    ("an egress gateway that is off", aks(istio={**MESH, "egress": [{**OUT, "enabled": False}]}), []),
    ("the same name in two namespaces", aks(istio={**MESH, "egress": [OUT, {**OUT, "namespace": "a"}]}, network_profile=ROUTED), []),
    ("the same name twice", aks(istio={**MESH, "egress": [OUT, OUT]}, network_profile=ROUTED), ["AKS368"]),
    ("identities of Defender", newer(defender={"workspace": WORKSPACE, "gating": True, "gating_identities": {"r": OWN}}), []),
    ("a gateway pool", gateways(), []),
    ("a gateway pool without the feature", gateways({}), ["AKS365"]),
    ("a gateway pool of one node", gateways(count=1), ["AKS364"]),
    ("a gateway pool that is too large", gateways(count=3), ["AKS363"]),
    ("a gateway pool that is larger than any", gateways(count=17), ["AKS363"]),
    ("the largest gateway pool", gateways(count=16, gateway_prefix_size=28), []),
    ("an autoscaled gateway pool", gateways(scale={"min": 1, "max": 2}), ["AKS363"]),
    (
        "a gateway pool with an autoscaled size",
        gateways(machines=[{"vm_size": "Standard_D8ds_v5", "scale": {"min": 0, "max": 1}}]),
        ["AKS363", "AKS344"],
    ),
    ("gateways in a dual-stack cluster", gateways({**ROUTED, "ip_families": ["IPv4", "IPv6"]}), ["AKS366"]),
    ("images are cleaned weekly", aks(image_cleaner={}), []),
    ("images are cleaned every day and a half", aks(image_cleaner={"interval": "36h"}), []),
    ("images are cleaned by the minute", aks(image_cleaner={"interval": "24h30m"}), ["AKS286"]),
    ("images are cleaned once a year", aks(image_cleaner={"interval": "8760h"}), ["AKS286"]),
    ("a proxy", proxy(no_proxy=[".corp", "10.0.0.0/8"]), []),
    ("a proxy for HTTPS alone", aks(http_proxy={"https": "http://proxy:3128/a@b"}), []),
    ("a wildcard in the middle", proxy(no_proxy=["a*b"]), ["AKS288"]),
    ("a proxy with Linux pools", aks(pools={"web": UserPool(vm_size=SIZE)}, http_proxy={"http": "http://proxy"}), []),
    ("Windows pools without a proxy", windows(), []),
    ("both proxies with a password", aks(http_proxy={"http": "http://a:b@p", "https": "http://c:d@p"}), ["AKS290", "AKS290"]),
    ("a certificate", aks(trusted_certificates=[PEM]), []),
    ("a certificate below its name", aks(trusted_certificates=[f"# Issuer: CN=corp\n{PEM}"]), []),
    ("a certificate of a proxy", proxy(trusted_ca=PEM), []),
    ("the path of one", proxy(trusted_ca="/etc/ssl/ca.pem"), ["AKS291"]),
    ("one with its key", proxy(trusted_ca=f"{PEM}-----BEGIN PRIVATE KEY-----\n"), ["AKS291"]),
    ("a certificate with its key", aks(trusted_certificates=[f"{PEM}-----BEGIN PRIVATE KEY-----\n"]), ["AKS291"]),
    ("a key", key(vault_id=VAULT), ["AKS296"]),
    ("a key that is off", key(enabled=False, vault_access="Private", vault_id=VAULT, identity=OWN), []),
    ("a key of an identity that exists", key(identity=OWN), ["AKS296"]),
    ("a key of a private vault", key(SUBNET, vault_access="Private", vault_id=VAULT), ["AKS296"]),
]


@pytest.mark.parametrize(("declared", "codes"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_services(declared: Model, codes: list[str]) -> None:
    assert [finding.code for finding in check(declared) if finding.code not in ("AKS132", "AKS130", "AKS161")] == codes


@pytest.mark.parametrize(
    "declared",
    [
        pytest.param(aks(http_proxy={"http": "http://me:geheim@proxy"}), id="a password in a URL"),
        pytest.param(aks(trusted_certificates=[f"{PEM}-----BEGIN PRIVATE KEY-----geheim"]), id="a private key"),
    ],
)
def test_no_finding_repeats_a_secret(declared: Model) -> None:
    assert "geheim" not in "".join(map(str, check(declared)))


@pytest.mark.parametrize(("name", "fixed"), [("*.corp", [".corp"]), ("a*", [])], ids=["subdomains have a dot in front", "others have no other form"])
def test_a_wildcard_is_replaced_by_what_it_means(name: str, fixed: list[str]) -> None:
    [found] = check(aks(http_proxy={"http": "http://p", "no_proxy": [name]}))
    assert [operation.value for operation in found.operations if operation.value is not None] == fixed
