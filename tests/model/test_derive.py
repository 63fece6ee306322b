"""Deriving a declaration: a misspelt key changes nothing, and must not create something next to what was meant."""

import pytest

from nodepools import DeclarationError, EksNodePool, Platform, UserPool, derive
from nodepools.rules.engine.samples import SIZE, aks, auto_mode, eks_pool, platform

BASE = platform(weu=aks(), use1=auto_mode({"web": eks_pool(), "api": eks_pool()}))


def derived(**clusters: object) -> Platform:
    return derive(BASE, clusters=clusters)


@pytest.mark.parametrize(
    ("clusters", "path", "fix"),
    [
        pytest.param({"wue": {"kubernetes_version": "1.36"}}, "clusters.wue", "Use the key `weu`", id="a cluster"),
        pytest.param({"weu": {"pools": {"wbe": {"vm_size": SIZE}}}}, "clusters.weu.pools.wbe", "Use the key `web`", id="an agent pool"),
        pytest.param(
            {"use1": {"auto_mode": {"node_pools": {"wbe": {"limits": {"cpu": 9}}}}}},
            "clusters.use1.auto_mode.node_pools.wbe",
            "Use the key `web`",
            id="a NodePool, whose fields are all optional",
        ),
        pytest.param(
            {"use1": {"auto_mode": {"node_pools": {"wbe": None}}}}, "clusters.use1.auto_mode.node_pools.wbe", "Use the key `web`", id="a removal"
        ),
        pytest.param(
            {"use1": {"auto_mode": {"node_pools": {"training": {"limits": {"cpu": 9}}}}}},
            "clusters.use1.auto_mode.node_pools.training",
            "Use a key of the base; for a new one, write all of it, as `EksNodePool`",
            id="a key like no other",
        ),
    ],
)
def test_a_change_of_an_entry_that_the_base_does_not_have(clusters: dict[str, object], path: str, fix: str) -> None:
    with pytest.raises(DeclarationError) as refused:
        derived(**clusters)
    [finding] = refused.value.findings
    assert (finding.code, finding.path, finding.value) == ("CFG012", path, None)
    assert finding.fix is not None
    assert finding.fix.text == fix
    assert "does not exist in the base of `derive()`, which has `we" in finding.message


@pytest.mark.parametrize(
    "clusters",
    [
        pytest.param({"weu": {"pools": {"wbe": UserPool(vm_size=SIZE)}}}, id="a new agent pool, whole"),
        pytest.param({"weu": {"pools": {"wbe": {"kind": "UserPool", "vm_size": SIZE}}}}, id="as a mapping"),
        pytest.param({"use1": {"auto_mode": {"node_pools": {"wbe": EksNodePool()}}}}, id="a new NodePool, whole"),
        pytest.param({"use1": {"auto_mode": {"node_classes": {"own": {"fips": True}}}}}, id="the first of its kind"),
        pytest.param({"use1": {"auto_mode": {"node_pools": {"training": None}}}}, id="what is not there is removed"),
        pytest.param({"use1": {"tags": {"team": "web"}}}, id="text"),
    ],
)
def test_new_entries(clusters: dict[str, object]) -> None:
    assert list(derived(**clusters).clusters) == ["weu", "use1"]
