"""Platforms: names, tags, pools by their address, what a pod needs; one from another; round trips."""

import json
from pathlib import Path

import pulumi
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from nodepools import (
    AksClusterArgs,
    AksNodePool,
    Autoscale,
    DeclarationError,
    EksClusterArgs,
    EksNodePool,
    GpuPool,
    NodeProvisioning,
    Platform,
    Requirement,
    Spot,
    StackOutput,
    SystemPool,
    Taint,
    UserPool,
    WindowsPool,
    derive,
)
from nodepools.loading import load
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.ref import is_output
from nodepools.model.schema import Documented, field_docs

SIZE = "Standard_D2ds_v5"
_AZURE, _KARPENTER = "kubernetes.azure.com/agentpool", "karpenter.sh/nodepool"
WEU = AksClusterArgs(
    location="westeurope",
    kubernetes_version="1.35",
    system_pool=SystemPool(vm_size=SIZE),
    pools={"web": UserPool(vm_size=SIZE, labels={"tier": "web"}), "batch": UserPool(vm_size=SIZE, spot=Spot())},
    tags={"team": "core"},
)
USE1 = EksClusterArgs.model_validate(
    {"region": "us-east-1", "kubernetes_version": "1.35", "auto_mode": {"node_pools": {"web": EksNodePool(taints=[Taint("team", "ml"), Taint("x")])}}}
)
NEU = derive(WEU, pools={"web": None, "batch": None}, node_provisioning=NodeProvisioning(node_pools={"general": AksNodePool()}))
PLATFORM = Platform(name="dev", clusters={"weu": WEU, "use1": USE1, "neu": NEU}, tags={"team": "web", "cost": "1"})


def test_every_name_begins_with_the_stem() -> None:
    assert PLATFORM.stem("weu") == "dev-weu"


def test_tags_of_a_cluster_win_over_those_of_the_platform() -> None:
    assert PLATFORM.cluster_tags("weu") == {"platform": "dev", "cluster": "weu", "environment": "dev", "team": "core", "cost": "1"}
    assert derive(PLATFORM, environment="test").cluster_tags("use1")["environment"] == "test"
    assert derive(PLATFORM, standard_tags=False).cluster_tags("weu") == {"team": "core", "cost": "1"}


def test_every_declared_pool_has_an_address() -> None:
    assert [str(pool) for pool in PLATFORM.pools()] == ["weu/system", "weu/web", "weu/batch", "use1/web", "neu/system", "neu/general"]


def test_a_pool_is_found_by_its_address_or_by_its_name_alone() -> None:
    assert PLATFORM.pool("weu/web").cluster == "weu"
    assert PLATFORM.pool("batch").cluster == "weu"
    with pytest.raises(KeyError, match="2 pools are named 'web': use one of weu/web, use1/web"):
        PLATFORM.pool("web")
    with pytest.raises(KeyError, match="pool 'api' not found \\(available: weu/system, weu/web"):
        PLATFORM.pool("api")


def test_what_a_pod_needs_to_land_on_a_pool() -> None:
    tolerates = {"operator": "Equal", "value": "spot", "key": "kubernetes.azure.com/scalesetpriority", "effect": "NoSchedule"}
    assert PLATFORM.pool("batch").scheduling() == {"nodeSelector": {"nodepools/name": "batch"}, "tolerations": [tolerates]}
    assert PLATFORM.pool("use1/web").scheduling()["tolerations"] == [
        {"key": "team", "operator": "Equal", "value": "ml", "effect": "NoSchedule"},
        {"key": "x", "operator": "Exists", "effect": "NoSchedule"},
    ]


@pytest.mark.parametrize(
    ("address", "edited", "selector"),
    [
        pytest.param("web1", {"pools": {"web1": UserPool(vm_size=SIZE, labeled=False, name="w")}}, {_AZURE: "w"}, id="an agent pool by its name"),
        pytest.param("weu/system", {"system_pool": {"labeled": False}}, {_AZURE: "system"}, id="the first pool by its default name"),
        pytest.param(
            "any", {"node_provisioning": NodeProvisioning(node_pools={"any": AksNodePool(labeled=False)})}, {_KARPENTER: "any"}, id="a NodePool"
        ),
    ],
)
def test_a_pool_without_the_label_is_selected_by_its_name(address: str, edited: dict[str, object], selector: dict[str, str]) -> None:
    declared = derive(PLATFORM, clusters={"weu": edited})
    pool = declared.pool(address)
    assert pool.scheduling()["nodeSelector"] == selector
    assert pool.declared.node_labels(pool.name) == {}


@pytest.mark.parametrize(
    ("pool", "count", "taints", "labels"),
    [
        pytest.param(SystemPool(vm_size=SIZE), 1, ["CriticalAddonsOnly=true:NoSchedule"], {}, id="a system pool"),
        pytest.param(SystemPool(vm_size=SIZE, isolated=False), 1, [], {}, id="one that takes applications"),
        pytest.param(UserPool(vm_size=SIZE, scale=Autoscale(0, 5)), 0, [], {}, id="a pool that begins with nothing"),
        pytest.param(UserPool(vm_size=SIZE, count=2, scale=Autoscale(0, 5)), 2, [], {}, id="a pool that begins with two"),
        pytest.param(
            UserPool(vm_size=SIZE, spot=Spot(), taints=[Taint("a")]),
            1,
            ["kubernetes.azure.com/scalesetpriority=spot:NoSchedule", "a:NoSchedule"],
            {"kubernetes.azure.com/scalesetpriority": "spot"},
            id="a spot pool",
        ),
        pytest.param(GpuPool(vm_size=SIZE, taints=[Taint("sku", "gpu")]), 1, ["sku=gpu:NoSchedule"], {}, id="a taint of its own, said again"),
        pytest.param(AgentPool(vm_size=SIZE), 1, [], {}, id="any agent pool"),
        pytest.param(GpuPool(vm_size=SIZE, tainted=False), 1, [], {}, id="a GPU pool without"),
        pytest.param(WindowsPool(vm_size=SIZE), 1, ["os=windows:NoSchedule"], {}, id="a Windows pool"),
        pytest.param(WindowsPool(vm_size=SIZE, tainted=False), 1, [], {}, id="a Windows pool without"),
    ],
)
def test_what_comes_with_a_pool(pool: AgentPool, count: int, taints: list[str], labels: dict[str, str]) -> None:
    assert pool.first_count == count
    assert [str(taint) for taint in pool.node_taints] == taints
    assert pool.node_labels("p") == {"nodepools/name": "p", **labels}


def test_gpus_and_policies() -> None:
    assert not WEU.gpu_pools
    assert derive(WEU, pools={"train": GpuPool(vm_size=SIZE)}).gpu_pools
    assert WEU.network_profile.enforced_policy == "cilium"
    assert derive(WEU, network_profile={"dataplane": "azure"}).network_profile.enforced_policy is None
    assert derive(WEU, network_profile={"policy": "none"}).network_profile.enforced_policy == "none"


def test_deriving_merges_mappings_and_replaces_all_else() -> None:
    more = derive(WEU, {"tags": {"cost": "2"}}, pools={"web": {"labels": {"tier": None, "new": "x"}, "zones": [1]}, "batch": None})
    assert more.tags == {"team": "core", "cost": "2"}
    assert list(more.pools) == ["web"]
    assert more.pools["web"] == UserPool(vm_size=SIZE, labels={"new": "x"}, zones=[1])


def test_deriving_makes_parts_that_were_not_there() -> None:
    assert derive(WEU, node_provisioning={}).node_provisioning == NodeProvisioning()
    assert derive(WEU, pools={"new": {"kind": "UserPool", "vm_size": "x"}}).pools["new"] == UserPool(vm_size="x")


def test_deriving_another_kind_begins_anew() -> None:
    assert derive(WEU, pools={"web": {"kind": "SystemPool", "vm_size": "x"}}).pools["web"] == SystemPool(vm_size="x")
    assert derive(WEU, pools={"web": {"kind": "UserPool", "count": 3}}).pools["web"] == UserPool(vm_size=SIZE, count=3, labels={"tier": "web"})


def test_deriving_validates_the_whole() -> None:
    with pytest.raises(DeclarationError, match=r"AksClusterArgs: 1 error\n\nCFG006 error at pools.web.vm_size"):
        _ = derive(WEU, pools={"web": {"vm_size": ""}}).pools


def test_deriving_from_something_else_is_told_in_a_line() -> None:
    with pytest.raises(TypeError, match=r"^derive\(\) accepts a part of a declaration, such as a Platform or a UserPool, not None$"):
        derive(None, {})  # type: ignore[type-var]  # that is the point


@given(st.lists(st.sampled_from(["web", "batch"]), unique=True), st.dictionaries(st.sampled_from("abc"), st.sampled_from("xyz")))
def test_deriving_keeps_what_is_not_named(removed: list[str], tags: dict[str, str]) -> None:
    derived = derive(WEU, pools=dict.fromkeys(removed), tags=tags)
    assert derive(WEU) == WEU
    assert set(derived.pools) == set(WEU.pools) - set(removed)
    assert derived.tags == {**WEU.tags, **tags}
    assert derive(derived, pools=dict.fromkeys(removed), tags=tags) == derived


@pytest.mark.parametrize("stack", ["dev", "staging", "prod"])
def test_a_platform_is_the_same_after_json(stack: str, project: Path) -> None:
    platform = load(stack, project)
    assert Platform.model_validate_json(platform.model_dump_json()) == platform
    assert Platform.model_validate(json.loads(platform.model_dump_json(exclude_unset=True))) == platform


quantities = st.sampled_from(["1", "500m", "16Gi"])
requirements = st.builds(Requirement, st.sampled_from(["team", "kubernetes.io/arch"]), st.just("In"), st.lists(st.sampled_from("ab"), min_size=1))
node_pools = st.builds(
    EksNodePool,
    requirements=st.lists(requirements, max_size=3),
    weight=st.none() | st.integers(1, 100),
    limits=st.dictionaries(st.sampled_from(["cpu", "memory"]), quantities),
    labels=st.dictionaries(st.sampled_from("ab"), st.text(max_size=3)),
    taints=st.lists(st.builds(Taint, st.sampled_from("ab")), max_size=2),
    overrides=st.dictionaries(st.sampled_from("ab"), st.lists(st.integers())),
)


@given(node_pools)
def test_a_pool_is_the_same_after_json_and_after_plain_data(pool: EksNodePool) -> None:
    assert EksNodePool.model_validate_json(pool.model_dump_json()) == pool
    assert EksNodePool.model_validate(pool.model_dump()) == pool
    assert hash(EksNodePool.model_validate(pool)) == hash(pool)


@pytest.mark.usefixtures("loop")
def test_references_are_text_or_outputs() -> None:
    output = pulumi.Output.from_input("x")
    named = StackOutput("org/network/prod", "subnet")
    assert str(named) == "org/network/prod#subnet"
    assert is_output(output)
    assert not is_output("x")
    for reference in ("id", named, output):
        assert UserPool(vm_size=SIZE, vnet_subnet_id=reference).vnet_subnet_id is reference or reference is named
    assert UserPool.model_validate({"vm_size": SIZE, "vnet_subnet_id": {"stack": "org/network/prod", "output": "subnet"}}).vnet_subnet_id == named
    assert json.loads(UserPool(vm_size=SIZE, vnet_subnet_id=output).model_dump_json())["vnet_subnet_id"] == {"$unknown": True}
    assert json.loads(UserPool(vm_size=SIZE, vnet_subnet_id=named).model_dump_json())["vnet_subnet_id"] == {
        "stack": "org/network/prod",
        "output": "subnet",
    }


@pytest.mark.parametrize("wrong", ["", "  ", 3, [], {"stack": "x"}])
def test_what_is_no_reference(wrong: object) -> None:
    with pytest.raises(ValidationError):
        UserPool.model_validate({"vm_size": SIZE, "vnet_subnet_id": wrong})


def test_a_resource_is_no_reference() -> None:
    class Subnet(pulumi.Resource):
        def __init__(self) -> None:
            """Is registered nowhere."""

    with pytest.raises(ValidationError, match="is a Pulumi resource; it must be the id of one"):
        UserPool.model_validate({"vm_size": SIZE, "vnet_subnet_id": Subnet()})


def test_the_schema_describes_every_field_and_asks_for_the_kind() -> None:
    schema = Platform.model_json_schema(schema_generator=Documented)
    for name, part in {"Platform": schema, **schema["$defs"]}.items():
        for field, described in part.get("properties", {}).items():
            assert described["description"], (name, field)
    pool = schema["$defs"]["AksClusterArgs"]["properties"]["pools"]["additionalProperties"]
    assert pool["required"] == ["kind"]
    assert schema["$defs"]["UserPool"]["properties"]["vm_size"]["description"] == "Azure VM size, such as `Standard_D4ds_v5`. Immutable."
    assert schema["$defs"]["UserPool"]["properties"]["kind"]["description"] == "Which of the kinds this is."


def test_docs_of_fields() -> None:
    assert field_docs(Autoscale) == {
        "min": "Minimum number of nodes, 0 to 1000; at least 1 for system pools.",
        "max": "Maximum number of nodes, 1 to 1000.",
    }
