"""Across pools and clusters, and over time."""

import re
from collections.abc import Callable
from datetime import date

import pulumi
import pytest

from nodepools import AksNodeClass, ApiServer, EksNodeClass, ExistingAksNetwork, GpuPool, UserPool, check, derive
from nodepools.data.version_support import minor
from nodepools.model.base import Model
from nodepools.model.platform import AnyCluster
from nodepools.model.redaction import SECRET, printable
from nodepools.rules.engine.finding import DeclarationError, Severity
from nodepools.rules.engine.samples import SIZE, aks, aks_pool, auto_mode, eks, eks_pool, platform, provisioning
from tests.azure_ids import SUBNET

PRIVATE = ApiServer(private=True)
DAY = date(2026, 11, 21)
LONG = aks(kubernetes_version="1.34", support_plan="AKSLongTermSupport", tier="Premium")

_SHARED = {"kind": "ExistingAksNetwork", "subnet_id": SUBNET, "cidr": "10.60.0.0/16"}
_VPC = {"kind": "ExistingEksNetwork", "vpc_id": "vpc-0", "private_subnet_ids": ["subnet-0", "subnet-1"], "cidr": "10.90.0.0/16"}


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(platform(a=aks(), b=eks()), [], id="ranges that do not meet"),
        pytest.param(platform(a=aks(), b=aks(network=ExistingAksNetwork(subnet_id=SUBNET))), [], id="a range that is not known"),
        pytest.param(
            platform(a=aks(network=_SHARED), b=aks(network=_SHARED), c=eks(network=_VPC), d=eks(network=_VPC)), [], id="networks that are shared"
        ),
        pytest.param(
            platform(
                **{
                    name: aks(network={"kind": "ManagedAksNetwork", "cidr": "10.60.0.0/16"}, system_pool={"vnet_subnet_id": subnet})
                    for name, subnet in {
                        "a": SUBNET,
                        "b": SUBNET.replace("/subnets/", "/Subnets/"),
                        "c": SUBNET.replace("/virtualNetworks/", "/virtualNetworks/x"),
                    }.items()
                }
            ),
            ["PLT004 clusters.c.network.cidr"] * 2,
            id="networks that the first pool shows",
        ),
        pytest.param(
            platform(a=aks(network=_SHARED, system_pool={"vnet_subnet_id": pulumi.Output.from_input("x")}), b=aks(network=_SHARED)),
            [],
            id="a network that only the cluster shows",
        ),
        pytest.param(
            platform(a=eks(network=_VPC), b=eks(network=_VPC | {"vpc_id": "vpc-1"})), ["PLT004 clusters.b.network.cidr"], id="two networks that exist"
        ),
        pytest.param(
            platform(a=aks(network={"cidr": "10.0.0.0/8"}), b=eks(), c=eks()),
            ["PLT004 clusters.b.network.cidr", "PLT004 clusters.c.network.cidr", "PLT004 clusters.c.network.cidr"],
            id="one that meets all",
        ),
        pytest.param(aks(pools={"web": {"labels": {"nodepools/name": "web"}}}), [], id="the label that would come anyhow"),
        pytest.param(
            aks(system_pool={"labels": {"nodepools/name": "x"}}), ['PLT003 system_pool.labels["nodepools/name"]'], id="the label of the system pool"
        ),
        pytest.param(
            provisioning({"general": aks_pool(labels={"nodepools/name": "x"})}),
            ['PLT003 node_provisioning.node_pools.general.labels["nodepools/name"]'],
            id="of a NodePool of AKS",
        ),
        pytest.param(
            auto_mode({"web": eks_pool(labels={"nodepools/name": "x"})}),
            ['PLT003 auto_mode.node_pools.web.labels["nodepools/name"]'],
            id="of one of EKS",
        ),
        pytest.param(ApiServer(authorized_ip_ranges=["203.0.113.7", "203.0.113.0/24", "2001:db8::/32"]), [], id="addresses and ranges"),
        pytest.param(PRIVATE, [], id="a private server"),
        pytest.param(ApiServer(private=True, authorized_ip_ranges=["10.0.0.0/8"]), ["PLT012 authorized_ip_ranges"], id="ranges of a private server"),
        pytest.param(eks(api_server={"private": True, "authorized_ip_ranges": []}), ["PLT013 apply"], id="private, and a storage class to apply"),
        pytest.param(
            eks(api_server={"private": True, "authorized_ip_ranges": []}, objects={"storage_class": None, "ingress_class": None}),
            [],
            id="private, and nothing to apply",
        ),
        pytest.param(derive(auto_mode({"web": eks_pool()}), api_server=PRIVATE), ["PLT013 apply"], id="private, and a pool to apply"),
        pytest.param(derive(auto_mode({"web": eks_pool()}), api_server=PRIVATE, apply="render"), [], id="private, and applied by others"),
        pytest.param(aks(api_server=PRIVATE), [], id="private AKS, and nothing to apply"),
        pytest.param(derive(provisioning(), api_server=PRIVATE), [], id="only what AKS makes itself"),
        pytest.param(derive(provisioning(node_classes={"own": AksNodeClass()}), api_server=PRIVATE), ["PLT013 apply"], id="a class to apply"),
        pytest.param(
            aks(api_server=PRIVATE, pools={"train": GpuPool(vm_size="Standard_NC4as_T4_v3")}), ["PLT013 apply"], id="a device plugin to apply"
        ),
        pytest.param(
            aks(api_server=PRIVATE, pools={"train": GpuPool(vm_size="Standard_NC4as_T4_v3")}, device_plugin=None), [], id="a device plugin by others"
        ),
    ],
)
def test_platforms(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("server", "open_to_all"),
    [
        (ApiServer(), True),
        (ApiServer(authorized_ip_ranges=["0.0.0.0/0", "203.0.113.0/24"]), True),
        (ApiServer(authorized_ip_ranges=["203.0.113.0/24"]), False),
        (ApiServer(private=True), False),
    ],
)
def test_an_open_api_server_is_a_note(server: ApiServer, *, open_to_all: bool) -> None:
    assert [(finding.code, finding.severity) for finding in check(server)] == ([("PLT010", Severity.NOTE)] if open_to_all else [])


@pytest.mark.parametrize(
    "part",
    [
        aks(overrides={"support_plan": "AKSLongTermSupport"}),
        eks(overrides={"remote_network_config": {}}),
        eks_pool(overrides={"weight": 1}),
        aks_pool(overrides={"weight": 1}),
        AksNodeClass(overrides={"fipsMode": "FIPS"}),
        EksNodeClass(overrides={"tags": {"team": "shop"}}),
    ],
)
def test_each_overridden_field_is_a_note(part: Model) -> None:
    [note] = check(part, "here")
    assert (note.code, note.severity, note.path) == ("PLT020", Severity.NOTE, f"here.overrides.{next(iter(vars(part)['overrides']))}")


PEM = "-----BEGIN {} -----\nMIIB\n-----END {} -----"


@pytest.mark.parametrize(
    ("overrides", "paths"),
    [
        pytest.param({"service_principal_profile": {"secret": "x"}}, ["service_principal_profile.secret"], id="a name of a secret"),
        pytest.param({"a": [{"pasword": "x"}, {"user": "x"}]}, ["a[0].pasword"], id="a misspelled name in a list"),
        pytest.param({"http_proxy_config": {"http_proxy": "http://ops:x@proxy"}}, ["http_proxy_config.http_proxy"], id="credentials in a URL"),
        pytest.param({"http_proxy_config": {"trusted_ca": PEM.format("CERTIFICATE", "CERTIFICATE")}}, [], id="a certificate"),
        pytest.param({"a": {"trusted_ca": PEM.format("PRIVATE KEY", "PRIVATE KEY")}}, ["a.trusted_ca"], id="a certificate with its key"),
        pytest.param({"secret": pulumi.Output.secret("x")}, [], id="an output"),
        pytest.param({"secret": None, "token": "", "password": False}, [], id="nothing"),
        pytest.param({"location": "westeurope"}, [], id="another name"),
    ],
)
def test_a_secret_in_overrides_is_not_plain_text(overrides: dict[str, object], paths: list[str]) -> None:
    for part in (aks(overrides=overrides), UserPool(vm_size=SIZE, overrides=overrides), EksNodeClass(overrides=overrides)):
        found = [finding for finding in check(part) if finding.code == "PLT021"]
        assert [finding.path for finding in found] == [f"overrides.{path}" for path in paths]
        assert all(finding.severity is Severity.WARNING and printable(finding.value, ()) in (SECRET, "http://[secret]@proxy") for finding in found)


@pytest.mark.parametrize(
    ("declared", "today", "found"),
    [
        pytest.param(aks(kubernetes_version="1.34.2"), date(2026, 9, 30), [], id="AKS 1.34, two months before its end"),
        pytest.param(aks(kubernetes_version="1.34.2"), date(2026, 10, 1), ["AKS071 kubernetes_version"], id="60 days before"),
        pytest.param(aks(kubernetes_version="1.34.2"), date(2026, 11, 30), ["AKS071 kubernetes_version"], id="on its last day"),
        pytest.param(aks(kubernetes_version="1.34.2"), date(2026, 12, 1), ["AKS070 kubernetes_version"], id="the day after"),
        pytest.param(LONG, date(2026, 12, 1), [], id="with long-term support"),
        pytest.param(LONG, date(2027, 11, 1), ["AKS071 kubernetes_version"], id="which ends too"),
        pytest.param(LONG, date(2027, 12, 1), ["AKS070 kubernetes_version"], id="a year later"),
        pytest.param(eks(kubernetes_version="1.34"), date(2026, 12, 2), ["EKS071 kubernetes_version"], id="EKS 1.34, on its last day"),
        pytest.param(eks(kubernetes_version="1.34"), date(2026, 12, 3), ["EKS070 kubernetes_version"], id="EKS 1.34, the day after"),
        pytest.param(eks(kubernetes_version="1.35"), date(2026, 11, 21), [], id="EKS 1.35, months before"),
        pytest.param(derive(LONG, kubernetes_version="1.30"), date(2026, 8, 30), ["AKS070 kubernetes_version"], id="AKS 1.30, 30 days to leave it"),
        pytest.param(derive(LONG, kubernetes_version="1.30"), date(2026, 8, 31), ["AKS142 kubernetes_version"], id="and the day after"),
        pytest.param(aks(kubernetes_version="1.31"), DAY, ["AKS070 kubernetes_version"], id="AKS 1.31, which has long-term support yet"),
        pytest.param(aks(kubernetes_version="1.30.4"), DAY, ["AKS142 kubernetes_version"], id="AKS 1.30, with its patch"),
        pytest.param(aks(kubernetes_version="1.27"), DAY, ["AKS142 kubernetes_version"], id="AKS 1.27, older than the table"),
        pytest.param(aks(kubernetes_version="1.20"), DAY, ["AKS142 kubernetes_version"], id="AKS 1.20"),
        pytest.param(aks(kubernetes_version="1.5"), DAY, ["AKS142 kubernetes_version"], id="AKS 1.5 is not 1.50"),
        pytest.param(aks(kubernetes_version="1.27"), date(2026, 5, 30), [], id="on a day for which the table does not say"),
        pytest.param(aks(kubernetes_version="1.37"), DAY, [], id="the newest of AKS"),
        pytest.param(aks(kubernetes_version="1.99"), DAY, ["AKS143 kubernetes_version"], id="AKS 1.99"),
        pytest.param(eks(kubernetes_version="1.31"), DAY, ["EKS070 kubernetes_version"], id="EKS 1.31, days before extended support ends"),
        pytest.param(eks(kubernetes_version="1.31"), date(2026, 12, 26), ["EKS070 kubernetes_version"], id="30 days after: EKS upgrades it"),
        pytest.param(eks(kubernetes_version="1.31"), date(2026, 12, 27), ["EKS001 kubernetes_version"], id="and the day after"),
        pytest.param(
            eks(kubernetes_version="1.29", upgrade_policy="STANDARD"), DAY, ["EKS001 kubernetes_version"], id="EKS 1.29, whatever the policy"
        ),
        pytest.param(eks(kubernetes_version="1.28"), DAY, ["EKS001 kubernetes_version"], id="EKS 1.28, older than the table"),
        pytest.param(eks(kubernetes_version="1.37"), DAY, [], id="the newest of EKS"),
        pytest.param(eks(kubernetes_version="1.99"), DAY, ["EKS101 kubernetes_version"], id="EKS 1.99"),
    ],
)
def test_support_depends_on_the_day(declared: Model, today: date, found: list[str], judged) -> None:
    assert judged(declared, today) == found


@pytest.mark.parametrize(
    ("declared", "today", "said"),
    [
        pytest.param(eks(kubernetes_version="1.31"), date(2026, 11, 26), "upgrades the cluster after 2026-11-26$", id="EKS, on the last day"),
        pytest.param(eks(kubernetes_version="1.31"), date(2026, 11, 27), "ended on 2026-11-26: EKS rejects new clusters", id="and the day after"),
        pytest.param(
            eks(kubernetes_version="1.31", upgrade_policy="STANDARD"), date(2026, 11, 27), "ended on 2026-11-26: EKS rejects", id="with STANDARD"
        ),
        pytest.param(aks(kubernetes_version="1.30"), date(2026, 7, 31), "and pools without long-term support$", id="AKS, on the last day"),
        pytest.param(aks(kubernetes_version="1.30"), date(2026, 8, 1), "new clusters and pools$", id="when no plan is left"),
    ],
)
def test_what_is_left_after_the_last_support(declared: Model, today: date, said: str) -> None:
    """No charge and no plan is named that the cloud does not offer any more."""
    [found] = check(declared, today=today)
    assert re.search(said, found.message)


@pytest.mark.parametrize(
    ("declared", "today", "advised"),
    [
        pytest.param(aks(kubernetes_version="1.27"), DAY, "`1.37`", id="the newest of AKS"),
        pytest.param(eks(kubernetes_version="1.29"), DAY, "`1.37`", id="of EKS"),
        pytest.param(eks(kubernetes_version="1.29"), date(2029, 1, 1), "`1.37`", id="the newest, when all known ends are over"),
        pytest.param(eks(kubernetes_version="1.29"), date(2027, 3, 1), "`1.37`", id="the newest, when only its end is not known"),
        pytest.param(aks(kubernetes_version="1.29"), date(2029, 1, 1), "`1.37`", id="on any day"),
    ],
)
def test_a_version_that_is_over_is_told_another(declared: Model, today: date, advised: str) -> None:
    [found] = check(declared, today=today)
    assert advised in found.fix.text


@pytest.mark.parametrize("version", ["1.34", "1.35", "1.36", "1.37", "1.38", "1.99"])
@pytest.mark.parametrize("today", [DAY, date(2027, 6, 1), date(2030, 1, 1)])
@pytest.mark.parametrize("cluster", [aks, eks])
def test_no_fix_names_a_version_that_is_not_newer(version: str, today: date, cluster: Callable[..., Model]) -> None:
    texts = [finding.fix.text for finding in check(cluster(kubernetes_version=version), today=today) if finding.fix is not None]
    assert [text for text in texts for named in re.findall(r"\b1\.([0-9]+)\b", text) if int(named) <= minor(version)] == []


@pytest.mark.parametrize(("declared", "code"), [(aks(kubernetes_version="1.38"), "AKS143"), (eks(kubernetes_version="1.38"), "EKS101")])
def test_a_version_that_is_newer_than_the_table_is_said_to_be_without_a_fix(declared: Model, code: str) -> None:
    [found] = check(declared, today=DAY)
    assert (found.code, found.severity, found.fix) == (code, Severity.WARNING, None)
    assert "newer than `nodepools` knows (table of 2026-" in found.message


@pytest.mark.parametrize("version", [1.38, 1.37, 136, "v1.37", "1.37-eks"])
@pytest.mark.parametrize("cluster", [aks, eks])
def test_a_version_in_the_wrong_form_is_not_answered_with_an_older_one(cluster: Callable[..., AnyCluster], version: object) -> None:
    with pytest.raises(DeclarationError) as raised:
        platform(c=cluster(kubernetes_version=version))
    [fix] = [finding.fix.text for finding in raised.value.findings if finding.path.endswith("kubernetes_version") and finding.fix is not None]
    assert fix == (f'Write it in quotes: `"{version}"`' if version in {1.37, 1.38} else fix)
    assert "1.3" not in fix.replace(str(version), "")


def test_what_depends_on_the_day_says_the_day() -> None:
    [finding] = check(aks(kubernetes_version="1.33"), today=date(2026, 11, 21))
    assert "ended on 2026-07-31" in finding.message
    [before] = check(aks(kubernetes_version="1.33"), today=date(2026, 7, 21))
    assert "ends on 2026-07-31, in 10 days" in before.message
