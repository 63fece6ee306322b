"""Names of roles, which are unique in an account: as always, or with the region."""

import pytest

from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.node_class_names import class_name, cluster_role_name, node_role_name, pod_role_name, shared_role_name


def args(**fields: object) -> EksClusterArgs:
    return EksClusterArgs.model_validate({"region": "eu-west-1", "kubernetes_version": "1.35", **fields})


@pytest.mark.parametrize(
    ("names", "stem"), [pytest.param("plain", "shop-weu", id="plain"), pytest.param("regional", "shop-weu-eu-west-1", id="regional")]
)
def test_each_role_has_its_name(names: str, stem: str) -> None:
    declared = args(role_names=names)
    assert cluster_role_name("shop-weu", declared) == f"{stem}-cluster"
    assert node_role_name("shop-weu", declared) == f"{stem}-node"
    assert shared_role_name("shop-weu", declared) == f"{stem}-class-node"
    assert pod_role_name("shop-weu", declared, "add-on", "cw", "agent") == f"{stem}-add-on-cw-agent"


def test_a_long_name_is_cut_and_stays_unique() -> None:
    names = {pod_role_name("shop", args(role_names="regional"), "pod", "a" * length) for length in (80, 81)}
    assert len(names) == 2
    assert {len(name) for name in names} == {64}


def test_a_class_follows_its_role_to_another_name() -> None:
    plain, regional = (shared_role_name("shop", args(role_names=names)) for names in ("plain", "regional"))
    assert class_name("private", plain, "shop") == "private"
    assert class_name("private", regional, "shop").startswith("private-")


@pytest.mark.parametrize(
    ("fields", "scheme"),
    [
        pytest.param({}, "internet-facing", id="public subnets"),
        pytest.param({"network": {"kind": "EksNetwork", "public_subnets": False, "nat": None}}, "internal", id="none"),
        pytest.param({"objects": {"ingress_class": {"scheme": "internal"}}}, "internal", id="declared"),
        pytest.param({"objects": {"ingress_class": None}}, "internet-facing", id="no ingress class, so nobody asks"),
    ],
)
def test_the_scheme_of_load_balancers(fields: dict[str, object], scheme: str) -> None:
    assert args(**fields).ingress_scheme == scheme


def test_the_range_of_services() -> None:
    assert args().service_range == "172.20.0.0/16"
    assert args(ip_family="IPv6").service_range is None
