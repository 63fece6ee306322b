"""What the tables of NodePools and node classes write, where, and what a change of it does."""

from typing import Any

import pytest

from nodepools import AksNodePool, EksNodeClass, EksNodePool
from nodepools.model.base import Model
from nodepools.model.ref import StackOutput
from nodepools.wire.aks import node_class as aks
from nodepools.wire.eks import node_class as eks
from nodepools.wire.karpenter import AKS_NODE_CLASS, EKS_NODE_CLASS, NODE_POOL, ObjectContext
from nodepools.wire.paths import differences, effect_of, model_of, wire_of
from nodepools.wire.reading import write
from nodepools.wire.table import Effect, Table
from tests.wire.object_tables import AKS_POOL, EKS_POOL, each_table


def test_a_class_of_the_cluster_is_named_by_its_key_or_better() -> None:
    def named(pool: EksNodePool, node_class: object = None) -> object:
        wire: Any = write(EKS_POOL, pool, ObjectContext("web", node_class))
        return wire["template"]["spec"]["nodeClassRef"]["name"]

    assert (named(EksNodePool()), named(EksNodePool(node_class="own")), named(EksNodePool(node_class="own"), "own-1f2e")) == (
        "default",
        "own",
        "own-1f2e",
    )


def test_references_are_resolved_wherever_they_are() -> None:
    declared = EksNodeClass.model_validate(
        {"role": StackOutput("o/p/s", "role"), "subnets": [{"id": StackOutput("o/p/s", "net")}, {"id": "subnet-1"}]}
    )
    wire = write(eks.NODE_CLASS, declared, eks.NodeClassContext("node", [], []), resolve=lambda ref: f"<{ref.output}>")
    assert (wire["role"], wire["subnetSelectorTerms"], wire["securityGroupSelectorTerms"]) == ("<role>", [{"id": "<net>"}, {"id": "subnet-1"}], [])


def test_kinds_are_named_as_people_do() -> None:
    assert [str(kind) for kind in (NODE_POOL, EKS_NODE_CLASS, AKS_NODE_CLASS)] == [
        "NodePool (karpenter.sh/v1)",
        "NodeClass (eks.amazonaws.com/v1)",
        "AKSNodeClass (karpenter.azure.com/v1beta1)",
    ]


# Paths

PATHS: list[tuple[Table, tuple[str | int, ...], str]] = [
    (EKS_POOL, ("node_class",), "template.spec.nodeClassRef.name"),
    (EKS_POOL, ("requirements", 1, "min_values"), "template.spec.requirements.1.minValues"),
    (EKS_POOL, ("requirements", 1, "values", 0), "template.spec.requirements.1.values.0"),
    (EKS_POOL, ("labels", "a"), "template.metadata.labels.a"),
    (EKS_POOL, ("limits", "cpu"), "limits.cpu"),
    (EKS_POOL, ("disruption", "budgets", 2, "nodes"), "disruption.budgets.2.nodes"),
    (eks.NODE_CLASS, ("ephemeral_storage",), "ephemeralStorage.size"),
    (eks.NODE_CLASS, ("advanced_networking", "network_interfaces", 0, "device_index"), "advancedNetworking.networkInterfaces.0.deviceIndex"),
    (aks.NODE_CLASS, ("vtpm",), "security.trustedLaunch.vtpm"),
    (aks.NODE_CLASS, ("linux_os", "sysctls", "vm_swappiness"), "linuxOSConfig.sysctls.vmSwappiness"),
]


@pytest.mark.parametrize(("table", "model", "wire"), PATHS, ids=[row[2] for row in PATHS])
def test_paths_go_both_ways(table: Table, model: tuple[str | int, ...], wire: str) -> None:
    there = wire_of(table, model)
    assert ".".join(map(str, there)) == wire
    assert model_of(table, there) == model


# What a change does


@each_table
def test_every_change_has_a_source(table: Table, model: type[Model]) -> None:
    assert model.model_fields
    assert [one.model for one in table.leaves if one.change is None or not one.change.source] == []


EFFECTS: list[tuple[Table, str, Effect]] = [
    *((EKS_POOL, f"template.metadata.{name}", Effect.ROLLS) for name in ("labels", "annotations")),
    *((EKS_POOL, f"template.spec.{name}", Effect.ROLLS) for name in ("taints", "startupTaints", "expireAfter", "terminationGracePeriod")),
    (EKS_POOL, "template.spec.nodeClassRef.name", Effect.ROLLS),
    (EKS_POOL, "template.spec.nodeClassRef.group", Effect.REFUSED),
    (EKS_POOL, "template.spec.requirements", Effect.ROLLS_SOME),
    *((EKS_POOL, name, Effect.IN_PLACE) for name in ("weight", "limits", "replicas", "disruption", "disruption.budgets")),
    (eks.NODE_CLASS, "ephemeralStorage", Effect.ROLLS),
    (eks.NODE_CLASS, "subnetSelectorTerms", Effect.ROLLS_SOME),
    (eks.NODE_CLASS, "snatPolicy", Effect.UNKNOWN),
    (aks.NODE_CLASS, "kubelet.podPidsLimit", Effect.ROLLS),
    (aks.NODE_CLASS, "security", Effect.ROLLS),
    (aks.NODE_CLASS, "tags", Effect.IN_PLACE),
]


@pytest.mark.parametrize(("table", "wire", "effect"), EFFECTS, ids=[row[1] for row in EFFECTS])
def test_what_a_change_does(table: Table, wire: str, effect: Effect) -> None:
    assert effect_of(table, tuple(wire.split(".")), "", Effect.UNKNOWN) is effect


def test_every_field_of_an_aks_node_class_but_its_tags_and_its_subnet_rolls_nodes() -> None:
    others = {one.wire: one.change.effect for one in aks.NODE_CLASS.leaves if one.wire and one.change and one.change.effect is not Effect.ROLLS}
    assert others == {("tags",): Effect.IN_PLACE, ("vnetSubnetID",): Effect.UNKNOWN}


def test_flexibility_alone_touches_no_node() -> None:
    ways = {way.model[-1]: way.change for way in EKS_POOL.field_paths if way.model[:1] == ("requirements",) and len(way.model) == 3}
    assert {name: change.effect for name, change in ways.items() if change} == {
        "key": Effect.ROLLS_SOME,
        "operator": Effect.ROLLS_SOME,
        "values": Effect.ROLLS_SOME,
        "min_values": Effect.IN_PLACE,
    }


def test_what_the_cloud_fills_in_is_no_change_when_it_is_said() -> None:
    assert (EKS_NODE_CLASS.expire_after, AKS_NODE_CLASS.expire_after) == (EksNodePool().expires_after, AksNodePool().expires_after)
    for table, pool in ((EKS_POOL, EksNodePool()), (AKS_POOL, AksNodePool())):
        before, said = (write(table, one, ObjectContext("web")) for one in (pool, pool.model_validate({"expire_after": pool.expires_after})))
        assert list(differences(table, before, said, "")) == []
        later = write(table, pool.model_validate({"expire_after": "100h", "weight": 3}), ObjectContext("web"))
        assert {one.model: one.effect for one in differences(table, before, later, "")} == {
            ("expire_after",): Effect.ROLLS,
            ("weight",): Effect.IN_PLACE,
        }
