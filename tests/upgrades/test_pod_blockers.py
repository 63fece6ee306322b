"""Pods that stop a drain, or are down during one."""

import pytest

from nodepools import AksNodePool, Autoscale, Budget, Disruption, NodeProvisioning, Requirement, Spot, Taint, UpgradeSettings, UserPool
from nodepools.replicas import explained
from nodepools.replicas.explained import explain_replicas
from tests.upgrades.declared import aks, budget, deployment, eks, nap, on, plan, pool, step, told

FAILS = "error disruption-budget UpgradeFailed"
MAY_FAIL = "warning disruption-budget UpgradeFailed"
TWO = {"web": pool(), "api": pool()}
HPA = {
    "apiVersion": "autoscaling/v2",
    "kind": "HorizontalPodAutoscaler",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}},
}


def at(platform, name: str, *objects) -> list[str]:
    return told(step(plan(platform, "1.36", *objects), name).blocked_by)


def owned(*names, kind="ReplicaSet"):
    """Pods as `kubectl get pods -o yaml` prints them, without what created them."""
    reference = {"apiVersion": "apps/v1", "kind": kind, "name": "web-6c9f", "controller": True}
    return [
        {**on("web")["spec"]["template"], "kind": "Pod", "apiVersion": "v1", "metadata": {**META, "name": name, "ownerReferences": [reference]}}
        for name in names
    ]


META = {"namespace": "shop", "labels": {"app": "web"}}
WITH_STATUS = {"metadata": {"name": "web", "namespace": "shop", "generation": 2}, "status": {"disruptionsAllowed": 1, "observedGeneration": 2}}
STALE = {**WITH_STATUS, "status": {"disruptionsAllowed": 1, "observedGeneration": 1}}
UNCOUNTED = ["warning disruption-budget"]
EXPORTED = {
    "replicas that the controller declares": (budget(maxUnavailable=1), UNCOUNTED),
    "a share of them": (budget(minAvailable="50%"), UNCOUNTED),
    "a budget that was seen to allow an eviction": ({**budget(maxUnavailable=1), **WITH_STATUS}, []),
    "one that was edited since": ({**budget(maxUnavailable=1), **STALE}, UNCOUNTED),
    "a budget that blocks any number": (budget(maxUnavailable="0%"), [FAILS]),
    "as many pods as must stay": (budget(minAvailable=2), [FAILS]),
    "fewer pods must stay": (budget(minAvailable=1), []),
}


@pytest.mark.parametrize("kind", ["ReplicaSet", "StatefulSet", "Rollout"])
@pytest.mark.parametrize(("disruption_budget", "expected"), EXPORTED.values(), ids=EXPORTED.keys())
def test_pods_of_a_controller_that_was_not_exported_do_not_tell_how_many_it_declares(disruption_budget, expected, kind):
    """Kubernetes, disruption.go, getExpectedScale: only pods without a controller are unmanaged."""
    found = at(aks(pools=TWO), "web", *owned("a", "b", kind=kind), disruption_budget)
    assert [one for one in found if "budget" in one] == expected


def test_a_budget_that_was_seen_to_allow_none_says_so():
    seen = {**WITH_STATUS, "status": {"disruptionsAllowed": 0, "observedGeneration": 2}}
    blockers = step(plan(aks(pools=TWO), "1.36", *owned("a"), {**budget(maxUnavailable=1), **seen}), "weu").blocked_by
    assert [one for one in blockers if "not known here and allowed no eviction when it was exported: if it " in one.message]


def test_a_budget_of_a_daemon_set_that_was_seen_to_allow_an_eviction_is_no_warning():
    assert [
        one for one in at(aks(pools=TWO), "weu", on("web", kind="DaemonSet"), {**budget(maxUnavailable=1), **WITH_STATUS}) if "budget" in one
    ] == []


@pytest.mark.parametrize(("spec", "severity"), [({"maxUnavailable": 1}, "warning"), ({"maxUnavailable": 0}, "error")])
def test_whether_aks_counts_the_pods_of_a_daemon_set_is_not_known(spec, severity):
    """Drains leave these pods in place, and AKS documents its check for `maxUnavailable` 0 and for `minAvailable`."""
    assert f"{severity} disruption-budget UnsatisfiablePDB" in at(aks(pools=TWO), "weu", on("web", kind="DaemonSet"), budget(**spec))


AGENT_POOLS = {
    "a budget that allows no eviction, of pods that run there": ([on("web"), budget(minAvailable=2)], [FAILS]),
    "a budget that allows one": ([on("web"), budget(maxUnavailable=1)], []),
    "pods that can also run elsewhere": ([deployment(), budget(maxUnavailable=0)], [MAY_FAIL]),
    "pods that cannot run there": ([on("api"), budget(maxUnavailable=0)], []),
    "an autoscaled workload: nothing is evicted while it has its smallest number of pods": ([on("web"), budget(minAvailable=2), HPA], [MAY_FAIL]),
    "an autoscaled workload of which one may go": ([on("web"), budget(maxUnavailable=1), HPA], []),
    "an autoscaled workload and a budget that blocks any number": ([on("web"), budget(maxUnavailable=0), HPA], [FAILS]),
    "pods whose number the controller cannot find": ([on("web", kind="Job"), budget(maxUnavailable=1)], [FAILS]),
    "a budget of other pods": ([on("web"), budget(app="api", maxUnavailable=0)], []),
    "two budgets for the same pods": ([on("web"), budget(maxUnavailable=1), budget("other", maxUnavailable=1)], [FAILS]),
    "pods of a DaemonSet stay": ([on("web", kind="DaemonSet"), budget(maxUnavailable=0)], []),
    "a workload without pods": ([on("web", replicas=0), budget(maxUnavailable=0)], []),
    "a pod that takes longer to stop than AKS waits": (
        [on("web", terminationGracePeriodSeconds=1801)],
        ["warning grace-period UpgradeFailed"],
    ),
    "a pod that takes exactly as long": ([on("web", terminationGracePeriodSeconds=1800)], []),
    "the annotation of Karpenter means nothing to AKS": ([on("web", annotations={"karpenter.sh/do-not-disrupt": "true"})], []),
    "a single replica is down": ([on("web", replicas=1)], ["note single-replica"]),
    "not one that an autoscaler sets": ([on("web", replicas=1), HPA], []),
    "nor that of a Job": ([on("web", replicas=1, kind="Job")], []),
    "nor one whose budget blocks already": ([on("web", replicas=1), budget(maxUnavailable=0)], [FAILS]),
    "a folder of the node": ([on("web", volumes=[{"name": "data", "hostPath": {"path": "/data"}}])], ["warning local-volume"]),
    "a volume of the network": ([on("web", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])], []),
    "a local volume, by its claim": (
        [
            on("web", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]),
            {"kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "shop"}, "spec": {"volumeName": "disk"}},
            {"kind": "PersistentVolume", "metadata": {"name": "disk"}, "spec": {"local": {"path": "/mnt"}}},
        ],
        ["warning local-volume"],
    ),
    "a local volume, by its class": (
        [
            on("web", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]),
            {"kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "shop"}, "spec": {"storageClassName": "local"}},
            {"kind": "StorageClass", "metadata": {"name": "local"}, "provisioner": "kubernetes.io/no-provisioner"},
        ],
        ["warning local-volume"],
    ),
}


@pytest.mark.parametrize(("objects", "expected"), AGENT_POOLS.values(), ids=AGENT_POOLS)
def test_drains_of_an_agent_pool(objects, expected):
    assert at(aks(pools=TWO), "web", *objects) == expected


ZONAL = "warning zonal-volume"
DISKS = {
    "a disk of one zone, and one extra node for three zones": ({"zones": [1, 2, 3], "count": 3}, "local", [ZONAL]),
    "an extra node for each zone": ({"zones": [1, 2, 3], "count": 3, "upgrade": {"max_surge": "3"}}, "local", []),
    "a pool in one zone": ({"zones": [1], "count": 3}, "local", []),
    "a pool without zones": ({"count": 3}, "local", []),
    "a built-in class creates disks in all zones": ({"zones": [1, 2, 3], "count": 3}, "managed-csi", []),
    "a class of disks in all zones": ({"zones": [1, 2, 3], "count": 3}, "redundant", []),
    "a share of files has no zone": ({"zones": [1, 2, 3], "count": 3}, "azurefile-csi", []),
    "a class that is not known": ({"zones": [1, 2, 3], "count": 3}, "own", []),
    "no class: a volume that exists": ({"zones": [1, 2, 3], "count": 3}, "", [ZONAL]),
}
CLASSES = [
    {"kind": "StorageClass", "metadata": {"name": name}, "provisioner": "disk.csi.azure.com", "parameters": {"skuName": sku}}
    for name, sku in (("local", "Premium_LRS"), ("redundant", "Premium_ZRS"))
]


@pytest.mark.parametrize(("pool", "storage", "expected"), DISKS.values(), ids=DISKS)
def test_disks_of_a_zone_while_nodes_are_added(pool, storage, expected):
    bound = {} if storage else {"volumeName": "disk"}
    claim = {"kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "shop"}, "spec": {"storageClassName": storage, **bound}}
    zone = {"key": "topology.disk.csi.azure.com/zone", "operator": "In", "values": ["westeurope-1"]}
    terms = {"required": {"nodeSelectorTerms": [{"matchExpressions": [zone]}]}}
    disk = {"kind": "PersistentVolume", "metadata": {"name": "disk"}, "spec": {"csi": {"driver": "disk.csi.azure.com"}, "nodeAffinity": terms}}
    pods = on("web", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])
    declared = aks(pools={"web": UserPool.model_validate({"vm_size": "Standard_D4ds_v5", **pool})})
    assert [text for text in at(declared, "web", pods, claim, disk, *CLASSES) if "zonal" in text] == expected


TAINT = Taint("team", "a", "NoExecute")
BRIEFLY = {"key": "team", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}
OVER_ZONES = {
    "maxSkew": 1,
    "topologyKey": "topology.kubernetes.io/zone",
    "whenUnsatisfiable": "DoNotSchedule",
    "labelSelector": {"matchLabels": {"app": "web"}},
}
HUGE = {"containers": [{"name": "main", "resources": {"requests": {"cpu": "1"}}}]}
NIGHT = Disruption(budgets=[Budget(nodes="0", schedule="0 8 * * *", duration="12h")])
WARNED = {
    "pods that come back to a taint": (
        aks(pools={"web": pool(taints=[TAINT])}),
        "web",
        [on("web", tolerations=[BRIEFLY]), budget(maxUnavailable=1)],
        ["note eviction"],
    ),
    "pods on another pool": (aks(pools={"web": pool(taints=[TAINT]), "api": pool()}), "web", [on("api", tolerations=[BRIEFLY])], []),
    "zones that an autoscaler leaves": (
        aks(pools={"web": UserPool(vm_size="Standard_D4ds_v5", zones=[1, 2, 3], scale=Autoscale(1, 6))}),
        "web",
        [on("web", topologySpreadConstraints=[OVER_ZONES])],
        ["note spread"],
    ),
    "DaemonSets on small nodes, once": (
        aks(pools={"web": UserPool(vm_size="Standard_D2ds_v5", count=3)}),
        "web",
        [on("web", "agent", kind="DaemonSet", **HUGE), on("web", "logs", kind="DaemonSet")],
        ["note daemon-share"],
    ),
    "nodes that expire while budgets hold": (nap(disruption=NIGHT, limits={}), "general", [deployment()], ["note expiry"]),
    "pods of which one may go": (nap(disruption=NIGHT, limits={}), "general", [deployment(), budget(maxUnavailable=1)], []),
    "one pod": (
        nap(disruption=NIGHT, limits={}),
        "general",
        [deployment(replicas=1), budget(maxUnavailable=1)],
        ["note single-replica", "note expiry"],
    ),
    "nodes that never expire": (nap(disruption=NIGHT, limits={}, expire_after="Never"), "general", [deployment()], []),
    "no budget holds them": (nap(limits={}), "general", [deployment()], []),
}


@pytest.mark.parametrize(("platform", "name", "objects", "expected"), WARNED.values(), ids=WARNED)
def test_what_explain_warns_of_is_a_note_of_the_drain(platform, name, objects, expected):
    assert at(platform, name, *objects) == expected


def test_a_note_of_a_drain_names_the_workload_if_it_is_about_its_pods():
    platform = aks(pools={"web": pool(taints=[TAINT])})
    [found] = step(plan(platform, "1.36", on("web", tolerations=[BRIEFLY])), "web").blocked_by
    assert found.subject == "shop/Deployment/web"
    assert found.message == (
        "The pods tolerate taint `team=a:NoExecute` of `weu/web` for 5 s: they are evicted then, and the next ones can be scheduled on the same "
        "nodes (Deployment `shop/web`)"
    )
    [found] = step(plan(nap(disruption=NIGHT, limits={}), "1.36", deployment()), "general").blocked_by
    assert found.subject is None
    assert found.message == "Karpenter drains each node of `weu/general` 720h after its launch, also while a disruption budget allows no node"


TWO_LESS = UpgradeSettings(max_surge="0", max_unavailable="2")
ONE_LESS = UpgradeSettings(max_surge="0", max_unavailable="1")
APART = {
    "podAntiAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": [
            {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "web"}}},
        ]
    }
}
SETTINGS = {
    "no extra node, and room on the others": ({"upgrade": ONE_LESS}, [on("web")], []),
    "no extra node, and pods that each need a node": ({"upgrade": ONE_LESS}, [on("web", replicas=3, affinity=APART)], ["warning no-other-pool"]),
    "no extra node, and pods that do not fit anyway": ({"upgrade": ONE_LESS}, [on("web", replicas=4, affinity=APART)], ["warning no-other-pool"]),
    "no extra node, and pods that fit another pool too": ({"upgrade": ONE_LESS}, [deployment(replicas=6, affinity=APART)], ["warning no-other-pool"]),
    "no extra node, and another pool": ({"upgrade": ONE_LESS}, [deployment()], []),
    "two nodes at once, and pods that have room with one less only": (
        {"count": 4, "upgrade": TWO_LESS},
        [on("web", replicas=3, affinity=APART)],
        ["warning no-other-pool"],
    ),
    "two nodes at once, and room on the rest": ({"count": 4, "upgrade": TWO_LESS}, [on("web", affinity=APART)], []),
    "two nodes at once, and one node less is too much already": (
        {"count": 4, "upgrade": TWO_LESS},
        [on("web", replicas=4, affinity=APART)],
        ["warning no-other-pool"],
    ),
    "half of the nodes at once": (
        {"count": 6, "upgrade": UpgradeSettings(max_surge="0", max_unavailable="50%")},
        [on("web", replicas=4, affinity=APART)],
        ["warning no-other-pool"],
    ),
    "all nodes at once, and no other pool": ({"count": 2, "upgrade": TWO_LESS}, [on("web", replicas=2)], ["warning no-other-pool"]),
    "all nodes at once, and another pool": ({"count": 2, "upgrade": TWO_LESS}, [deployment()], []),
    "two nodes at once of a pool that scales": (
        {"count": None, "scale": Autoscale(4, 8), "upgrade": TWO_LESS},
        [on("web", replicas=6, affinity=APART)],
        [],
    ),
    "two nodes at once, and more pods than the largest pool without them can run": (
        {"count": None, "scale": Autoscale(4, 8), "upgrade": TWO_LESS},
        [on("web", replicas=7, affinity=APART)],
        ["warning no-other-pool"],
    ),
    "extra nodes, and room on the nodes that stay": (
        {"count": 4, "upgrade": UpgradeSettings(max_surge="2")},
        [on("web", affinity=APART)],
        [],
    ),
    "extra nodes that the pods need: they exist, and no more is certain": (
        {"count": 4, "upgrade": UpgradeSettings(max_surge="2")},
        [on("web", replicas=4, affinity=APART)],
        ["note no-other-pool"],
    ),
    "an extra node that the pods need": ({}, [on("web", replicas=3, affinity=APART)], ["note no-other-pool"]),
    "an extra node, and pods that do not fit anyway": ({}, [on("web", replicas=4, affinity=APART)], []),
    "an extra node, and another pool": ({}, [deployment(replicas=6, affinity=APART)], []),
    "an extra node of a size that overrides decide": ({"overrides": {"upgrade_settings": {}}}, [on("web", replicas=3, affinity=APART)], []),
    "spot nodes: no drain, so no budget": ({"spot": Spot()}, [deployment(), budget(maxUnavailable=0)], []),
    "a longer drain timeout": ({"upgrade": UpgradeSettings(drain_timeout="1h")}, [on("web", terminationGracePeriodSeconds=1801)], []),
}


@pytest.mark.parametrize(("fields", "objects", "expected"), SETTINGS.values(), ids=SETTINGS)
def test_settings_of_the_pool_decide(fields, objects, expected):
    assert at(aks(pools={"web": pool(**fields), "api": pool()}), "web", *objects) == expected


NO_DISRUPT = {"karpenter.sh/do-not-disrupt": "true"}
NODE_POOLS = {
    "Auto Mode deletes pods at the end of the grace period, whatever budgets say": (
        eks(),
        "compute",
        [deployment(), budget(maxUnavailable=0)],
        ["warning disruption-budget"],
    ),
    "and pods with the annotation": (eks(), "compute", [deployment(annotations=NO_DISRUPT)], ["warning do-not-disrupt"]),
    "node auto provisioning waits for them": (nap(), "general", [on("general", annotations=NO_DISRUPT)], ["error do-not-disrupt"]),
    "and for budgets": (nap(), "general", [on("general"), budget(maxUnavailable=0)], ["error disruption-budget"]),
    "with a grace period it does not": (
        nap(termination_grace_period="1h"),
        "general",
        [on("general"), budget(maxUnavailable=0)],
        ["warning disruption-budget"],
    ),
    "pods that take longer to stop than the grace period": (
        eks({"termination_grace_period": "1m"}),
        "compute",
        [deployment(terminationGracePeriodSeconds=61)],
        ["warning grace-period"],
    ),
    "any time to stop without a grace period": (nap(), "general", [on("general", terminationGracePeriodSeconds=86_400)], []),
}


@pytest.mark.parametrize(("platform", "name", "objects", "expected"), NODE_POOLS.values(), ids=NODE_POOLS)
def test_drains_of_a_node_pool(platform, name, objects, expected):
    assert at(platform, name, *objects) == expected


BEFORE = "error disruption-budget UnsatisfiablePDB"
CHECKS = {
    "AKS looks at all budgets of the cluster first": (aks(pools=TWO), "weu", [on("web"), budget(maxUnavailable=0)], [BEFORE]),
    "also at those of NodePools": (nap(), "weu", [on("general"), budget(maxUnavailable=0)], [BEFORE]),
    "not at those of pods that run elsewhere": (aks(), "weu", [on("other"), budget(maxUnavailable=0)], []),
    "nor at those that allow an eviction": (aks(), "weu", [on("web"), budget(maxUnavailable=1)], []),
    "EKS does not look": (eks(), "use1", [deployment(), budget(maxUnavailable=0)], []),
}


@pytest.mark.parametrize(("platform", "name", "objects", "expected"), CHECKS.values(), ids=CHECKS)
def test_what_is_found_before_the_upgrade_starts(platform, name, objects, expected):
    assert at(platform, name, *objects) == expected


@pytest.mark.parametrize(
    ("seconds", "longer"),
    [(1801, ", or `upgrade.drain_timeout` of `weu/web` to at least 31 minutes"), (86_401, "")],
    ids=["an hour", "more than AKS waits"],
)
def test_a_fix_of_a_grace_period_has_the_drain_timeout_that_is_long_enough(seconds, longer):
    [blocker] = step(plan(aks(pools=TWO), "1.36", on("web", terminationGracePeriodSeconds=seconds)), "web").blocked_by
    assert blocker.fix == f"Set `terminationGracePeriodSeconds` to at most 1800{longer}"


def test_a_message_names_the_pool_the_pods_and_what_happens():
    platform = aks(pools={"web": pool(upgrade=UpgradeSettings(undrainable="Cordon", drain_timeout="10m"))})
    [blocker] = step(plan(platform, "1.36", on("web", replicas=1), budget(minAvailable=1)), "web").blocked_by
    assert blocker.message == (
        "PodDisruptionBudget `shop/web` (`minAvailable: 1`) never allows an eviction with 1 replica. Pods of Deployment `shop/web` run on `weu/web`: "
        "AKS quarantines the node after 10 minutes, continues, and the upgrade ends as failed (`undrainable` is `Cordon`)"
    )
    assert blocker.fix == (
        "Set only `maxUnavailable: 1`, and `replicas` to at least 2 to keep a pod available; `unhealthyPodEvictionPolicy: AlwaysAllow` lets pods go "
        "that are not ready, at least for the time of the upgrade"
    )
    assert blocker.subject == "shop/PodDisruptionBudget/web"


def test_a_pod_without_a_controller_does_not_come_back():
    bare = {"kind": "Pod", "metadata": {"name": "bare"}, "spec": {"nodeSelector": {"nodepools/name": "web"}, "containers": [{"name": "c"}]}}
    [blocker] = step(plan(aks(pools={"web": pool()}), "1.36", bare), "web").blocked_by
    assert blocker.message == "Pod `default/bare` has no controller: after the drain of its node, nothing creates it again"


def test_a_budget_of_unknown_size_is_replaced_by_a_number():
    blockers = step(plan(aks(), "1.36", on("web", kind="Job"), budget(maxUnavailable=1)), "web").blocked_by
    assert [blocker.fix for blocker in blockers] == ["Replace `maxUnavailable: 1` with `minAvailable: 0`, at least for the time of the upgrade"]
    assert "with" not in blockers[0].message.partition(". ")[0]


def test_many_workloads_of_a_budget_are_counted():
    workloads = [on("web", name) for name in "abcde"]
    for raw in workloads:
        raw["spec"]["template"]["metadata"]["labels"] = {"app": "web"}
    [blocker] = step(plan(aks(), "1.36", *workloads, budget(maxUnavailable=0)), "web").blocked_by
    assert "Deployment `shop/a`, Deployment `shop/b`, Deployment `shop/c` and 2 more run on `weu/web`" in blocker.message


def test_pods_that_fit_two_pools_for_certain_can_be_on_either():
    """Karpenter or kube-scheduler decides."""
    general = AksNodePool(requirements=[Requirement("kubernetes.io/arch", "In", ["amd64"])])
    platform = aks(node_provisioning=NodeProvisioning(default_node_pools="None", node_pools={"general": general}))
    found = plan(platform, "1.36", deployment(), budget(maxUnavailable=0))
    assert told(step(found, "web").blocked_by) == [MAY_FAIL]
    assert told(step(found, "general").blocked_by) == ["warning disruption-budget"]


def test_pods_without_room_are_counted():
    platform = aks(pools={"web": pool(upgrade=ONE_LESS)})
    [found] = [blocker for blocker in plan(platform, "1.36", on("web", replicas=3, affinity=APART)).blockers if blocker.kind == "no-other-pool"]
    assert found.message == (
        "Pool `weu/web` gets no extra node during the upgrade: while one of its nodes is replaced, 2 of 3 pods of Deployment `shop/web` have room, "
        "and others stay Pending (anti-affinity over `kubernetes.io/hostname` allows one of the pods on each node)"
    )


def test_pods_are_counted_once_for_each_number_of_nodes_that_stay(monkeypatch):
    """Every round drains the same pools."""
    counted = []
    monkeypatch.setattr(explained, "explain_replicas", lambda *given: counted.append(given) or explain_replicas(*given))
    found = plan(aks(pools={"web": pool(upgrade=ONE_LESS)}), "1.38", on("web", replicas=3, affinity=APART))
    assert told(found.blockers).count("warning no-other-pool") == 3
    assert len(counted) == 2  # as declared, and with one node less


def test_extra_nodes_are_ready_first_and_the_room_without_them_is_counted():
    platform = aks(pools={"web": pool(count=4, upgrade=UpgradeSettings(max_surge="2"))})
    [found] = [blocker for blocker in plan(platform, "1.36", on("web", replicas=4, affinity=APART)).blockers if blocker.kind == "no-other-pool"]
    assert (found.severity, found.fix, found.message) == (
        "note",
        None,
        (
            "Only pool `weu/web` can run the pods of Deployment `shop/web`. Its extra nodes are ready before others drain: the nodes that stay have "
            "room for 2 of 4 pods, and the zones and other pods of the extra nodes decide about the rest"
        ),
    )


def test_a_batch_of_several_nodes_is_what_can_happen():
    platform = aks(pools={"web": pool(count=4, upgrade=TWO_LESS)})
    [found] = [blocker for blocker in plan(platform, "1.36", on("web", replicas=3, affinity=APART)).blockers if blocker.kind == "no-other-pool"]
    assert found.message == (
        "Pool `weu/web` gets no extra node during the upgrade: while up to 2 of its nodes are replaced at once, 2 of 3 pods of Deployment "
        "`shop/web` have room, and others can stay Pending (anti-affinity over `kubernetes.io/hostname` allows one of the pods on each node)"
    )
    assert found.fix == "Set `max_surge`, lower `max_unavailable`, keep free nodes in the pool, or let the pods run on another pool too"
