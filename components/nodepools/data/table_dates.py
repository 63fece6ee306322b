"""The tables of the clouds in this package: the day of each, where it comes from, and how to refresh it.

A table does not become wrong by its age alone. An old one lacks what the clouds have added since: new versions, sizes, regions and prices.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from nodepools.data import removed_apis
from nodepools.data import version_constraints as constraints
from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT

OLD: Final = timedelta(days=200)
"""Tables older than this are reported."""


@dataclass(frozen=True, slots=True)
class TableDate:
    """One table."""

    name: str
    file: str
    """The file in this folder that contains it."""
    day: date
    """The day on which its source had this content."""
    source: str
    tool: str | None = None
    """The program in `tools/` that writes it from its source; `None` if it is edited by hand."""

    def age(self, today: date) -> int:
        """Its age in days."""
        return (today - self.day).days

    def is_old(self, today: date) -> bool:
        """It should be refreshed."""
        return today - self.day > OLD


_AKS_DOCS: Final = "MicrosoftDocs/azure-aks-docs @ fb060ab, AKS release notes"
_AZURE_KARPENTER: Final = "Azure/karpenter-provider-azure @ 352646f"
_AWS_KARPENTER: Final = "aws/karpenter-provider-aws"

TABLES: Final = (
    TableDate("Kubernetes versions of AKS", "version_support.py", AKS_SUPPORT.day, AKS_SUPPORT.source),
    TableDate("Kubernetes versions of EKS", "version_support.py", EKS_SUPPORT.day, EKS_SUPPORT.source),
    TableDate("removed Kubernetes APIs", "removed_apis.py", removed_apis.DAY, removed_apis.SOURCE),
    TableDate("minimum versions of EKS add-ons", "version_constraints.py", constraints.ADD_ON_DAY, constraints.ADD_ON_SOURCE),
    TableDate(
        "versions of Karpenter on AWS", "karpenter_versions.txt", date(2026, 8, 21), f"{_AWS_KARPENTER} @ 1d927085", "fold_karpenter_versions.py"
    ),
    TableDate("node images of AKS", "aks_images.py", date(2026, 8, 21), _AKS_DOCS),
    TableDate("retirements of AKS", "aks_retirements.py", date(2026, 8, 21), _AKS_DOCS),
    TableDate("local disks of Azure VM sizes", "azure_local_disks.py", date(2026, 8, 21), "MicrosoftDocs/azure-compute-docs"),
    TableDate("prices of Azure VM sizes", "azure_prices.txt", date(2026, 6, 18), _AZURE_KARPENTER, "fold_azure_prices.py"),
    TableDate("quota families of Azure VM sizes", "azure_quota_families.txt", date(2026, 8, 21), _AZURE_KARPENTER, "fold_azure_quota_families.py"),
    TableDate("Azure regions", "azure_regions.txt", date(2026, 8, 21), "Azure/terraform-azurerm-avm-utl-regions @ 9064b20"),
    TableDate("Azure VM sizes", "azure_vm_sizes.txt", date(2026, 8, 21), _AZURE_KARPENTER, "fold_azure_vm_sizes.py"),
    TableDate("AWS regions", "aws_regions.txt", date(2026, 11, 22), "botocore 1.44.5, partitions.json", "fold_aws_regions.py"),
    TableDate("network interfaces of EC2 instance types", "ec2_interfaces.txt", date(2026, 8, 6), _AWS_KARPENTER, "fold_ec2_interfaces.py"),
    TableDate("quotas of EC2 and VPC", "ec2_quotas.py", date(2026, 11, 22), "documentation of Service Quotas and VPC quotas"),
    TableDate("EC2 instance types and prices", "eks_instance_types.json", date(2026, 7, 20), _AWS_KARPENTER, "fold_eks_instance_types.py"),
)


def table_day(file: str) -> date:
    """The day of the table in a file."""
    return next(table.day for table in TABLES if table.file == file)
