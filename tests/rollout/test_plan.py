"""The order of a rollout holds for every fleet: a model check over random fleets, and the messages for declarations that do not fit."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodepools.rollout.plan import (
    Command,
    FleetStack,
    MustFit,
    NothingAbove,
    NothingRefused,
    Plan,
    RegionHasVersion,
    Rollout,
    RolloutError,
    RolloutWave,
    planned,
)
from nodepools.rules.engine.finding import DeclarationError

REGIONS = ("westeurope", "northeurope", "us-east-1", "eu-central-1")
STAGES = ("dev", "staging", "prod")


def stack(name: str, *regions: str, **labels: str) -> FleetStack:
    return FleetStack(name, {"environment": name.partition("-")[0], **labels}, regions)


@dataclass(frozen=True)
class Fleet:
    rollout: Rollout
    stacks: Sequence[FleetStack]
    at_most: Mapping[str, int]

    @property
    def regions(self) -> Mapping[str, Sequence[str]]:
        return {one.name: one.regions for one in self.stacks}


@st.composite
def fleets(draw: st.DrawFn) -> Fleet:
    """Applications, each with some of the stages, in some regions; a stage follows the one before it where the application has both."""
    apps = draw(st.integers(1, 8))
    stacks = []
    for app in range(apps):
        for stage in draw(st.lists(st.sampled_from(STAGES), min_size=1, unique=True)):
            regions = draw(st.lists(st.sampled_from(REGIONS), min_size=1, max_size=3, unique=True))
            stacks.append(stack(f"{stage}-{app}", *regions))
    names = {one.name for one in stacks}
    after = {
        f"{late}-{app}": [f"{early}-{app}"]
        for app in range(apps)
        for early, late in (("dev", "staging"), ("staging", "prod"), ("dev", "prod"))
        if {f"{early}-{app}", f"{late}-{app}"} <= names
    }
    present = [stage for stage in STAGES if any(name.startswith(stage) for name in names)]
    limits = {stage: draw(st.integers(1, 5)) for stage in present}
    if draw(st.booleans()):
        waves = [RolloutWave(name=stage, labels={"environment": stage}, at_most=limits[stage]) for stage in present]
        at_most = limits
    else:
        at_most = {"all": draw(st.integers(1, 5))}
        waves = [RolloutWave(name="all", stacks=["*"], at_most=at_most["all"])]
    return Fleet(Rollout(name="fleet", waves=waves, after=after, one_per_region=draw(st.booleans())), draw(st.permutations(stacks)), at_most)


def place_of(plan: Plan) -> dict[str, int]:
    batches = [batch for wave in plan.waves for batch in wave.batches]
    return {name: number for number, batch in enumerate(batches) for name in batch}


@settings(max_examples=100, deadline=None)
@given(fleets())
def test_the_order_of_every_fleet_keeps_what_is_declared(fleet: Fleet):
    plan = planned(fleet.rollout, fleet.stacks, "main")
    every = [name for wave in plan.waves for name in wave.stacks]
    assert sorted(every) == sorted(one.name for one in fleet.stacks), "each stack is updated once"
    places = place_of(plan)
    for late, others in fleet.rollout.after.items():
        assert all(places[early] < places[late] for early in others), "never prod before its dev"
    for wave in plan.waves:
        for batch in wave.batches:
            assert 0 < len(batch) <= fleet.at_most[wave.name], "never more than k at once"
            regions = [region for name in batch for region in fleet.regions[name]]
            assert not fleet.rollout.one_per_region or len(regions) == len(set(regions)), "never two clusters of one region"


@settings(max_examples=100, deadline=None)
@given(fleets())
def test_the_order_does_not_depend_on_the_order_of_files(fleet: Fleet):
    assert planned(fleet.rollout, fleet.stacks, "main") == planned(fleet.rollout, sorted(fleet.stacks, key=lambda one: one.name), "main")


@settings(max_examples=100, deadline=None)
@given(fleets())
def test_no_stack_waits_without_a_reason(fleet: Fleet):
    """Of one wave, each stack of a batch could not be in the one before: it is full, has its region, or has what it follows."""
    for wave in planned(fleet.rollout, fleet.stacks, "main").waves:
        for before, batch in zip(wave.batches, wave.batches[1:], strict=False):
            taken = {region for name in before for region in fleet.regions[name]}
            for name in batch:
                is_full = len(before) == fleet.at_most[wave.name]
                follows = not set(before).isdisjoint(fleet.rollout.after.get(name, ()))
                assert is_full or follows or (fleet.rollout.one_per_region and not taken.isdisjoint(fleet.regions[name]))


TWO = (stack("dev-weu", "westeurope"), stack("prod-weu", "westeurope"))


def rollout(*waves: RolloutWave, **fields: object) -> Rollout:
    return Rollout.model_validate({"name": "fleet", "waves": waves, **fields})


ALL = RolloutWave(name="all", stacks=["*"])
DEV, PROD = RolloutWave(name="dev", stacks=["dev-*"]), RolloutWave(name="prod", stacks=["prod-*"])


@pytest.mark.parametrize(
    ("declared", "stacks", "message"),
    [
        pytest.param(rollout(DEV), TWO, "`prod-weu` is in no wave", id="a stack in no wave"),
        pytest.param(
            rollout(ALL, RolloutWave(name="eu", stacks=["eu-*"])),
            TWO,
            "wave `eu` has no stack: it matches none of `dev-weu`, `prod-weu`",
            id="no match",
        ),
        pytest.param(rollout(ALL, PROD), TWO, "wave `prod` has no stack: earlier waves have all stacks", id="nothing is left"),
        pytest.param(rollout(RolloutWave(name="all", stacks=["*", "dve-*"])), TWO, "`dve-*` matches no stack", id="a misspelt pattern"),
        pytest.param(rollout(DEV, RolloutWave(name="dev", stacks=["*"])), TWO, "another wave is also called `dev`", id="one name twice"),
        pytest.param(
            rollout(ALL, after={"dev-weu": ["prod-weu"], "prod-weu": ["dev-weu"]}), TWO, "in a cycle: dev-weu → prod-weu → dev-weu", id="a cycle"
        ),
        pytest.param(rollout(ALL, after={"dev-*": ["dev-*"]}), TWO, "in a cycle: dev-weu → dev-weu", id="a stack that follows itself"),
        pytest.param(
            rollout(DEV, PROD, after={"dev-*": ["prod-*"]}),
            TWO,
            "`dev-weu` of wave `dev` follows `prod-weu` of the later wave",
            id="against the waves",
        ),
        pytest.param(rollout(ALL, after={"prod-*": ["test-*"]}), TWO, "`prod-weu` follows `test-weu`, which is not a stack", id="follows no stack"),
        pytest.param(rollout(ALL, after={"test-*": ["dev-*"]}), TWO, 'after["test-*"]: matches no stack', id="nothing follows"),
        pytest.param(rollout(ALL, after={"prod-weu": ["*"]}), TWO, "`*` has more `*` than `prod-weu`", id="a star that stands for nothing"),
        pytest.param(
            rollout(ALL, one_per_region=True), [stack("dev", "eu", "eu")], "`dev` itself has several clusters in eu", id="two clusters of one stack"
        ),
    ],
)
def test_a_declaration_that_does_not_fit_the_fleet_says_why(declared: Rollout, stacks: Sequence[FleetStack], message: str):
    with pytest.raises(RolloutError) as caught:
        planned(declared, stacks, "main")
    assert [text for text in caught.value.messages if message in text], caught.value.messages


def test_a_wave_without_a_selector_is_an_error_of_the_declaration():
    with pytest.raises(DeclarationError, match=r"selects no stack"):
        Rollout(name="fleet", waves=[RolloutWave(name="dev")])


def test_what_a_star_stands_for_is_the_same_in_both():
    stacks = [stack(name, "eu") for name in ("shop-dev-weu", "shop-prod-weu", "cart-dev-use", "cart-prod-use")]
    plan = planned(rollout(RolloutWave(name="all", stacks=["*"], at_most=4), after={"*-prod-*": ["*-dev-*"]}), stacks, "main")
    assert plan.waves[0].batches == (("cart-dev-use", "shop-dev-weu"), ("cart-prod-use", "shop-prod-weu"))


def test_a_gate_is_a_command_for_each_stack_or_for_the_wave():
    one = FleetStack("dev-weu", {}, ("westeurope",), ("az x",))
    gates = [NothingRefused(), NothingAbove("rolls"), MustFit(), RegionHasVersion(), Command(["test.sh", "{wave}", "{stack}"]), Command(["ok.sh"])]
    [wave] = planned(rollout(ALL, gates=gates), [one], "1a2b").waves
    assert [(check.gate, check.stack, check.command) for check in wave.gates] == [
        ("no change is rejected", "dev-weu", ("nodepools", "diff", "1a2b", "--stack", "dev-weu", "--fail-on", "refused,unknown")),
        ("no change is rejected", "dev-weu", ("nodepools", "check", "--stack", "dev-weu")),
        (
            "no effect is worse than rolls",
            "dev-weu",
            ("nodepools", "diff", "1a2b", "--stack", "dev-weu", "--fail-on", "deletes,removes_nodes,replaces,refused,unknown"),
        ),
        (
            "must fit",
            "dev-weu",
            ("python3", "-c", "from nodepools import load; from nodepools.rollout import require_fit; require_fit(load('dev-weu'))"),
        ),
        ("region has the version", "dev-weu", ("sh", "-c", "az x")),
        ("test.sh {wave} {stack}", "dev-weu", ("test.sh", "all", "dev-weu")),
        ("ok.sh", "", ("ok.sh",)),
    ]


def test_a_thousand_stacks_are_ordered_at_once():
    """One after the other is the slowest order: each batch is one stack."""
    stacks = [stack(f"{stage}-{number}", "eu") for number in range(1000) for stage in ("dev", "prod")]
    after = {f"prod-{number}": [f"dev-{number}"] for number in range(1000)}
    begun = time.process_time()
    plan = planned(rollout(ALL, after=after), stacks, "main")
    assert time.process_time() - begun < 10, "quadratic orders took twice that"
    assert len(plan.waves[0].batches) == 2000
