"""What Container Insights needs beside its add-on: what is warned about beside what is not."""

import pytest

from nodepools.model.base import Model
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import aks

WORKSPACE = "/subscriptions/s/resourceGroups/g/providers/Microsoft.OperationalInsights/workspaces/w"
ALONE = "AKS131 overrides.addon_profiles.omsagent"


def agent(*, enabled: object = True, **config: object) -> dict[str, object]:
    return {"addon_profiles": {"omsagent": {"enabled": enabled, "config": {"useAADAuth": "true", **config}}}}


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(aks(log_analytics_workspace_id=WORKSPACE), [], id="a workspace comes with all that it needs"),
        pytest.param(aks(log_analytics_workspace_id=WORKSPACE, log_analytics_workspace_location="northeurope"), [], id="in a region of its own"),
        pytest.param(
            aks(log_analytics_workspace_location="northeurope"), ["AKS130 log_analytics_workspace_location"], id="a region and no workspace"
        ),
        pytest.param(aks(overrides=agent()), [ALONE], id="the add-on by overrides"),
        pytest.param(aks(overrides=agent(useAADAuth=True)), [ALONE], id="a truth in place of a text"),
        pytest.param(aks(overrides=agent(), log_analytics_workspace_id=WORKSPACE), [], id="the add-on twice"),
        pytest.param(aks(overrides=agent(enabled=False)), [], id="off by overrides"),
        pytest.param(aks(overrides=agent(useAADAuth="false")), [], id="with the former log-in, which needs no rule"),
        pytest.param(aks(overrides={"addon_profiles": {"azurepolicy": {"enabled": True}}}), [], id="another add-on"),
        pytest.param(aks(overrides={"addon_profiles": None}), [], id="no add-ons at all"),
    ],
)
def test_logs(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


def test_a_rule_can_be_associated_elsewhere() -> None:
    """`az aks enable-addons` creates one, which no declaration has."""
    [message] = [finding.message for finding in check(aks(overrides=agent())) if finding.code == "AKS131"]
    assert message == "The add-on `omsagent` collects nothing unless a data collection rule is associated with the cluster: none is declared"


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        pytest.param({}, [], id="no workspace"),
        pytest.param({"log_analytics_workspace_id": WORKSPACE}, ["AKS132"], id="a workspace of which nobody says the region"),
        pytest.param({"log_analytics_workspace_id": WORKSPACE, "log_analytics_workspace_location": "westeurope"}, [], id="one whose region is said"),
    ],
)
def test_the_region_of_a_workspace_is_asked_for_once(fields: dict[str, object], codes: list[str]) -> None:
    assert [finding.code for finding in check(aks(**fields))] == codes


def test_other_add_ons_are_not_taken_for_judged() -> None:
    found = check(aks(overrides={"addon_profiles": {"azurepolicy": {"enabled": True}}}))
    assert [(finding.code, finding.path) for finding in found] == [("PLT020", "overrides.addon_profiles")]
