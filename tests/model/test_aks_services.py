"""Values of the services of AKS clusters: what follows from other fields, and what is no value."""

import pytest
from pydantic import ValidationError

from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.monitoring import Syslog
from nodepools.model.aks.services import Istio
from nodepools.rules.engine.samples import SIZE, aks

WORKSPACE = "/workspaces/w"
REGIONS: list[tuple[str, AksClusterArgs, str]] = [
    ("without logs", aks(), "westeurope"),
    ("that of the cluster", aks(logs={"workspace": WORKSPACE}), "westeurope"),
    ("its own", aks(logs={"workspace": WORKSPACE, "location": "northeurope"}), "northeurope"),
    ("its own in the short form", aks(log_analytics_workspace_id=WORKSPACE, log_analytics_workspace_location="northeurope"), "northeurope"),
]
CATEGORIES: list[tuple[str, AksClusterArgs, tuple[str, ...]]] = [
    ("none without a workspace", aks(), ()),
    ("those that are declared", aks(audit={"workspace": WORKSPACE, "categories": ["guard"]}), ("guard",)),
    (
        "each once, with those of the autoscalers",
        aks(
            audit={"workspace": WORKSPACE, "categories": ["cluster-autoscaler"]},
            pools={"web": {"kind": "UserPool", "vm_size": SIZE, "scale": {"min": 1, "max": 3}}},
            node_provisioning={},
        ),
        ("cluster-autoscaler", "karpenter-events"),
    ),
]


@pytest.mark.parametrize(("cluster", "region"), [row[1:] for row in REGIONS], ids=[row[0] for row in REGIONS])
def test_the_region_of_the_workspace(cluster: AksClusterArgs, region: str) -> None:
    assert cluster.logs_location == region


@pytest.mark.parametrize(("cluster", "categories"), [row[1:] for row in CATEGORIES], ids=[row[0] for row in CATEGORIES])
def test_the_logs_of_the_control_plane(cluster: AksClusterArgs, categories: tuple[str, ...]) -> None:
    assert cluster.audit_categories == categories


def test_a_level_has_all_levels_above_it() -> None:
    assert Syslog("Critical").levels == ("Critical", "Alert", "Emergency")


def test_a_revision_has_the_form_of_the_add_on() -> None:
    assert Istio(["asm-1-30"]).revisions == ("asm-1-30",)


@pytest.mark.parametrize("revision", ["1.30", "asm-1", "default"])
def test_other_texts_are_no_revision(revision: str) -> None:
    with pytest.raises(ValidationError, match="must be a revision of the Istio add-on, such as `asm-1-30`"):
        Istio.model_validate({"revisions": [revision]})
