"""Whether an upgrade is blocked. `not_blocked` needs all that files can tell; without steps, it needs the version of everything."""

import pytest

from nodepools.upgrades.cluster_upgrade import Undecided
from tests.upgrades.declared import aks, budget, deployment, eks, on, plan
from tests.upgrades.running import budget as running_budget
from tests.upgrades.running import drifting, node, pod, resumed, shown

AT = "1.36.2"
DONE = aks(kubernetes_version="1.36")
WEB, SYSTEM = node("web", 0, AT), node("system", 0, AT)


@pytest.mark.parametrize(
    ("found", "verdict", "undecided"),
    [
        pytest.param(plan(eks(), "1.36", deployment()), "not_blocked", 0, id="workloads of a cluster without agent pools"),
        pytest.param(plan(eks(), "1.36"), "unknown", 1, id="no workloads"),
        pytest.param(plan(aks(), "1.36", on("web")), "unknown", 1, id="no quotas"),
        pytest.param(plan(aks(), "1.36"), "unknown", 2, id="neither"),
        pytest.param(plan(eks(), "1.36", deployment(terminationGracePeriodSeconds=200_000)), "unknown", 0, id="a warning"),
        pytest.param(plan(aks(), "1.36", on("web"), budget(maxUnavailable=0)), "blocked", 1, id="an error"),
        pytest.param(plan(aks(), "1.34"), "blocked", 0, id="a lower version"),
    ],
)
def test_before_it_begins(found, verdict, undecided):
    assert (found.verdict, len(found.undecided)) == (verdict, undecided)
    assert (found.to_json()["verdict"], found.to_json()["undecided"]) == (verdict, list(map(str, found.undecided)))


@pytest.mark.parametrize(
    ("leaving", "verdict"), [pytest.param("cordoned", "blocked", id="now"), pytest.param("", "unknown", id="when the drain begins")]
)
def test_a_pod_that_is_not_evicted(leaving, verdict):
    nodes = (node("web", 0, leaving=leaving), SYSTEM)
    found = resumed(aks(), "1.36", control_plane=AT, nodes=nodes, pods=(pod("w", "web-0"),), budgets=(running_budget(),))
    assert (found.verdict, [hold.name for hold in found.progress.holds]) == (verdict, ["PDB shop/web"])


@pytest.mark.parametrize(
    ("found", "undecided"),
    [
        pytest.param(plan(eks(kubernetes_version="1.36"), "1.36"), ["the versions of control plane and nodes"], id="nothing is exported"),
        pytest.param(resumed(eks(kubernetes_version="1.36"), "1.36"), ["the versions of `control plane` and `compute`"], id="an empty export"),
        pytest.param(
            resumed(eks(kubernetes_version="1.36"), "1.36", control_plane=AT), ["the versions of `compute`"], id="a control plane is not its nodes"
        ),
        pytest.param(
            resumed(eks(kubernetes_version="1.36"), "1.36", nodes=(drifting("compute", 0, AT),)), [], id="a node shows what the control plane has"
        ),
        pytest.param(resumed(DONE, "1.36", nodes=(WEB, SYSTEM)), [], id="a node of every pool"),
        pytest.param(resumed(DONE, "1.36", nodes=(SYSTEM,)), ["the versions of `web`"], id="an agent pool without nodes can have another version"),
        pytest.param(
            resumed(DONE, "1.36", nodes=(SYSTEM,), pools={"webztun": shown("1.36.2")}), ["the versions of `web`"], id="of another generation"
        ),
        pytest.param(
            resumed(DONE, "1.36", nodes=(WEB, SYSTEM, node("web", 1, ""))), ["the versions of `web`"], id="a node without the version of its kubelet"
        ),
        pytest.param(resumed(DONE, "1.36", nodes=(WEB, SYSTEM, node("old", 0))), ["the versions of 1 node "], id="a node of an unknown pool"),
    ],
)
def test_without_steps(found, undecided):
    assert found.steps == []
    assert found.verdict == ("unknown" if undecided else "not_blocked")
    assert [str(text)[: len(start)] for text, start in zip(found.undecided, undecided, strict=True)] == undecided


def test_what_is_not_decided_is_told_as_its_text() -> None:
    assert str(Undecided("quotas: read them")) == "quotas: read them"
    assert Undecided("quotas: read them").name == "quotas"


def test_a_stopped_cluster_is_not_upgraded():
    found = resumed(aks(), "1.36", control_plane="1.35.4", state="Stopped")
    assert (found.verdict, found.steps, [blocker.message for blocker in found.blockers]) == (
        "blocked",
        [],
        ["The cluster is stopped: AKS upgrades only clusters that run"],
    )


@pytest.mark.parametrize(
    ("platform", "fields", "state"),
    [
        pytest.param(eks(), {"state": "UPDATING"}, "UPDATING", id="an EKS cluster"),
        pytest.param(aks(), {"state": "Deleting"}, "Deleting", id="an AKS cluster"),
        pytest.param(aks(), {"state": "Succeeded", "pools": {"web": shown("1.35.4", "Scaling")}}, "Scaling", id="an agent pool"),
        pytest.param(eks(), {"state": "ACTIVE"}, "", id="none runs"),
        pytest.param(aks(), {"state": "Failed"}, "", id="it failed"),
        pytest.param(eks(kubernetes_version="1.36"), {"state": "UPDATING", "control_plane": AT}, "", id="no step is left"),
    ],
)
def test_an_operation_that_runs_ends_first(platform, fields, state):
    found = resumed(platform, "1.36", **{"control_plane": "1.35.4", **fields})
    told = [str(one) for one in found.undecided if "operation that runs" in str(one)]
    assert told == ([f"the end of the operation that runs (`{state}`): the cloud rejects others until then"] if state else [])
    assert found.verdict == "unknown" or not state
    accepts = [str(one) for one in found.undecided if "accepts an upgrade" in str(one)]
    assert accepts == ["whether the cloud accepts an upgrade in the state `Failed`: it can require a repair first"] * ("Failed" in fields.values())
