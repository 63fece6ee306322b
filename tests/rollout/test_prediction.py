"""What is known before a rollout starts: nodes of several changes, answers of gates, time, and the way back."""

from datetime import date

import pytest

from nodepools import AksClusterArgs, AutoMode, Autoscale, EksClusterArgs, EksNetworkArgs, EksNodePool, Platform, SystemPool, UserPool, derive, diff
from nodepools.clouds.amounts import NOTHING, Amount
from nodepools.clouds.change import Change, ResourceName
from nodepools.model.base import Model
from nodepools.rollout.plan import Command, FleetStack, MustFit, NothingAbove, NothingRefused, RegionHasVersion, Rollout, RolloutWave, planned
from nodepools.rollout.prediction import StackChange, gate_answer, predicted, stack_change, upgraded
from nodepools.wire.table import Effect

TODAY = date(2026, 11, 29)
SIZE = "Standard_D4ds_v5"
AKS = AksClusterArgs(
    location="West Europe",
    kubernetes_version="1.35",
    system_pool=SystemPool(vm_size=SIZE, count=3),
    pools={"web": UserPool(vm_size=SIZE, count=2)},
)
EKS = EksClusterArgs(
    region="us-east-1", kubernetes_version="1.35", network=EksNetworkArgs(cidr="10.0.0.0/16"), auto_mode=AutoMode(node_pools={"web": EksNodePool()})
)
DEV = Platform(name="dev", tags={"tier": "canary"}, clusters={"weu": AKS, "use1": EKS})


def change(at: str, effect: Effect, least: int, most: int | None, pools: tuple[str, ...] = ()) -> Change:
    nodes = Amount(least, most)
    return Change(at, ("clusters", *at.split("/"), "x"), 1, 2, effect, "because", "docs", ResourceName("azure:x:Y", at), nodes, None, None, pools)


def test_a_stack_has_the_labels_and_regions_of_its_platform():
    stack = FleetStack.of("dev", DEV)
    assert (dict(stack.labels), stack.regions) == ({"environment": "dev", "tier": "canary"}, ("westeurope", "us-east-1"))
    assert stack.version_checks == (
        "az aks get-versions --location westeurope --query '[values[].version, values[].patchVersions.keys(@)[]][]' --output tsv | grep -Fqx 1.35",
        "aws eks describe-cluster-versions --region us-east-1 --query 'clusterVersions[].[clusterVersion]' --output text | grep -Fqx 1.35",
    )


@pytest.mark.parametrize(
    ("changes", "nodes"),
    [
        pytest.param([], NOTHING, id="nothing"),
        pytest.param([change("weu/web", Effect.REIMAGES, 1, 5), change("weu/web", Effect.ROTATES, 1, 5)], Amount(1, 5), id="one pool twice"),
        pytest.param([change("weu/web", Effect.REIMAGES, 1, 5), change("weu/batch", Effect.REIMAGES, 2, 3)], Amount(3, 8), id="two pools"),
        pytest.param(
            [change("weu/web", Effect.ROLLS_SOME, 0, 4), change("weu/web", Effect.ROLLS_SOME, 0, 4)], Amount(0, 8), id="two parts of a pool"
        ),
        pytest.param([change("weu/web", Effect.ROLLS_SOME, 0, 4), change("weu/web", Effect.ROLLS, 1, 9)], Amount(1, 9), id="a part and the whole"),
        pytest.param(
            [change("weu", Effect.ROLLS, 2, None, ("weu/a",)), change("weu/web", Effect.ROLLS, 3, 3)], Amount(3, None), id="cluster and pool"
        ),
    ],
)
def test_nodes_of_several_changes_are_counted_once(changes: list[Change], nodes: Amount):
    assert StackChange(FleetStack("dev"), tuple(changes)).nodes == nodes


@pytest.mark.parametrize(
    ("gate", "effects", "answer"),
    [
        (NothingRefused(), [Effect.REPLACES], "yes"),
        (NothingRefused(), [Effect.REFUSED, Effect.UNKNOWN], "no"),
        (NothingRefused(), [Effect.UNKNOWN], "unknown"),
        (NothingAbove(), [Effect.ROLLS], "yes"),
        (NothingAbove(), [Effect.DELETES], "no"),
        (NothingAbove("reimages"), [Effect.ROTATES], "no"),
        (NothingAbove(), [Effect.UNKNOWN], "unknown"),
        (NothingAbove(), [Effect.REPLACES, Effect.UNKNOWN], "no"),
        (MustFit(), [], "unknown"),
        (RegionHasVersion(), [], "unknown"),
        (Command(["x"]), [], "unknown"),
    ],
)
def test_a_gate_holds_only_if_it_is_proved(gate: Model, effects: list[Effect], answer: str):
    found = StackChange(FleetStack("dev"), tuple(change("weu/web", effect, 0, 1) for effect in effects))
    quiet = StackChange(FleetStack("quiet"), ())
    told = gate_answer(gate, [quiet, found])  # pyright: ignore[reportArgumentType]  # each is a gate
    assert told.answer == answer
    assert told.stacks == (("dev",) if answer != "yes" and effects else ("quiet", "dev") if answer != "yes" and not isinstance(gate, Command) else ())


def test_an_error_of_the_declaration_is_rejected():
    new = derive(DEV, clusters={"weu": {"pools": {"web": {"count": None, "scale": Autoscale(3, 2)}}}})
    found = stack_change("dev", (DEV, new), diff(DEV, new).all, TODAY)
    assert found.errors
    assert gate_answer(NothingRefused(), [found]).answer == "no"


def test_an_upgrade_is_one_round_with_its_bounds_and_its_way_back():
    old = derive(DEV, clusters={"weu": {"kubernetes_version": "1.34"}, "use1": {"kubernetes_version": "1.34"}})
    new, upgrade = upgraded(old, "1.36", TODAY)
    assert {cluster.kubernetes_version for cluster in new.clusters.values()} == {"1.35"}
    assert upgrade.later_versions == ("1.36",)
    assert [command.partition(" --")[0] for command in upgrade.by_hand] == ["az aks nodepool upgrade"]
    found = stack_change("dev", (old, new), upgrade.changes, TODAY, upgrade)
    rollout = Rollout(name="fleet", waves=[RolloutWave(name="all", stacks=["*"], soak="1h")])
    told = predicted(rollout, planned(rollout, [found.stack], "main"), {"dev": found})
    assert told.minutes == upgrade.minutes
    assert "control_plane" in told.unbounded
    assert told.plan.soaks == 0, "nothing follows the last wave"
    lost = {way.effect: way.not_undone for way in told.waves[0].ways_back}
    assert lost["rolls"] == "local data of nodes is lost"
    assert lost["kubernetes_version"]


@pytest.mark.parametrize("by_edit", [False, True], ids=["--to", "an edit"])
@pytest.mark.parametrize("clusters", [{"weu": AKS}, {"use1": EKS}], ids=["AKS", "EKS"])
def test_no_raised_version_is_certain_to_be_accepted(clusters: dict[str, AksClusterArgs | EksClusterArgs], *, by_edit: bool):
    """As `upgrade` says it of the same declaration: a PodDisruptionBudget or a quota can stop it."""
    old = Platform(name="dev", clusters=clusters)
    new, upgrade = upgraded(old, "1.36", TODAY)
    found = stack_change("dev", (old, new), diff(old, new).all, TODAY, None if by_edit else upgrade)
    told = gate_answer(NothingRefused(), [found])
    assert (told.answer, "`nodepools upgrade` decides it" in told.reason) == ("unknown", True)
    assert gate_answer(NothingAbove(), [found]).answer == "yes"
    assert gate_answer(NothingRefused(), [stack_change("dev", (new, new), (), TODAY)]).answer == "yes"
    _, same = upgraded(new, "1.36", TODAY)
    assert gate_answer(NothingRefused(), [stack_change("dev", (new, new), (), TODAY, same)]).answer == "yes", "nothing changes"


def test_the_time_of_edits_is_not_known_and_that_of_no_edit_is_nothing():
    rollout = Rollout(name="fleet", waves=[RolloutWave(name="all", stacks=["*"], at_most=2)])
    new = derive(DEV, tags={"team": "core"})
    edited, quiet = stack_change("dev", (DEV, new), diff(DEV, new).all, TODAY), stack_change("dev", (DEV, DEV), (), TODAY)
    for found, minutes in ((edited, None), (quiet, 0)):
        assert predicted(rollout, planned(rollout, [found.stack], "main"), {"dev": found}).minutes == minutes


def test_every_effect_that_sends_something_has_a_way_back():
    rollout = Rollout(name="fleet", waves=[RolloutWave(name="all", stacks=["*"])])
    for effect in Effect:
        found = StackChange(FleetStack("dev"), (change("weu/web", effect, 0, 1),))
        [wave] = predicted(rollout, planned(rollout, [found.stack], "main"), {"dev": found}).waves
        assert bool(wave.ways_back) is (effect not in (Effect.NONE, Effect.IGNORED)), effect
