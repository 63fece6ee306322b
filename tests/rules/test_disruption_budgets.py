"""Disruption budgets that limit less, or more, than they seem to."""

import pytest

from nodepools import Budget, Daily, Disruption, check, derive
from nodepools.model.base import Model
from nodepools.model.severity import Severity
from nodepools.rules.engine.samples import aks_pool, eks_pool, provisioning
from nodepools.rules.karpenter.disruption_budgets import useless_budgets

AT = "disruption.budgets"
DAY = {"schedule": "0 6 * * *", "duration": "12h"}
NIGHT = {"schedule": "0 18 * * *", "duration": "12h"}
NEVER = {"schedule": "0 0 30 2 *", "duration": "8h"}
UNREADABLE = {"schedule": "0 9 * * 7", "duration": "8h"}
ALL = ["Drifted", "Empty", "Underutilized"]


def pool(*budgets: dict[str, object], **fields: object) -> Model:
    held = {name: fields.pop(name) for name in ("consolidation_policy", "consolidate_after") if name in fields}
    return eks_pool(disruption={"budgets": budgets, **held}, **fields)


def lock(**fields: object) -> dict[str, object]:
    return {"nodes": "0", **fields}


@pytest.mark.parametrize(
    ("budgets", "age", "found"),
    [
        pytest.param([lock(reasons=["Drifted"]), {}], "Never", [f"KAR095 {AT}[0].nodes"], id="drift alone"),
        pytest.param([{}, lock(reasons=["Drifted", "Empty"])], "Never", [f"KAR095 {AT}[1].nodes"], id="drift with another reason"),
        pytest.param([lock(reasons=["Drifted"]), {}], "720h", [], id="nodes that expire are replaced"),
        pytest.param([lock(reasons=["Drifted"], **NIGHT), {}], "Never", [], id="at night only"),
        pytest.param([lock(reasons=["Empty"]), {}], "Never", [], id="other reasons"),
        pytest.param([lock()], "Never", [f"KAR022 {AT}[0].nodes"], id="every reason has a rule of its own"),
    ],
)
def test_nodes_that_never_get_a_new_image(budgets: list[dict[str, object]], age: str, found: list[str], judged) -> None:
    assert judged(aks_pool(expire_after=age, disruption={"budgets": budgets})) == found


def test_auto_mode_replaces_nodes_after_21_days(judged) -> None:
    assert judged(pool(lock(reasons=["Drifted"]), {}, expire_after="Never")) == ["EKS044 expire_after"]


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(pool({}, {"reasons": []}), [f"KAR025 {AT}[1].reasons"], id="an empty list names no reason"),
        pytest.param(pool({}, {"reasons": [], **UNREADABLE}), [f"KAR021 {AT}[1].schedule"], id="unreadable, it has an effect: nothing is disrupted"),
        pytest.param(pool({}, {**NIGHT, "duration": "0m"}), [f"KAR025 {AT}[1].duration"], id="a window of no length"),
        pytest.param(pool({}, {**NIGHT, "duration": "0h0m0s"}), [f"KAR025 {AT}[1].duration"], id="a window of no length in full"),
        pytest.param(
            pool({}, {**NEVER, "duration": "0m"}), [f"KAR026 {AT}[1].schedule"], id="without a start, length does not matter: it is always active"
        ),
        pytest.param(pool({}, {"duration": "0m"}), [f"KAR020 {AT}[1].duration"], id="without a schedule, the API server rejects it"),
        pytest.param(pool({}, {"reasons": ["Drifted"], **NIGHT}), [], id="one reason at night"),
    ],
)
def test_budgets_without_effect(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("schedule", "starts"),
    [
        pytest.param("0 0 30 2 *", False, id="February 30"),
        pytest.param("0 0 31 2,4,6,9,11 *", False, id="day 31 of short months"),
        pytest.param("0 0 29 2 *", True, id="a leap day"),
        pytest.param("0 0 30 2 mon", True, id="two days are alternatives: every Monday in February"),
        pytest.param("0 0 29 2 */7", True, id="a step is not an alternative: a leap day on a Sunday, once in 28 years"),
        pytest.param(", 0 * * *", False, id="no minute"),
    ],
)
def test_schedules_that_never_start(schedule: str, judged, *, starts: bool) -> None:
    found = judged(pool({}, {"nodes": "5", "schedule": schedule, "duration": "1h"}))
    assert found == ([] if starts else [f"KAR026 {AT}[1].schedule"])


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(pool(lock(schedule="@hourly", duration="1h")), [f"KAR027 {AT}[0].duration"], id="an hour in every hour"),
        pytest.param(pool(lock(schedule="@hourly", duration="59m")), [], id="a minute stays"),
        pytest.param(pool(lock(schedule="15 * * * *", duration="45m")), [], id="a quarter stays"),
        pytest.param(pool(lock(**DAY), lock(**NIGHT)), [f"KAR027 {AT}"], id="day and night"),
        pytest.param(pool(lock(**DAY), lock(**NIGHT, reasons=["Empty"])), [f"KAR027 {AT}"], id="day and night for one reason"),
        pytest.param(
            pool(lock(**DAY), lock(**NIGHT, reasons=["Underutilized"]), replicas=2), [], id="a reason for which static pools are not disrupted"
        ),
        pytest.param(pool(lock(**DAY), {"nodes": "1", **NIGHT}), [], id="locked by day, one by night"),
        pytest.param(pool({}, lock(**NEVER)), [f"KAR026 {AT}[1].schedule"], id="a lock that never starts is reported once"),
        pytest.param(pool(lock(**DAY), lock(**NIGHT), lock()), [f"KAR022 {AT}[2].nodes"], id="a lock without a schedule is reported once"),
        pytest.param(pool(lock(reasons=ALL), lock(schedule="@hourly", duration="1h")), [f"KAR022 {AT}[0].nodes"], id="a lock of every reason"),
        pytest.param(pool(lock(schedule="@hourly")), [f"KAR020 {AT}[0].schedule"], id="a lock without a duration"),
        pytest.param(pool(lock(schedule="@hourly", duration="1h"), consolidate_after="Never"), [f"KAR027 {AT}[0].duration"], id="drift alone"),
    ],
)
def test_locks_that_never_open(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(eks_pool(), [], id="no budgets are 10%"),
        pytest.param(pool(), [f"KAR028 {AT}"], id="an empty list of budgets"),
        pytest.param(pool({"reasons": ["Drifted"]}), [f"KAR028 {AT}"], id="consolidation is not named"),
        pytest.param(pool({"reasons": ["Drifted"]}, consolidation_policy="WhenEmpty"), [], id="consolidation of empty nodes is not named"),
        pytest.param(pool({"reasons": ["Drifted"]}, consolidate_after="Never"), [], id="consolidation is off"),
        pytest.param(pool({"reasons": ["Drifted"]}, replicas=3), [], id="static pools are not consolidated"),
        pytest.param(pool({"reasons": ["Empty", "Underutilized"]}), [f"KAR028 {AT}"], id="drift is not named"),
        pytest.param(pool({"reasons": ["Underutilized"]}, {"reasons": ["Drifted"]}), [], id="a budget for each"),
        pytest.param(pool({"reasons": ["Drifted"]}, {"reasons": ["Empty"], **UNREADABLE}), [f"KAR021 {AT}[1].schedule"], id="unreadable: all closed"),
        pytest.param(aks_pool(disruption={"budgets": [{"reasons": ["Drifted"]}]}), [f"KAR028 {AT}"], id="on AKS"),
    ],
)
def test_reasons_without_a_budget(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(pool({"nodes": "20%", **NIGHT}), [f"KAR029 {AT}"], id="at night 20%, by day everything"),
        pytest.param(pool({"nodes": "20%", **NIGHT}, {"nodes": "10%", **DAY}), [], id="at night 20%, by day 10%"),
        pytest.param(pool({"nodes": "20%", **NIGHT}, lock(**DAY)), [], id="at night 20%, by day nothing"),
        pytest.param(pool({"nodes": "20%", **NIGHT}, {}), [f"KAR089 {AT}[0]"], id="at night 20%, and always the default, which is lower"),
        pytest.param(
            pool({"nodes": "1", "schedule": "0 10 * * mon-thu", "duration": "8h"}, lock(schedule="0 8 * * fri", duration="74h")),
            [f"KAR029 {AT}"],
            id="one by day, none from Friday on, and at night any number",
        ),
        pytest.param(pool({"nodes": "5", **NEVER}), [f"KAR026 {AT}[0].schedule"], id="without a start it always applies"),
        pytest.param(pool({"nodes": "20%", **NIGHT}, {"reasons": ["Underutilized"]}), [f"KAR029 {AT}"], id="for drift alone"),
        pytest.param(pool({"nodes": "20%", **UNREADABLE}), [f"KAR021 {AT}[0].schedule"], id="unreadable: all closed"),
        pytest.param(
            pool({"reasons": ["Drifted", "Underutilized"]}, {"nodes": "1", "reasons": ["Empty"], **NIGHT}), [], id="empty nodes move no pods"
        ),
    ],
)
def test_budgets_that_only_permit(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("reasons", "found"),
    [
        pytest.param(ALL, [], id="the window holds every reason"),
        pytest.param(["Drifted"], ["KAR029"], id="the window does not hold consolidation"),
    ],
)
def test_a_maintenance_window_holds_its_reasons_at_other_times(reasons: list[str], found: list[str]) -> None:
    window = Daily(start="18:00", hours=12, reasons=reasons)
    night = aks_pool(expire_after="Never", disruption=Disruption(budgets=[Budget(nodes="20%", **NIGHT)]))
    cluster = derive(provisioning({"jobs": night}, default_node_pools="None"), maintenance=window, maintenance_configurations={})
    assert [one.code for one in check(cluster) if one.code.startswith("KAR02")] == found


@pytest.mark.parametrize(
    ("declared", "message", "fix"),
    [
        pytest.param(
            pool(lock(**DAY), lock(**NIGHT, reasons=["Empty"])),
            "Karpenter never disrupts these nodes for `Empty`: together its budgets of 0 nodes cover all times",
            "Shorten a budget, so that nodes can be disrupted between the budgets",
            id="one reason",
        ),
        pytest.param(
            pool(),
            "No budget limits `Drifted` or `Underutilized`: "
            "Karpenter replaces drifted nodes and consolidates underutilized nodes, any number at a time",
            'Add `Budget(nodes="10%", reasons=["Drifted", "Underutilized"])` to `disruption.budgets`',
            id="two reasons",
        ),
    ],
)
def test_messages_name_the_reasons(declared: Model, message: str, fix: str) -> None:
    [found] = [one for one in check(declared) if one.severity is Severity.WARNING]
    assert (found.message, found.fix.text) == (message, fix)


WEEKEND = {"schedule": "0 1 * * sat", "duration": "8h"}


@pytest.mark.parametrize(
    ("budgets", "found"),
    [
        pytest.param([{}, {"nodes": "33%", "reasons": ["Drifted"], **WEEKEND}], [1], id="a window that another budget makes useless"),
        pytest.param([{"reasons": ["Empty"]}, {"nodes": "33%", "reasons": ["Drifted"], **WEEKEND}], [], id="of another reason"),
        pytest.param([{"reasons": ["Empty", "Drifted"]}, {"nodes": "33%"}], [], id="of some of its reasons"),
        pytest.param([{"nodes": "5"}, {"nodes": "33%", **WEEKEND}], [], id="a count and a percentage: the number of nodes decides"),
        pytest.param([{"nodes": "5"}, {"nodes": "6"}], [1], id="two counts"),
        pytest.param([{"nodes": "5"}, {"nodes": "5", **WEEKEND}], [], id="as many"),
        pytest.param([{"nodes": "20%", **WEEKEND}, {"nodes": "10%", "schedule": "0 2 * * sat", "duration": "6h"}], [], id="for a part of its time"),
        pytest.param([{"nodes": "20%", **WEEKEND}, {"nodes": "10%", "schedule": "0 0 * * sat", "duration": "24h"}], [0], id="longer than it"),
        pytest.param(
            [
                {"nodes": "20%", **WEEKEND},
                {"nodes": "0", "schedule": "0 0 * * sat", "duration": "4h"},
                {"nodes": "5%", "schedule": "0 4 * * sat", "duration": "20h"},
            ],
            [0],
            id="two lower ones together",
        ),
        pytest.param([{"nodes": "20%", **WEEKEND}, {"nodes": "0"}], [], id="a lock of everything is told as such"),
        pytest.param([{}, {"nodes": "2147483647"}], [1], id="unlimited next to a limit"),
        pytest.param([{"nodes": "2147483647"}, {}], [0], id="whichever is first"),
        pytest.param([{}, {"nodes": "33%", "schedule": "0 1 * * sat", "duration": "0m"}], [], id="a window of no length is told as such"),
        pytest.param([{}, {"nodes": "33%", "schedule": "0 1 * * sat-sun", "duration": "1h"}], [], id="a schedule that cannot be read"),
    ],
)
def test_budgets_below_others(budgets: list[dict[str, object]], found: list[int]) -> None:
    assert [index for index, _ in useless_budgets(Disruption.model_validate({"budgets": budgets}))] == found


def test_the_lower_budget_is_one_that_is_active_at_all_the_times_of_the_other() -> None:
    monday = {"nodes": "3", "schedule": "0 9 * * mon", "duration": "10m"}
    assert useless_budgets(Disruption.model_validate({"budgets": [{"nodes": "5"}, monday, {"nodes": "3"}]})) == ((0, 2),)


def test_no_budgets_are_below_others() -> None:
    assert list(useless_budgets(Disruption())) == []


def test_the_hours_without_a_budget() -> None:
    def told(*budgets: dict[str, object]) -> str:
        [found] = [one.message for one in check(pool(*budgets)) if one.code == "KAR029"]
        return found.partition(" at times (")[2].partition("): ")[0]

    assert told({"nodes": "1", "schedule": "0 10 * * mon-thu", "duration": "8h"}) == "Mon 18:00 to Tue 10:00 UTC and at other times"
    assert told({"nodes": "1", "schedule": "0 0 1 6 *", "duration": "8h"}) == "outside their schedules"
    assert told({"nodes": "1", "schedule": "0 0 5 1 *", "duration": "8h"}) == "from Mon 08:00 UTC on"
