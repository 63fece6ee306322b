"""What holds the nodes of a running cluster: the arithmetic of the eviction subresource, on the status that the disruption controller wrote."""

import pytest

from nodepools.clouds.fleet import Fleet
from nodepools.upgrades.progress import holds
from tests.upgrades.running import budget, drifting, node, pod

OLD = node("web", 0, leaving="cordoned")
UNTOUCHED = node("web", 1)
KARPENTER = drifting("general", 0, leaving="Karpenter drains it")


def held(*pods, budgets=(), nodes=(OLD, UNTOUCHED)):
    return list(holds(Fleet(nodes=nodes, pods=pods, budgets=budgets), nodes))


CASES = {
    "a budget that allows nothing holds a pod that is ready": (held(pod("a", "web-0"), budgets=[budget()]), ["shop/a"]),
    "a budget that allows an eviction holds none": (held(pod("a", "web-0"), budgets=[budget(allowed=1)]), []),
    "a pod without a budget is evicted": (held(pod("a", "web-0")), []),
    "a budget for other pods holds none": (held(pod("a", "web-0", labels={"app": "other"}), budgets=[budget()]), []),
    "a pod that is Pending is evicted": (held(pod("a", "web-0", is_pending=True), budgets=[budget()]), []),
    "a pod that is not ready is evicted while enough others are": (held(pod("a", "web-0", is_ready=False), budgets=[budget()]), []),
    "a pod that is not ready is held while others are not ready either": (
        held(pod("a", "web-0", is_ready=False), budgets=[budget(healthy=1)]),
        ["shop/a"],
    ),
    "a pod that is not ready is evicted with AlwaysAllow": (
        held(pod("a", "web-0", is_ready=False), budgets=[budget(healthy=1, unhealthyPodEvictionPolicy="AlwaysAllow")]),
        [],
    ),
    "two budgets hold a pod, whatever they allow": (held(pod("a", "web-0"), budgets=[budget(allowed=1), budget("b", allowed=1)]), ["shop/a"]),
    "a pod on another node holds none": (held(pod("a", "elsewhere"), budgets=[budget()]), []),
    "Karpenter evicts no pod with do-not-disrupt": (held(pod("a", "general-0", do_not_disrupt=True), nodes=(KARPENTER,)), ["shop/a"]),
    "AKS evicts pods with do-not-disrupt": (held(pod("a", "web-0", do_not_disrupt=True)), []),
}


@pytest.mark.parametrize(("found", "pods"), CASES.values(), ids=CASES)
def test_a_pod_is_held_where_the_api_server_rejects_its_eviction(found, pods):
    assert [name for hold in found for name in hold.pods] == pods


PATCH = '{"spec":{"minAvailable":null,"maxUnavailable":1}}'
PATCHED = f"kubectl patch poddisruptionbudget web --namespace shop --type merge --patch '{PATCH}' --context CONTEXT"
COMMANDS = {
    "a budget that is too strict is changed": (
        held(pod("a", "web-0"), budgets=[budget()]),
        PATCHED,
    ),
    "if a pod is not ready, that pod is the reason": (
        held(pod("a", "web-0"), pod("b", "elsewhere", is_ready=False), budgets=[budget(expected=3)]),
        "kubectl describe pod b --namespace shop --context CONTEXT",
    ),
    "without a pod that is known not to be ready, the budget is changed": (
        held(pod("a", "web-0"), budgets=[budget(expected=3)]),
        PATCHED,
    ),
    "a budget whose pods cannot be counted is deleted": (
        held(pod("a", "web-0"), budgets=[budget(expected=0)]),
        "kubectl delete poddisruptionbudget web --namespace shop --context CONTEXT",
    ),
    "of two budgets, the second one is deleted": (
        held(pod("a", "web-0"), budgets=[budget(), budget("b")]),
        "kubectl delete poddisruptionbudget b --namespace shop --context CONTEXT",
    ),
    "the annotation is removed": (
        held(pod("a", "general-0", do_not_disrupt=True), nodes=(KARPENTER,)),
        "kubectl annotate pod a --namespace shop karpenter.sh/do-not-disrupt- --context CONTEXT",
    ),
}


@pytest.mark.parametrize(("found", "command"), COMMANDS.values(), ids=COMMANDS)
def test_the_command_changes_what_holds(found, command):
    assert [hold.command for hold in found] == [command]


def test_what_drains_now_is_first():
    other = budget("other", selector={"matchLabels": {"app": "other"}})
    found = held(pod("a", "web-1"), pod("b", "web-0", labels={"app": "other"}), budgets=[budget(), other])
    assert [(hold.pods, hold.is_draining) for hold in found] == [(("shop/b",), True), (("shop/a",), False)]


def test_one_budget_is_one_hold_and_long_lists_are_shortened():
    [hold] = held(*(pod(name, "web-0") for name in "abcde"), budgets=[budget()])
    assert hold.message == (
        "PodDisruptionBudget `shop/web` allows no eviction of `shop/a`, `shop/b`, `shop/c` and 2 more: 2 of 2 pods are ready, and 2 must stay "
        "(`minAvailable: 2`)"
    )
    assert hold.to_json() == {
        "message": hold.message,
        "command": hold.command,
        "pods": [f"shop/{name}" for name in "abcde"],
        "nodes": ["web-0"],
        "draining": True,
    }
