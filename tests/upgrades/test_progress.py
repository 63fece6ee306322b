"""Where the upgrade of a running cluster is: its nodes, the steps that are left, the next command, how to stop, and the last point of return."""

import pytest

from nodepools import AddOn
from nodepools.placement.catalog import cluster_pools
from nodepools.upgrades.fleet import Fleet
from nodepools.upgrades.platform_upgrades import steps_of
from tests.upgrades.declared import aks, eks, nap, pool, steps
from tests.upgrades.running import budget, drifting, node, pod, progress, resumed, shown

BOTH = {**aks().clusters, **eks().clusters}
SYSTEM = [node("system", number) for number in range(2)]
MIDWAY = {
    "control_plane": "1.36.2",
    "nodes": (node("web", 0, "1.36.2"), node("web", 1, leaving="cordoned"), node("web", 2), *SYSTEM),
}
AZ = "az aks nodepool"
NAME = "--resource-group dev-weu --cluster-name dev-weu --name"

LEFT = {
    "before it begins, every step is left": (
        resumed(aks(), "1.36", control_plane="1.35.4", nodes=(node("web", 0), *SYSTEM)),
        ["control_plane weu 1.35 → 1.36", "pool web 1.35 → 1.36", "first_pool system 1.35 → 1.36"],
    ),
    "a control plane that has the version is done": (
        resumed(aks(kubernetes_version="1.36"), "1.36", **MIDWAY),
        ["pool web 1.35 → 1.36", "first_pool system 1.35 → 1.36"],
    ),
    "a pool whose nodes have the version is done": (
        resumed(aks(kubernetes_version="1.36"), "1.36", control_plane="1.36.2", nodes=(node("web", 0, "1.36.2"), *SYSTEM)),
        ["first_pool system 1.35 → 1.36"],
    ),
    "a pool that lags by two versions catches up first": (
        resumed(aks(kubernetes_version="1.36"), "1.37", control_plane="1.36.2", nodes=(node("web", 0, "1.36.2"), node("system", 0, "1.34.9"))),
        [
            "first_pool system 1.34 → 1.35",
            "first_pool system 1.35 → 1.36",
            "control_plane weu 1.36 → 1.37",
            "pool web 1.36 → 1.37",
            "first_pool system 1.36 → 1.37",
        ],
    ),
    "the versions of pools without nodes are those that the cloud shows": (
        resumed(aks(kubernetes_version="1.36"), "1.36", control_plane="1.36.2", pools={"system": shown("1.35.4")}),
        ["pool web 1.35 → 1.36", "first_pool system 1.35 → 1.36"][1:],
    ),
    "without the control plane, the newest node shows what it has at least": (
        resumed(aks(kubernetes_version="1.36"), "1.36", nodes=MIDWAY["nodes"]),
        ["pool web 1.35 → 1.36", "first_pool system 1.35 → 1.36"],
    ),
    "without nodes and control plane, the newest pool shows it": (
        resumed(aks(), "1.36", pools={"system": shown("1.36.2")}),
        ["pool web 1.35 → 1.36"],
    ),
    "an empty export leaves the declaration": (
        resumed(aks(), "1.36"),
        ["control_plane weu 1.35 → 1.36", "pool web 1.35 → 1.36", "first_pool system 1.35 → 1.36"],
    ),
    "old nodes of a NodePool drift after the control plane, whatever they skip": (
        resumed(eks(kubernetes_version="1.36"), "1.36", control_plane="1.36", nodes=(drifting("compute", 0, "1.34.1"),)),
        ["node_pool compute 1.34 → 1.36"],
    ),
    "NAP nodes too": (
        resumed(
            nap(),
            "1.36",
            control_plane="1.36.2",
            nodes=(drifting("general", 0), node("system", 0, "1.36.2")),
        ),
        ["node_pool general 1.35 → 1.36"],
    ),
    "nothing is left when all nodes have the version": (
        resumed(eks(kubernetes_version="1.36"), "1.36", control_plane="1.36", nodes=(drifting("compute", 0, "1.36.1"),)),
        [],
    ),
    "add-ons belong to the control plane": (
        resumed(eks(add_ons={"x": AddOn()}), "1.36", control_plane="1.35"),
        ["control_plane use1 1.35 → 1.36", "add_on x unknown → a version for 1.36", "node_pool compute 1.35 → 1.36"],
    ),
}


@pytest.mark.parametrize(("found", "left"), LEFT.values(), ids=LEFT)
def test_the_plan_begins_where_the_fleet_is(found, left):
    assert steps(found) == left


def test_nodes_are_finished_draining_quarantined_or_untouched():
    nodes = (*MIDWAY["nodes"], node("web", 3, leaving="cordoned", is_quarantined=True), node("web", 4, "", image="b"))
    found = {one.name: one for one in progress(aks(kubernetes_version="1.36"), "1.36", control_plane="1.36.2", nodes=nodes).pools}
    web = found["web"]
    assert (web.finished, web.draining, web.untouched, web.quarantined) == (("web-0",), ("web-1",), ("web-2", "web-4"), ("web-3",))
    assert (web.nodes, found["system"].untouched) == (5, ("system-0", "system-1"))
    assert web.to_json()["images"] == {"b": 1}


NEXT = {
    "what holds a draining node is changed first": (
        progress(aks(kubernetes_version="1.36"), "1.36", **MIDWAY, state="Failed", pods=(pod("a", "web-1"),), budgets=(budget(maxUnavailable=None),)),
        [
            'Run `kubectl patch poddisruptionbudget web --namespace shop --type merge --patch \'{"spec":{"minAvailable":null,"maxUnavailable":1}}\'`',
            "Run `pulumi up`",
        ],
    ),
    "an operation that runs is waited for": (
        progress(aks(kubernetes_version="1.36"), "1.36", **MIDWAY, state="Succeeded", pools={"web0000": shown("1.35"), "system": shown("1.35")}),
        ["Run `pulumi up`"],
    ),
    "a cluster that is upgraded is waited for": (
        progress(aks(), "1.36", control_plane="1.35.4", state="Upgrading"),
        ["Wait for the operation that runs (`Upgrading`): `az aks show --resource-group dev-weu --name dev-weu --query provisioningState` shows it"],
    ),
    "a pool that is upgraded is waited for": (
        progress(
            aks(kubernetes_version="1.36", pools={"web": pool(name="web")}),
            "1.36",
            **MIDWAY,
            state="Succeeded",
            pools={"web": shown("1.35.4", "Upgrading")},
        ),
        [f"Wait for the operation that runs (`Upgrading`): `{AZ} show {NAME} web --query provisioningState` shows it"],
    ),
    "without a state, it has to be looked up": (
        progress(aks(kubernetes_version="1.36", pools={"web": pool(name="web")}), "1.36", **MIDWAY),
        [
            (
                f"Find out whether the upgrade of pool `web` runs (`{AZ} show {NAME} web --query provisioningState`): wait while it does, "
                "otherwise run `pulumi up`"
            )
        ],
    ),
    "a declaration that is behind is edited": (
        progress(aks(), "1.36", **MIDWAY, state="Failed"),
        ["Set `clusters.weu.kubernetes_version` to `1.36`, and run `pulumi up`"],
    ),
    "the first pool has a command": (
        progress(aks(kubernetes_version="1.36"), "1.36", control_plane="1.36.2", nodes=(node("web", 0, "1.36.2"), *SYSTEM)),
        [f"Run `{AZ} upgrade {NAME} system --kubernetes-version 1.36`"],
    ),
    "drift is waited for": (
        progress(eks(kubernetes_version="1.36"), "1.36", control_plane="1.36", state="ACTIVE", nodes=(drifting("compute", 0),)),
        ["Wait for drift, which replaces the nodes of NodePool `compute`: `kubectl get nodes --selector karpenter.sh/nodepool=compute` shows them"],
    ),
    "an update of EKS is waited for": (
        progress(eks(), "1.36", control_plane="1.35", state="UPDATING"),
        ["Wait for the operation that runs (`UPDATING`): `aws eks describe-cluster --name dev-use1 --query cluster.status` shows it"],
    ),
    "nothing is left to do": (progress(eks(kubernetes_version="1.36"), "1.36", control_plane="1.36"), []),
}


@pytest.mark.parametrize(("found", "commands"), NEXT.values(), ids=NEXT)
def test_the_next_command_is_exact(found, commands):
    assert list(found.next) == commands


STOPS = {
    "an upgrade of an agent pool is aborted, and its nodes uncordoned": (
        progress(aks(kubernetes_version="1.36", pools={"web": pool(name="web")}), "1.36", **MIDWAY),
        [f"`{AZ} operation-abort {NAME} web`", "`kubectl uncordon web-1`"],
    ),
    "an upgrade of a control plane of AKS is aborted": (
        progress(aks(), "1.36", control_plane="1.35.4", state="Upgrading"),
        ["`az aks operation-abort --resource-group dev-weu --name dev-weu`"],
    ),
    "an operation that has failed is not stopped": (
        progress(aks(kubernetes_version="1.36"), "1.36", **MIDWAY, state="Failed"),
        ["No operation runs (`Failed`)", "`kubectl uncordon web-1`"],
    ),
    "EKS cannot stop an update of a control plane": (
        progress(eks(), "1.36", control_plane="1.35", state="UPDATING"),
        ["EKS cannot stop an update of the control plane"],
    ),
    "drift on EKS is stopped by a budget": (
        progress(eks(kubernetes_version="1.36"), "1.36", control_plane="1.36", state="ACTIVE", nodes=(drifting("compute", 0),)),
        ['`nodes="0"` for the reason `Drifted` to NodePool `compute`'],
    ),
    "drift on AKS too": (
        progress(nap(), "1.36", control_plane="1.36.2", nodes=(drifting("general", 0), node("system", 0, "1.36.2"))),
        ['`nodes="0"` for the reason `Drifted` to NodePool `general`'],
    ),
}


@pytest.mark.parametrize(("found", "words"), STOPS.values(), ids=STOPS)
def test_a_step_is_stopped_safely(found, words):
    assert len(found.stop) == len(words)
    assert all(word in text for word, text in zip(words, found.stop, strict=True))


RETURNS = {
    "the control plane of AKS is the last point": (
        progress(aks(), "1.36", control_plane="1.35.4"),
        "The last point of return is before the control plane is upgraded: a control plane with 1.36 does not go back to 1.35.",
    ),
    "which can have passed": (progress(aks(kubernetes_version="1.36"), "1.36", **MIDWAY), "The last point of return has passed:"),
    "EKS has seven days": (
        progress(eks(kubernetes_version="1.36"), "1.36", control_plane="1.36"),
        "7 days after the control plane got 1.36: `aws eks update-cluster-version --name dev-use1 --kubernetes-version 1.35` rolls it back",
    ),
    "which begin with the upgrade": (progress(eks(), "1.36", control_plane="1.35"), "7 days after the control plane gets 1.36:"),
}


@pytest.mark.parametrize(("found", "words"), RETURNS.values(), ids=RETURNS)
def test_the_last_point_of_return_is_named(found, words):
    assert words in found.way_back


NOTES = {
    "a control plane that is not exported": (
        progress(aks(), "1.36", nodes=tuple(SYSTEM)),
        ["The version of the control plane is not in the exports: it is at least that of the newest node"],
    ),
    "a declaration that would go back": (
        progress(aks(), "1.36", control_plane="1.36.2"),
        [
            (
                "The control plane runs 1.36, and the declaration says 1.35: set `kubernetes_version` to `1.36` first, because `pulumi up` would "
                "send the lower version"
            )
        ],
    ),
    "nodes of other pools, and nodes without a version": (
        progress(aks(), "1.36", control_plane="1.35", nodes=(node("other", 0), node("more", 0), node("web", 0, ""), node("web", 1, ""))),
        ["2 nodes are in no declared pool, and not counted", "The exports have no kubelet version of 2 nodes: not counted as finished"],
    ),
    "one of each": (
        progress(aks(), "1.36", control_plane="1.35", nodes=(node("other", 0, ""),)),
        ["1 node is in no declared pool, and not counted", "The exports have no kubelet version of 1 node: not counted as finished"],
    ),
}


@pytest.mark.parametrize(("found", "notes"), NOTES.values(), ids=NOTES)
def test_what_is_not_certain_is_noted(found, notes):
    assert list(found.notes) == notes


def test_a_lower_version_than_what_runs_has_no_progress():
    found = resumed(aks(), "1.35", control_plane="1.36.2")
    assert (found.progress, [blocker.kind for blocker in found.blocked_by]) == (None, ["downgrade"])
    assert resumed(aks(), "1.36", control_plane="1.35").to_json()["progress"] is not None


def test_exports_of_one_cluster_are_joined():
    first = Fleet(control_plane="1.35", state="Succeeded", nodes=(node("web", 0),))
    later = Fleet(pools={"web": shown("1.35")}, nodes=(node("web", 0), node("web", 1)), pods=(pod("a", "web-0"),), budgets=(budget(),))
    joined = first.joined(later)
    assert (joined.control_plane, joined.state, len(joined.nodes), len(joined.pods)) == ("1.35", "Succeeded", 2, 1)
    assert later.joined(first).control_plane == "1.35"


def test_exports_name_clusters_as_the_clouds_do():
    names = [steps_of(cluster, key, f"dev-{key}", cluster_pools(key, f"dev-{key}", cluster)).cloud_name for key, cluster in BOTH.items()]
    assert names == ["dev-weu", "dev-use1"]
