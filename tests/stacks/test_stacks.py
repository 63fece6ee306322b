"""The stacks: what every environment of this project keeps to."""

import subprocess
import sys
from datetime import date

import pytest
import yaml

from nodepools.loading import load
from nodepools.model.platform import Platform
from nodepools.reading.project_folder import known_stacks
from nodepools.rules.engine.runner import check

STACKS = ["dev", "prod", "staging"]
WRITTEN = date(2026, 11, 21)
"""The day for which the stacks are judged here: support of Kubernetes versions ends."""
SETTINGS = ("azure-native:", "aws:")


def test_stack_modules_and_settings_files_agree(project):
    files = sorted(path.name.removeprefix("Pulumi.").removesuffix(".yaml") for path in project.glob("Pulumi.*.yaml"))
    assert known_stacks(project) == files == STACKS


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("from stacks.common import SIZE", ["dev"]),
        ("from . import common", ["dev"]),
        ("import stacks.common as sizes", ["dev"]),
        ("# from stacks.common import SIZE", ["common", "dev"]),
        ("from stacks.commons import SIZE", ["common", "dev"]),
        ("from stacks import common; common.PLATFORM", ["common", "dev"]),  # a stack that is broken now
    ],
)
def test_a_module_that_stacks_import_is_not_a_stack_unless_it_declares_one(tmp_path, line, names):
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks/dev.py").write_text(f"{line}\nPLATFORM = 1\n")
    helper = tmp_path / "stacks/common.py"
    helper.write_text("SIZE = 1\n")
    assert known_stacks(tmp_path) == names
    helper.write_text("PLATFORM = 1\n")
    assert known_stacks(tmp_path) == ["common", "dev"]


@pytest.mark.parametrize("stack", STACKS)
def test_a_settings_file_holds_settings_of_providers_and_secrets_only(project, stack):
    held = yaml.safe_load((project / f"Pulumi.{stack}.yaml").read_text())
    assert set(held) <= {"config", "encryptionsalt", "secretsprovider"}
    for key, value in held["config"].items():
        assert key.startswith(SETTINGS) or (isinstance(value, dict) and list(value) == ["secure"]), key


@pytest.mark.parametrize("stack", STACKS)
def test_a_stack_is_named_as_its_module_and_has_nothing_wrong(project, stack):
    platform = load(stack, project)
    assert platform.name == stack
    assert not [str(finding) for finding in check(platform, today=WRITTEN) if finding.severity != "note"]


@pytest.mark.parametrize("stack", STACKS)
def test_a_stack_survives_being_written_out_and_read_back(project, stack):
    platform = load(stack, project)
    assert Platform.model_validate_json(platform.model_dump_json()) == platform
    assert Platform.model_validate(platform.model_dump()) == platform


@pytest.mark.parametrize("stack", STACKS)
def test_a_stack_imports_no_pulumi(project, stack):
    code = f"import sys, stacks.{stack}; assert not [name for name in sys.modules if name.startswith('pulumi')]"
    subprocess.run([sys.executable, "-c", code], cwd=project, check=True)


def test_environments_share_no_address(project):
    ranges = [cluster.network.cidr for stack in STACKS for cluster in load(stack, project).clusters.values()]
    assert len(set(ranges)) == len(ranges) == 9


def test_development_fits_a_fresh_subscription(project):
    platform = load("dev", project)
    sizes = {pool.declared.vm_size for pool in platform.pools() if hasattr(pool.declared, "vm_size")}
    assert sizes <= {"Standard_D2ds_v5", "Standard_D4ds_v5"}


def test_production_is_guarded(project):
    prod = load("prod", project)
    assert all(prod.cluster(key).is_protected for key in prod.clusters)
    assert not any(load("dev", project).cluster(key).is_protected for key in prod.clusters)
    assert all(cluster.api_server.private or cluster.api_server.authorized_ip_ranges for cluster in prod.clusters.values())
    assert prod.clusters["use1"].network.nat == "per-zone"
    assert prod.clusters["weu"].system_pool.zones == (1, 2, 3)


def test_production_has_an_on_demand_fallback_for_every_spot_pool(project):
    prod = load("prod", project)
    weu, use1 = prod.clusters["weu"], prod.clusters["use1"]
    assert weu.pools["batch"].spot is not None
    assert weu.pools["batch-fallback"].spot is None
    assert weu.pools["batch-fallback"].vm_size == weu.pools["batch"].vm_size
    pools = use1.auto_mode.node_pools
    assert pools["compute-spot"].weight > pools["compute"].weight
    assert [r.values for r in pools["compute"].requirements if r.key == "karpenter.sh/capacity-type"] == [("on-demand",)]
