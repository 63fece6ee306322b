"""A whole platform, registered."""

import pulumi
import pytest

from nodepools import (
    AksCluster,
    AksClusterArgs,
    AutoMode,
    DeclarationError,
    EksClusterArgs,
    Platform,
    StackOutput,
    SystemPool,
    Taint,
    UserPool,
    check,
    deploy,
    derive,
    testing,
)
from nodepools.component.errors import VARIABLE, InvalidDeclarationError, fingerprint
from nodepools.rules.engine import runner

AKS = AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3),
    pools={"web": UserPool(vm_size="Standard_D4ds_v5", count=2)},
    tags={"environment": "own"},
)
EKS = EksClusterArgs(region="us-east-1", kubernetes_version="1.35", auto_mode=AutoMode())
TWO = Platform(name="two", clusters={"a": AKS, "b": EKS}, tags={"team": "core"})


@pytest.fixture(scope="module")
def graph():
    return testing.run(lambda: deploy(TWO))


def test_each_cluster_is_a_component_named_with_the_stem(graph):
    assert {node.name for node in graph.all("*Cluster/*") if node.is_component} == {"two-a", "two-b"}


def test_one_output_holds_all_clusters_and_no_secret(graph):
    assert set(graph.outputs) == {"clusters", "kubeconfig-a", "kubeconfig-b"}
    assert not graph.outputs.secret("clusters")
    clusters = graph.outputs["clusters"]
    assert set(clusters) == {"a", "b"}
    assert set(clusters["b"]) == {"endpoint", "oidc_issuer", "pools"}
    assert set(clusters["a"]) > {"identity_object_id", "kubelet_object_id", "node_resource_group", "outbound_ip_ids", *clusters["b"]}


def test_each_kubeconfig_is_a_secret_output(graph):
    """The Automation API tells of whole outputs whether they are secret, and prints what is nested in one as plain text."""
    for key in TWO.clusters:
        assert graph.outputs.secret(f"kubeconfig-{key}")
        assert "apiVersion" in graph.outputs.text(f"kubeconfig-{key}")


def test_tags_say_platform_cluster_and_environment_and_the_clusters_own_win(graph):
    assert graph.one("ManagedCluster/*").inputs["tags"] == {"platform": "two", "cluster": "a", "environment": "own", "team": "core"}
    assert graph.one("Cluster/two-b").inputs["tags"] == {"platform": "two", "cluster": "b", "environment": "two", "team": "core"}


def test_a_declaration_is_checked_once(monkeypatch):
    checked = []
    monkeypatch.setattr(runner, "check", lambda declared, *_, **__: checked.append(type(declared).__name__) or [])
    testing.run(lambda: deploy(TWO))
    assert checked == ["Platform"]
    testing.run(lambda: AksCluster("web", AKS))
    assert checked == ["Platform", "AksClusterArgs"], "a component that is used by itself checks what it is given, and its network with it"


@pytest.mark.parametrize(
    ("known", "again"),
    [
        pytest.param(TWO, [], id="preview found no error in it"),
        pytest.param(derive(TWO, tags={"team": "other"}), ["Platform"], id="preview checked another one"),
    ],
)
def test_what_preview_checked_is_not_checked_again(known, again, monkeypatch):
    checked = []
    monkeypatch.setattr(runner, "check", lambda declared, **_: checked.append(type(declared).__name__) or [])
    monkeypatch.setenv(VARIABLE, fingerprint(known))
    testing.run(lambda: deploy(TWO))
    assert checked == again


def windows(password):
    return derive(TWO, clusters={"a": {"windows_profile": {"admin_password": password}}})


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        pytest.param(windows("Sesame-0123456789"), windows("Sesame-0123456789"), True, id="the same password"),
        pytest.param(windows("Sesame-0123456789"), windows("x"), False, id="another password"),
        pytest.param(windows(StackOutput("acme/shop/dev", "b")), windows(StackOutput("acme/shop/dev", "c")), False, id="another output of a stack"),
    ],
)
def test_declarations_that_differ_only_in_a_secret_are_not_taken_for_one(one, other, alike):
    assert (fingerprint(one) == fingerprint(other)) is alike


@pytest.mark.usefixtures("loop")
def test_outputs_are_not_known_and_do_not_tell_declarations_apart():
    assert fingerprint(windows(pulumi.Output.from_input("a"))) == fingerprint(windows(pulumi.Output.from_input("b")))


def test_tags_of_the_platform_are_checked_for_the_clouds_of_its_clusters():
    long = {"team": "x" * 257}
    assert [str(finding.path) for finding in check(derive(TWO, tags=long)) if finding.code == "EKS016"] == ["tags.team"]
    assert not [finding for finding in check(Platform(name="one", clusters={"a": AKS}, tags=long)) if finding.code == "EKS016"]


def test_a_faulty_platform_registers_nothing_and_tells_all_findings():
    faulty = Platform(
        name="bad",
        clusters={
            "a": AksClusterArgs(
                location="westeurope",
                kubernetes_version="1.35",
                system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=0, taints=[Taint("team", "a")]),
            )
        },
    )
    with pytest.raises(InvalidDeclarationError) as refused:
        testing.run(lambda: deploy(faulty))
    assert isinstance(refused.value, pulumi.RunError), "Pulumi shows the message alone"
    assert isinstance(refused.value, DeclarationError)
    assert {finding.path for finding in refused.value.findings} >= {"clusters.a.system_pool.taints[0]", "clusters.a.system_pool.count"}
