"""An override has the effect of the field whose argument it replaces, and one that sends the same as a field changes nothing."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import pytest

from nodepools import AutoMode, Autoscale, EksClusterArgs, Platform, SystemPool, UserPool, derive
from nodepools.adoption.proof import respelled
from nodepools.changes.platform_changes import SEPARATE, diff, requests_of
from nodepools.clouds.change import AGENT_POOL, AKS_CLUSTER, EKS_CLUSTER, Change
from nodepools.wire.table import Effect
from tests.changes.swept import AKS, EKS, NETWORK, SIZE, Edit, edits, platform
from tests.changes.test_registered import cannot_be_sent

POOL = UserPool(vm_size=SIZE, count=4, labels={"tier": "api"})
KEY = "arn:aws:kms:us-east-1:111122223333:key/00000000-0000-0000-0000-000000000000"


def aks(**fields: object) -> Platform:
    return platform(derive(AKS, fields))


def pool(**fields: object) -> Platform:
    return aks(pools={"api": derive(POOL, fields)})


def system(**fields: object) -> Platform:
    return aks(system_pool=SystemPool(vm_size=SIZE, count=3, **fields))


def eks(**fields: object) -> Platform:
    return platform(derive(EKS, fields))


DAY = date(2026, 11, 26)


def found(old: Platform, new: Platform) -> dict[str, Change]:
    return {change.path.removeprefix("clusters.one."): change for change in diff(old, new, DAY).all}


@pytest.mark.parametrize(
    ("old", "new", "path", "effect", "nodes"),
    [
        (pool(), pool(overrides={"count": 2}), "pools.api.overrides.count", "removes_nodes", "2"),
        (pool(), pool(overrides={"node_taints": ["a=b:NoExecute"]}), "pools.api.overrides.node_taints", "in_place_pods", "4"),
        (pool(), pool(overrides={"power_state": {"code": "Stopped"}}), "pools.api.overrides.power_state.code", "removes_nodes", "4"),
        (pool(), pool(overrides={"max_pods": 50}), "pools.api.overrides.max_pods", "rotates", "4"),
        (pool(name="api"), pool(name="api", overrides={"max_pods": 50}), "pools.api.overrides.max_pods", "refused", "None"),
        (system(), system(overrides={"count": 1}), "system_pool.overrides.count", "removes_nodes", "2"),
        (
            aks(pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(2, 6))}),
            aks(pools={"web": UserPool(vm_size=SIZE, scale=Autoscale(2, 6), overrides={"enable_auto_scaling": False, "count": 1})}),
            "pools.web.overrides.count",
            "removes_nodes",
            "1 to 5",
        ),
        (
            aks(kubernetes_version="1.34"),
            aks(kubernetes_version="1.34", overrides={"kubernetes_version": "1.36"}),
            "overrides.kubernetes_version",
            "refused",
            "None",
        ),
        (aks(), aks(overrides={"network_profile": {"network_policy": "calico"}}), "overrides.network_profile.network_policy", "replaces", "2"),
        (aks(), aks(overrides={"new_argument": 1}), "overrides.new_argument", "unknown", "None"),
        (aks(), aks(overrides={"agent_pool_profiles": [{"count": 1}]}), "overrides.agent_pool_profiles", "refused", "None"),
        (eks(), eks(overrides={"compute_config": {"node_pools": ["system"]}}), "overrides.compute_config.node_pools", "removes_nodes", "any number"),
        (
            eks(secrets_key=KEY),
            platform(
                EksClusterArgs(
                    region="us-east-1",
                    kubernetes_version="1.35",
                    network=NETWORK,
                    secrets_key=KEY,
                    auto_mode=AutoMode(),
                    overrides={"encryption_config": None},
                )
            ),
            "secrets_key",
            "replaces",
            "any number",
        ),
    ],
)
def test_an_override_has_the_effect_of_the_argument(old: Platform, new: Platform, path: str, effect: str, nodes: str) -> None:
    change = found(old, new)[path]
    assert (change.effect.value, str(change.nodes)) == (effect, nodes)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (pool(), pool(labels={}, overrides={"node_labels": {"tier": "api"}})),
        (pool(), pool(overrides={"count": 4})),
        (pool(count=4, overrides={"count": 3}), pool(count=2, overrides={"count": 3})),
        (eks(deletion_protection=True), eks(overrides={"deletion_protection": True})),
        (system(), system(overrides={"count": 3})),
    ],
)
def test_what_sends_the_same_changes_nothing(old: Platform, new: Platform) -> None:
    for first, second in ((old, new), (new, old)):
        assert diff(first, second).worst is Effect.NONE
        assert diff(first, second).order == ()


def test_a_label_that_moves_and_another_edit_are_told_apart() -> None:
    told = found(pool(), pool(labels={}, count=2, tags={"a": "b"}, overrides={"node_labels": {"tier": "api", "x": "y"}}))
    effects = {path: change.effect.value for path, change in told.items()}
    assert effects == {
        "pools.api.count": "removes_nodes",
        "pools.api.overrides.node_labels.x": "in_place",
        "pools.api.tags.a": "in_place",
    }


PARTS = {AKS_CLUSTER: "", EKS_CLUSTER: "", AGENT_POOL: "pools.swept"}


def overridden(edit: Edit) -> Platform | None:
    """The old side that sends with overrides what the new one sends; `None` if the edit changes another resource than one, or its name."""
    before, after = (requests_of(side).by_key() for side in (edit.old, edit.new))
    changed = [(before[key], after[key]) for key in before if key in after and before[key].sent != after[key].sent]
    [cluster] = edit.old.clusters.values()
    if before.keys() != after.keys() or len(changed) != 1 or changed[0][0].resource != changed[0][1].resource:
        return None
    had, gets = changed[0]
    if had.resource.type not in PARTS or (had.resource.type == AKS_CLUSTER and had.sent["agentPoolProfiles"] != gets.sent["agentPoolProfiles"]):
        return None
    overrides = dict(_differing(respelled(had.sent), respelled(gets.sent)))
    owner: Any = cluster.pools["swept"] if had.resource.type == AGENT_POOL else cluster
    if had.resource.type == AGENT_POOL and had.key[2:] != ("swept",):
        return None
    made = type(owner).model_validate({**{name: getattr(owner, name) for name in owner.model_fields_set}, "overrides": overrides})
    other = platform(derive(cluster, pools={"swept": made}) if had.resource.type == AGENT_POOL else made)
    return other if requests_of(other).by_key()[had.key].resource == gets.resource else None


def _differing(old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name in old.keys() | new.keys():
        first, second = old.get(name), new.get(name)
        if isinstance(first, dict) and isinstance(second, dict):
            yield from ([(name, inner)] if (inner := dict(_differing(first, second))) else [])
        elif first != second:
            yield name, second


@pytest.mark.sweep
def test_every_field_and_the_override_of_its_argument_have_one_effect() -> None:
    wrong: list[str] = []
    number = 0
    for edit in edits():
        other = None if cannot_be_sent(edit) or edit.field.endswith(".overrides") else overridden(edit)
        if other is not None:
            number += 1
            one, two, same = diff(edit.old, edit.new), diff(edit.old, other), diff(edit.new, other)
            rights = one.worst in (Effect.IN_PLACE, Effect.UNKNOWN) and two.worst is Effect.IGNORED  # the field alone also takes a role away
            if one.worst is not two.worst and not rights:
                wrong.append(f"{edit}: {one.worst.value} as a field, {two.worst.value} as an override {[change.path for change in two.all]}")
            told = [change for change in same.all if not change.effect <= Effect.IN_PLACE and SEPARATE.keys().isdisjoint(change.steps)]
            if told:
                wrong.append(f"{edit}: {same.worst.value} although both send the same {[(change.path, change.message) for change in told]}")
    assert number > 100
    assert not wrong, "\n".join(wrong)
