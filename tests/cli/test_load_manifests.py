"""A stack that names workloads in files, as the commands read it."""

import pytest

STACK = """
from nodepools import AksClusterArgs, Platform, SystemPool, load_manifests
PLATFORM = Platform(
    name="dev",
    clusters={"weu": AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3))},
    must_fit=load_manifests("k8s"),
)
"""
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: lost}\nspec: {nodeSelector: {tier: web}, containers: [{name: main}]}\n"


@pytest.fixture
def project_of(tmp_path):
    def made(manifest):
        (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
        for folder in ("stacks", "k8s"):
            (tmp_path / folder).mkdir()
        (tmp_path / "stacks/dev.py").write_text(STACK)
        (tmp_path / "k8s/pod.yaml").write_text(manifest)
        return tmp_path

    return made


def test_files_are_found_from_the_project_wherever_the_command_runs(nodepools, project_of):
    answer = nodepools("check", cwd=project_of(POD) / "k8s")
    assert answer.status == 1
    assert "PLT030 error at must_fit[0]" in answer.out
    assert "fits no pool and stays Pending" in answer.out


def test_a_file_that_cannot_be_read_is_one_line(nodepools, project_of):
    answer = nodepools("check", cwd=project_of("a: [\n"))
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith("error: stacks/dev.py:6: ")
    assert "k8s/pod.yaml:2:1" in answer.err


def test_a_link_to_another_folder_is_not_left_out_in_silence(nodepools, project_of):
    project = project_of(POD)
    (project / "shared").mkdir()
    (project / "k8s/shared").symlink_to("../shared")
    answer = nodepools("check", cwd=project)
    assert (answer.status, "k8s/shared: is a link to a folder" in answer.err) == (2, True)
