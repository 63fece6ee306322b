"""What other people wrote, into the model and back: nothing is lost, and the second time nothing changes."""

import json
from collections.abc import Iterator, Mapping

import pytest

from nodepools.clouds.karpenter_objects import aks_node_class, eks_node_class, node_pool
from nodepools.manifests.cluster_checks import Read
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.supported_kinds import Cloud
from nodepools.model.eks.ec2_node_class import Ec2NodeClass
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import NodePool
from nodepools.wire.eks.ec2_node_class import NODE_CLASS as EC2_TABLE
from nodepools.wire.karpenter import AKS_NODE_CLASS, EC2_NODE_CLASS, EKS_NODE_CLASS
from nodepools.wire.reading import write

KINDS = {Cloud.EKS: EKS_NODE_CLASS, Cloud.AKS: AKS_NODE_CLASS, Cloud.SELF_MANAGED: EC2_NODE_CLASS}


@pytest.fixture
def read(project) -> list[Read]:
    folder = project.parent / "shared" / "manifests"
    if not folder.is_dir():
        pytest.skip("the manifests of others are not at hand: they are not ours to ship")
    return [
        one
        for file in sorted(folder.glob("*.yaml"))
        for written in objects(file.read_text(), file.name)
        for one in check_objects([written]).read
        if one.is_whole and one.cloud is not None
    ]


def rendered(one: Read) -> Mapping[str, object]:
    if isinstance(one.model, NodePool):
        return node_pool(one.name, one.model, KINDS[one.cloud])
    if isinstance(one.model, EksNodeClass):
        return eks_node_class(one.name, one.model, str, role="x", subnets=[], security_groups=[])
    if isinstance(one.model, Ec2NodeClass):
        return {
            "apiVersion": EC2_NODE_CLASS.api_version,
            "kind": EC2_NODE_CLASS.kind,
            "metadata": {"name": one.name},
            "spec": write(EC2_TABLE, one.model),
        }
    return aks_node_class(one.name, one.model, str)


def leaves(part: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Every value by its path; quantities and the like as text, what is empty not at all."""
    if isinstance(part, Mapping):
        for key, value in part.items():
            yield from leaves(value, f"{path}.{key}")
    elif isinstance(part, list):
        for index, value in enumerate(part):
            yield from leaves(value, f"{path}[{index}]")
    elif part is not None:
        yield path, str(part)


def test_nothing_of_a_manifest_is_lost(read):
    assert len(read) >= 70
    for one in read:
        lost = set(leaves(one.written.raw["spec"])) - set(leaves(rendered(one)["spec"]))
        assert lost == set(), one.written.label


def test_the_second_time_nothing_changes(read):
    for one in read:
        [written] = objects(json.dumps(rendered(one)), "again.json")
        [again] = check_objects([written]).read
        assert (again.name, again.model) == (one.name, one.model)
