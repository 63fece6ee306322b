"""The table of what `overrides` can set: everything that the installed SDKs and the CRDs accept, and nothing else."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError
from typing import Any, get_args

import pulumi
import pytest
from pulumi import _types
from pulumi_aws import eks
from pulumi_azure_native import containerservice

from nodepools.data.argument_types import Overridden, Source, Why, arguments
from nodepools.model.aks.agent_pool import Autoscale
from nodepools.model.ref import StackOutput
from nodepools.wire.aks import node_class as aks_classes
from nodepools.wire.eks import node_class as eks_classes
from nodepools.wire.table import python_name
from tests.wire.object_tables import AKS_POOL, EKS_POOL
from tests.wire.test_objects_complete import places, properties, spec_of

SDKS = [
    pytest.param(Source.AZURE, "ManagedCluster", containerservice.ManagedClusterArgs, id="a cluster of AKS"),
    pytest.param(Source.AZURE, "AgentPool", containerservice.AgentPoolArgs, id="an agent pool"),
    pytest.param(Source.AWS, "Cluster", eks.ClusterArgs, id="a cluster of EKS"),
    pytest.param(Source.AWS, "PodIdentityAssociation", eks.PodIdentityAssociationArgs, id="a pod identity"),
    pytest.param(Source.AWS, "IdentityProviderConfig", eks.IdentityProviderConfigArgs, id="an identity provider"),
]


def inside(kind: Any, seen: set[Any]) -> Iterator[Any]:
    """A class of arguments of the SDK, and those in it."""
    if _types.is_input_type(kind) and kind not in seen:
        seen.add(kind)
        yield kind
        for part in _types.input_type_types(kind).values():
            yield from inside(part, seen)
    for part in get_args(kind):
        yield from inside(part, seen)


@pytest.mark.parametrize(("source", "type_", "kind"), SDKS)
def test_the_table_has_every_argument_of_the_installed_sdk(source: Source, type_: str, kind: Any) -> None:
    if not source.is_of_installed:
        pytest.skip(f"the table is of {source.origin}")
    classes = list(inside(kind, set()))
    assert classes[0].__name__ == f"{type_}Args"
    for one in classes:
        listed = arguments(one.__name__.removesuffix("Args"))
        assert listed is not None
        assert {python_name(name).removesuffix("_"): name for name in listed if not listed[name].since} == dict(
            _types.input_type_py_to_pulumi_names(one)
        ), one
        for name, part in _types.input_type_types(one).items():
            held = [found.__name__.removesuffix("Args") for found in inside(part, set())]
            assert not held or held[0] == listed[name].type.strip("[]{}"), (one, name)


OBJECTS = [
    pytest.param("NodePool", AKS_POOL, ("aks/karpenter.sh_nodepools.yaml", "v1"), id="NodePool of AKS"),
    pytest.param("NodePool", EKS_POOL, ("eks-auto/karpenter.sh_nodepool_v1.json", ""), id="NodePool of EKS"),
    pytest.param("AKSNodeClass", aks_classes.NODE_CLASS, ("aks/karpenter.azure.com_aksnodeclasses.yaml", "v1beta1"), id="AKSNodeClass"),
    pytest.param("NodeClass", eks_classes.NODE_CLASS, ("eks-auto/eks.amazonaws.com_nodeclass_v1.json", ""), id="NodeClass"),
]


def listed(type_: str, above: str = "") -> Iterator[str]:
    """The places of a type, as `properties` has them."""
    for name, argument in (arguments(type_) or {}).items():
        inner, place = argument.type.strip("[]"), f"{above}.{name}" if above else name
        if arguments(inner) is None:
            yield place
        else:
            yield from listed(inner, f"{place}[]" if argument.type.startswith("[") else place)


@pytest.mark.parametrize(("type_", "table", "crd"), OBJECTS)
def test_the_table_has_every_field_of_the_rows_and_of_the_schema(type_: str, table: Any, crd: tuple[str, str]) -> None:
    assert set(places(table)) - set(listed(type_)) == set()
    assert {place.split("{")[0] for place in properties(spec_of(*crd))} - set(listed(type_)) == set()


CLUSTER = Overridden(Source.AZURE, "ManagedCluster", python_name, checks_text=False)
POOL = CLUSTER._replace(type="AgentPool")
EKS = Overridden(Source.AWS, "Cluster", python_name, converts=True)
NODE_POOL = Overridden(Source.OBJECTS, "NodePool")
LATER = pulumi.Output.from_input("x")
ACCEPTED = [
    pytest.param(CLUSTER, {"resource_name_": "x", "tags": {"a": "b"}, "addon_profiles": {"azurepolicy": {"enabled": True}}}, id="plain arguments"),
    pytest.param(CLUSTER, {"kind": LATER, "network_profile": LATER, "sku": {"tier": StackOutput("a/b/c", "d")}}, id="what is known later"),
    pytest.param(CLUSTER, {"network_profile": containerservice.ContainerServiceNetworkProfileArgs()}, id="a part of the SDK"),
    pytest.param(CLUSTER, {"identity": {"type": "systemassigned"}}, id="a fixed word in another case"),
    pytest.param(CLUSTER, {"public_network_access": "SecuredByPerimeter"}, id="a word that no enum of the SDK has: the enum is open"),
    pytest.param(CLUSTER, {"addon_profiles": {"omsagent": {"config": {"useAADAuth": True}}}}, id="a switch in a mapping of texts"),
    pytest.param(POOL, {"count": 2.0, "spot_max_price": -1, "availability_zones": ("1",)}, id="whole numbers in any form"),
    pytest.param(POOL, {"max_pods": None, "upgrade_settings": {}}, id="nothing"),
    pytest.param(EKS, {"deletion_protection": "true", "kube_api_server_config": {"service_node_port_range": {"max_port": "32767"}}}, id="converted"),
    pytest.param(EKS, {"version": 1.35, "enabled_cluster_log_types": "api", "compute_config": [{"enabled": True}]}, id="converted to text and lists"),
    pytest.param(NODE_POOL, {"limits": {"cpu": 10, "memory": "1Gi"}, "weight": 1}, id="a quantity"),
]


@pytest.mark.parametrize(("resource", "given"), ACCEPTED)
def test_what_providers_and_clouds_accept_is_accepted(resource: Overridden, given: Mapping[str, object]) -> None:
    assert {one.why for one in resource.overrides(given)} == {Why.NOTHING}


WRONG = [
    pytest.param(CLUSTER, {"network_profil": None}, ("network_profil",), Why.UNKNOWN, "network_profile", id="a letter less"),
    pytest.param(CLUSTER, {"newtork_profile": {}}, ("newtork_profile",), Why.UNKNOWN, "network_profile", id="two letters swapped"),
    pytest.param(CLUSTER, {"networkProfile": {}}, ("networkProfile",), Why.UNKNOWN, "network_profile", id="the API's spelling at the top"),
    pytest.param(CLUSTER, {"hosted_system_profile": {}}, ("hosted_system_profile",), Why.NEWER, None, id="of a newer API"),
    pytest.param(
        CLUSTER, {"network_profile": {"networkPlugin": "none"}}, ("network_profile", "networkPlugin"), Why.SPELLING, "network_plugin", id="inside"
    ),
    pytest.param(
        CLUSTER, {"network_profile": {"NetworkPlugin": "x"}}, ("network_profile", "NetworkPlugin"), Why.UNKNOWN, "network_plugin", id="no API's"
    ),
    pytest.param(
        CLUSTER,
        {"agent_pool_profiles": [{"agent_pool_name": "x"}]},
        ("agent_pool_profiles", 0, "agent_pool_name"),
        Why.UNKNOWN,
        None,
        id="in a list",
    ),
    pytest.param(CLUSTER, {"identity": {"type": "Both"}}, ("identity", "type"), Why.TYPE, None, id="none of the fixed words"),
    pytest.param(CLUSTER, {"tags": {"a": ["b"]}}, ("tags", "a"), Why.TYPE, None, id="a list in a mapping of texts, which Pulumi rejects"),
    pytest.param(CLUSTER, {"kind": {"x"}}, ("kind",), Why.TYPE, None, id="a set"),
    pytest.param(CLUSTER, {"kind": Autoscale(1, 2)}, ("kind",), Why.TYPE, None, id="a part of the model"),
    pytest.param(POOL, {"count": "3"}, ("count",), Why.TYPE, None, id="text for a number"),
    pytest.param(POOL, {"count": 2.5}, ("count",), Why.TYPE, None, id="a part of a number"),
    pytest.param(POOL, {"count": True}, ("count",), Why.TYPE, None, id="a switch for a number"),
    pytest.param(POOL, {"enable_fips": 1}, ("enable_fips",), Why.TYPE, None, id="a number for a switch"),
    pytest.param(POOL, {"node_taints": "a=b:NoSchedule"}, ("node_taints",), Why.TYPE, None, id="text for a list"),
    pytest.param(POOL, {"vm_size": ["x"]}, ("vm_size",), Why.TYPE, None, id="a list for text"),
    pytest.param(POOL, {"kubelet_config": []}, ("kubelet_config",), Why.TYPE, None, id="a list for a mapping"),
    pytest.param(EKS, {"role_arn": None}, ("role_arn",), Why.REQUIRED, None, id="a required argument"),
    pytest.param(EKS, {"vpc_config": "x"}, ("vpc_config",), Why.TYPE, None, id="text for a mapping"),
    pytest.param(EKS, {"deletion_protection": "on"}, ("deletion_protection",), Why.TYPE, None, id="text that is no switch"),
    pytest.param(
        EKS,
        {"kube_controller_manager_config": {"pod_gc_controller_config": {"terminated_pod_gc_threshold": "x"}}},
        ("kube_controller_manager_config", "pod_gc_controller_config", "terminated_pod_gc_threshold"),
        Why.TYPE,
        None,
        id="text that is no number",
    ),
    pytest.param(NODE_POOL, {"disruptionn": {}}, ("disruptionn",), Why.UNKNOWN, "disruption", id="a field of an object"),
    pytest.param(
        NODE_POOL,
        {"template": {"spec": {"expire_after": "1h"}}},
        ("template", "spec", "expire_after"),
        Why.UNKNOWN,
        "expireAfter",
        id="Python's spelling in an object",
    ),
    pytest.param(
        NODE_POOL, {"disruption": {"budgets": [{"nodes": 1}]}}, ("disruption", "budgets", 0, "nodes"), Why.TYPE, None, id="a number for text"
    ),
]


@pytest.mark.parametrize(("resource", "given", "at", "why", "near"), WRONG)
def test_what_is_wrong_has_its_place_and_the_nearest_name(
    resource: Overridden, given: Mapping[str, object], at: Sequence[str | int], why: Why, near: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nodepools.data.argument_types.version", lambda _: Source.AZURE.origin.split()[1])
    [found] = [one for one in resource.overrides(given) if one.why is not Why.NOTHING]
    assert (found.at, found.why, found.near) == (at, why, near)


def test_another_version_of_the_sdk_makes_an_unknown_name_uncertain(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> str:
        raise PackageNotFoundError

    installed: list[Callable[[str], str]] = [lambda _: "3.15.0", missing]
    for version in installed:
        monkeypatch.setattr("nodepools.data.argument_types.version", version)
        given = {"no_such_profile": {}, "networkProfile": {}, "identity": {"type": "Both"}}
        assert [(one.at[0], one.is_certain) for one in CLUSTER.overrides(given) if one.why is Why.UNKNOWN] == [
            ("no_such_profile", False),
            ("networkProfile", True),
        ]
        assert [one.at for one in CLUSTER.overrides(given) if one.why is Why.TYPE] == []


def test_the_source_of_a_table_has_its_version() -> None:
    assert Source.AZURE.origin.startswith("pulumi-azure-native 3.")
    assert not Source.OBJECTS.is_of_installed
