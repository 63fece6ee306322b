"""What an organization requires of owners is reported only if it requires it, and only where it is not kept."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from typing import cast

import pytest

from nodepools import DeclarationError, EksNodePool, Platform, derive
from nodepools.loading import load_text
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.aks.cluster import AksClusterArgs, AksNodePool
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.path import path_text, value_at
from nodepools.model.steps import Steps
from nodepools.rules.engine.finding import applied, remove, set_to
from nodepools.rules.engine.registry import all_rules
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import aks, auto_mode, eks, platform

WEB: Mapping[str, object] = {"kind": "UserPool", "vm_size": "Standard_D4ds_v5", "owner": "shop", "scale": {"min": 1, "max": 20}}
CODES = {"PLT069", "PLT070", "PLT071", "AKS023"}
BOTH = "`owners.label` on clusters.one.system_pool, clusters.one.pools.web"


def teams(**limits: object) -> dict[str, object]:
    return {"teams": {"shop": limits, "core": {}}}


def declared(owners: Mapping[str, object], owner: str | None = "core", **web: object) -> Platform:
    return derive(platform(one=aks(owner=owner, pools={"web": {**WEB, **web}})), owners=owners)


def found(whole: Platform) -> list[tuple[str, str, str]]:
    return [(finding.code, finding.path, finding.message) for finding in check(whole) if finding.code in CODES]


@pytest.mark.parametrize(
    ("whole", "expected"),
    [
        pytest.param(declared({}), [], id="nothing is required"),
        pytest.param(declared({"required": True}), [], id="the cluster has an owner"),
        pytest.param(
            declared({"required": True}, owner=None),
            [("PLT069", "clusters.one.system_pool.owner", "The pool `one/system` has no owner: the platform requires one")],
            id="a pool without an owner",
        ),
        pytest.param(declared(teams(nodes=20, vcpus=80, monthly=4000)), [], id="exactly what is allowed"),
        pytest.param(
            declared(teams(nodes=19, vcpus=79, monthly=3971)),
            [
                ("PLT070", "owners.teams.shop.nodes", "The pools of `shop` can have 20 nodes together: 19 are allowed"),
                ("PLT070", "owners.teams.shop.vcpus", "The pools of `shop` can have 80 vCPUs together: 79 are allowed"),
                ("PLT070", "owners.teams.shop.monthly", "The pools of `shop` can have 3,971.2 USD per month together: 3,971 are allowed"),
            ],
            id="more than is allowed",
        ),
        pytest.param(
            declared(teams(vcpus=500, monthly=9000), vm_size="Standard_D4ds_v99"),
            [
                ("PLT070", "owners.teams.shop.vcpus", "The owner `shop` is limited to 500 vCPUs: no maximum is known for one/web"),
                ("PLT070", "owners.teams.shop.monthly", "The owner `shop` is limited to 9,000 USD per month: no maximum is known for one/web"),
            ],
            id="no maximum is known",
        ),
        pytest.param(
            derive(platform(one=eks(owner="core")), owners={"teams": {"core": {"nodes": 5}}}),
            [
                (
                    "PLT070",
                    "owners.teams.core.nodes",
                    "The owner `core` is limited to 5 nodes: no maximum is known for one/general-purpose, one/system",
                )
            ],
            id="nothing bounds built-in NodePools",
        ),
        pytest.param(declared({"teams": {"shop": {}, "core": {}, "else": {"nodes": 1}}}), [], id="a team without pools"),
        pytest.param(
            declared({"teams": {"shop": {}}}, owner="shpo"),
            [("PLT071", "clusters.one.owner", "`shpo` is not a team of the platform: none of its limits applies")],
            id="another owner than the teams",
        ),
        pytest.param(declared({"label": "example.com/owner", "tag": "owner"}), [], id="owners that can be labels"),
        pytest.param(
            declared({"label": "example.com/"}, owner="Team Core"),
            [
                ("AKS023", "clusters.one.owner", "`owners.label` on clusters.one.system_pool: `Team Core` is not a valid label value"),
                ("AKS023", "owners.label", f"{BOTH}: `example.com/` is not a valid label key"),
            ],
            id="what no label can be",
        ),
        pytest.param(
            declared({"label": "example.com/owner"}, labels={"example.com/owner": "a b"}),
            [("AKS023", 'clusters.one.pools.web.labels["example.com/owner"]', "`a b` is not a valid label value")],
            id="a label of the pool takes precedence",
        ),
        pytest.param(derive(platform(one=eks(owner="Team Core")), owners={"label": "owner"}), [], id="no pool gets the label"),
        pytest.param(declared({"tag": "owner"}, owner="Team Core"), [], id="a tag can have any text"),
    ],
)
def test_what_is_required_of_owners(whole: Platform, expected: list[tuple[str, str, str]]) -> None:
    assert sorted(found(whole)) == sorted(expected)


def test_no_limit_is_high_enough_for_pools_without_a_maximum() -> None:
    whole = derive(platform(one=eks(owner="core")), owners={"teams": {"core": {"nodes": 5}}})
    [finding] = [one for one in check(whole) if one.code == "PLT070"]
    assert finding.fix is not None
    assert "turn off built-in ones" in finding.fix.text
    bounded = derive(whole, clusters={"one": {"auto_mode": {"built_in_node_pools": []}}})
    assert not [one for one in check(bounded) if one.code == "PLT070"]


@pytest.mark.parametrize(("owner", "fix"), [("shpo", "Use `shop`, if that is meant"), ("zebra", "Add `zebra` to `owners.teams`")])
def test_the_nearest_team_is_offered(owner: str, fix: str) -> None:
    [finding] = [one for one in check(declared({"teams": {"shop": {}}}, owner=owner)) if one.code == "PLT071"]
    assert finding.fix is not None
    assert finding.fix.text == fix


def _wrapped(part: object) -> Platform | None:
    """A platform with a sample of a rule; `None` for one that no owner has."""
    if isinstance(part, Platform):
        return part
    if isinstance(part, EksNodePool):
        return platform(one=auto_mode({"web": part}))
    if isinstance(part, AksNodePool):
        return platform(one=aks(node_provisioning={"node_pools": {"web": part}}))
    if isinstance(part, AgentPool):
        return platform(one=aks(pools={"web": part}))
    return platform(one=part) if isinstance(part, AksClusterArgs | EksClusterArgs) else None


def _about_labels_and_tags() -> Iterator[tuple[str, Platform, Steps]]:
    """Each rule whose sample is wrong in a label of a pool, or in a tag of a cluster or an agent pool."""
    for code, rule in all_rules().items():
        whole = _wrapped(rule.sample())
        for one in check(whole, today=DAY, fixes=False) if whole is not None else ():
            part = value_at(whole, one.steps[:-2])
            if one.code == code and one.steps[-2:-1] in (("labels",), ("tags",)) and hasattr(part, "owner"):
                yield code, cast("Platform", whole), one.steps
                break


DAY = date(2026, 11, 25)


def test_every_rule_about_labels_and_tags_holds_for_those_that_name_owners() -> None:
    """The wrong label or tag of its sample is sent as that of an owner, instead."""
    silent, codes = [], set[str]()
    for code, whole, steps in _about_labels_and_tags():
        *above, field, key = steps
        value = value_at(whole, steps)
        sent = applied(whole, [remove(steps), set_to((*above, "owner"), value), set_to(("owners", str(field)[:-1]), key)])
        codes.add(code)
        places = {f"owners.{str(field)[:-1]}", path_text((*above, "owner"))}
        if not any(one.code == code and one.path in places for one in check(sent, today=DAY)):
            silent.append((code, steps))
    assert not silent
    assert {"AKS021", "AKS164", "AKS325", "KAR031", "EKS046", "EKS181", "NAP007", "PLT003"} <= codes


def test_limits_of_a_platform_that_is_only_partly_read_are_not_reported() -> None:
    """Nothing is derived from a part with unknown fields."""
    pool: dict[str, object] = {"owner": "core", "nonsense": 1}
    cluster: dict[str, object] = {"kind": "AksCluster", "location": "x", "kubernetes_version": "1.35", "system_pool": {"vm_size": "Standard_D4ds_v5"}}
    text = {
        "name": "dev",
        "owners": {"teams": {"core": {"nodes": 1}}},
        "clusters": {"one": {**cluster, "node_provisioning": {"node_pools": {"web": pool}}}},
    }
    with pytest.raises(DeclarationError) as raised:
        load_text(json.dumps(text), "platform.json")
    assert [finding.code for finding in raised.value.findings if finding.code in {"CFG002", *CODES}] == ["CFG002"]
