"""The tools that compare tables which people edit with their sources."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import nodepools.data
from nodepools.data.aks_images import OS_SKUS
from nodepools.data.limits import ELASTIC_IPS, NAT_GATEWAYS, VPCS, vcpu_quota_codes

TOOLS = Path(nodepools.data.__file__).parents[3] / "tools"


def run(tool: str, *arguments: object) -> tuple[int, list[str]]:
    done = subprocess.run([sys.executable, TOOLS / tool, *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, [*done.stdout.splitlines(), *done.stderr.splitlines()]


IMAGES = """
| OS type | OS SKU | Supported Kubernetes versions | Default versioning |
|--|--|--|--|
| Linux | Ubuntu | This OS SKU is supported in all Kubernetes versions. | none |
| Linux | Ubuntu2404 | Supported in Kubernetes 1.32 to 1.38. | none |
| Linux | Ubuntu2204 | Supported in Kubernetes version 1.25 to 1.36. | none |
| Linux | AzureContainerLinux | Supported in Kubernetes 1.34+. | none |
| Windows | Windows2022 | 1.23-1.36 | none |
| Windows | Windows2025 | 1.32 and above | none |
| Windows | Windows2019 | 1.14-1.32 | none |
"""


def test_node_images_of_the_page_are_those_of_the_table(tmp_path):
    (tmp_path / "page.md").write_text(IMAGES)
    status, lines = run("compare_aks_images.py", tmp_path / "page.md")
    assert (status, lines[:2]) == (0, ["no row differs", "only on the page: none"])
    assert lines[2] == f"only in the table: {', '.join(sorted(sku.name for sku in OS_SKUS.values() if f'| {sku.name} |' not in IMAGES))}"


def test_node_images_that_differ_are_printed(tmp_path):
    (tmp_path / "page.md").write_text(IMAGES.replace("1.25 to 1.36", "1.25 to 1.37") + "| Linux | Ubuntu2604 | 1.38 to 1.44 | none |\n")
    status, lines = run("compare_aks_images.py", tmp_path / "page.md")
    assert (status, lines[:3]) == (1, ["-Ubuntu2204: 1.25 to 1.36", "+Ubuntu2204: 1.25 to 1.37", "only on the page: Ubuntu2604"])


NOTICES = {
    "azure-linux": "Starting on **November 30, 2025**. Starting on **March 31, 2026**.",
    "azure-network-policy-manager-linux": "On 30 September 2028",
    "azure-network-policy-manager-windows": "On 30 September 2026",
    "basic-load-balancer": "On September 30, 2025",
    "flatcar-preview": "June 8, 2026 and September 8, 2026",
    "kubenet": "On March 31, 2028",
    "skip-gpu-driver-install": "On August 14, 2025",
    "ubuntu-20-04": "On 17 March 2027",
    "ubuntu-22-04": "On June 30, 2027. On April 30, 2028.",
    "windows-annual-channel": "On May 15, 2026. On May 15, 2027",
    "windows-server-2019": "On March 01, 2026. On April 01, 2027",
    "windows-server-2022": "On June 30, 2028. On June 30, 2029",
    "teleport": "On March 15, 2025",
}


@pytest.mark.parametrize(
    ("changed", "status", "expected"),
    [
        pytest.param({}, 0, ["nothing differs"], id="all dates are in the notices"),
        pytest.param(
            {"kubenet": "On April 30, 2028"}, 1, ["kubenet: the table has 2028-03-31 and None, the notice 2028-04-30"], id="a date that moved"
        ),
        pytest.param({"gadgets": "On May 1, 2027"}, 1, ["gadgets: a new notice, with 2027-05-01"], id="a new notice"),
        pytest.param({"gadgets": "Soon"}, 1, ["gadgets: a new notice, with no day"], id="a new notice without a date"),
        pytest.param({"kubenet": None}, 1, ["without a notice: kubenet"], id="a notice that is gone"),
    ],
)
def test_retirements_are_compared_with_their_notices(tmp_path, changed, status, expected):
    for name, text in {**NOTICES, **changed}.items():
        if text is not None:
            (tmp_path / f"{name}-retirement.md").write_text(text)
    assert run("compare_aks_retirements.py", tmp_path) == (status, expected)


def sku(name: str, **capabilities: str) -> dict[str, object]:
    values = [{"name": key, "value": value} for key, value in capabilities.items()]
    return {"name": name, "resourceType": "virtualMachines", "capabilities": values}


SIZES = [
    sku("Standard_D4ds_v5", MaxResourceVolumeMB="153600", CachedDiskBytes="107374182400", EphemeralOSDiskSupported="True"),
    sku("Standard_D8ads_v6", NvmeDiskSizeInMiB="450560"),
    sku("Standard_D64ds_v5", MaxResourceVolumeMB="2457600"),
    sku("Standard_D4s_v5", MaxResourceVolumeMB="0", EphemeralOSDiskSupported="False"),
    sku("Standard_M128s"),
    {"name": "Premium_LRS", "resourceType": "disks", "capabilities": []},
]


def test_local_disks_are_compared_with_the_sizes_of_an_account(tmp_path):
    (tmp_path / "skus.json").write_text(json.dumps(SIZES))
    assert run("compare_azure_local_disks.py", tmp_path / "skus.json") == (0, ["0 of 5 sizes differ; 1 are not in the table"])
    (tmp_path / "skus.json").write_text(json.dumps([*SIZES, sku("Standard_D2ds_v5", MaxResourceVolumeMB="61440")]))
    assert run("compare_azure_local_disks.py", tmp_path / "skus.json") == (
        1,
        ["Standard_D2ds_v5: the table has 75 GiB, Azure 60 GiB", "1 of 6 sizes differ; 1 are not in the table"],
    )


def quotas() -> list[dict[str, object]]:
    """What AWS lists, as far as the table goes."""
    kinds = {False: "Running On-Demand {} instances", True: "All {} Spot Instance Requests"}
    found = [{"QuotaCode": code, "QuotaName": kinds[spot].format(name), "Value": 5.0} for code, name, spot in vcpu_quota_codes()]
    return [
        *found,
        *({"QuotaCode": quota.code, "QuotaName": "Addresses", "Value": float(quota.default)} for quota in (ELASTIC_IPS, NAT_GATEWAYS, VPCS)),
    ]


def test_quotas_are_compared_with_those_of_aws(tmp_path):
    first, *others = quotas()
    (tmp_path / "ec2.json").write_text(json.dumps({"Quotas": [first, *others[:-2]]}))
    (tmp_path / "vpc.json").write_text(json.dumps({"Quotas": others[-2:]}))
    assert run("compare_ec2_quotas.py", tmp_path / "ec2.json", tmp_path / "vpc.json") == (0, ["nothing differs"])
    new = {"QuotaCode": "L-NEW", "QuotaName": "Running On-Demand Q instances", "Value": 0.0}
    others[-1] = {**others[-1], "Value": 10.0}
    (tmp_path / "ec2.json").write_text(json.dumps({"Quotas": [*others[:-3], *others[-2:], new]}))
    assert run("compare_ec2_quotas.py", tmp_path / "ec2.json") == (
        1,
        [
            f"{first['QuotaCode']} (Inf): AWS does not list it",
            f"{others[-3]['QuotaCode']}: AWS does not list it",
            f"{VPCS.code} (Addresses): the table has 5, AWS 10",
            "L-NEW (Running On-Demand Q instances): not in the table",
        ],
    )


def index(price: str) -> dict[str, object]:
    """A part of the price list of EKS."""
    usages = {"A": ("USE1-AmazonEKS-Hours:perCluster", "0.1000000000"), "B": ("USE1-AmazonEKS-Hours:extendedSupport", price), "C": ("other", "1")}
    products = {key: {"attributes": {"usagetype": usage}} for key, (usage, _) in usages.items()}
    terms = {key: {"t": {"priceDimensions": {"d": {"pricePerUnit": {"USD": usd}}}}} for key, (_, usd) in usages.items()}
    return {"products": products, "terms": {"OnDemand": terms}}


@pytest.mark.parametrize(("price", "expected"), [("0.6", (0, ["no row differs"])), ("0.7", (1, ["-extendedSupport 0.60", "+extendedSupport 0.70"]))])
def test_prices_of_control_planes_are_compared_with_the_price_list(tmp_path, price, expected):
    (tmp_path / "index.json").write_text(json.dumps(index(price)))
    assert run("compare_eks_prices.py", tmp_path / "index.json") == expected


@pytest.mark.parametrize(
    ("tool", "text", "message"),
    [
        ("compare_aks_images.py", "", "has no table of OS SKUs"),
        ("compare_azure_local_disks.py", "[]", "has no VM sizes"),
        ("compare_ec2_quotas.py", "{}", "no `Quotas`"),
        ("compare_eks_prices.py", "{}", "has no prices"),
    ],
)
def test_a_source_of_another_kind_is_named(tmp_path, tool, text, message):
    (tmp_path / "source").write_text(text)
    status, lines = run(tool, tmp_path / "source")
    assert (status, len(lines), message in lines[0]) == (1, 1, True)


def test_a_folder_without_notices_is_named(tmp_path):
    status, [line] = run("compare_aks_retirements.py", tmp_path)
    assert (status, "has no notices" in line) == (1, True)
