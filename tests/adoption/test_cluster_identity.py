"""Which declared cluster exports are of."""

import pytest

from nodepools import AksClusterArgs, EksClusterArgs, Platform
from nodepools.adoption.cluster_identity import DeclaredClusters, ExportedIds, UnknownOwnerError
from nodepools.clouds.aks.existing import ClusterId, Export, Kind
from nodepools.clouds.eks.existing import EksClusterId, EksExport, EksKind
from nodepools.clouds.existing_objects import objects_of

NO_CLOUD_OUTPUT = ExportedIds({})
AZURE = "azure:///subscriptions/s/resourceGroups/{}/providers/Microsoft.Compute/virtualMachineScaleSets/aks-web-1-vmss/virtualMachines/0"
POOL = {"vm_size": "Standard_D4ds_v5", "count": 2}


def platform(name: str, **clusters: object) -> Platform:
    return Platform.model_validate({"name": name, "clusters": clusters})


def aks(**fields: object) -> AksClusterArgs:
    return AksClusterArgs.model_validate({"location": "westeurope", "kubernetes_version": "1.35", "system_pool": POOL, **fields})


def eks(**fields: object) -> EksClusterArgs:
    return EksClusterArgs.model_validate({"region": "us-east-1", "kubernetes_version": "1.35", **fields})


DEV = platform("dev", weu=aks(), use1=eks())
PROD = platform(
    "prod", weu=aks(network={"kind": "AksNetwork", "cidr": "10.60.0.0/16"}), use1=eks(network={"kind": "EksNetwork", "cidr": "10.70.0.0/16"})
)


def node(provider_id: str | None = None, **labels: str) -> dict[str, object]:
    spec = {} if provider_id is None else {"providerID": provider_id}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": labels}, "spec": spec}


def azure_node(group: str) -> dict[str, object]:
    return node(AZURE.format(group))


def node_class(profile: str) -> dict[str, object]:
    return {"apiVersion": "eks.amazonaws.com/v1", "kind": "NodeClass", "metadata": {"name": "c"}, "status": {"instanceProfile": profile}}


def claim(provider_id: str) -> dict[str, object]:
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": {"labels": {}}, "status": {"providerID": provider_id}}


SUBSCRIPTION = "00000000-0000-0000-0000-000000000000"
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {}}
AWS_NODE = node("aws:///us-east-1a/i-1", **{"topology.kubernetes.io/region": "us-east-1"})


def owner(raw: dict[str, object], file: str = "exports/nodes.yaml", platforms=(DEV,), exported=NO_CLOUD_OUTPUT):
    return DeclaredClusters.of(platforms).owners([objects_of([raw], file)], exported)[file]


CERTAIN = [
    pytest.param(azure_node("dev-weu-nodes"), (DEV, PROD), ("dev", "weu"), id="the id of a node has the node resource group"),
    pytest.param(azure_node("PROD-weu-nodes"), (DEV, PROD), ("prod", "weu"), id="Azure ignores case"),
    pytest.param(node(**{"kubernetes.azure.com/cluster": "dev-weu-nodes"}), (DEV, PROD), ("dev", "weu"), id="a label has it, too"),
    pytest.param(
        node(**{"kubernetes.azure.com/cluster": "n" * 63}), (platform("a", weu=aks(node_resource_group="n" * 70)),), ("a", "weu"), id="a label is cut"
    ),
    pytest.param(claim(AZURE.format("dev-weu-nodes")), (DEV,), ("dev", "weu"), id="NodeClaims have ids, too"),
    pytest.param(node_class("eks-us-east-1-dev-use1-123"), (DEV, PROD), ("dev", "use1"), id="the instance profile of Auto Mode names the cluster"),
    pytest.param(node(**{"alpha.eksctl.io/cluster-name": "prod-use1"}), (DEV, PROD), ("prod", "use1"), id="eksctl's label names the cluster"),
]


@pytest.mark.parametrize(("raw", "platforms", "expected"), CERTAIN)
def test_objects_that_say_which_cluster_they_are_in_need_no_name(raw, platforms, expected):
    assert owner(raw, platforms=platforms) == expected


OTHERS = [
    pytest.param(azure_node("MC_shop_shop_westeurope"), (platform("dev", weu=aks()),), id="another node resource group"),
    pytest.param(node(**{"kubernetes.azure.com/cluster": "MC_a_b_c"}), (platform("dev", weu=aks()),), id="another label"),
    pytest.param(AWS_NODE, (platform("dev", weu=aks()),), id="a node of AWS is in no AKS cluster"),
    pytest.param(azure_node("g"), (platform("dev", use1=eks()),), id="a node of Azure is in no EKS cluster"),
    pytest.param(node("aws:///eu-west-1a/i-1"), (platform("dev", use1=eks()),), id="a zone of another region"),
    pytest.param(node(**{"topology.kubernetes.io/region": "eu-west-1"}), (platform("dev", use1=eks()),), id="the label of another region"),
    pytest.param(node(**{"alpha.eksctl.io/cluster-name": "shop"}), (platform("dev", use1=eks()),), id="eksctl's label names another cluster"),
    pytest.param(node_class("x"), (platform("dev", weu=aks()),), id="a NodeClass of EKS is in no AKS cluster"),
]


@pytest.mark.parametrize(("raw", "platforms"), OTHERS)
@pytest.mark.parametrize("file", ["exports/nodes.yaml", "exports/weu-use1.yaml"])
def test_objects_of_other_clusters_are_never_those_of_the_only_declared_one(raw, platforms, file):
    with pytest.raises(UnknownOwnerError, match="its nodes are in no declared cluster"):
        raise owner(raw, file, platforms)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("exports/use1.yaml", ("dev", "use1")),
        ("exports/use1/nodes.yaml", ("dev", "use1")),
        ("exports/dev-use1-now.yaml", ("dev", "use1")),
        ("use1/exports/nodes.yaml", None),
        ("exports/nodes.yaml", None),
        ("-", None),
    ],
)
def test_without_evidence_the_name_of_the_file_or_of_its_folder_decides(file, expected):
    found = owner(AWS_NODE, file, (platform("dev", use1=eks()),))
    if expected is not None:
        assert found == expected
    else:
        assert "nothing says that its objects are in `use1`: put the key of the cluster into the name of the file, such as `use1.yaml`" in str(found)


def test_of_several_stacks_with_the_same_keys_the_name_of_the_stack_decides():
    assert owner(AWS_NODE, "exports/prod-use1.yaml", (DEV, PROD)) == ("prod", "use1")
    assert "its objects can be in `dev/use1`, `prod/use1`: put the key of the cluster into the name of the file, such as `dev-use1.yaml`" in str(
        owner(AWS_NODE, "exports/use1.yaml", (DEV, PROD))
    )


def exported_eks(folder: str, region: str, name: str) -> ExportedIds:
    cluster = EksClusterId("aws", "111122223333", region, name)
    return ExportedIds.of([], [EksExport(EksKind.CLUSTER, cluster, name, name, {}, f"{folder}/cluster.json")])


def test_the_output_of_a_cloud_in_the_same_folder_decides():
    assert owner(AWS_NODE, "a/nodes.yaml", exported=exported_eks("a", "us-east-1", "dev-use1")) == ("dev", "use1")
    other = owner(AWS_NODE, "a/use1.yaml", exported=exported_eks("a", "us-east-1", "shop"))
    assert "its objects are next to exports of `shop`, which the declaration does not have: they are not used (name its stack with `--stack`)" in str(
        other
    )
    same_name = owner(AWS_NODE, "a/use1.yaml", exported=exported_eks("a", "eu-west-1", "dev-use1"))
    assert "which the declaration does not have" in str(same_name)
    assert "put the key of the cluster" in str(owner(AWS_NODE, "b/nodes.yaml", exported=exported_eks("a", "us-east-1", "dev-use1")))


def test_next_to_several_clusters_the_name_of_the_file_still_decides():
    both = ExportedIds({**exported_eks("a", "us-east-1", "dev-use1").by_folder})
    shop = EksClusterId("aws", "111122223333", "us-east-1", "shop")
    [(folder, ids)] = both.by_folder.items()
    both = ExportedIds({folder: ids | {shop}})
    assert isinstance(owner(AWS_NODE, "a/nodes.yaml", exported=both), UnknownOwnerError)
    assert owner(AWS_NODE, "a/use1.yaml", exported=both) == ("dev", "use1")


def test_files_that_say_nothing_are_of_the_cluster_of_the_others_in_their_folder():
    files = [objects_of([raw], name) for raw, name in ((azure_node("dev-weu-nodes"), "a/nodes.yaml"), (POD, "a/pods.yaml"), (POD, "b/pods.yaml"))]
    found = DeclaredClusters.of([DEV]).owners(files, ExportedIds({}))
    assert (found["a/nodes.yaml"], found["a/pods.yaml"]) == (("dev", "weu"), ("dev", "weu"))
    assert isinstance(found["b/pods.yaml"], UnknownOwnerError)


@pytest.mark.parametrize(
    ("fields", "exported", "named"),
    [
        pytest.param({}, ClusterId("s", "dev-weu", "dev-weu"), True, id="the group and the name that the library gives"),
        pytest.param({}, ClusterId("s", "DEV-weu", "dev-WEU"), True, id="Azure ignores case"),
        pytest.param({}, ClusterId("s", "other", "dev-weu"), False, id="another resource group"),
        pytest.param({}, ClusterId("s", "dev-weu", "shop"), False, id="another name"),
        pytest.param({"resource_group": "rg"}, ClusterId("s", "rg", "dev-weu"), True, id="a group of the user"),
        pytest.param({"subscription_id": SUBSCRIPTION}, ClusterId("s", "dev-weu", "dev-weu"), False, id="another subscription"),
    ],
)
def test_an_aks_cluster_is_known_by_group_and_name(fields, exported, named):
    declared = DeclaredClusters.of([platform("dev", weu=aks(**fields))])
    assert declared.named(exported) == ([("dev", "weu")] if named else [])
    export = Export(Kind.CLUSTER, exported, exported.name, {}, "a/show.json")
    assert ExportedIds.of([export], []).beside("a/nodes.yaml") == {exported}


@pytest.mark.parametrize(("account", "named"), [(None, True), ("111122223333", True), ("444455556666", False)])
def test_an_eks_cluster_is_known_by_region_name_and_account(account, named):
    declared = DeclaredClusters.of([platform("dev", use1=eks(account=None if account is None else {"id": account}))])
    assert bool(declared.named(EksClusterId("aws", "111122223333", "us-east-1", "dev-use1"))) == named
    assert not declared.named(EksClusterId("aws", "111122223333", "us-west-2", "dev-use1"))
