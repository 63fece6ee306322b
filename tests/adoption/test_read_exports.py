"""Exports of any tool, in any order, become clusters. What has no cluster is named, and nothing is lost."""

from pathlib import Path
from typing import Any

import pytest

from nodepools.adoption.read_exports import AnyExisting, Exports
from nodepools.clouds.existing_objects import NotExportError
from nodepools.reading.yaml_documents import documents
from tests.adoption.existing import cluster, pool
from tests.adoption.existing_eks import ADMIN, described, entry, listed, node, node_class, node_pool, policies

OBSERVED = Path(__file__).parents[3] / "shared/data/observed"
File = tuple[str, dict[str, Any]]
AKS_POOL: dict[str, Any] = {
    **node_pool("index"),
    "spec": {"template": {"spec": {"nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass"}}}},
}


def read(*files: File) -> tuple[list[AnyExisting], list[str]]:
    found = Exports()
    for source, value in files:
        found.add(value, source)
    return found.clusters()


def objects_of(one: AnyExisting) -> list[str]:
    return [item.name for item in one.objects]


SHOP, WEB = ("shop/cluster.json", described()), ("web/cluster.json", described("web"))
ENTRY, POLICIES = ("shop/entry.json", entry(ADMIN)), ("shop/policies.json", policies(ADMIN, "AmazonEKSViewPolicy"))
ATTACHED: dict[str, tuple[list[File], dict[str, list[str]]]] = {
    "the only cluster": ([SHOP, ("k8s/pools.yaml", listed(node_pool("web")))], {"shop": ["web"]}),
    "several documents of one file": ([SHOP, ("k8s/pools.yaml", node_pool("a")), ("k8s/pools.yaml", node_pool("b"))], {"shop": ["a", "b"]}),
    "the folder of the cluster": ([SHOP, WEB, ("web/pools.yaml", listed(node_pool("x")))], {"shop": [], "web": ["x"]}),
    "the instance profile of a node class names the cluster": (
        [SHOP, WEB, ("web/pools.yaml", listed(node_class("nvme")))],
        {"shop": ["nvme"], "web": []},
    ),
    "the region of a node": (
        [SHOP, ("far.json", described("far", "us-east-1")), ("pools.yaml", listed(node_pool("x"), node("us-east-1")))],
        {"shop": [], "far": ["x", "i-1"]},
    ),
    "the kind of the node class is of one cloud": (
        [SHOP, ("aks.json", cluster()), ("aks.json", pool("agentpool", "System")), ("pools.yaml", listed(AKS_POOL))],
        {"shop": [], "Shop_West": ["index"]},
    ),
    "an object twice as it is": ([SHOP, ("a.yaml", node_pool("web")), ("b.yaml", node_pool("web"))], {"shop": ["web", "web"]}),
    "a node twice": ([SHOP, ("a.yaml", node()), ("b.yaml", {**node(), "spec": {}})], {"shop": ["i-1", "i-1"]}),
    "other objects are skipped": ([SHOP, ("pods.yaml", listed({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}))], {"shop": []}),
}


@pytest.mark.parametrize("title", ATTACHED)
def test_objects_find_their_cluster(title: str) -> None:
    files, expected = ATTACHED[title]
    clusters, wrong = read(*files)
    assert ({one.name: objects_of(one) for one in clusters}, wrong) == (expected, [])


WRONG: dict[str, tuple[list[File], str]] = {
    "two exports of one cluster": (
        [SHOP, ("old/cluster.json", described(version="1.33"))],
        "shop/cluster.json and old/cluster.json: describe-cluster `shop` is there twice, with other contents",
    ),
    "objects of one of two clusters": ([SHOP, WEB, ("pools.yaml", node_pool("x"))], "pools.yaml: the objects can be of `shop`, `web`"),
    "pools of another cluster": ([SHOP, ("shop/pools.yaml", listed(node_pool("x"), node("us-east-1")))], "are not of any cluster in these files"),
    "pools of another cloud": ([SHOP, ("shop/pools.yaml", AKS_POOL)], "are not of any cluster"),
    "an object in exports of two times": (
        [SHOP, ("a.yaml", node_pool("web")), ("b.yaml", {**node_pool("web"), "spec": {**node_pool("web")["spec"], "weight": 7}})],
        "a.yaml and b.yaml: NodePool `web` is there twice, with other contents",
    ),
    "objects without a cluster": ([("pools.yaml", node_pool("x"))], "are not of any cluster"),
    "an access entry without a cluster": ([ENTRY], f"shop/entry.json: `{ADMIN}` is of the cluster `shop`, which is in no file"),
    "policies without a cluster": (
        [POLICIES],
        "belongs to no cluster in these files. Save the output of `aws eks describe-cluster`",
    ),
    "policies of one of two clusters with one name": (
        [("a.json", described()), ("b.json", described(region="us-east-1")), ("x/p.json", policies(ADMIN))],
        "can belong to several clusters: put the files of each cluster into a folder of its own",
    ),
    "an entry without policies": (
        [SHOP, ENTRY],
        "are in no file. Save the output of `aws eks list-associated-access-policies`",
    ),
    "policies without an entry": (
        [SHOP, POLICIES],
        "is in no file. Save the output of `aws eks describe-access-entry`",
    ),
    "a listed entry that no file describes": (
        [SHOP, ("shop/l.json", {"accessEntries": [ADMIN]})],
        "is in no file. Save the output of `aws eks describe-access-entry`",
    ),
    "a listed add-on that no file describes": ([SHOP, ("shop/l.json", {"addons": ["velero"]})], "Save the output of `aws eks describe-addon`"),
    "a pod identity without a role": (
        [
            SHOP,
            (
                "l.json",
                {"associations": [{"associationArn": "arn:aws:eks:eu-west-1:111122223333:podidentityassociation/shop/a-1", "associationId": "a-1"}]},
            ),
        ],
        "Save the output of `aws eks describe-pod-identity-association`",
    ),
}


@pytest.mark.parametrize("title", WRONG)
def test_what_has_no_cluster_is_named(title: str) -> None:
    files, expected = WRONG[title]
    _, [wrong] = read(*files)
    assert expected in wrong


UNREADABLE: dict[str, tuple[object, str]] = {
    "a page of a list": ({"accessEntries": [ADMIN], "nextToken": "x"}, "more pages"),
    "a page of the API of Azure": (
        {"value": [cluster()], "nextLink": "https://management.azure.com/next"},
        "has more pages .`nextLink`.: use `az aks`",
    ),
    "a page of the API of Kubernetes": ({**listed(node_pool("web")), "metadata": {"continue": "x"}}, "has more pages .`metadata.continue`."),
    "a cluster without an ARN": ({"cluster": {"name": "shop"}}, "has no `arn`"),
    "policies without a principal": ({"associatedAccessPolicies": [], "clusterName": "shop"}, "has no `clusterName` or no `principalArn`"),
    "a list of other things": ({"associations": ["a-1"]}, "other entries than mappings"),
    "an object without a mapping of metadata": (
        {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": []},
        "`metadata` must be an object",
    ),
    "an output of another command": ({"Reservations": []}, "is an output of `aws ec2 describe-instances`"),
    "text": ("text", "is not an export"),
}


@pytest.mark.parametrize("title", UNREADABLE)
def test_something_else_is_not_read(title: str) -> None:
    value, expected = UNREADABLE[title]
    with pytest.raises(NotExportError, match=expected):
        Exports().add(value, "f")


def test_resources_find_the_cluster_of_their_name_in_their_folder() -> None:
    clusters, wrong = read(
        ("west/c.json", described()),
        ("east/c.json", described(region="us-east-1")),
        ("east/e.json", entry(ADMIN, region="us-east-1")),
        ("east/p.json", policies(ADMIN, "AmazonEKSViewPolicy")),
        ("east/l.json", {"accessEntries": [ADMIN]}),
    )
    assert wrong == []
    found = {one.id.region: list(one.entries) for one in clusters}  # type: ignore[union-attr]
    assert found == {"eu-west-1": [], "us-east-1": [ADMIN]}


def test_the_owner_of_an_object_is_the_one_that_it_names() -> None:
    owners = {
        "Helm": {"annotations": {"meta.helm.sh/release-name": "x"}},
        "eks": {"labels": {"app.kubernetes.io/managed-by": "eks"}},
        "Argo CD": {"annotations": {"argocd.argoproj.io/tracking-id": "x"}},
        "Flux": {"labels": {"kustomize.toolkit.fluxcd.io/name": "x"}},
        "NodeOverlay a": {"ownerReferences": [{"kind": "NodeOverlay", "name": "a"}]},
    }
    objects = listed(*({**node_pool(name), "metadata": {"name": name, **metadata}} for name, metadata in owners.items()), node_pool("nobody"))
    [found], _ = read(SHOP, ("pools.yaml", objects))
    assert {item.name: item.owner for item in found.objects} == {**{name: name for name in owners}, "nobody": None}


def test_all_observed_clusters_are_read() -> None:
    if not OBSERVED.is_dir():
        pytest.skip("there are no observed clusters here")
    found = Exports()
    for file in sorted(path for path in OBSERVED.rglob("*") if path.suffix in (".json", ".yaml") and "expected" not in path.parts):
        for document in documents(file.read_text(), str(file)):
            found.add(document.value, str(file))
    clusters, wrong = found.clusters()
    assert wrong == []
    assert {one.name: len(one.objects) for one in clusters} == {
        "aks-billing": 0,
        "aks-search": 5,
        "erp_Prod": 0,
        "ml-9f2c41": 0,
        "data-eu": 7,
        "platform-prod": 4,
        "shop": 5,
    }
