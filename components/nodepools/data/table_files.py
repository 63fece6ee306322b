"""The tables of the clouds in this folder: text files with their source and day, and how to refresh them.

A table does not become wrong by its age alone. An old one lacks what the clouds have added since: new versions, sizes, regions and prices.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

_FOLDER: Final = Path(__file__).parent
_COMMENT: Final = "#"


def rows_of(file: str) -> Iterator[list[str]]:
    """The columns of each row."""
    return map(str.split, lines_of(file))


def lines_of(file: str) -> Iterator[str]:
    """The lines with rows."""
    return (line for line in _lines(file) if not line.startswith(_COMMENT))


def origin_of(file: str) -> str:
    """The first comment: source and day."""
    return _lines(file)[0].removeprefix(_COMMENT).strip()


def day_of(file: str) -> date:
    """The day on which the source had this content."""
    found = re.search(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}", _lines(file)[0])
    if found is None:
        raise ValueError(f"{file}: the first line has no day")
    return date.fromisoformat(found[0])


@cache
def _lines(file: str) -> list[str]:
    return (_FOLDER / file).read_text(encoding="utf-8").splitlines()


OLD: Final = timedelta(days=200)
"""Tables older than this are reported."""


class TableDate(NamedTuple):
    """One table."""

    name: str
    file: str
    """The file in this folder that contains it."""
    source: str
    tool: str
    """The program in `tools/` for it: `fold_…` writes the file from its source, `compare_…` prints what differs from the source."""
    edited: date | None = None
    """The day on which the source had this content; `None` if the first line of the file has it."""

    @property
    def day(self) -> date:
        """The day on which the source had this content."""
        return day_of(self.file) if self.edited is None else self.edited

    @property
    def is_written(self) -> bool:
        """The tool writes the file. Otherwise people edit it."""
        return self.tool.startswith("fold_")

    def age(self, today: date) -> int:
        """Its age in days."""
        return (today - self.day).days

    def is_old(self, today: date) -> bool:
        """It should be refreshed."""
        return today - self.day > OLD


_AKS_DOCS: Final = "MicrosoftDocs/azure-aks-docs"
_EKS_DOCS: Final = "awsdocs/amazon-eks-user-guide"
_AZURE_KARPENTER: Final = "Azure/karpenter-provider-azure @ 352646f"
_AWS_KARPENTER: Final = "aws/karpenter-provider-aws"
_NOTES: Final = "AKS release notes"

TABLES: Final = (
    TableDate("Kubernetes versions of AKS", "aks_versions.txt", f"{_AKS_DOCS}, supported-kubernetes-versions.md", "fold_aks_versions.py"),
    TableDate("Kubernetes versions of EKS", "eks_versions.txt", "`aws eks describe-cluster-versions`", "fold_eks_versions.py"),
    TableDate("removed Kubernetes APIs", "removed_apis.txt", "Go module k8s.io/api", "fold_removed_apis.py"),
    TableDate("fields of Kubernetes workloads", "kubernetes_fields.txt", "Python client of Kubernetes", "fold_kubernetes_fields.py"),
    TableDate("minimum versions of EKS add-ons", "add_on_minimums.txt", f"{_EKS_DOCS}, auto-enable-existing.adoc", "fold_add_on_minimums.py"),
    TableDate("versions of Karpenter on AWS", "karpenter_versions.txt", f"{_AWS_KARPENTER}, compatibility.md", "fold_karpenter_versions.py"),
    TableDate("what versions of Karpenter on AWS accept", "karpenter_releases.txt", _AWS_KARPENTER, "fold_karpenter_releases.py"),
    TableDate("node images of AKS", "aks_images.txt", f"{_AKS_DOCS}, upgrade-os-version.md; {_NOTES}", "compare_aks_images.py"),
    TableDate("retirements of AKS", "aks_retirements.txt", f"{_AKS_DOCS}, includes/; {_NOTES}", "compare_aks_retirements.py"),
    TableDate(
        "local disks of Azure VM sizes", "azure_vm_sizes.py", "MicrosoftDocs/azure-compute-docs", "compare_azure_local_disks.py", date(2026, 8, 21)
    ),
    TableDate("prices of Azure VM sizes", "azure_prices.txt", _AZURE_KARPENTER, "fold_azure_prices.py"),
    TableDate("quota families of Azure VM sizes", "azure_quota_families.txt", _AZURE_KARPENTER, "fold_azure_quota_families.py"),
    TableDate("Azure regions", "azure_regions.txt", "`az account list-locations`", "fold_azure_regions.py"),
    TableDate("Azure VM sizes", "azure_vm_sizes.txt", f"{_AZURE_KARPENTER}; `az vm list-skus`", "fold_azure_vm_sizes.py"),
    TableDate("AWS regions", "aws_regions.txt", "botocore, partitions.json", "fold_aws_regions.py"),
    TableDate("network interfaces of EC2 instance types", "ec2_interfaces.txt", _AWS_KARPENTER, "fold_ec2_interfaces.py"),
    TableDate("EC2 instance types that Auto Mode lacks", "ec2_instance_types.txt", _AWS_KARPENTER, "fold_ec2_instance_types.py"),
    TableDate("quotas of EC2 and VPC", "limits.py", "`aws service-quotas`", "compare_ec2_quotas.py", date(2026, 11, 22)),
    TableDate("EC2 instance types and prices", "eks_instance_types.json", _AWS_KARPENTER, "fold_eks_instance_types.py", date(2026, 7, 20)),
    TableDate("arguments and fields of overrides", "argument_types.txt", f"SDKs of Pulumi; CRDs of {_AZURE_KARPENTER}", "fold_argument_types.py"),
    TableDate(
        "prices of EKS control planes", "version_support.py", "https://aws.amazon.com/eks/pricing", "compare_eks_prices.py", date(2026, 11, 22)
    ),
)


def table_day(file: str) -> date:
    """The day of the table in a file."""
    return next(table.day for table in TABLES if table.file == file)
