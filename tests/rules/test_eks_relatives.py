"""Rules of EKS that hold for several fields: each case is one field, and what is right next to it."""

from typing import Any

import pytest

from nodepools.keys import eks as keys
from nodepools.model.base import Model
from nodepools.model.derive import derive
from nodepools.model.eks.cluster import ExistingEksNetwork
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.karpenter import Headroom, Requirement
from nodepools.model.kubernetes.label import POOL_LABEL
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import aks_pool, auto_mode, eks, eks_pool, platform, provisioning
from tests.rules.conftest import DAY


def told(declared: Model, code: str) -> list[str]:
    return [finding.path for finding in check(declared, today=DAY) if finding.code == code]


def tags(number: int, start: str = "t") -> dict[str, str]:
    return {f"{start}{index}": "x" for index in range(number)}


EXISTING = ExistingEksNetwork(vpc_id="vpc-0a1", private_subnet_ids=["subnet-0a1", "subnet-0a2"])


@pytest.mark.parametrize(
    ("of_platform", "of_cluster", "network", "found"),
    [
        (44, 0, None, []),
        (45, 0, None, ["tags"]),
        (47, 0, EXISTING, []),
        (48, 0, EXISTING, ["tags"]),
        (30, 14, None, []),
        (30, 15, None, ["clusters.use1.tags"]),
        (30, 17, EXISTING, []),
        (30, 18, EXISTING, ["clusters.use1.tags"]),
    ],
)
def test_tags_are_counted_with_those_that_are_added(of_platform: int, of_cluster: int, network: Model | None, found: list[str]) -> None:
    """Three standard tags are on every resource, and three more on subnets of a new network."""
    cluster = eks(tags=tags(of_cluster), **({} if network is None else {"network": network}))
    assert told(derive(platform(use1=cluster), tags=tags(of_platform, "p")), "EKS016") == found


@pytest.mark.parametrize("kind", ["EC2", "EC2_LINUX", "EC2_WINDOWS", "FARGATE_LINUX", "HYBRID_LINUX", "STANDARD"])
def test_only_standard_entries_are_for_principals_of_other_accounts(kind: str) -> None:
    for account, fits in (("444455556666", kind == "STANDARD"), ("111122223333", True)):
        entry = {"principal": f"arn:aws:iam::{account}:role/n", "type": kind}
        declared = eks(account={"id": "111122223333"}, access_entries={"n": entry})
        assert told(declared, "EKS191") == ([] if fits else ["access_entries.n.principal"])


@pytest.mark.parametrize(("role", "same"), [("eks-role", True), ("arn:aws:iam::111122223333:role/eks-role", True), ("eks", False), ("role", False)])
def test_no_node_class_has_the_role_of_the_cluster(role: str, *, same: bool) -> None:
    declared = derive(auto_mode(classes={"app": EksNodeClass(role=role)}), cluster_role="arn:aws:iam::111122223333:role/eks-role")
    assert told(declared, "EKS010") == (["auto_mode.node_classes.app.role"] if same else [])


ROLE = "arn:aws:iam::111122223333:role/agent"


@pytest.mark.parametrize(
    ("add_on", "namespace", "found"),
    [
        ("amazon-cloudwatch-observability", None, True),
        ("own-add-on", "amazon-cloudwatch", True),
        ("amazon-cloudwatch-observability", "other", False),
        ("own-add-on", None, False),
    ],
)
def test_a_service_account_has_one_pod_identity_with_that_of_an_add_on(add_on: str, namespace: str | None, *, found: bool) -> None:
    of_add_on = {"namespace": namespace, "pod_identity": {"agent": {"role": ROLE}}}
    identity = {"namespace": "amazon-cloudwatch", "service_account": "agent", "role": ROLE}
    declared = eks(add_ons={add_on: of_add_on}, pod_identities={"agent": identity})
    assert told(declared, "EKS146") == (["pod_identities.agent"] if found else [])


@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("vpc_id", "vpc-shop", ["network.vpc_id"]),
        ("vpc_id", "vpc-0a1b2c3d", []),
        ("private_subnet_ids", ["subnet-private-a", "subnet-0a2"], ["network.private_subnet_ids[0]"]),
        ("control_plane_subnet_ids", ["subnet-0a1", "subnet-0a2,subnet-0a3"], ["network.control_plane_subnet_ids[1]"]),
    ],
)
def test_ids_are_hexadecimal(field: str, value: object, found: list[str]) -> None:
    assert told(eks(network=derive(EXISTING, {field: value})), "EKS132") == found
    assert told(eks(security_group_ids=["sg-web", "sg-0a1"]), "EKS132") == ["security_group_ids[0]"]


@pytest.mark.parametrize(
    ("requests", "requirements", "found"),
    [
        ({"cpu": "6"}, [keys.instance_cpu.one_of(4)], True),
        ({"cpu": "4"}, [keys.instance_cpu.one_of(4)], True),
        ({"cpu": "3"}, [keys.instance_cpu.one_of(4)], False),
        ({"memory": "900Gi"}, [keys.instance_family.one_of("m7i")], True),
        ({"nvidia.com/gpu": "2"}, [keys.instance_type.one_of("g6.xlarge")], True),
        ({"nvidia.com/gpu": "1"}, [keys.instance_type.one_of("g6.xlarge")], False),
        ({"example.com/device": "1"}, [keys.instance_cpu.one_of(4)], False),
        ({"cpu": "6"}, [keys.instance_cpu.one_of(5)], False),
    ],
)
def test_headroom_fits_an_instance_type(requests: dict[str, str], requirements: list[Requirement], *, found: bool) -> None:
    declared = auto_mode({"web": eks_pool(*requirements, headroom=Headroom(1, requests))})
    assert told(declared, "EKS218") == (["auto_mode.node_pools.web.headroom"] if found else [])


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"requirements": [Requirement(POOL_LABEL, "In", ["api"])]}, True),
        ({"requirements": [Requirement(POOL_LABEL, "NotIn", ["web"])]}, True),
        ({"requirements": [Requirement(POOL_LABEL, "In", ["api", "web"])]}, False),
        ({"requirements": [Requirement(POOL_LABEL, "In", ["api"])], "labeled": False}, False),
    ],
)
def test_a_node_pool_allows_its_own_name(fields: dict[str, Any], *, found: bool) -> None:
    assert bool(told(auto_mode({"web": eks_pool(**fields)}), "KAR093")) is found
    assert bool(told(provisioning({"web": aks_pool(**fields)}), "KAR093")) is found


@pytest.mark.parametrize(
    ("limits", "fix"),
    [
        ({"gpu": "4"}, "nvidia.com/gpu"),
        ({"gpus": "4"}, "nvidia.com/gpu"),
        ({"gpu": "4", "cpu": "8"}, "nvidia.com/gpu"),
        ({"cpus": "4"}, "to `cpu`"),
        ({"gpu": "4", "nvidia.com/gpu": "4"}, "Use one of"),
    ],
)
def test_a_limit_of_gpus_stays_one(limits: dict[str, str], fix: str) -> None:
    for pool in (eks_pool(limits=limits), aks_pool(limits=limits)):
        [finding] = [one for one in check(pool, today=DAY) if one.code == "KAR081"]
        assert finding.fix is not None
        assert fix in finding.fix.text


@pytest.mark.parametrize("newer", [keys.instance_family.one_of("c99g"), keys.instance_generation.more_than(80)])
def test_types_that_the_table_does_not_know(newer: Requirement) -> None:
    [finding] = [one for one in check(eks_pool(newer), today=DAY) if one.code == "EKS060"]
    assert "unless a newer one does" in finding.message


@pytest.mark.parametrize("name", ["t3.micro", "z9.nano"])
def test_a_size_that_auto_mode_never_has(name: str) -> None:
    [finding] = [one for one in check(eks_pool(keys.instance_type.one_of(name)), today=DAY) if one.code == "EKS060"]
    assert finding.message.endswith("never launches a node")
