"""Workloads that a platform is made for, before anything is registered; and the files that they are in."""

from pathlib import Path

import pytest

from nodepools import AksClusterArgs, Autoscale, DeclarationError, Platform, SystemPool, UserPool, deploy, load_manifests, testing
from nodepools.loading import UnreadableError

SIZE = "Standard_D4ds_v5"
AKS = AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    system_pool=SystemPool(vm_size=SIZE, count=3),
    pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(1, 3), labels={"tier": "web"})},
)
DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec: {template: {spec: {nodeSelector: {tier: web}, containers: [{name: main, resources: {requests: {cpu: 500m}}}]}}}
"""
LOST = DEPLOYMENT.replace("tier: web", "tier: wbe")
PERHAPS = DEPLOYMENT.replace("tier: web", "kubernetes.azure.com/node-image-version: x")


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Writes a file of a project, in which the test then runs."""
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    monkeypatch.chdir(tmp_path)

    def write(text, name="k8s/shop.yaml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


def platform(*paths):
    return Platform(name="dev", clusters={"weu": AKS}, must_fit=load_manifests(*paths))


def test_a_workload_that_fits_lets_everything_be_registered(file):
    file(DEPLOYMENT)
    graph = testing.run(lambda: deploy(platform("k8s/shop.yaml")))
    assert graph.one("ManagedCluster/*")


def test_one_that_cannot_fit_stops_before_anything_is_registered(file):
    file(LOST)

    def program():
        with pytest.raises(DeclarationError) as refused:
            deploy(platform("k8s/shop.yaml"))
        [finding] = refused.value.findings
        assert (finding.code, finding.path, finding.value) == ("PLT030", "must_fit[0]", "Deployment/shop")
        assert finding.message == ("Workload `Deployment/shop` fits no pool and stays Pending (label `tier=wbe`, `weu/web` has `tier=web`)")
        assert finding.fix is not None
        assert finding.fix.text == "Change `tier=wbe` to `tier=web`"

    assert list(testing.run(program).all("*")) == []


def test_all_that_cannot_fit_are_told_at_once_with_other_findings(file):
    file(LOST)
    file(LOST.replace("shop", "stall"), "k8s/stall.yml")
    small = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size=SIZE, count=0))
    faulty = Platform(name="dev", clusters={"weu": small}, must_fit=load_manifests("k8s"))
    with pytest.raises(DeclarationError) as refused:
        testing.run(lambda: deploy(faulty))
    assert {finding.path for finding in refused.value.findings} >= {"must_fit[0]", "must_fit[1]", "clusters.weu.system_pool.count"}


def test_one_of_which_it_is_not_known_is_a_warning(file):
    file(PERHAPS)
    graph = testing.run(lambda: deploy(platform("k8s/shop.yaml")))
    assert graph.one("ManagedCluster/*")
    assert any("PLT031" in told.message for told in graph.messages if told.severity == "warning")


def test_what_makes_no_pods_is_refused(file):
    file("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n")
    with pytest.raises(DeclarationError, match="creates no pods"):
        testing.run(lambda: deploy(platform("k8s/shop.yaml")))


UNREADABLE = [
    pytest.param(None, "k8s/shop.yaml: No such file or directory", id="a file that is not there"),
    pytest.param("a: [\n", "k8s/shop.yaml:2:1: ", id="no YAML, with its place"),
    pytest.param("- 1\n", "k8s/shop.yaml:1:1: should be a Kubernetes object", id="no object"),
    pytest.param("a: b\n", "k8s/shop.yaml:1:1: should be a Kubernetes object: it has no kind", id="an object without a kind"),
]


@pytest.mark.parametrize(("text", "said"), UNREADABLE)
def test_a_file_that_cannot_be_read_is_one_clear_error(file, text, said):
    if text is not None:
        file(text)
    with pytest.raises(UnreadableError) as error:
        load_manifests("k8s/shop.yaml")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_no_text(file):
    file("").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableError, match="is not UTF-8 text"):
        load_manifests("k8s/shop.yaml")


def test_files_are_found_from_any_folder_of_the_project(file, tmp_path, monkeypatch):
    file(DEPLOYMENT)
    monkeypatch.chdir(tmp_path / "k8s")
    assert len(load_manifests("k8s/shop.yaml", tmp_path / "k8s")) == 2
    monkeypatch.chdir("/")
    with pytest.raises(UnreadableError, match=r"/k8s/shop\.yaml: No such file"):
        load_manifests(Path("k8s/shop.yaml"))
