"""Windows, where they are declared and where they hold."""

from datetime import date

import pytest

from nodepools import Budget, Daily, Disruption, Platform, Weekly, derive
from nodepools.aks import WeeklySchedule
from nodepools.model.aks.maintenance import MaintenanceWindow
from nodepools.model.base import Model
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import aks, aks_pool, auto_mode, eks, eks_pool, provisioning
from nodepools.rules.engine.schema_findings import shape_findings

SATURDAY = Weekly(days="sat", start="01:00", hours=5)
EVERYTHING = derive(SATURDAY, reasons=["Drifted", "Empty", "Underutilized"])
WORKDAYS = Weekly(days="mon-fri", start="22:00", hours=5)
OWN = MaintenanceWindow(schedule=WeeklySchedule("Sunday"))
NO_BUILT_IN = {"auto_mode": {"built_in_node_pools": []}}


def told(declared: Model) -> list[str]:
    return [f"{finding.code} {finding.path}" for finding in check(declared, today=date(2026, 11, 21))]


def platform(window: Weekly | Daily | None, **clusters: object) -> Platform:
    return Platform.model_validate({"name": "dev", "maintenance": window, "clusters": clusters})


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(aks(maintenance=SATURDAY), [], id="a day of the week"),
        pytest.param(aks(maintenance=Daily(start="01:00", hours=4)), ["AKS111 maintenance"], id="every day, which releases do not keep"),
        pytest.param(
            aks(maintenance=Daily(start="01:00", hours=4), maintenance_configurations={"releases": OWN}), [], id="every day, releases on their own"
        ),
        pytest.param(aks(maintenance=WORKDAYS), ["AKS110 maintenance"], id="five days"),
        pytest.param(aks(maintenance=WORKDAYS, auto_upgrade="patch"), ["AKS110 maintenance"] * 2, id="five days, for both"),
        pytest.param(
            aks(maintenance=WORKDAYS, maintenance_configurations={"releases": OWN, "node_images": OWN}), [], id="five days, in AKS's own words"
        ),
        pytest.param(aks(maintenance=WORKDAYS, node_os_upgrade="None"), ["AKS111 maintenance"], id="five days, and nothing is turned on"),
        pytest.param(aks(maintenance=Weekly(days="sat", start="01:00", hours=4, tz="Europe/Paris")), ["AKS110 maintenance"], id="too short in Paris"),
        pytest.param(platform(WORKDAYS, weu=aks()), ["AKS110 maintenance"], id="of the platform"),
        pytest.param(platform(WORKDAYS, weu=aks(maintenance=SATURDAY)), [], id="of the platform, but the nearest wins"),
        pytest.param(platform(WORKDAYS, use1=derive(eks(), NO_BUILT_IN)), ["PLT001 clusters.use1.auto_mode"], id="of a platform without AKS"),
        pytest.param(platform(SATURDAY, use1=eks()), ["PLT040 maintenance"], id="pools of EKS keep it not"),
        pytest.param(aks(maintenance=SATURDAY, node_provisioning={}), ["PLT040 maintenance"], id="nor do those of AKS"),
        pytest.param(
            platform(SATURDAY, use1=auto_mode({"web": eks_pool()})),
            ["KAR070 maintenance", "KAR073 maintenance", "PLT040 maintenance"],
            id="nodes expire",
        ),
        pytest.param(
            platform(SATURDAY, use1=auto_mode({"web": eks_pool(maintenance=SATURDAY)})),
            [*(f"{code} clusters.use1.auto_mode.node_pools.web.maintenance" for code in ("KAR070", "KAR073")), "PLT040 maintenance"],
            id="nodes expire, said where the window is",
        ),
        pytest.param(
            derive(provisioning({"jobs": aks_pool()}, default_node_pools="None"), maintenance=SATURDAY),
            ["KAR070 maintenance", "KAR073 maintenance"],
            id="on AKS too",
        ),
        pytest.param(
            derive(provisioning({"jobs": aks_pool(expire_after="Never")}, default_node_pools="None"), maintenance=SATURDAY),
            ["KAR073 maintenance"],
            id="unless they never do",
        ),
        pytest.param(
            derive(
                provisioning({"jobs": aks_pool(overrides={"template": {"spec": {"expireAfter": "Never"}}})}, default_node_pools="None"),
                maintenance=SATURDAY,
            ),
            ["PLT020 node_provisioning.node_pools.jobs.overrides.template", "KAR073 maintenance"],
            id="also if overrides say so",
        ),
        pytest.param(platform(None, weu=aks()), [], id="no window at all"),
    ],
)
def test_windows(declared: Model, found: list[str]) -> None:
    assert told(declared) == found


def kept(*budgets: Budget, window: Weekly | None = None):
    pool = aks_pool(expire_after="Never", disruption=Disruption(budgets=budgets), maintenance=window)
    return derive(provisioning({"jobs": pool}, default_node_pools="None"), maintenance=EVERYTHING)


AT = "node_provisioning.node_pools.jobs.disruption.budgets"
FRIDAY = Budget(nodes="0", schedule="0 0 * * fri", duration="48h")


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(kept(Budget(nodes="20%")), [], id="a limit in the window"),
        pytest.param(kept(FRIDAY), [f"KAR071 {AT}"], id="the window of the cluster is blocked"),
        pytest.param(kept(FRIDAY, window=derive(EVERYTHING, days="mon")), [], id="its own is not"),
        pytest.param(kept(Budget(nodes="0", schedule="0 0 * * sat", duration="3h")), [], id="a part of it is free"),
        pytest.param(kept(Budget(nodes="0")), [f"KAR022 {AT}[0].nodes"], id="what is always blocked is said elsewhere"),
        pytest.param(kept(*[Budget(nodes="5")] * 49), [], id="as many as there can be"),
        pytest.param(kept(*[Budget(nodes="5")] * 50), [f"KAR072 {AT}"], id="one more"),
    ],
)
def test_budgets_beside_a_window(declared: Model, found: list[str]) -> None:
    assert told(declared) == found


@pytest.mark.parametrize(
    ("reasons", "pool", "outside"),
    [
        pytest.param(["Drifted", "Underutilized"], {}, "removes empty nodes", id="the default"),
        pytest.param(["Drifted"], {}, "removes empty nodes and consolidates underutilized nodes", id="drift alone"),
        pytest.param(["Empty"], {}, "replaces drifted nodes and consolidates underutilized nodes", id="empty nodes alone"),
        pytest.param(["Drifted", "Empty", "Underutilized"], {}, None, id="all of them"),
        pytest.param(["Drifted"], {"disruption": Disruption(consolidate_after="Never")}, None, id="drift alone, without consolidation"),
        pytest.param(["Drifted", "Empty"], {"disruption": Disruption(consolidation_policy="WhenEmpty")}, None, id="what is not done needs no window"),
        pytest.param(["Drifted"], {"replicas": 3, "limits": {"nodes": 5}}, None, id="static pools are not consolidated"),
    ],
)
def test_what_the_window_does_not_hold(reasons: list[str], pool: dict[str, object], outside: str | None) -> None:
    declared = aks_pool(**{"expire_after": "Never", **pool, "maintenance": derive(SATURDAY, reasons=reasons)})
    found = [one for one in check(provisioning({"jobs": declared})) if one.code == "KAR073"]
    held = ", ".join(f"`{reason}`" for reason in declared.maintenance.reasons)
    expected = [] if outside is None else [f"Karpenter {outside} outside the maintenance window, too: the window is only for {held}"]
    assert [one.message for one in found] == expected


@pytest.mark.parametrize(
    ("reasons", "budgets", "never"),
    [
        pytest.param(["Drifted"], [FRIDAY], "upgrades its nodes", id="drift"),
        pytest.param(["Underutilized"], [FRIDAY], "disrupts nodes that are underutilized", id="consolidation alone"),
        pytest.param(["Drifted"], [derive(FRIDAY, reasons=["Empty"])], None, id="a lock for another reason than the window's"),
        pytest.param(["Drifted", "Underutilized"], [derive(FRIDAY, reasons=["Drifted"])], "upgrades its nodes", id="a lock for one of them"),
    ],
)
def test_a_window_that_is_closed_for_its_reasons(reasons: list[str], budgets: list[Budget], never: str | None) -> None:
    found = [one.message for one in check(kept(*budgets, window=derive(SATURDAY, reasons=reasons))) if one.code == "KAR071"]
    expected = "The budgets of the NodePool block its whole maintenance window (sat 01:00 for 5h, UTC): Karpenter never"
    assert found == ([] if never is None else [f"{expected} {never}"])


def test_a_finding_names_the_cluster_that_the_platform_is_for() -> None:
    [finding] = check(platform(WORKDAYS, weu=aks()))
    why = "opens on 5 days of the week; AKS accepts one day or every day"
    assert finding.message == f"The maintenance window has no effect on node images of `weu`: it {why}"
    own = "clusters.weu.maintenance_configurations.node_images"
    assert finding.fix.text == f"Use a window of at least 5 hours (4 in the time zone `UTC`) on one day or on every day, or set `{own}`"


def test_an_agent_pool_has_no_window_of_its_own() -> None:
    from pydantic import ValidationError

    written = {"kind": "AksCluster", "location": "westeurope", "kubernetes_version": "1.36", "system_pool": {"vm_size": "Standard_D4ds_v5"}}
    pools = {"web": {"kind": "UserPool", "vm_size": "Standard_D4ds_v5", "maintenance": {"kind": "Daily", "start": "01:00", "hours": 4}}}
    with pytest.raises(ValidationError) as error:
        Platform.model_validate({"name": "dev", "clusters": {"weu": {**written, "pools": pools}}})
    [finding] = shape_findings(error.value, Platform)
    assert (finding.code, finding.path) == ("CFG002", "clusters.weu.pools.web.maintenance")
    assert finding.message == ("`maintenance` is not a field of an agent pool: AKS has one maintenance window for all agent pools of a cluster")
