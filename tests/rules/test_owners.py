"""What an organization requires of owners is reported only if it requires it, and only where it is not kept."""

import json
from collections.abc import Mapping

import pytest

from nodepools import DeclarationError, Platform, derive
from nodepools.loading import load_text
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import aks, eks, platform

WEB: Mapping[str, object] = {"kind": "UserPool", "vm_size": "Standard_D4ds_v5", "owner": "shop", "scale": {"min": 1, "max": 20}}
CODES = {"PLT069", "PLT070", "PLT071", "PLT072"}


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
                ("PLT072", "owners.label", "`example.com/` is not a valid label key"),
                ("PLT072", "clusters.one.owner", "`Team Core` cannot be the value of the label `example.com/`: the API server rejects it"),
            ],
            id="what no label can be",
        ),
        pytest.param(declared({"tag": "owner"}, owner="Team Core"), [], id="a tag can have any text"),
    ],
)
def test_what_is_required_of_owners(whole: Platform, expected: list[tuple[str, str, str]]) -> None:
    assert sorted(found(whole)) == sorted(expected)


@pytest.mark.parametrize(("owner", "fix"), [("shpo", "Use `shop`, if that is meant"), ("zebra", "Add `zebra` to `owners.teams`")])
def test_the_nearest_team_is_offered(owner: str, fix: str) -> None:
    [finding] = [one for one in check(declared({"teams": {"shop": {}}}, owner=owner)) if one.code == "PLT071"]
    assert finding.fix is not None
    assert finding.fix.text == fix


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
