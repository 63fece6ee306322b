"""What some Karpenter of today takes, and what means otherwise than it seems."""

import pytest

from nodepools import Budget, Disruption, Requirement, Taint, check, derive
from nodepools.model.base import Model
from nodepools.rules.engine.samples import aks_pool, auto_mode, eks_pool, provisioning


def budget(**fields: object) -> Disruption:
    return Disruption(budgets=[Budget.model_validate({"nodes": "0", **fields})])


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(eks_pool(replicas=3, limits={"nodes": 4}), [], id="one node to spare"),
        pytest.param(eks_pool(replicas=3), [], id="no limit"),
        pytest.param(eks_pool(replicas=0, limits={"nodes": 0}), [], id="an empty pool"),
        pytest.param(budget(schedule="0 9 * * mon-fri", duration="8h"), [], id="one start a day"),
        pytest.param(budget(schedule="0 9-17 * * mon-fri", duration="1h"), [], id="a start an hour, for an hour"),
        pytest.param(budget(schedule="@daily", duration="8h"), [], id="a descriptor"),
        pytest.param(eks_pool(disruption={"budgets": [{}, {"nodes": "0", "reasons": ["Drifted"]}]}), [], id="a reason of every cloud"),
        pytest.param(aks_pool(disruption={"budgets": [{}, {"nodes": "0", "reasons": ["Drifted"]}]}), [], id="on AKS too"),
        pytest.param(aks_pool(Requirement("karpenter.azure.com/sku-cpu", "Gte", ["4"])), [], id="Gte is known to AKS"),
        pytest.param(eks_pool(*(Requirement(f"example.com/l{n}", "In", ["x"]) for n in range(94))), [], id="100 labels with those of Karpenter"),
    ],
)
def test_what_is_taken(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("requirement", "fix"),
    [
        pytest.param(
            Requirement("eks.amazonaws.com/instance-cpu", "Gte", ["4"]), 'Set `operator` to `"Gt"`, and set `values` to `["3"]`', id="at least four"
        ),
        pytest.param(
            Requirement("eks.amazonaws.com/instance-cpu", "Lte", ["8"]), 'Set `operator` to `"Lt"`, and set `values` to `["9"]`', id="at most eight"
        ),
        pytest.param(
            Requirement("eks.amazonaws.com/instance-cpu", "Lte", [str(2**63 - 1)]),
            'Set `operator` to `"Exists"`, and remove `values`',
            id="any number",
        ),
        pytest.param(
            Requirement("eks.amazonaws.com/instance-cpu", "Gte", ["0"]), 'Set `operator` to `"Exists"`, and remove `values`', id="at least nothing"
        ),
    ],
)
def test_an_older_operator_says_the_same(requirement: Requirement, fix: str) -> None:
    assert [(finding.code, finding.fix.text) for finding in check(eks_pool(requirement))] == [("EKS057", fix)]


@pytest.mark.parametrize(
    ("declared", "notes"),
    [
        pytest.param(eks_pool(Requirement("team", "In", ["ml"])), [], id="a label of one's own with a value"),
        pytest.param(eks_pool(Requirement("eks.amazonaws.com/instance-local-nvme", "Exists")), [], id="a label of the cloud that exists"),
        pytest.param(eks_pool(Requirement("team", "NotIn", ["ml"])), [], id="a label of one's own that is not"),
        pytest.param(eks_pool(startup_taints=[Taint("team", effect="PreferNoSchedule")]), [], id="a soft taint that goes away"),
        pytest.param(auto_mode({"a": eks_pool(weight=1), "b": eks_pool(weight=2)}), [], id="two weights"),
        pytest.param(auto_mode({"a": eks_pool(), "b": eks_pool(taints=[Taint("team")])}), [], id="different taints are for different pods"),
        pytest.param(auto_mode({"a": eks_pool(), "b": eks_pool(replicas=1)}), [], id="a static pool takes part in no order"),
        pytest.param(provisioning({"a": aks_pool(), "b": aks_pool()}), ["KAR052"], id="AKS orders them alike"),
    ],
)
def test_notes(declared: Model, notes: list[str]) -> None:
    assert [finding.code for finding in check(declared) if finding.code.startswith("KAR05")] == notes


@pytest.mark.parametrize(
    ("version", "disruption", "codes"),
    [
        pytest.param("1.37", {}, ["EKS189"], id="new NodePools get Balanced"),
        pytest.param("1.36", {}, [], id="before"),
        pytest.param("1.37", {"consolidation_policy": "WhenEmptyOrUnderutilized"}, [], id="chosen"),
        pytest.param("1.37", {"consolidation_policy": "Balanced", "consolidate_after": "1m"}, [], id="Balanced"),
        pytest.param("1.37", {"consolidate_after": "1m"}, ["EKS189"], id="another field"),
    ],
)
def test_the_default_of_newer_versions_is_another(version: str, disruption: dict[str, object], codes: list[str]) -> None:
    declared = derive(auto_mode({"web": eks_pool(disruption=disruption)}), kubernetes_version=version)
    assert [finding.code for finding in check(declared) if finding.code == "EKS189"] == codes
