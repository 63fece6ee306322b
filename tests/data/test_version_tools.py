"""The tools that refresh the tables of Kubernetes versions, removed APIs, add-ons and regions: from pages of documentation, Go code and exports."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import nodepools.data

FOLDER = Path(nodepools.data.__file__).parent
TOOLS = FOLDER.parents[2] / "tools"


def run(tool: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, TOOLS / tool, *map(str, arguments)], capture_output=True, text=True, check=False)


@pytest.fixture
def table(tmp_path):
    """A copy of a table of the package."""

    def copied(name: str) -> Path:
        shutil.copy(FOLDER / name, tmp_path / name)
        return tmp_path / name

    return copied


def rows(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


AKS_PAGE = """# Versions

| **Kubernetes version** | Upstream release | AKS preview | AKS GA   | End of life  | Platform support |
|------------------------|------------------|-------------|----------|--------------|------------------|
| 1.36                   | Apr 2026         | May 2026    | Jun 2026 | Jun 2027     | Until 1.40 GA    |
| 1.37                   | Aug 2026         | Sep 2026    | Oct 2026 | Oct 18, 2027 | Until 1.41 GA    |
| 1.38*                  | Dec 2026         | Jan 2027    | Mar 2027 | Feb 2028     | Until 1.42 GA    |
| 1.39                   | Apr 2027         | May 2027    | later    | later        | Until 1.43 GA    |

LTS versions

| K8s version | Upstream release | AKS preview | AKS GA   | End of life | LTS End of life |
| ----------- | ---------------- | ----------- | -------- | ----------- | --------------- |
| 1.30        | Apr 2024         | Jun 2024    | Jul 2024 | Aug 22, 2025 | Jul 2026 |
| 1.35        | Dec 2025         | Jan 2026    | Mar 2026 | Apr 2027    | Mar 2028        |

| Other | Table |
|-------|-------|
| 1.1   | 1.2   |
"""


def test_versions_of_aks_come_from_the_release_calendar(table, tmp_path):
    (tmp_path / "page.md").write_text(AKS_PAGE, encoding="utf-8")
    made = table("aks_versions.txt")
    done = run("fold_aks_versions.py", tmp_path / "page.md", "0a1b2c3, 2027-02-03", made)
    assert (done.returncode, done.stderr) == (0, "")
    assert made.read_text(encoding="utf-8").splitlines()[0] == "# MicrosoftDocs/azure-aks-docs @ 0a1b2c3, 2027-02-03: release calendar"
    assert done.stdout.splitlines() == [
        "-1.35 2027-03-31 2028-03-31",
        "+1.35 2027-04-30 2028-03-31",
        "-1.37 2027-10-31 2028-10-31",
        "+1.37 2027-10-18 2028-10-31",
        "+1.38 2028-02-29 2029-02-28",
    ]
    assert rows(made)[0] == "1.29 2025-03-31 2026-04-30"


VERSIONS = {
    "clusterVersions": [
        {"clusterVersion": "1.38", "endOfStandardSupportDate": None, "status": "STANDARD_SUPPORT"},
        {
            "clusterVersion": "1.36",
            "endOfStandardSupportDate": "2027-07-31T17:00:00-07:00",
            "endOfExtendedSupportDate": "2028-07-31T17:00:00-07:00",
        },
        {"clusterVersion": "1.35", "endOfStandardSupportDate": 1806105600.0, "endOfExtendedSupportDate": 1837728000.0},
    ]
}


def test_versions_of_eks_come_from_the_aws_cli(table, tmp_path):
    (tmp_path / "versions.json").write_text(json.dumps(VERSIONS))
    made = table("eks_versions.txt")
    done = run("fold_eks_versions.py", tmp_path / "versions.json", "2027-02-03", made)
    assert done.stdout.splitlines() == ["-1.36 2027-08-02 2028-08-02", "+1.36 2027-08-01 2028-08-01", "+1.38 - -"]
    assert (made.read_text(encoding="utf-8").splitlines()[0], len(rows(made))) == ("# aws eks describe-cluster-versions, 2027-02-03", 10)


LIFECYCLE = """
package v1beta1

func (in *Gadget) APILifecycleIntroduced() (major, minor int) {
	return 1, 30
}

func (in *Gadget) APILifecycleRemoved() (major, minor int) {
	return 1, 41
}

func (in *GadgetList) APILifecycleRemoved() (major, minor int) {
	return 1, 41
}

func (in *Event) APILifecycleRemoved() (major, minor int) {
	return 1, 41
}

func (in *Unstable) APILifecycleRemoved() (major, minor int) {
	return 1, 43
}

func (in *Chained) APILifecycleRemoved() (major, minor int) {
	return 1, 42
}

func (in *Chained) APILifecycleReplacement() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "gadgets.k8s.io", Version: "v1beta2", Kind: "Chained"}
}
"""
LATER = """
func (in *Chained) APILifecycleRemoved() (major, minor int) {
	return 1, 44
}

func (in *Chained) APILifecycleReplacement() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "", Version: "v1", Kind: "Chained"}
}
"""


@pytest.fixture
def module(tmp_path) -> Path:
    """A part of the Go module k8s.io/api."""
    for version, text in (("v1beta1", LIFECYCLE), ("v1beta2", LATER), ("v1", "")):
        package = tmp_path / "api" / "gadgets" / version
        package.mkdir(parents=True)
        (package / "doc.go").write_text("// +groupName=gadgets.k8s.io\npackage x\n")
        (package / "zz_generated.prerelease-lifecycle.go").write_text(text)
    (tmp_path / "api/gadgets/v1/types.go").write_text("package v1\n\ntype Gadget struct {\n}\n")
    return tmp_path / "api"


def test_removed_apis_come_from_generated_lifecycles(table, module):
    done = run("fold_removed_apis.py", module, "v0.41.0, 2027-02-03", made := table("removed_apis.txt"))
    assert done.stdout.splitlines() == [
        "left out, because no version replaces it yet: gadgets.k8s.io/v1beta1 Unstable",
        "+41 gadgets.k8s.io/v1beta1 Gadget gadgets.k8s.io/v1",
        "+42 gadgets.k8s.io/v1beta1 Chained v1",
        "+44 gadgets.k8s.io/v1beta2 Chained v1",
    ]
    assert made.read_text(encoding="utf-8").startswith("# k8s.io/api v0.41.0, 2027-02-03: generated lifecycles")


MODEL = """
class V1{name}(BaseModel):
    one: Optional[str] = None
    openapi_types: ClassVar[Dict[str, str]] = {types}
    attribute_map: ClassVar[Dict[str, str]] = {names}
"""


def test_fields_of_workloads_come_from_the_models_of_the_client(table, tmp_path):
    types = {
        "Pod": {"spec": "V1PodSpec", "status": "V1PodStatus"},
        "PodSpec": {"node_name": "str", "items": "List[V1Item]", "overhead": "Dict[str, str]", "labels": "Dict[str, str]", "at": "datetime"},
        "Item": {"_any": "object", "size_limit": "str"},
        "PodStatus": {"phase": "str"},
        "Secret": {"data": "Dict[str, str]"},
    }
    names = {"node_name": "nodeName", "_any": "any", "size_limit": "sizeLimit"}
    others = ("CronJob", "DaemonSet", "Deployment", "Job", "ReplicaSet", "ReplicationController", "StatefulSet")
    models = {**{name: {} for name in others}, **types}
    for name, fields in models.items():
        text = MODEL.replace("{name}", name).replace("{types}", repr(fields)).replace("{names}", repr({key: names.get(key, key) for key in fields}))
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "__init__.py").write_text("class Other: ...\n")
    made = table("kubernetes_fields.txt")
    run("fold_kubernetes_fields.py", tmp_path, "38.0.0, 2027-02-03", made)
    rows = made.read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("# Python client of Kubernetes, 38.0.0, 2027-02-03")
    assert {row for row in rows[2:] if "=" in row} == {
        "Item any=any sizeLimit=quantity",
        "Pod spec=PodSpec status=any",
        "PodSpec at=time items=[Item] labels={text} nodeName=text overhead={quantity}",
    }


ADD_ONS = """= Page

[cols="1,1"]
|===
| Add-on Name | Minimum Required Version

| Amazon VPC CNI plugin for Kubernetes
| v1.19.0-eksbuild.1

| Kube-proxy
a|
* v1.26.15-eksbuild.19
* v1.27.16-eksbuild.14
* v1.28.15-eksbuild.4
* v1.29.10-eksbuild.3
* v1.30.6-eksbuild.3
* v1.31.2-eksbuild.3

| Amazon EBS CSI driver
| v1.37.0-eksbuild.1

| CSI snapshot controller
| v8.1.0-eksbuild.2

| EKS Pod Identity Agent
| v1.3.4-eksbuild.1

|===
"""


def test_the_stored_minimums_of_add_ons_come_from_their_page(table, tmp_path):
    (tmp_path / "page.adoc").write_text(ADD_ONS)
    done = run("fold_add_on_minimums.py", tmp_path / "page.adoc", "2026-08-21", made := table("add_on_minimums.txt"))
    assert (done.stdout, made.read_bytes()) == ("no row differs\n", (FOLDER / made.name).read_bytes())


def test_an_add_on_without_a_known_name_stops_the_tool(table, tmp_path):
    (tmp_path / "page.adoc").write_text(ADD_ONS.replace("| Kube-proxy", "| Gadget controller"))
    done = run("fold_add_on_minimums.py", tmp_path / "page.adoc", "2026-08-21", made := table("add_on_minimums.txt"))
    assert (done.returncode, "add-on `Gadget controller` is new" in done.stderr) == (1, True)
    assert made.read_bytes() == (FOLDER / made.name).read_bytes()


LOCATIONS = [
    {"name": "westeurope", "metadata": {"regionType": "Physical"}},
    {"name": "newregion", "metadata": {"regionType": "Physical"}},
    {"name": "europe", "metadata": {"regionType": "Logical"}},
]


def test_regions_of_azure_are_merged_with_the_table(table, tmp_path):
    (tmp_path / "locations.json").write_text(json.dumps(LOCATIONS))
    made = table("azure_regions.txt")
    before = {line.split()[0]: line.split()[1:] for line in rows(made)}
    done = run("fold_azure_regions.py", tmp_path / "locations.json", "2027-02-03", made)
    after = {line.split()[0]: line.split()[1:] for line in rows(made)}
    assert after == {**before, "AzureCloud": sorted([*before["AzureCloud"], "newregion"])}
    last = done.stdout.splitlines()[-2:]
    assert (last[0], last[1].startswith("not in the export, kept: australiacentral, ")) == ("new: newregion", True)
    head = made.read_text(encoding="utf-8").splitlines()[0]
    run("fold_azure_regions.py", tmp_path / "locations.json", "2027-02-04", made)
    assert made.read_text(encoding="utf-8").splitlines()[0] == head.replace("02-03", "02-04")
    assert head.startswith("# az account list-locations, 2027-02-03; before: 2026-08-21: Azure/terraform")


def test_regions_without_zones_come_from_an_export_that_lists_zones(table, tmp_path):
    zones = [{"logicalZone": "1", "physicalZone": "westus-az1"}]
    listed = [
        {"name": "westus", "metadata": {"regionType": "Physical"}, "availabilityZoneMappings": zones},
        {"name": "newregion", "metadata": {"regionType": "Physical"}},
    ]
    (tmp_path / "locations.json").write_text(json.dumps(listed))
    run("fold_azure_regions.py", tmp_path / "locations.json", "2027-02-03", made := table("azure_regions.txt"))
    [row] = [line.split() for line in rows(made) if line.startswith("AzureCloud ")]
    assert ("westus" in row, "newregion:0" in row, "westcentralus:0" in row) == (True, True, True)


def test_another_cloud_has_its_own_row(table, tmp_path):
    (tmp_path / "locations.json").write_text(json.dumps([{"name": "usgovohio", "metadata": {"regionType": "Physical"}}]))
    run("fold_azure_regions.py", tmp_path / "locations.json", "2027-02-03", made := table("azure_regions.txt"), "AzureUSGovernment")
    assert [line.split()[0] for line in rows(made) if "usgovohio" in line] == ["AzureUSGovernment"]


@pytest.mark.parametrize(
    ("tool", "file", "message"),
    [
        ("fold_aks_versions.py", "aks_versions.txt", "has no release calendar"),
        ("fold_eks_versions.py", "eks_versions.txt", "has no release calendar and no `clusterVersions`"),
        ("fold_add_on_minimums.py", "add_on_minimums.txt", "has no table of required add-on versions"),
        ("fold_azure_regions.py", "azure_regions.txt", "has no physical regions"),
    ],
)
def test_a_source_of_another_kind_leaves_the_table_alone(table, tmp_path, tool, file, message):
    (tmp_path / "source").write_text("{}")
    done = run(tool, tmp_path / "source", "2027-02-03", made := table(file))
    assert (done.returncode, message in done.stderr, made.read_bytes()) == (1, True, (FOLDER / file).read_bytes())


def test_a_folder_of_another_kind_leaves_removed_apis_alone(table, tmp_path):
    done = run("fold_removed_apis.py", tmp_path, "v0.41.0, 2027-02-03", table("removed_apis.txt"))
    assert (done.returncode, "use the folder of the module k8s.io/api" in done.stderr) == (1, True)
