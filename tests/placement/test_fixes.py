"""Every change that is offered was tried: after it the pod fits, or may fit where it could not."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings

from nodepools import AksNodePool, Autoscale, EksNodePool, Platform, Requirement, Spot, Taint, UserPool, keys
from nodepools.clouds.registry import catalog
from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.model.derive import derive
from nodepools.model.kubernetes.pod import Expression, Pod, Preference, Term
from nodepools.placement.explain import Answer, Explainer, explain
from nodepools.placement.fixes import Fix, find_fix
from nodepools.placement.node_pools import ClusterPools
from nodepools.placement.verdict import Kind, PoolVerdict, Reason, Verdict
from nodepools.placement.workloads.pod_changes import NO_EMPTY_TERMS, Change, LowerRequest, Remove, RemoveLabel, Select
from nodepools.placement.workloads.reader import read_workloads
from nodepools.placement.workloads.workload import Workload
from tests.placement.conftest import SIZE, aks, eks, nap, pod, preferred, required, template, wants
from tests.placement.test_cases import CASES, CORDONED
from tests.placement.test_certain import CASES as DRAWN
from tests.placement.test_certain import place_of
from tests.placement.test_reasons import ROWS as REASONS

AMD64 = keys.eks.arch.one_of("amd64")
WEB = UserPool(vm_size=SIZE, scale=Autoscale(1, 5), labels={"tier": "web"})
BATCH = UserPool(vm_size=SIZE, scale=Autoscale(0, 5), spot=Spot())


def ways(fix: Fix) -> Iterator[tuple[Change, ...]]:
    """Every way to follow the instruction: one option of each change."""
    return product(*(step.options for step in fix.steps.values()))


def changed(workload: Workload, changes: tuple[Change, ...]) -> Workload:
    made = workload.pod
    for change in changes:
        made = change.apply(made)
    return replace(workload, pod=made)


def check_fixes(answer: Answer, pools: ClusterPools) -> int:
    """Follows every fix of an answer, and returns how many there are."""
    found = 0
    for judged in answer.pools:
        fix = answer.fix(judged)
        if fix is None:
            continue
        assert (judged.verdict, fix.verdict) in {(Verdict.CANNOT, Verdict.FITS), (Verdict.CANNOT, Verdict.UNKNOWN), (Verdict.UNKNOWN, Verdict.FITS)}
        for way in ways(fix):
            found += 1
            again = Explainer(pools).answer(changed(answer.workload, way))
            assert next(one.verdict for one in again.pools if one.pool == judged.pool) is fix.verdict, (judged, str(fix), again.pools)
    return found


TABLE = [pytest.param(*case.values[:2], id=str(case.id)) for case in (*CASES, *REASONS)]


@pytest.mark.parametrize(("cluster", "raw"), TABLE)
def test_of_every_case_of_the_tables(cluster: Any, raw: Mapping[str, Any]) -> None:
    [pools] = catalog(Platform(name="dev", clusters={"c": cluster}))
    for workload in read_workloads(raw):
        check_fixes(Explainer(pools).answer(workload), pools)


@settings(max_examples=200, deadline=None)
@given(DRAWN)
def test_of_any_pod_and_node_pool(case: Any) -> None:
    drawn, place = case
    pools = ClusterPools("c", provisioned=(place_of(*place),))
    check_fixes(Explainer(pools).answer(Workload("pod", "default", "Pod", drawn)), pools)


def test_fixes_are_found_at_all() -> None:
    [pools] = catalog(Platform(name="dev", clusters={"c": aks(web=WEB, batch=BATCH)}))
    [workload] = read_workloads(pod(nodeSelector={"tier": "wbe"}))
    assert check_fixes(Explainer(pools).answer(workload), pools) == 2, "of three pools, one is for the system"


ZONE = "topology.kubernetes.io/zone"
SPOT = "add toleration `kubernetes.azure.com/scalesetpriority=spot:NoSchedule`"
ROWS = [
    pytest.param(aks(batch=BATCH), pod(), "c/batch", SPOT, "fits", id="one toleration"),
    pytest.param(
        *(aks(batch=BATCH), pod(nodeSelector={"tier": "web"}, cpu="16"), "c/batch"),
        f"{SPOT}; remove the selector `tier=web`; request at most `3260m` cpu",
        "fits",
        id="three changes that must be made together",
    ),
    pytest.param(
        aks(web=WEB), pod(nodeSelector={"tier": "wbe"}, gpu="1"), "c/web", None, None, id="no change of the selector, because no node has a GPU"
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64], labels={"tier": "web"})),
        pod(nodeSelector={"tier": "wbe"}, cpu="1000"),
        "c/a",
        "change `tier=wbe` to `tier=web`; request at most `268800m` cpu",
        "fits",
        id="a change that uncovers another reason",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64], labels={"tier": "web"})),
        pod(nodeSelector={"tier": "wbe"}, gpu="64"),
        "c/a",
        "change `tier=wbe` to `tier=web`; request at most `8` nvidia.com/gpu",
        "fits",
        id="or another resource",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64], labels={"tier": "web"})),
        pod(nodeSelector={"tier": "wbe", "topology.kubernetes.io/zone": "us-east-1a"}),
        "c/a",
        "change `tier=wbe` to `tier=web`",
        "unknown",
        id="after the change the zone is still unknown",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64, keys.eks.instance_cpu.one_of(2)])),
        pod(cpu="1700m"),
        "c/a",
        "request at most `1400m` cpu",
        "fits",
        id="an unknown pool that fits for certain after the change",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64, keys.eks.instance_cpu.one_of(2)])),
        pod(cpu="1700m", nodeSelector={"topology.kubernetes.io/zone": "us-east-1a"}),
        "c/a",
        None,
        None,
        id="an unknown pool that stays unknown",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64, keys.eks.instance_cpu.one_of(2, 16)])),
        pod(cpu="6", nodeSelector={"eks.amazonaws.com/instance-cpu": "4"}),
        "c/a",
        "change `eks.amazonaws.com/instance-cpu=4` to `eks.amazonaws.com/instance-cpu=16`",
        "fits",
        id="of two values the one with enough CPU",
    ),
    pytest.param(
        aks(web=WEB), pod(affinity=required([wants("tier", "In", "wbe")], [wants("team", "Exists")])), "c/web", "change `tier=wbe` to `tier=web`",
        "fits", id="the term that is closest",
    ),
    pytest.param(
        *(aks(web=WEB), pod(affinity=required([wants("team", "Exists")])), "c/web"),
        *("remove the selector `team Exists`", "fits"),
        id="the only term",
    ),
    pytest.param(
        aks(web=derive(WEB, overrides={"node_labels": {"tier": "wbe"}})), pod(nodeSelector={"tier": "wbe"}), "c/web", None, None, id="overrides"
    ),
    pytest.param(aks(web=derive(WEB, scale=None, count=0)), pod(), "c/web", None, None, id="a pool without nodes"),
    pytest.param(aks(web=WEB), pod(os={"name": "windows"}), "c/web", None, None, id="an image of another operating system"),
    pytest.param(
        aks(web=WEB),
        pod(nodeSelector={"topology.kubernetes.io/zone": "westeurope-1"}),
        "c/web",
        "set `zones` of the pool to `[1]`: its nodes are in no zone",
        "fits",
        id="a zone is a matter of the pool, not of the pod",
    ),
    pytest.param(
        aks(web=derive(WEB, zones=[1, 2])),
        pod(nodeSelector={"topology.kubernetes.io/zone": "westeurope-3"}),
        "c/web",
        f"change `{ZONE}=westeurope-3` to one of `{ZONE}=westeurope-1`, `{ZONE}=westeurope-2`",
        "unknown",
        id="a zone that a pool with zones does not have",
    ),
    pytest.param(
        aks(web=WEB),
        pod(affinity=preferred((1, [wants("tier", "In", "web")])), nodeSelector={"kubernetes.io/arch": "arm64"}),
        "c/web",
        "change `kubernetes.io/arch=arm64` to `kubernetes.io/arch=amd64`, if the image runs on it",
        "fits",
        id="preferences stay as they are",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64])),
        pod(
            affinity={
                "nodeAffinity": {
                    **required([wants("kubernetes.io/arch", "In", "amd64")], [wants("kubernetes.io/arch", "In", "arm64")])["nodeAffinity"],
                    **preferred((1, [wants("kubernetes.io/arch", "In", "arm64")]))["nodeAffinity"],
                }
            }
        ),
        "c/a",
        "remove the preferred node affinity",
        "fits",
        id="a preference for which Karpenter launches no node",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64])),
        pod(affinity=preferred((1, [wants("karpenter.sh/nodepool", "DoesNotExist"), wants("kubernetes.io/arch", "In", "amd64")]))),
        "c/a",
        "remove `karpenter.sh/nodepool` from the node affinity",
        "fits",
        id="a preference for nodes without a NodePool",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64])),
        pod(nodeSelector={"eks.amazonaws.com/capacityType": "ON_DEMAND", "eks.amazonaws.com/nodegroup": "web"}),
        "c/a",
        "change `eks.amazonaws.com/capacityType=ON_DEMAND` to `karpenter.sh/capacity-type=on-demand`; "
        "remove the selector `eks.amazonaws.com/nodegroup=web`",
        "fits",
        id="labels of managed node groups",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64])),
        pod(nodeSelector={"karpenter.k8s.aws/instance-category": "c"}),
        "c/a",
        "change `karpenter.k8s.aws/instance-category=c` to `eks.amazonaws.com/instance-category=c`",
        "fits",
        id="a label of self-managed Karpenter",
    ),
    pytest.param(
        eks(a=EksNodePool(requirements=[AMD64])),
        pod(affinity=required([wants("karpenter.k8s.aws/instance-generation", "Gt", "4")])),
        "c/a",
        "remove the selector `karpenter.k8s.aws/instance-generation Gt [4]`",
        "fits",
        id="which is removed where it is a bound",
    ),
    pytest.param(
        nap(a=AksNodePool(requirements=[Requirement("karpenter.azure.com/sku-family", "In", ["D"])], taints=[Taint("team", "ml")])),
        pod(),
        "c/a",
        "add toleration `team=ml:NoSchedule`",
        "fits",
        id="a taint of a NodePool",
    ),
    pytest.param(
        aks(out=UserPool(vm_size=SIZE, count=2, gateway_prefix_size=31)),
        pod(),
        "c/out",
        None,
        None,
        id="a gateway pool, which is for the traffic of pods",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("cluster", "raw", "pool", "change", "verdict"), ROWS)
def test_changes_are_offered_together(ask: Any, cluster: Any, raw: Any, pool: str, change: str | None, verdict: str | None) -> None:
    answer = ask(cluster, raw)
    judged = next(one for one in answer.pools if one.pool == pool)
    fix = answer.fix(judged)
    assert (None if fix is None else str(fix), None if fix is None else fix.verdict.value) == (change, verdict), judged.reasons


def test_json_has_the_changes_of_a_pool_and_of_each_reason(ask: Any) -> None:
    told = ask(aks(web=WEB, batch=BATCH), pod(nodeSelector={"tier": "wbe"}, cpu="1")).to_json()
    by_pool = {one["pool"]: one for one in told["pools"]}
    assert by_pool["c/web"]["fix"] == {"steps": ["change `tier=wbe` to `tier=web`"], "verdict": "fits"}
    assert by_pool["c/batch"]["fix"]["steps"] == [reason["fix"] for reason in by_pool["c/batch"]["reasons"]]
    in_vain = ask(aks(web=WEB), pod(nodeSelector={"tier": "wbe"}, gpu="1")).to_json()["pools"][0]
    assert "fix" not in in_vain
    assert not any("fix" in reason for reason in in_vain["reasons"])


GPU = keys.eks.instance_gpu_manufacturer.one_of("nvidia")
TOLD = [
    pytest.param(
        EksNodePool(requirements=[AMD64, GPU], labels={"tier": "ml"}, taints=[Taint("nvidia.com/gpu")]),
        pod(nodeSelector={"tier": "train"}, gpu="64"),
        ["label", "resources"],
        id="a GPU pod that selects a label that the nodes do not have; its toleration is added on admission",
    ),
    pytest.param(
        EksNodePool(requirements=[AMD64], labels={"tier": "web"}),
        pod(nodeSelector={"tier": "wbe", "eks.amazonaws.com/instance-family": "nope"}, cpu="1000"),
        ["label", "instance", "resources"],
        id="a label, a family and a request",
    ),
    pytest.param(
        EksNodePool(requirements=[AMD64]),
        pod(affinity=required([wants("kubernetes.io/arch", "In", "arm64"), wants("a", "In", "1"), wants("a", "In", "2")]), cpu="1000"),
        ["label", "requirement", "resources"],
        id="a contradiction, another architecture and a request",
    ),
    pytest.param(
        EksNodePool(requirements=[AMD64]),
        pod(nodeSelector={"kubernetes.io/arch": "arm64", "topology.kubernetes.io/zone": "us-east-1a", "kubernetes.io/hostname": "n"}),
        ["requirement", "requirement?", "label?", "unschedulable?"],
        id="what is unknown next to what is certain",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("pool", "raw", "kinds"), TOLD)
def test_every_miss_is_told_at_once(ask: Any, pool: EksNodePool, raw: Any, kinds: list[str]) -> None:
    answer = ask(eks(a=pool), raw)
    [judged] = answer.pools
    assert judged.verdict is Verdict.CANNOT
    told = [f"{reason.kind.value}{'?' if reason.verdict is Verdict.UNKNOWN else ''}" for reason in judged.reasons]
    assert sorted(told) == sorted(kinds), judged.reasons
    fix = answer.fix(judged)
    assert fix is not None
    assert set(fix.steps) >= {reason.fix for reason in judged.decisive}, str(fix)


def test_a_cordoned_node_is_uncordoned() -> None:
    [workload] = read_workloads(pod())
    answer = Explainer(read_existing_pools([(CORDONED, "nodes.yaml")])).answer(workload)
    assert str(answer.fix(answer.pools[0])) == "uncordon the node"


def test_a_node_that_is_named_by_a_field() -> None:
    term = {"matchFields": [wants("metadata.name", "In", "node-2")]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}
    [workload] = read_workloads(pod(affinity=affinity))
    answer = Explainer(read_existing_pools([(CORDONED, "nodes.yaml")])).answer(workload)
    assert str(answer.fix(answer.pools[0])) == "remove `matchFields` from the node affinity; uncordon the node"


def test_each_shape_is_tried_once(ask: Any) -> None:
    answer = ask(aks(web=WEB), pod(nodeSelector={"tier": "wbe"}))
    assert answer.fix(answer.pools[0]) is answer.fix(answer.pools[0])


def test_daemon_sets_count_when_a_change_is_tried() -> None:
    daemon = {"kind": "DaemonSet", "metadata": {"name": "logs"}, "spec": {"template": template(cpu="1")}}
    [pools] = catalog(Platform(name="dev", clusters={"c": aks(web=WEB)}))
    answers = explain(list(read_workloads([pod(cpu="16"), daemon])), [pools])
    assert [str(answer.fix(answer.pools[0])) for answer in answers] == ["request at most `2260m` cpu", "None"]


A, B = Expression("a", "In", ("1",)), Expression("b", "In", ("1",))


def refusing(*found: Reason) -> Any:
    return lambda _: PoolVerdict("p", Verdict.CANNOT, found)


def test_changes_that_do_not_help_are_not_offered() -> None:
    one = Reason(Kind.LABEL, "no", Select(A, "a", ("2", "3")))
    start = PoolVerdict("p", Verdict.CANNOT, (one,))
    asked = Pod(node_selector=(("a", "1"),))
    assert find_fix(asked, start, refusing(one)) is None
    assert find_fix(asked, start, refusing(Reason(Kind.LABEL, "no", Select(B, "b", ("2",))))) is None
    assert find_fix(asked, PoolVerdict("p", Verdict.UNKNOWN, (replace(one, verdict=Verdict.UNKNOWN),)), refusing(one)) is None


def test_reasons_without_end_are_given_up() -> None:
    def another(changed: Pod) -> PoolVerdict:
        [(key, value)] = changed.node_selector
        further = Select(Expression(key, "In", (value,)), key, (f"{value}0",))
        return PoolVerdict("p", Verdict.CANNOT, (Reason(Kind.LABEL, "no", further),))

    asked = Pod(node_selector=(("a", "1"),))
    assert find_fix(asked, another(asked), another) is None


def test_a_term_that_would_be_empty_is_left_out() -> None:
    terms = (Term(), Term((A,)), Term((A, B)))
    assert NO_EMPTY_TERMS.apply(Pod(required=terms)).required == (Term((A,)), Term((A, B)))
    assert RemoveLabel("a").apply(Pod(required=terms, preferred=(Preference(1, Term((A,))),))) == Pod(required=(Term(), Term((B,))))


def test_a_request_is_never_raised() -> None:
    assert LowerRequest("cpu", 2000).apply(Pod(requests=(("cpu", 1000), ("memory", 5)))).requests == (("cpu", 1000), ("memory", 5))


ONE_TWO, TWO_THREE = Select(A, "b", ("1",)), Select(B, "b", ("2",))
JOINED = [
    pytest.param((ONE_TWO, TWO_THREE), "change `a=1` to `b=2`", id="from the first to the last"),
    pytest.param((ONE_TWO, Remove(B)), "remove the selector `a=1`", id="of what is removed"),
    pytest.param((ONE_TWO, Remove(A)), None, id="another expression is removed"),
    pytest.param((ONE_TWO, Select(A, "c", ("2",))), None, id="another expression is changed"),
    pytest.param((Remove(A), TWO_THREE), None, id="nothing is left to change"),
]


@pytest.mark.parametrize(("changes", "told"), JOINED)
def test_changes_of_one_expression(changes: tuple[Change, Change], told: str | None) -> None:
    first, later = changes
    joined = first.then(later)
    assert (None if joined is None else str(joined)) == told


MERGED = [
    pytest.param(Pod(node_selector=(("a", "1"),)), "change `a=1` to `b=2`", id="one change"),
    pytest.param(
        Pod(node_selector=(("a", "1"),), required=(Term((B,)),)), "change `a=1` to `b=1`; change `b=1` to `b=2`", id="an equal expression elsewhere"
    ),
]


@pytest.mark.parametrize(("asked", "told"), MERGED)
def test_changes_are_merged_if_the_effect_is_the_same(asked: Pod, told: str) -> None:
    def evaluate(changed: Pod) -> PoolVerdict:
        wrong = {A: ONE_TWO, B: TWO_THREE}
        present = [*changed.selector, *(one for term in changed.required or () for one in term.expressions)]
        reasons = [Reason(Kind.LABEL, "no", wrong[one]) for one in (A, B) if one in present][:1]
        return PoolVerdict("p", Verdict.CANNOT if reasons else Verdict.FITS, tuple(reasons))

    assert str(find_fix(asked, evaluate(asked), evaluate)) == told


@pytest.mark.parametrize(("has", "told"), [("2", "remove the selector `a=1`"), ("3", "change `a=1` to `b=2`")])
def test_a_label_that_the_pod_selects_already_is_not_selected_again(has: str, told: str) -> None:
    def evaluate(changed: Pod) -> PoolVerdict:
        reasons = [Reason(Kind.LABEL, "no", Select(A, "b", ("2",)))] if A in changed.selector else []
        return PoolVerdict("p", Verdict.CANNOT if reasons else Verdict.FITS, tuple(reasons))

    asked = Pod(node_selector=(("a", "1"), ("b", has)))
    assert str(find_fix(asked, evaluate(asked), evaluate)) == told
