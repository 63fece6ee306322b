"""Quota families, quota classes and network interfaces: what the tables say, and that they are complete."""

import json
import subprocess
import sys

import pytest

from nodepools.data.azure_vm_sizes import azure_vm_sizes, quota_family
from nodepools.data.eks_instance_types import Interfaces, ec2_interfaces, eks_instance_types
from nodepools.data.limits import vcpu_quotas

NEWER = {"hpc8a.96xlarge", "trn2.48xlarge"}
"""Types of Auto Mode whose interfaces Karpenter's table of the same time does not have."""


@pytest.mark.parametrize(
    ("size", "family"),
    [
        pytest.param("Standard_D4ds_v5", "standardDDSv5Family", id="an ordinary size"),
        pytest.param("standard_d4DS_v5", "standardDDSv5Family", id="in any case"),
        pytest.param("Standard_NC4as_T4_v3", "Standard NCASv3_T4 Family", id="a name with blanks"),
        pytest.param("Standard_NC24ads_A100_v4", "StandardNCADSA100v4Family", id="a name without blanks"),
        pytest.param("Standard_E4-2ds_v5", quota_family("Standard_E4ds_v5"), id="constrained vCPUs: the family of the base size"),
        pytest.param("Standard_Nothing", None, id="no such size"),
    ],
)
def test_a_size_has_the_family_of_the_usage_api(size, family):
    assert quota_family(size) == family


def test_every_azure_size_has_a_family():
    assert [name for name in azure_vm_sizes() if quota_family(name) is None] == []


@pytest.mark.parametrize(
    ("instance_type", "name", "on_demand", "spot"),
    [
        pytest.param("m5.large", "Standard", "L-1216C47A", "L-34B43A08", id="m: Standard"),
        pytest.param("im4gn.large", "Standard", "L-1216C47A", "L-34B43A08", id="im: as i"),
        pytest.param("is4gen.large", "Standard", "L-1216C47A", "L-34B43A08", id="is: as i"),
        pytest.param("z1d.large", "Standard", "L-1216C47A", "L-34B43A08", id="z: Standard"),
        pytest.param("d3.xlarge", "Standard", "L-1216C47A", "L-34B43A08", id="d: Standard"),
        pytest.param("dl1.24xlarge", "DL", "L-6E869C2A", "L-85EED4F7", id="dl is not d"),
        pytest.param("gr6.4xlarge", "G and VT", "L-DB2E81BA", "L-3819A6DF", id="gr: as g"),
        pytest.param("vt1.3xlarge", "G and VT", "L-DB2E81BA", "L-3819A6DF", id="vt"),
        pytest.param("inf2.xlarge", "Inf", "L-1945791B", "L-B5D1601B", id="inf is not i"),
        pytest.param("trn1.2xlarge", "Trn", "L-2C3B7624", "L-6B0D517C", id="trn is not t"),
        pytest.param("hpc7g.4xlarge", "HPC", "L-F7808C92", None, id="hpc is not h, and has no spot"),
        pytest.param("p3.2xlarge", "P", "L-417A185B", "L-7212CCBC", id="p2 to p4 share a spot quota"),
        pytest.param("p5.48xlarge", "P", "L-417A185B", "L-C4BD4855", id="p5 has a spot quota of its own"),
        pytest.param("f2.6xlarge", "F", "L-74FC7D96", "L-88CF9481", id="f"),
        pytest.param("x8g.large", "X", "L-7295265B", "L-E3A00192", id="x8"),
        pytest.param("u7i-12tb.224xlarge", "High Memory", "L-43DA4232", None, id="u7"),
        pytest.param("u-6tb1.metal", "High Memory", "L-43DA4232", None, id="u-"),
    ],
)
def test_an_instance_type_has_a_class_of_vcpus(instance_type, name, on_demand, spot):
    found = vcpu_quotas(instance_type)
    assert (found.on_demand.name, found.on_demand.code) == (name, on_demand)
    assert (found.spot.code if found.spot is not None else None) == spot


@pytest.mark.parametrize("instance_type", ["mac2.metal", "q1.large"])
def test_hosts_and_unknown_types_have_no_class(instance_type):
    assert vcpu_quotas(instance_type) is None


def test_every_type_of_auto_mode_has_a_class_and_interfaces():
    types = eks_instance_types().types
    assert [name for name in types if vcpu_quotas(name) is None] == []
    assert {name for name in types if name not in ec2_interfaces()} == NEWER


@pytest.mark.parametrize(("instance_type", "interfaces"), [("c5a.large", Interfaces(3, 10)), ("m5.xlarge", Interfaces(4, 15))])
def test_a_type_has_interfaces(instance_type, interfaces):
    assert ec2_interfaces()[instance_type] == interfaces


@pytest.fixture
def shared(project):
    folder = project.parent / "shared" / "data"
    if not folder.exists():
        pytest.skip("the unfolded tables are beside the project in CI only")
    return folder


def test_nothing_is_lost_by_folding(shared):
    sizes = json.loads((shared / "azure_vm_sizes.json").read_text())["sizes"]
    types = json.loads((shared / "ec2_vpc_limits.json").read_text())["types"]
    assert [name for name, known in sizes.items() if quota_family(name) != known["family"]] == []
    assert {name: Interfaces(known["interfaces"], known["ipv4_per_interface"]) for name, known in types.items()} == ec2_interfaces()


@pytest.mark.parametrize(
    ("script", "source", "day", "table"),
    [
        ("fold_azure_quota_families.py", "azure_vm_sizes.json", "2026-08-21", "azure_quota_families.txt"),
        ("fold_ec2_interfaces.py", "ec2_vpc_limits.json", "2026-08-06", "ec2_interfaces.txt"),
    ],
)
def test_the_shipped_file_is_what_the_script_makes(shared, project, tmp_path, script, source, day, table):
    subprocess.run([sys.executable, project / "tools" / script, shared / source, day, tmp_path / table], check=True)
    assert (tmp_path / table).read_bytes() == (project / "components/nodepools/data" / table).read_bytes()
