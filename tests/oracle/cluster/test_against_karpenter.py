"""Random NodePools and workloads: what `explain` predicts of a declared cluster is what Karpenter launches and the scheduler fills."""

import json
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from nodepools import AutoMode, EksClusterArgs, EksNetworkArgs, EksNodePool, Platform, explain
from nodepools.changes.drift import node_pool_hash
from nodepools.clouds.registry import catalog
from nodepools.keys import eks
from nodepools.model.kubernetes.label import Taint
from tests.cli.conftest import Starter
from tests.oracle.cluster.compared import differences as differences_of_nodes
from tests.oracle.cluster.compared import from_export, of, without
from tests.oracle.cluster.control_plane import ControlPlane, Object, reason
from tests.oracle.cluster.karpenter import Provisioned, instance_types, karpenter, node_pool
from tests.oracle.cluster.random_platforms import ZONE
from tests.oracle.cluster.random_workloads import pod_affinity, spread
from tests.oracle.cluster.test_against_control_plane import SEED

PLACEMENTS: Final = int(os.environ.get("KARPENTER_PLACEMENTS", "20"))
EDITS: Final = int(os.environ.get("KARPENTER_EDITS", "6"))
ROLLED: Final = int(os.environ.get("KARPENTER_ROLLED", "6"))
CONSOLIDATED: Final = int(os.environ.get("KARPENTER_CONSOLIDATED", "4"))
REGION, ZONES, CAPACITIES = "us-east-1", ("us-east-1a", "us-east-1b", "us-east-1c"), ("on-demand", "spot")
APPS: Final = ("web", "api", "batch", "cache", "agent", "shop")
VALUES: Final[Mapping[str, Sequence[str]]] = {
    "team": ("ml", "web"),
    "tier": ("web", "api"),
    "kubernetes.io/arch": ("amd64", "arm64"),
    eks.instance_category.name: ("c", "m", "r", "g"),
    eks.instance_cpu.name: ("4", "8", "16", "96"),
    eks.instance_generation.name: ("5", "6", "7"),
    "topology.kubernetes.io/zone": (*ZONES, "us-east-1f"),
    "karpenter.sh/capacity-type": CAPACITIES,
}
DEFAULT_CLASS: Final = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}
NUMBERS: Final = (eks.instance_cpu.name, eks.instance_generation.name)
TAINTS: Final = (Taint("team", "ml", "NoSchedule"), Taint("team", "web", "NoExecute"), Taint("team", "web", "PreferNoSchedule"))
TOLERATIONS: Final = ({"operator": "Exists"}, {"key": "team", "operator": "Exists"}, {"key": "team", "value": "ml", "effect": "NoSchedule"})


def declared(chance: random.Random) -> Platform:
    return _platform({f"pool{number}": _pool(chance) for number in range(chance.choice((1, 2, 2, 3)))})


def _platform(pools: Mapping[str, EksNodePool]) -> Platform:
    cluster = EksClusterArgs(
        region=REGION,
        kubernetes_version="1.35",
        network=EksNetworkArgs(cidr="10.0.0.0/16", zones=list(ZONES)),
        auto_mode=AutoMode(built_in_node_pools=[], node_pools=dict(pools)),
    )
    return Platform(name="oracle", clusters={"use1": cluster})


def _pool(chance: random.Random) -> EksNodePool:
    return EksNodePool.model_validate(_fields(chance))


def _fields(chance: random.Random) -> Object:
    keys = chance.sample([key for key in VALUES if key not in ("team", "tier")], chance.choice((0, 1, 1, 2)))
    labels = {key: chance.choice(VALUES[key]) for key in ("team", "tier") if chance.random() < 0.4}
    return {
        "requirements": [_expression(chance, key) for key in keys],
        "labels": labels,
        "taints": [chance.choice(TAINTS)] if chance.random() < 0.3 else [],
        **({"weight": chance.choice((10, 50))} if chance.random() < 0.5 else {}),
    }


def _expression(chance: random.Random, key: str) -> Object:
    operator = chance.choice(("In", "In", "NotIn", "Exists", *(("Gt", "Lt") if key in NUMBERS else ())))
    if operator == "Exists":
        return {"key": key, "operator": operator}
    count = 1 if operator in ("Gt", "Lt") else chance.choice((1, 2))
    return {"key": key, "operator": operator, "values": sorted(chance.sample(VALUES[key], count))}


def workloads(chance: random.Random) -> list[Object]:
    names = chance.sample(APPS, chance.choice((1, 2, 2, 3)))
    return [_workload(chance, name, names) for name in names]


def _workload(chance: random.Random, name: str, names: Sequence[str]) -> Object:
    kind = chance.choice(("Deployment", "Deployment", "Deployment", "StatefulSet", "ReplicaSet"))
    template = {"metadata": {"labels": {"app": name}}, "spec": _pod(chance, name, names)}
    owner: Object = {"replicas": chance.choice((1, 2, 3, 4, 7)), "selector": {"matchLabels": {"app": name}}, "template": template}
    if kind == "StatefulSet":
        owner |= {"serviceName": name, "podManagementPolicy": chance.choice(("Parallel", "OrderedReady"))}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name, "namespace": "default"}, "spec": owner}


def _pod(chance: random.Random, name: str, names: Sequence[str]) -> Object:
    requests = {"cpu": chance.choice(("50m", "400m", "1500m", "3", "30")), "memory": chance.choice(("64Mi", "1Gi", "20Gi"))}
    spec: Object = {"containers": [{"name": "c", "image": "i", "resources": {"requests": requests}}]}
    if chance.random() < 0.4:
        spec["tolerations"] = [chance.choice(TOLERATIONS)]
    if chance.random() < 0.4:
        key = chance.choice(sorted(VALUES))
        spec["nodeSelector"] = {key: chance.choice(VALUES[key])}
    affinity: Object = {}
    if chance.random() < 0.3:
        terms = [{"matchExpressions": [_expression(chance, chance.choice(sorted(VALUES)))]} for _ in range(chance.choice((1, 1, 2)))]
        affinity["nodeAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    affinity |= {kind: pod_affinity(chance, name, names) for kind in ("podAffinity", "podAntiAffinity") if chance.random() < 0.15}
    if affinity:
        spec["affinity"] = affinity
    if chance.random() < 0.4:
        spec["topologySpreadConstraints"] = [spread(chance, name, names)]
    return spec


def differences(answer: Mapping[str, Any], mine: Sequence[Object], plane: Provisioned, counts: Counter[str]) -> Iterator[str]:
    """Where Karpenter and the scheduler do what the prediction excludes, or do not what it says is certain."""
    counts.update(["placements", f"{answer['verdict']}"])
    used = Counter(f"use1/{plane.pool_of(pod['spec']['nodeName'])}" for pod in mine if pod["spec"].get("nodeName"))
    for one in answer["pools"]:
        if one["verdict"] == "cannot" and used[one["pool"]]:
            yield f"cannot use {one['pool']}, and does: {one['reasons']}"
    least, most, reached = answer["scheduled"]["minimum"], answer["scheduled"]["maximum"], used.total()
    counts.update(["exact"] * (least == most), pods=reached)
    if most is not None and reached > most:
        yield f"at most {most}, and {reached} are scheduled on {dict(used)}: {[one['message'] for one in answer['pending']]}"
    if reached < least:
        yield f"at least {least}, and {reached} are scheduled on {dict(used)}: {set(reason(mine))}"


@pytest.fixture(scope="module")
def provisioned(control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provisioned]:
    machines = catalog(declared(random.Random(0)))[0].provisioned[0].cloud.index.machines  # noqa: S311  # any: all have the same machines
    types = instance_types(machines, ZONES, CAPACITIES, REGION, random.Random(SEED))  # noqa: S311  # the same for a seed
    with karpenter(control_plane, types, tmp_path_factory.mktemp("karpenter")) as made:
        yield made


def test_what_is_predicted_of_node_pools_is_observed(provisioned: Provisioned) -> None:
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    number = 0
    while counts["placements"] < PLACEMENTS:
        number += 1
        start = time.monotonic()
        chance = random.Random(f"{SEED}/karpenter/{number}")  # noqa: S311  # the same cases for a seed
        platform, written = declared(chance), workloads(chance)
        answers = [one.to_json() for one in explain(platform, json.dumps({"apiVersion": "v1", "kind": "List", "items": written}))]
        provisioned.begin([node_pool(place) for place in catalog(platform)[0].provisioned])
        assert not provisioned.apply(written)
        pods = provisioned.settle(120)
        said = [f"{number} {answer['name']}: {text}" for answer in answers for text in differences(answer, of(answer, pods), provisioned, counts)]
        wrong += [f"{text}\n{json.dumps([platform.model_dump(mode='json', exclude_unset=True), written])}" for text in said]
        print(f"{number} {time.monotonic() - start:.1f}", *said, sep="\n   ", flush=True)
    print(f"\nseed {SEED}: {number} clusters, {dict(counts)}")
    assert not wrong, "\n".join(wrong)


def _spread_out(number: int, chance: random.Random) -> Object:
    """One pod on a node of its own, of an architecture, category or zone that others may lack."""
    key = chance.choice(("kubernetes.io/arch", eks.instance_category.name, eks.instance_generation.name, "topology.kubernetes.io/zone"))
    alone = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchExpressions": [{"key": "app", "operator": "Exists"}]}}
    spec = {
        "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "400m"}}}],
        "tolerations": [{"operator": "Exists"}],
        "nodeSelector": {key: chance.choice([one for one in VALUES[key] if one != "us-east-1f"])},
        "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [alone]}},
    }
    name = f"app{number}"
    template = {"metadata": {"labels": {"app": name}}, "spec": spec}
    owner = {"replicas": 1, "selector": {"matchLabels": {"app": name}}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "namespace": "default"}, "spec": owner}


def _edited(fields: Object, chance: random.Random) -> Object:
    """The fields with some of another pool, which differ."""
    while True:
        other = _fields(chance)
        keys = chance.choice((("requirements",), ("requirements",), ("requirements", "labels"), ("labels",), ("taints",), ("weight",)))
        changed = {**fields, **{key: other[key] for key in keys if key in other}}
        if changed != fields:
            return changed


def _in_cloud(pool: Object) -> Object:
    """A NodePool as Auto Mode has it."""
    made = json.loads(json.dumps(pool))
    made["spec"]["template"]["spec"] |= {"nodeClassRef": DEFAULT_CLASS}
    return made


def predicted_drift(starter: Starter, folder: Path, old: Object, new: Object, claims: Sequence[Object]) -> tuple[int, int | None, str]:
    """The fewest and the most nodes that `diff` says are replaced, and its answer."""
    for name, written in (("old.json", _in_cloud(old)), ("new.json", _in_cloud(new)), ("existing.json", _listed(claims))):
        (folder / name).write_text(json.dumps(written))
    answer = starter("diff", "old.json", "new.json", "--existing", "existing.json", "--format", "json", cwd=folder)
    assert answer.status in (0, 1), answer.all
    rolled = [one["nodes"] for one in answer.json["changes"] if one["effect"].startswith("rolls")]
    unknown = any(one["effect"] == "unknown" for one in answer.json["changes"])
    most = None if unknown else max((one["maximum"] for one in rolled), default=0)
    return max((one["minimum"] for one in rolled), default=0), most, answer.json["answer"]


def _listed(claims: Sequence[Object]) -> Object:
    items = [{**one, "spec": {**one["spec"], "nodeClassRef": DEFAULT_CLASS}} for one in claims]
    return {"apiVersion": "v1", "kind": "List", "items": items}


def test_nodes_drift_as_diff_says(provisioned: Provisioned, starter: Starter, tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    number = 0
    while counts["edits"] < EDITS:
        number += 1
        chance = random.Random(f"{SEED}/drift/{number}")  # noqa: S311  # the same cases for a seed
        fields = _fields(chance)
        if chance.random() < 0.7:
            fields["requirements"] = []
        changed = _edited(fields, chance)
        old, new = (node_pool(catalog(_platform({"pool0": EksNodePool.model_validate(one)}))[0].provisioned[0]) for one in (fields, changed))
        provisioned.begin([old])
        assert not provisioned.apply([_spread_out(number, chance) for number in range(4)])
        provisioned.settle(120)
        claims = provisioned.all("NodeClaim")
        if not claims:
            continue
        # by this hash, `explain node/NAME` finds the commit with which a node was launched
        assert {one["metadata"]["annotations"]["karpenter.sh/nodepool-hash"] for one in claims} == {node_pool_hash(old["spec"])}
        least, most, said = predicted_drift(starter, tmp_path, old, new, claims)
        drifted = len(provisioned.drifted_after(new))
        counts.update(edits=1, claims=len(claims), drifted=drifted, exact=int(least == most))
        print(f"{number}: {len(claims)} nodes, {least} to {most} drift, {drifted} do", flush=True)
        if drifted < least or (most is not None and drifted > most):
            wrong.append(f"{number}: {least} to {most} nodes drift, and {drifted} of {len(claims)} do: {said}\n{json.dumps([old, new])}")
    print(f"\nseed {SEED}: {dict(counts)}")
    assert not wrong, "\n".join(wrong)


def _written(folder: Path, name: str, fields: Object) -> None:
    """A platform with this NodePool. The built-in one, which has no nodes, creates the NodeClass `default`."""
    cluster = _platform({"pool0": EksNodePool.model_validate(fields)}).clusters["use1"].model_dump(mode="json", exclude_unset=True)
    cluster["auto_mode"]["built_in_node_pools"] = ["general-purpose"]
    (folder / name).write_text(json.dumps({"name": "oracle", "clusters": {"use1": {"kind": "EksCluster", **cluster}}}))


def _export(provisioned: Provisioned, file: Path) -> None:
    """What `kubectl get nodes,nodeclaims,pods,events -A` prints, with NodeClaims and ids of machines as Auto Mode has them."""
    provisioned.beat()
    ids = {
        one["metadata"]["name"]: f"aws:///{one['metadata']['labels'][ZONE]}/i-{one['metadata']['uid'].replace('-', '')[:17]}"
        for one in provisioned.all("Node")
    }
    nodes = [{**one, "spec": {**one["spec"], "providerID": ids[one["metadata"]["name"]]}} for one in provisioned.all("Node")]
    claims = [
        {**one, "status": {**one["status"], "providerID": ids.get(one["status"].get("nodeName"), "")}}
        for one in _listed(provisioned.all("NodeClaim"))["items"]
    ]
    others = [one for kind in ("Pod", "Event") for one in provisioned.all(kind)]
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*claims, *nodes, *others]}))


def _names(provisioned: Provisioned) -> set[str]:
    return {one["metadata"]["name"] for one in provisioned.all("Node")}


def _recorded(provisioned: Provisioned, starter: Starter, folder: Path, old: Object, new: Object) -> Sequence[Object]:
    """What `diff` says of an edit of the NodePool, and records; a second before nodes change, because their times have seconds."""
    for name, one in (("old.json", old), ("new.json", new)):
        _written(folder, name, one)
    _export(provisioned, folder / "before-use1.json")
    words = ("old.json", "new.json", "--existing", "before-use1.json", "--record", "edit.json", "--format", "json", "--fail-on", "none")
    answer = starter("diff", *words, cwd=folder)
    assert answer.status == 0, answer.all
    time.sleep(1.1)
    return answer.json["changes"]


def _compared(provisioned: Provisioned, starter: Starter, folder: Path) -> Object:
    """What `compare` says of the edit, which was applied at this time."""
    at = datetime.now(UTC).strftime("%Y-%m-%dT%XZ")
    time.sleep(1.1)
    _export(provisioned, folder / "after-use1.json")
    compared = ("edit.json", "--file", "new.json", "--existing", "after-use1.json", "--applied", at, "--format", "json")
    answer = starter("compare", *compared, cwd=folder)
    assert answer.status in (0, 1, 2), answer.all
    [result] = [one for one in answer.json["results"] if one["pool"] == "pool0"]
    return result


def test_compare_says_what_karpenter_did(provisioned: Provisioned, starter: Starter, tmp_path: Path) -> None:
    """Half of the edits are those that were recorded. Of the others, the record says that no node is replaced, and labels are edited."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    number = 0
    while counts["edits"] < ROLLED:
        number += 1
        chance = random.Random(f"{SEED}/rolled/{number}")  # noqa: S311  # the same cases for a seed
        fields = {**_fields(chance), "requirements": [], "weight": 10}
        is_other = number % 2 == 0
        recorded = {**fields, "weight": 20} if is_other else _edited(fields, chance)
        applied = {**fields, "labels": {"team": "ml" if fields["labels"].get("team") != "ml" else "web"}} if is_other else recorded
        old, new = (node_pool(catalog(_platform({"pool0": EksNodePool.model_validate(one)}))[0].provisioned[0]) for one in (fields, applied))
        provisioned.begin([old])
        pods = [_spread_out(each, chance) for each in range(3)]
        for one in pods:  # Karpenter drains no pod that tolerates all of its taints
            one["spec"]["template"]["spec"]["tolerations"] = [{"key": "team", "operator": "Exists"}]
        assert not provisioned.apply(pods)
        provisioned.settle(120)
        if not _names(provisioned):
            continue
        _recorded(provisioned, starter, tmp_path, fields, recorded)
        before = _names(provisioned)
        provisioned.rolled_by(new)
        gone = before - _names(provisioned)
        result = _compared(provisioned, starter, tmp_path)
        counts.update(["edits", result["verdict"]], nodes=len(before), gone=len(gone))
        print(f"{number}: {len(gone)} of {len(before)} nodes replaced; {result['effect']}: {result['verdict']}, {result['message']}", flush=True)
        expected = "contradicted" if is_other and gone else "seen"
        if result["verdict"] != expected:
            edits = json.dumps([fields, recorded, applied], default=str)
            wrong.append(f"{number}: {expected} expected, {len(gone)} of {len(before)} replaced: {result}\n{edits}")
        for node in gone:
            answer = starter("explain", f"node/{node}", "--file", "new.json", "--existing", "after-use1.json", "--format", "json", cwd=tmp_path)
            counts.update([f"why: {answer.json['reason']}"])
            if answer.json["reason"] != "Drifted":
                wrong.append(f"{number}: {node} was replaced because of drift, and explain says {answer.all}")
    print(f"\nseed {SEED}: {dict(counts)}")
    assert not wrong, "\n".join(wrong)
    assert counts["seen"]
    assert counts["contradicted"]


def test_consolidation_is_what_explain_allows_and_names(provisioned: Provisioned, starter: Starter, tmp_path: Path) -> None:
    """Pods go, and Karpenter may consolidate: `diff` says that no node is replaced, `explain` that the others have room, and then why a node went."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    number = 0
    while counts["edits"] < CONSOLIDATED:
        number += 1
        chance = random.Random(f"{SEED}/consolidated/{number}")  # noqa: S311  # the same cases for a seed
        fields: Object = {**_fields(chance), "requirements": [], "taints": []}
        pool = node_pool(catalog(_platform({"pool0": EksNodePool.model_validate(fields)}))[0].provisioned[0])
        provisioned.begin([pool])
        pods = [_filling(each, chance) for each in range(4)]
        assert not provisioned.apply(pods)
        provisioned.settle(120)
        for one in pods:
            one["spec"]["replicas"] = chance.choice((0, 1, one["spec"]["replicas"]))
        assert not provisioned.apply(pods)
        before = provisioned.settle(120)
        kept, consolidated = ({**fields, "disruption": {"consolidate_after": after}} for after in ("Never", "0s"))
        effects = {one["effect"] for one in _recorded(provisioned, starter, tmp_path, kept, consolidated)}
        export, old = provisioned.export(), _names(provisioned)
        provisioned.consolidated_by(pool)
        after, new = provisioned.all("Pod"), _names(provisioned)
        gone, launched = old - new, new - old
        counts.update(edits=1, nodes=len(old), gone=len(gone), launched=len(launched))
        said = [] if effects <= {"in_place"} else [f"{effects}: nodes are said to be replaced"]
        said += [f"{pod['metadata']['name']} does not run" for pod in after if not pod["spec"].get("nodeName")]
        if gone and not launched:  # their pods had room on the others
            answers = from_export(starter, tmp_path, without(export, gone), pods)
            assert not isinstance(answers, str), answers
            said += differences_of_nodes(answers, before, after, sorted(new), counts)
        result = _compared(provisioned, starter, tmp_path)
        counts.update([f"compare: {result['verdict']}"])
        said += [f"compare: {result}"] if result["verdict"] == "contradicted" else []
        for node in gone:
            answer = starter("explain", f"node/{node}", "--file", "new.json", "--existing", "after-use1.json", "--format", "json", cwd=tmp_path)
            counts.update([f"why: {answer.json['reason']}"])
            said += [] if answer.json["reason"] in ("Empty", "Underutilized") else [f"{node} was consolidated, and explain says {answer.all}"]
        print(f"{number}: {len(gone)} of {len(old)} nodes consolidated, {len(launched)} launched", *said, sep="\n   ", flush=True)
        wrong += [f"{number}: {text}" for text in said]
    print(f"\nseed {SEED}: {dict(counts)}")
    assert not wrong, "\n".join(wrong)
    assert counts["gone"]


def _filling(number: int, chance: random.Random) -> Object:
    """Pods that share nodes with others."""
    spec: Object = {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": chance.choice(("400m", "1500m", "3"))}}}]}
    if chance.random() < 0.5:
        spec["nodeSelector"] = {"kubernetes.io/arch": chance.choice(("amd64", "arm64"))}
    if chance.random() < 0.4:
        name, selector = "topology.kubernetes.io/zone", {"matchLabels": {"app": f"app{number}"}}
        spec["topologySpreadConstraints"] = [{"topologyKey": name, "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector}]
    name = f"app{number}"
    template = {"metadata": {"labels": {"app": name}}, "spec": spec}
    owner = {"replicas": chance.choice((2, 3, 5)), "selector": {"matchLabels": {"app": name}}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "namespace": "default"}, "spec": owner}
