"""What of an object is well formed is judged whatever else of it is not; and no finding comes of what is left out."""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from datetime import date
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from tests.untried import untried_fixes

Steps = tuple[str | int, ...]
Object = dict[str, Any]
DAY = date(2026, 11, 21)


def needs(key: str, operator: str, *values: str, **more: object) -> Object:
    return {"key": key, "operator": operator, "values": list(values), **more}


def node_pool(name: str, group: str, kind: str, node_class: str, requirements: list[Object], **spec: Any) -> Object:
    nodes = {"nodeClassRef": {"group": group, "kind": kind, "name": node_class}, "requirements": requirements, **spec.pop("nodes", {})}
    template = {"metadata": {"labels": spec.pop("labels", {"team": "ml"})}, "spec": nodes}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}, "spec": {"template": template, **spec}}


EKS: tuple[Object, ...] = (
    node_pool(
        "web",
        "eks.amazonaws.com",
        "NodeClass",
        "own",
        [
            needs("karpenter.sh/capacity-type", "In", "on-demand", minValues=2),
            needs("karpenter.k8s.aws/instance-cpu", "In", "4"),
            needs("eks.amazonaws.com/instance-memory", "Gt", "16"),
            needs("topology.kubernetes.io/zone", "In", "1"),
            needs("team", "Exists", "x"),
        ],
        labels={"team": "web & mobile", "app.kubernetes.io/name": "x"},
        weight=10,
        replicas=3,
        limits={"cpu": "1500m", "nodes": "2"},
        disruption={
            "consolidationPolicy": "WhenEmpty",
            "consolidateAfter": "1m",
            "budgets": [{"nodes": "0"}, {"nodes": "1", "schedule": "0 9 * * sat-sun", "duration": "8h"}, {"nodes": "1", "schedule": "0 9 * * *"}],
        },
        nodes={
            "expireAfter": "720h",
            "terminationGracePeriod": "24h",
            "taints": [{"key": "team", "value": "ml", "effect": "NoSchedule"}, {"key": "a!", "effect": "PreferNoSchedule"}],
            "startupTaints": [{"key": "team", "value": "web", "effect": "NoSchedule"}],
        },
    ),
    node_pool("reserved", "eks.amazonaws.com", "NodeClass", "plain", [needs("karpenter.sh/capacity-type", "In", "reserved")], weight=10),
    node_pool("any", "eks.amazonaws.com", "NodeClass", "missing", [needs("karpenter.sh/capacity-type", "In", "spot")], weight=20),
    {
        "apiVersion": "eks.amazonaws.com/v1",
        "kind": "NodeClass",
        "metadata": {"name": "own"},
        "spec": {
            "role": "arn:aws:iam::111122223333:role/eks-node",
            "subnetSelectorTerms": [{"name": "private"}],
            "securityGroupSelectorTerms": [{"id": "x"}, {"id": "sg-1", "tags": {"team": ""}}],
            "podSubnetSelectorTerms": [{"id": "subnet-1"}],
            "capacityReservationSelectorTerms": [{"id": "r-1", "owner": "7"}],
            "ephemeralStorage": {"size": "80000Mi", "kmsKeyID": "nodes"},
            "advancedNetworking": {
                "enableV4Egress": True,
                "associatePublicIPAddress": True,
                "networkInterfaces": [{"deviceIndex": 1}, {"deviceIndex": 1}],
            },
            "placementGroupSelector": {"name": "a", "id": "b"},
            "certificateBundles": [{"name": "own", "data": "-----BEGIN"}],
            "tags": {"karpenter.sh/nodepool": "web"},
        },
    },
    {
        "apiVersion": "eks.amazonaws.com/v1",
        "kind": "NodeClass",
        "metadata": {"name": "plain"},
        "spec": {"role": "nodes", "subnetSelectorTerms": [{"id": "subnet-1"}], "securityGroupSelectorTerms": [{"id": "sg-1"}]},
    },
)
AKS: tuple[Object, ...] = (
    node_pool(
        "batch",
        "karpenter.azure.com",
        "AKSNodeClass",
        "big",
        [
            needs("topology.kubernetes.io/zone", "In", "1", "2"),
            needs("karpenter.azure.com/sku-version", "In", "v5"),
            needs("kubernetes.io/arch", "In", "arm64"),
            needs("kubernetes.azure.com/os-sku", "In", "AzureLinux"),
            needs("karpenter.sh/capacity-type", "In", "spot"),
        ],
        labels={"kubernetes.azure.com/agentpool": "web", "kubernetes.io/os": "windows"},
        disruption={"consolidationPolicy": "WhenEmpty", "consolidateAfter": "1m", "budgets": [{"nodes": "1", "reasons": ["NodeNotHealthy"]}]},
    ),
    {
        "apiVersion": "karpenter.azure.com/v1beta1",
        "kind": "AKSNodeClass",
        "metadata": {"name": "big"},
        "spec": {
            "imageFamily": "Ubuntu2404",
            "fipsMode": "FIPS",
            "vnetSubnetID": "nodes",
            "artifactStreaming": {"enabled": True},
            "security": {"trustedLaunch": {"vtpm": True}},
            "linuxOSConfig": {"swapFileSize": "1Gi", "sysctls": {"netCoreRmemDefault": 1000000, "netCoreRmemMax": 500000}},
            "tags": {"a?b": "c"},
        },
    },
)
WORLDS = {"EKS": EKS, "AKS": AKS}

RESTS_ON: Mapping[str, tuple[str, ...]] = {
    "KAR010": ("weight", "replicas"),
    "KAR011": ("limits", "replicas"),
    "KAR012": ("limits", "replicas"),
    "KAR013": ("limits",),
    "KAR020": ("disruption.budgets",),
    "KAR021": ("disruption.budgets",),
    "KAR022": ("disruption.budgets",),
    "KAR024": ("disruption.budgets",),
    "KAR030": ("template.spec.taints", "template.spec.startupTaints"),
    "KAR031": ("template.metadata.labels",),
    "KAR032": ("template.spec.taints", "template.spec.startupTaints"),
    "KAR042": ("template.spec.requirements",),
    "KAR048": ("template.spec.requirements",),
    "KAR051": ("template.spec.taints",),
    "EKS044": ("template.spec.expireAfter", "template.spec.terminationGracePeriod"),
    "EKS045": ("template.spec.requirements",),
    "EKS049": ("template.spec.requirements",),
    "EKS022": ("role",),
    "EKS023": ("ephemeralStorage.size",),
    "EKS024": ("tags",),
    "EKS029": ("tags",),
    "EKS033": ("ephemeralStorage.kmsKeyID",),
    "EKS035": ("certificateBundles",),
    "EKS038": ("placementGroupSelector",),
    "EKS050": ("advancedNetworking.networkInterfaces",),
    "NAP009": ("template.spec.requirements",),
    "NAP017": ("vnetSubnetID",),
    "NAP021": ("security",),
    "NAP022": ("linuxOSConfig.swapFileSize", "kubelet"),
    "NAP023": ("linuxOSConfig.sysctls",),
    "NAP027": ("tags",),
    "NAP030": ("template.spec.expireAfter",),
    "NAP031": ("limits", "replicas"),
}
"""For rules about one object, the fields of its `spec` that they read."""


def told(world: tuple[Object, ...]) -> set[tuple[str, str, str]]:
    text = "\n---\n".join(json.dumps(one) for one in world)
    return {(str(finding.object), finding.code, finding.path) for finding in check_objects(list(objects(text, "x.yaml")), DAY).findings}


BEFORE = {name: told(world) for name, world in WORLDS.items()}
FREE = ("labels", "tags", "limits")
"""Fields that are maps of one's own keys."""


def places(part: object, steps: Steps = ()) -> Iterator[Steps]:
    """Every field of a `spec`, and every entry of a list."""
    found = (
        part.items() if isinstance(part, dict) and steps[-1:] not in {(free,) for free in FREE} else enumerate(part) if isinstance(part, list) else ()
    )
    for step, inside in found:
        yield (*steps, step)
        yield from places(inside, (*steps, step))


def dotted(steps: Steps) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")


def meet(one: str, other: str) -> bool:
    return any(long == short or long.startswith((f"{short}.", f"{short}[")) for long, short in ((one, other), (other, one)))


@st.composite
def broken(draw: st.DrawFn, world: tuple[Object, ...]) -> tuple[tuple[Object, ...], int, Steps]:
    """The objects with one field that is of another shape, or misspelt; which object it is of, and where it is."""
    made = deepcopy(world)
    which = draw(st.integers(0, len(made) - 1))
    *way, last = steps = draw(st.sampled_from(list(places(made[which]["spec"]))))
    holder: Any = made[which]["spec"]
    for step in way:
        holder = holder[step]
    if isinstance(last, str) and draw(st.booleans()):
        holder[f"{last}{last[-1]}"] = holder.pop(last)
    else:
        is_map = isinstance(holder[last], dict)
        holder[last] = draw(st.sampled_from([3.5, [[1]], *([] if is_map else [{"none": [1]}])]))
    return made, which, tuple(steps)


@pytest.mark.parametrize("name", WORLDS)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
@pytest.mark.sweep
def test_one_malformed_field_adds_nothing_and_hides_nothing_of_the_others(name: str, data: st.DataObject) -> None:
    made, which, steps = data.draw(broken(WORLDS[name]))
    with untried_fixes():
        after = told(made)
    label = f"x.yaml#{made[which]['kind']}/{made[which]['metadata']['name']}"
    shapes = {one for one in after if one[1].startswith("CFG")}
    assume(shapes)  # a map of one's own keys, one of which is spelt otherwise now
    assert {one[0] for one in shapes} == {label}
    assert after - shapes <= BEFORE[name], dotted(steps)
    for one in BEFORE[name] - after:
        reads = (*RESTS_ON[one[1]], "template.spec.nodeClassRef") if one[1] in RESTS_ON else None  # of no class, it is of no cloud
        assert reads is None or (one[0] == label and any(meet(dotted(steps), field) for field in reads)), (one, dotted(steps))


def test_each_rule_that_is_said_to_rest_on_some_fields_speaks() -> None:
    assert set(RESTS_ON) <= {code for found in BEFORE.values() for _, code, _ in found}


def pool(**changes: Any) -> Object:
    made = node_pool(
        "web", "eks.amazonaws.com", "NodeClass", "default", [needs("karpenter.sh/capacity-type", "In", "spot")], nodes={"expireAfter": "720h"}
    )
    made["spec"]["template"]["spec"] |= changes.pop("nodes", {})
    made["spec"] |= changes
    return made


@pytest.mark.parametrize(
    ("written", "found"),
    [
        pytest.param(pool(wieght=3), {"CFG002", "EKS044", "KAR046"}, id="a misspelt field beside rules about others"),
        pytest.param(pool(weight="3"), {"CFG004", "EKS044", "KAR046"}, id="a number in quotes"),
        pytest.param(pool(nodes={"requirements": "spot"}), {"CFG004", "EKS044"}, id="no list of requirements, of which nothing is missed"),
        pytest.param({**pool(), "metadata": {"labels": {}}}, {"CFG001", "EKS044", "KAR046"}, id="no name"),
        pytest.param(
            pool(nodes={"nodeClassRef": {"kind": "NodeClass", "name": "x"}}), {"CFG001", "KAR046"}, id="no group: the rules of any NodePool are asked"
        ),
        pytest.param(
            pool(nodes={"nodeClassRef": {"group": "eks.amazonaws.com/v1", "kind": "NodeClass", "name": "default"}}),
            {"CFG006", "EKS044", "KAR046"},
            id="a group with a version is of its cloud",
        ),
        pytest.param(
            {
                "apiVersion": "karpenter.azure.com/v1alpha2",
                "kind": "AKSNodeClass",
                "metadata": {"name": "x"},
                "spec": {"vnetSubnetID": "nodes", "imageVersion": "1"},
            },
            {"OBJ002", "CFG002", "NAP017"},
            id="a version that is deprecated",
        ),
        pytest.param(pool(disruption={"consolidationPolicy": "WhenEmpty"}), {"OBJ014", "EKS044", "KAR046"}, id="no consolidateAfter"),
        pytest.param(pool(disruption={"consolidateAftr": "0s"}), {"CFG002", "EKS044", "KAR046"}, id="consolidateAfter, misspelt"),
        pytest.param(pool(disruption={"consolidateAfter": None}), {"OBJ014", "EKS044", "KAR046"}, id="a null is nothing"),
    ],
)
def test_what_is_found_of_a_malformed_object(written: Object, found: set[str]) -> None:
    assert {code for _, code, _ in told((written,))} == found


@pytest.mark.parametrize("name", WORLDS)
def test_no_list_of_objects_is_advised_to_hold_text(name: str) -> None:
    """`taints: team=a:NoSchedule`, or one entry without its dash: the API has no short form."""
    for number, one in enumerate(WORLDS[name]):
        for *way, last in places(one["spec"]):
            made = deepcopy(WORLDS[name])
            holder: Any = made[number]["spec"]
            for step in way:
                holder = holder[step]
            if not (isinstance(holder[last], list) and isinstance(holder[last][0], dict)):
                continue
            for wrong in ("team=a:NoSchedule", holder[last][0], True):
                holder[last] = wrong
                text = "\n---\n".join(json.dumps(each) for each in made)
                [found] = [each for each in check_objects(list(objects(text, "x.yaml")), DAY).findings if each.code == "CFG004"]
                assert (found.path, found.message) == (f"spec.{dotted((*way, last))}", f"`{last}` must be a list of objects")
                assert found.fix is not None
                assert found.fix.text.startswith("Write a list of objects, also for one, with fields such as `")


def test_a_class_without_a_name_may_be_the_one_that_is_missing() -> None:
    nameless = {**EKS[4], "metadata": {}}
    codes = {(code, path) for _, code, path in told((EKS[2], EKS[3], nameless))}
    assert ("CFG001", "metadata.name") in codes
    assert not {code for code, _ in codes} & {"EKS042", "KAR001"}
    assert "EKS042" in {code for _, code, _ in told((EKS[2], EKS[3]))}


def test_a_pool_without_a_name_may_use_the_class_that_no_other_uses() -> None:
    nameless = {**EKS[0], "metadata": {}}
    assert "KAR061" in {code for _, code, _ in told((EKS[2], EKS[3]))}
    assert "KAR061" not in {code for _, code, _ in told((EKS[2], EKS[3], nameless))}


def test_six_findings_of_shape_and_twelve_of_rules_are_told_in_one_run() -> None:
    shapes = {"wieght": 1, "limits": {"cpu": "many"}, "replicas": "3"}
    nodes = {
        "kubelet": {},
        "terminationGracePeriod": "1d",
        "taints": [{"key": "a", "effect": "NoSchedul"}],
        "startupTaints": [{"key": "b!", "effect": "NoSchedule"}, {"key": "b!", "effect": "NoSchedule"}],
        "requirements": [
            *EKS[0]["spec"]["template"]["spec"]["requirements"],
            needs("karpenter.sh/nodepool", "Exists"),
            needs("eks.amazonaws.com/instance-family", "In", "m1"),
        ],
    }
    written = pool(**shapes, nodes=nodes, disruption=EKS[0]["spec"]["disruption"])
    written["spec"]["template"]["metadata"]["labels"] = {"team": "web & mobile", "app.kubernetes.io/name": "x", "eks.amazonaws.com/nodegroup": "x"}
    codes = {code for _, code, _ in told((written,))}
    assert len({path for _, code, path in told((written,)) if code.startswith("CFG")}) == 6
    assert len({code for code in codes if not code.startswith("CFG")}) >= 12


@pytest.mark.parametrize("reference", [None, {"group": "karpenter.example.com", "kind": "Class", "name": "big"}])
@pytest.mark.parametrize("name", WORLDS)
def test_a_pool_of_an_unknown_cloud_has_no_labels_of_another_cloud(name: str, reference: Object | None) -> None:
    made = deepcopy(next(one for one in WORLDS[name] if one["kind"] == "NodePool"))
    nodes = made["spec"]["template"]["spec"]
    nodes.pop("nodeClassRef")
    if reference is not None:
        nodes["nodeClassRef"] = reference
    assert {code for _, code, path in told((made,)) if path.endswith(".key")} <= {code for _, code, _ in BEFORE[name]}
