"""Ten findings planted in what the prod stack registers: all ten are found, each with its path and a fix, and nothing else."""

import json
from dataclasses import replace
from datetime import date

import pytest

from nodepools.model.severity import Severity
from nodepools.resources.resource import Resource, of_engine
from nodepools.resources.resource_checks import check_stack
from tests.resources.test_unknown import put

DAY = date(2026, 11, 21)
PLANTED = [
    ("ManagedCluster/prod-weu", ("agentPoolProfiles", 0, "nodeTaints", 0), "team=ml:NoSchedule", "AKS014", "agentPoolProfiles[0].nodeTaints[0]"),
    ("ManagedCluster/prod-weu", ("networkProfile", "networkPolicy"), "calico", "AKS045", "networkProfile.networkPolicy"),
    ("ManagedCluster/prod-neu", ("kubernetesVersion",), "1.33", "AKS070", "kubernetesVersion"),
    ("AgentPool/prod-weu-web", ("nodeLabels", "nodepools/name"), {"kubernetes.io/role": "web"}, "AKS021", 'nodeLabels["kubernetes.io/role"]'),
    ("AgentPool/prod-weu-batch", ("spotMaxPrice",), 0, "AKS016", "spotMaxPrice"),
    ("AgentPool/prod-weu-train", ("vmSize",), "Standard_D4ds_v5", "AKS083", "vmSize"),
    ("Cluster/prod-use1", ("storageConfig", "blockStorage", "enabled"), False, "EKS013", "storageConfig.blockStorage.enabled"),
    ("NodeClass/prod-use1-private", ("spec", "ephemeralStorage", "size"), "10Mi", "EKS023", "spec.ephemeralStorage.size"),
    (
        "NodePool/prod-use1-compute",
        ("spec", "template", "spec", "requirements", 0, "values", 0),
        "on demand",
        "KAR033",
        "spec.template.spec.requirements[0].values[0]",
    ),
    ("NodePool/prod-neu-general", ("spec", "disruption", "consolidateAfter"), "soon", "CFG009", "spec.disruption.consolidateAfter"),
]


@pytest.fixture(scope="module")
def prod(project):
    """The resources of prod, as its stored plan has them."""
    plan = json.loads((project / "tests/golden/plans/prod.json").read_text())
    return [
        Resource(
            one["urn"],
            one["type"],
            one["name"],
            {name: of_engine(_unknown(value)) for name, value in one["inputs"].items()},
            one["parent"],
            tuple(one["dependencies"]),
            provider=one["options"].get("provider"),
        )
        for one in plan["resources"]
    ]


def _unknown(value):
    if value in ({"$unknown": True}, {"$secret": True}):
        return "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
    if isinstance(value, dict):
        return {name: _unknown(part) for name, part in value.items()}
    return [_unknown(part) for part in value] if isinstance(value, list) else value


def planted(prod, rows):
    resources = list(prod)
    for label, way, value, *_ in rows:
        kind, name = label.split("/")
        number = next(n for n, one in enumerate(resources) if one.type.endswith(f":{kind}") and one.name.startswith(name))
        other = value if not isinstance(value, dict) else None
        one = resources[number]
        inputs = {**one.inputs, way[0]: value} if other is None else put(one.inputs, way, lambda _, value=value: value)
        resources[number] = replace(one, inputs=inputs)
    return resources


def told(resources):
    return {
        (one.finding.code, f"{one.urn.split('::')[-2].rpartition(':')[2]}/{one.urn.rpartition('::')[2]}", one.finding.path)
        for one in check_stack(resources, today=DAY)
        if one.finding.severity is not Severity.NOTE
    }


@pytest.mark.parametrize("row", PLANTED, ids=[row[3] for row in PLANTED])
def test_each_is_found(prod, row):
    label, _, _, code, path = row
    found = {(of, place) for of, name, place in told(planted(prod, [row])) - told(prod) if name.startswith(label)}
    assert (code, path) in found


FOLLOWS = {
    ("KAR043", "spec.template.spec.requirements[0].values"),  # of the words that are left none is Karpenter's
}


def test_all_are_found_together_and_what_follows_from_them(prod):
    found = {(code, path) for code, _, path in told(planted(prod, PLANTED)) - told(prod)}
    assert found == {(code, path) for *_, code, path in PLANTED} | FOLLOWS


def test_each_says_what_to_do(prod):
    for one in check_stack(planted(prod, PLANTED), today=DAY):
        assert one.finding.message
