"""What follows from a cluster that was declared, where that is left out or is said in another field."""

import pulumi
import pytest

from nodepools.model.aks.maintenance import MaintenanceConfigurations
from nodepools.model.derive import derive
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.kubernetes.label import Taint
from nodepools.model.maintenance import Daily
from nodepools.model.ref import misplaced
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import aks, auto_mode, eks

NIGHT = Daily(start="01:00", hours=6, tz="Europe/Paris")


def test_logs_are_in_the_region_of_the_cluster_unless_their_workspace_is_elsewhere() -> None:
    cluster = aks()
    assert cluster.logs_location == cluster.location
    assert derive(cluster, log_analytics_workspace_id="/w", log_analytics_workspace_location="northeurope").logs_location == "northeurope"


def test_a_window_makes_the_maintenance_configurations_that_are_not_declared() -> None:
    declared = aks(maintenance=NIGHT)
    assert declared.applied_maintenance.by_name().keys() > MaintenanceConfigurations().by_name().keys()
    assert aks().applied_maintenance.by_name() == {}


@pytest.mark.parametrize(
    ("cluster", "turned_on"),
    [
        pytest.param(eks(), False, id="nothing asks for network policies"),
        pytest.param(auto_mode(classes={"own": EksNodeClass(network_policy="DefaultDeny")}), True, id="a node class does"),
        pytest.param(derive(eks(), objects={"network_policies": True}), True, id="the cluster does"),
        pytest.param(
            derive(auto_mode(classes={"own": EksNodeClass(network_policy="DefaultDeny")}), objects={"network_policies": False}),
            False,
            id="the cluster says no",
        ),
    ],
)
def test_the_controller_of_network_policies(cluster, turned_on) -> None:
    assert cluster.enforces_network_policies is turned_on


@pytest.mark.parametrize(
    ("given", "called"),
    [
        pytest.param(None, "not None", id="None"),
        pytest.param(3, "not an int", id="a number"),
        pytest.param({}, "not a dict: pass its fields with two asterisks, as in Platform(**fields)", id="a dict"),
        pytest.param(Daily, "not the class Daily: call it with its fields", id="a class"),
    ],
)
def test_what_is_no_declaration_is_called_what_it_is(given, called) -> None:
    assert misplaced("check()", "a Platform", given) == f"check() accepts a Platform, {called}"


@pytest.mark.usefixtures("loop")
def test_an_output_is_called_what_it_is() -> None:
    assert misplaced("check()", "a Platform", pulumi.Output.from_input(3)).startswith(
        "check() accepts a Platform, not a pulumi.Output: a declaration is"
    )


def test_a_class_that_retires_is_one_of_the_classes() -> None:
    kept = auto_mode(classes={"own": EksNodeClass(previous=EksNodeClass())}).auto_mode
    assert [place for place, _, _ in kept.all_classes()] == ["own", "own/previous"]


@pytest.mark.parametrize(
    ("written", "is_a_moment"),
    [("2026-11-21T04:40:00Z", True), ("2026-11-31T04:40:00Z", False), ("yesterday", False)],
)
def test_a_taint_was_added_at_a_moment(written, is_a_moment) -> None:
    assert [finding.code for finding in check(Taint("team", effect="NoExecute", time_added=written))] == ([] if is_a_moment else ["CFG009"])
