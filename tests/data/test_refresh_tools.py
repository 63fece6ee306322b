"""The tools that refresh tables from public sources and exports."""

import json
import subprocess
import sys
from pathlib import Path

import nodepools.data

FOLDER = Path(nodepools.data.__file__).parent
TOOLS = FOLDER.parents[2] / "tools"
PARTITIONS = {
    "partitions": [
        {"id": "aws", "regions": {"us-west-2": {}, "eu-west-1": {}, "aws-global": {}}},
        {"id": "aws-cn", "regions": {"cn-north-1": {}, "aws-cn-global": {}}},
    ]
}


def run(tool: str, *arguments: object) -> None:
    subprocess.run([sys.executable, TOOLS / tool, *map(str, arguments)], check=True)


def sku(name: str, **capabilities: str) -> dict[str, object]:
    values = [{"name": key, "value": value} for key, value in capabilities.items()]
    return {"name": name, "resourceType": "virtualMachines", "family": "f", "capabilities": values}


def test_regions_of_aws_come_from_botocore(tmp_path):
    (tmp_path / "partitions.json").write_text(json.dumps(PARTITIONS))
    run("fold_aws_regions.py", tmp_path / "partitions.json", "1.2.3", "2027-01-02", tmp_path / "regions.txt")
    lines = (tmp_path / "regions.txt").read_text().splitlines()
    assert lines[0] == "# botocore 1.2.3, 2027-01-02, partitions.json: every partition"
    assert lines[2:] == ["aws eu-west-1 us-west-2", "aws-cn cn-north-1"]


def test_vm_sizes_of_an_account_are_merged_with_the_table(tmp_path):
    table = tmp_path / "azure_vm_sizes.txt"
    table.write_bytes((FOLDER / table.name).read_bytes())
    before = table.read_text(encoding="utf-8").splitlines()
    skus = [
        sku("Standard_D4ds_v5", vCPUs="4", vCPUsAvailable="4", MemoryGB="16", CpuArchitectureType="x64", GPUs="0"),
        sku("Standard_D4ps_v99", vCPUs="4", vCPUsAvailable="4", MemoryGB="16.5", CpuArchitectureType="Arm64"),
        sku("Standard_E16-8s_v99", vCPUs="16", vCPUsAvailable="8", MemoryGB="128"),
        sku("Standard_NC24ads_A100_v4", vCPUs="24", MemoryGB="220", GPUs="1"),
        sku("Standard_NC8s_H200_v99", vCPUs="8", MemoryGB="64", GPUs="2"),
        sku("Standard_NX8s_v99", vCPUs="8", MemoryGB="64", GPUs="2"),
        {"name": "Premium_LRS", "resourceType": "disks", "capabilities": []},
    ]
    (tmp_path / "skus.json").write_text(json.dumps(skus))
    run("fold_azure_vm_sizes.py", tmp_path / "skus.json", "2027-01-02", table)
    after = table.read_text(encoding="utf-8").splitlines()
    assert set(before[1:]) <= set(after)
    assert sorted(set(after[1:]) - set(before)) == [
        "D4ps_v99 4 16.5 arm",
        "E16-8s_v99 8 128 amd",
        "NC8s_H200_v99 8 64 amd 2 H200",
        "NX8s_v99 8 64 amd 2 -",
    ]
    assert after[0] == f"# az vm list-skus, 2027-01-02; sizes that it did not list: {before[0][2:]}"
    run("fold_azure_vm_sizes.py", tmp_path / "skus.json", "2027-01-03", table)
    assert table.read_text(encoding="utf-8").splitlines() == [after[0].replace("01-02", "01-03"), *after[1:]]


MATRIX = """# Compatibility

| Kubernetes |   1.30   |   1.31    |  1.32   |  1.33   |  1.34   |  1.35   |   1.36   |
|------------|----------|-----------|---------|---------|---------|---------|----------|
| karpenter  | \\>= 0.37 | \\>= 1.0.5 | \\>= 1.2 | \\>= 1.5 | \\>= 1.6 | \\>= 1.9 | \\>= 1.13 |

| other | table |
"""


def test_the_stored_versions_of_karpenter_come_from_its_matrix(tmp_path):
    (tmp_path / "page.md").write_text(MATRIX, encoding="utf-8")
    run("fold_karpenter_versions.py", tmp_path / "page.md", "1d927085, 2026-08-21", tmp_path / "table.txt")
    assert (tmp_path / "table.txt").read_bytes() == (FOLDER / "karpenter_versions.txt").read_bytes()


def test_a_page_without_the_matrix_leaves_the_versions_of_karpenter_alone(tmp_path):
    (tmp_path / "page.md").write_text(MATRIX.replace("karpenter  |", "provisioner |"), encoding="utf-8")
    (tmp_path / "table.txt").write_text("known\n")
    arguments = [sys.executable, TOOLS / "fold_karpenter_versions.py", tmp_path / "page.md", "1d927085, 2026-08-21", tmp_path / "table.txt"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (done.returncode, "has no matrix of Kubernetes and Karpenter versions" in done.stderr) == (1, True)
    assert (tmp_path / "table.txt").read_text() == "known\n"


def test_quota_families_come_from_the_sizes_of_an_account(tmp_path):
    (tmp_path / "skus.json").write_text(json.dumps([sku("Standard_D4ds_v99"), sku("Standard_D2ds_v99"), sku("Basic_A0")]))
    run("fold_azure_quota_families.py", tmp_path / "skus.json", "2027-01-02", tmp_path / "table.txt")
    lines = (tmp_path / "table.txt").read_text().splitlines()
    assert (lines[0], lines[2:]) == ("# 2027-01-02: az vm list-skus", ["f: D2ds_v99 D4ds_v99"])


def test_network_interfaces_come_from_the_aws_cli(tmp_path):
    types = [
        {"InstanceType": f"m99.{size}", "NetworkInfo": {"MaximumNetworkInterfaces": 4, "Ipv4AddressesPerInterface": 15}}
        for size in ("xlarge", "large")
    ]
    (tmp_path / "types.json").write_text(json.dumps({"InstanceTypes": types}))
    run("fold_ec2_interfaces.py", tmp_path / "types.json", "2027-01-02", tmp_path / "table.txt")
    lines = (tmp_path / "table.txt").read_text().splitlines()
    assert (lines[0], lines[2:]) == ("# 2027-01-02: aws ec2 describe-instance-types", ["m99: large=4x15 xlarge=4x15"])
