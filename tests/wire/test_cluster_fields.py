"""The pages about the arguments of clusters: current, and with every argument that the SDKs accept."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pulumi_aws import eks
from pulumi_azure_native import containerservice

from nodepools.data.argument_types import arguments as newest
from nodepools.wire.table import python_name
from tests.wire.completeness import arguments

PAGES = {"aks-cluster-fields.md": containerservice.ManagedCluster, "eks-cluster-fields.md": eks.Cluster}


def test_the_pages_in_the_docs_are_current(project: Path) -> None:
    subprocess.run([sys.executable, "tools/cluster_fields.py", "--check"], cwd=project, check=True)


@pytest.mark.parametrize(("page", "resource"), PAGES.items())
def test_every_argument_of_the_sdk_has_a_field_or_a_reason(page: str, resource: Any, project: Path) -> None:
    text = (project / "docs" / page).read_text()
    listed = {argument.partition(".")[0] for argument in re.findall(r"^\| `([^`]+)` \|", text.partition("## Fields that are sent")[0], re.MULTILINE)}
    newer = {python_name(name) for name, one in (newest(resource.__name__) or {}).items() if one.since}
    assert listed - newer == arguments(resource) - newer


@pytest.mark.parametrize("page", PAGES)
def test_no_description_and_no_reason_is_empty(page: str, project: Path) -> None:
    rows = [line for line in (project / "docs" / page).read_text().splitlines() if line.startswith("| `")]
    assert [line for line in rows if re.search(r"\|\s*\|$", line)] == []
