"""Guides that show declarations and pods: nothing is wrong with the declarations, and each pod lands where the page says."""

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import cast

import pytest
import yaml

from nodepools import AksClusterArgs, AutoMode, EksClusterArgs, Platform, SystemPool, check
from nodepools.clouds.registry import catalog
from nodepools.placement.explain import explain
from nodepools.placement.workloads.reader import read_workloads
from nodepools.public_names import DOORS
from nodepools.rules.engine.samples import OFFICE_API_SERVER, SIZE
from website.code_blocks import CodeBlock, code_blocks

GUIDES = ("docs/guides/pools.md", "docs/guides/networks.md")
CLUSTERS: Mapping[str, object] = {
    "weu": AksClusterArgs(
        location="westeurope",
        kubernetes_version="1.36",
        system_pool=SystemPool(vm_size=SIZE, count=3, zones=[1, 2, 3]),
        api_server=OFFICE_API_SERVER,
    ),
    "use1": EksClusterArgs(region="us-east-1", kubernetes_version="1.36", auto_mode=AutoMode(), api_server=OFFICE_API_SERVER),
}
"""The clusters that pages change."""
_NAMED = re.compile(r"lands on ((?:(?:, | and )?`[\w/-]+`)+)")


def exported() -> dict[str, object]:
    """What programs import from the package."""
    doors = [import_module(door) for door in (*DOORS, "nodepools.keys")]
    return {name: cast("object", getattr(door, name)) for door in doors for name in dir(door) if not name.startswith("_")}


def platform(names: Mapping[str, object]) -> Platform:
    """The clusters that a page has declared, each in a network of its own."""
    clusters = {name: value for name, value in names.items() if isinstance(value, AksClusterArgs | EksClusterArgs)}
    return Platform(name="dev", clusters=clusters)


def landed(block: CodeBlock, declared: Platform) -> tuple[list[str], list[str]]:
    """The pools that the page names for the pods of a block, and those on which they land."""
    shown = _NAMED.search(" ".join(block.before.split()))
    pods = [pod for document in yaml.safe_load_all(block.text) for pod in read_workloads(document)]
    named = re.findall(r"`([\w/-]+)`", shown[1]) if shown else []
    clusters = {pool.partition("/")[0] for pool in named}
    return sorted(named), sorted(str(answer.pool) for answer in explain(pods, catalog(declared)) if answer.cluster in clusters)


@pytest.mark.parametrize("page", GUIDES)
def test_declarations_have_no_findings_and_pods_land_where_the_page_says(project: Path, page: str):
    names = exported() | dict(CLUSTERS)
    pods = 0
    for block in code_blocks((project / page).read_text(encoding="utf-8")):
        if block.language == "python":
            exec(block.text, names)  # noqa: S102  # of our own pages
            found = [str(finding) for finding in check(platform(names)) if finding.severity != "note" and finding.code != "PLT004"]
            assert found == [], f"line {block.line}"
        elif block.language == "yaml":
            named, landing = landed(block, platform(names))
            assert named, f"line {block.line}: the text before does not say where the pod lands"
            assert landing == named, f"line {block.line}"
            pods += 1
    assert pods or "lands on" not in (project / page).read_text(encoding="utf-8")
