"""How rules are asked, and how a finding knows where it is."""

from collections.abc import Iterator
from datetime import date, timedelta

import pulumi
import pytest

from nodepools import AksClusterArgs, Autoscale, EksNodeClass, SystemPool, Taint, UserPool, check
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.base import Model
from nodepools.model.path import path_text
from nodepools.rules.engine import registry, runner
from nodepools.rules.engine.finding import PartFinding, Severity
from nodepools.rules.engine.registry import Rule, finding, rule, sample
from nodepools.rules.engine.samples import SIZE, aks, eks, platform
from tests.runner_caches import forget_rules

DAY = date(2026, 11, 21)


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Rule]]:
    """A registry of its own, empty."""
    mine: dict[str, Rule] = {}
    monkeypatch.setattr(registry, "RULES", mine)
    monkeypatch.setattr(runner, "all_rules", lambda: mine)
    forget_rules()
    yield mine
    forget_rules()


def found(whole: Model, path: str = "") -> list[str]:
    return [finding.path for finding in check(whole, path, DAY)]


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        pytest.param(("clusters", "weu", "system_pool", "taints", 0), "clusters.weu.system_pool.taints[0]", id="fields, keys and places"),
        pytest.param(("labels", "example.com/team"), 'labels["example.com/team"]', id="a key that is no word"),
        pytest.param(("pools", "web-1"), "pools.web-1", id="a key with a hyphen"),
        pytest.param(("pools", "1"), 'pools["1"]', id="a key that looks like a place"),
        pytest.param(("pools", 'a"b'), 'pools["a\\"b"]', id="a key with a quotation mark"),
        pytest.param((), "", id="the whole"),
    ],
)
def test_paths_are_the_words_of_the_declaration(steps: tuple[str | int, ...], path: str) -> None:
    assert path_text(steps) == path


def test_one_object_in_two_places_has_two_paths() -> None:
    pool = SystemPool(vm_size=SIZE, count=3, taints=[Taint("a", "b")])
    same = aks(system_pool=pool, pools={"more": pool, "web": UserPool(vm_size=SIZE)})
    assert found(same) == ["system_pool.taints[0]", "pools.more.taints[0]"]


def test_also_where_it_is_one_object_indeed() -> None:
    taint = Taint("a", "b")
    pool = SystemPool(vm_size=SIZE, count=3)
    vars(pool)["taints"] = (taint, taint)  # validation makes two of it
    cluster = aks()
    vars(cluster).update(system_pool=pool, pools={"more": pool, "web": UserPool(vm_size=SIZE)})
    assert found(cluster) == ["system_pool.taints[0]", "system_pool.taints[1]", "pools.more.taints[0]", "pools.more.taints[1]"]


def test_a_part_is_judged_alone_and_with_a_path_before_its_own() -> None:
    assert found(SystemPool(vm_size=SIZE, taints=[Taint("a", "b")])) == ["taints[0]"]
    assert found(aks(pools={"X": UserPool(vm_size=SIZE)}), "clusters.weu") == ["clusters.weu.pools.X"]


def test_a_rule_that_needs_more_around_is_not_asked() -> None:
    assert found(eks(), "clusters.we u") == []
    assert found(platform(**{"we u": eks()})) == ['clusters["we u"]']


def test_findings_come_in_the_order_of_the_declaration_then_by_code(rules: dict[str, Rule]) -> None:
    @rule("X2", "", severity=Severity.ERROR)
    @sample("", aks)
    def second(pool: AgentPool) -> Iterator[PartFinding]:
        yield finding(pool, "b")

    @rule("X1", "", severity=Severity.ERROR)
    @sample("", aks)
    def first(cluster: AksClusterArgs) -> Iterator[PartFinding]:
        yield finding(cluster, "a", path=("pools", "unheard"))
        yield finding(cluster, "a", path="system_pool")

    assert list(rules) == ["X2", "X1"]
    assert [f"{one.code} {one.path}" for one in check(aks())] == ["X1 system_pool", "X2 system_pool", "X2 pools.web", "X1 pools.unheard"]


def test_a_part_may_be_named_by_what_it_holds_or_by_what_holds_it(rules: dict[str, Rule]) -> None:
    @rule("X1", "", severity=Severity.ERROR)
    @sample("", aks)
    def around(scale: Autoscale, cluster: AksClusterArgs) -> Iterator[PartFinding]:
        yield finding(cluster, "a", value="said")
        yield finding(cluster.system_pool, "a")
        yield finding(scale, "a", path="min")

    [whole, beside, within] = check(aks(pools={"web": {"scale": Autoscale(1, 2)}}), "weu")
    assert [whole.path, beside.path, within.path] == ["weu", "weu.system_pool", "weu.pools.web.scale.min"]
    assert (whole.value, within.value) == ("said", 1)
    assert "around" in rules["X1"].function.__name__


def test_a_rule_that_names_what_is_not_there_is_a_mistake_of_ours(rules: dict[str, Rule]) -> None:
    @rule("X1", "", severity=Severity.ERROR)
    @sample("", aks)
    def astray(_: AksClusterArgs) -> Iterator[PartFinding]:
        yield finding(Taint("a"), "a")

    assert rules
    with pytest.raises(LookupError, match="a rule returned a finding about a Taint that is not part of the declaration"):
        check(aks())


def test_a_rule_holds_from_a_day_and_until_another(rules: dict[str, Rule]) -> None:
    @rule("X1", "", severity=Severity.ERROR, since=DAY, until=DAY + timedelta(days=2))
    @sample("", aks)
    def for_two_days(cluster: AksClusterArgs, today: date) -> Iterator[PartFinding]:
        yield finding(cluster, str(today))

    days = [DAY + timedelta(days=offset) for offset in (-1, 0, 1, 2)]
    assert [[one.message for one in check(aks(), today=day)] for day in days] == [[], ["2026-11-21"], ["2026-11-22"], []]
    assert rules["X1"].summary == ""


@pytest.mark.usefixtures("loop")
def test_what_is_not_known_yet_is_not_judged() -> None:
    unknown = pulumi.Output.from_input("r" * 99)
    assert found(EksNodeClass(role=unknown, subnets=[{"id": unknown}])) == []
    assert found(eks(node_role=unknown, cluster_role=unknown, admins=[unknown], permissions_boundary=unknown)) == []
    assert found(aks(resource_group=unknown, identity=unknown, pools={"web": {"vnet_subnet_id": unknown}})) == []


def test_today_is_the_day_when_none_is_given() -> None:
    assert [finding.code for finding in check(eks(kubernetes_version="1.29"))] == ["EKS001"]
