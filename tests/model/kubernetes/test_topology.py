"""Fields of pods about other pods."""

from typing import Any

import pytest

from nodepools.model.kubernetes.raw_fields import PodError
from nodepools.model.kubernetes.topology import NamespaceLabels, PodTopology, read_topology

OTHER = PodTopology(labels=(("app", "web"), ("tier", "x")))


def spread(selector: object, **fields: Any) -> dict[str, Any]:
    return {
        "metadata": {"labels": {"app": "web"}},
        "spec": {"topologySpreadConstraints": [{"topologyKey": "zone", "labelSelector": selector, **fields}]},
    }


SELECTORS = [
    pytest.param({}, True, id="an empty selector selects all"),
    pytest.param(None, False, id="none selects nothing"),
    pytest.param({"matchLabels": {"app": "web"}}, True, id="a label"),
    pytest.param({"matchExpressions": [{"key": "tier", "operator": "Exists"}]}, True, id="a label that exists"),
    pytest.param({"matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["x"]}]}, False, id="a value that is excluded"),
]


@pytest.mark.parametrize(("selector", "selects"), SELECTORS)
def test_selectors(selector: object, *, selects: bool) -> None:
    [found] = read_topology(spread(selector), "default").spreads
    assert found.selector.selects(OTHER, itself=False) is selects


def test_keys_whose_value_must_be_equal_or_differ() -> None:
    [same] = read_topology(spread({}, matchLabelKeys=["app", "none"]), "default").spreads
    [other] = read_topology(spread({}, mismatchLabelKeys=["app"]), "default").spreads
    assert (same.selector.selects(OTHER, itself=False), other.selector.selects(OTHER, itself=False)) == (True, False)


def apart(**fields: Any) -> dict[str, Any]:
    term = {"topologyKey": "zone", "labelSelector": {}, **fields}
    affinity = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    return {"metadata": {"labels": {"app": "web"}}, "spec": {"affinity": affinity}}


def named(key: str, operator: str = "In", *values: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


HASH, REVISION, INDEX = "pod-template-hash", "controller-revision-hash", "apps.kubernetes.io/pod-index"
ADDED = [
    pytest.param("Deployment", {"matchLabelKeys": [HASH]}, (True, False), id="pods of one revision are those of the workload"),
    pytest.param("Deployment", {"mismatchLabelKeys": [HASH]}, (False, True), id="pods of other revisions are those of other workloads"),
    pytest.param("StatefulSet", {"matchLabelKeys": [HASH]}, (True, True), id="a key that the pods do not have is ignored"),
    pytest.param("Pod", {"mismatchLabelKeys": [HASH]}, (True, True), id="and so it is for a pod that nothing creates"),
    pytest.param("StatefulSet", {"mismatchLabelKeys": [REVISION]}, (False, True), id="the revision of a StatefulSet"),
    pytest.param("StatefulSet", {"matchLabelKeys": [INDEX]}, (None, None), id="a label of each pod"),
    pytest.param("Deployment", {"labelSelector": named(HASH, "Exists")}, (True, True), id="a label that the controller adds"),
    pytest.param("Deployment", {"labelSelector": named(HASH, "DoesNotExist")}, (False, False), id="and that is there"),
    pytest.param("Deployment", {"labelSelector": named(HASH, "In", "5d9f")}, (None, None), id="with a value that is not known"),
    pytest.param("Job", {"labelSelector": named("job-name", "In", "own")}, (True, False), id="a Job has its name as a label"),
    pytest.param("CronJob", {"labelSelector": named("job-name", "In", "own")}, (None, None), id="of a CronJob, the name is not known"),
]


@pytest.mark.parametrize(("kind", "fields", "expected"), ADDED)
def test_labels_that_controllers_add(kind: str, fields: dict[str, Any], expected: tuple[bool | None, bool | None]) -> None:
    own, other = (read_topology(apart(**fields), "default", kind, name) for name in ("own", "other"))
    [term] = own.anti_affinities
    assert (term.selector.selection(own, itself=True), term.selector.selection(other, itself=False)) == expected


SHOP = NamespaceLabels((("team", "shop"),))
ALL_OF_SHOP = NamespaceLabels((("team", "shop"),), is_complete=True)
NAMESPACES = [
    pytest.param({}, NamespaceLabels(), True, id="all namespaces"),
    pytest.param(named("team", "In", "shop"), NamespaceLabels(), None, id="labels that are not known"),
    pytest.param(named("team", "In", "shop"), SHOP, True, id="a label of the Namespace"),
    pytest.param(named("team", "In", "back"), SHOP, False, id="another value"),
    pytest.param(named("team", "NotIn", "back"), SHOP, True, id="no other value"),
    pytest.param(named("team", "NotIn", "shop"), SHOP, None, id="an exclusion, which versions of kube-scheduler read differently"),
    pytest.param(named("stage", "Exists"), SHOP, None, id="a label that something else can add"),
    pytest.param(named("stage", "Exists"), ALL_OF_SHOP, False, id="unless it is read from a cluster"),
    pytest.param(named("stage", "DoesNotExist"), ALL_OF_SHOP, True, id="where it is not there"),
    pytest.param(named("kubernetes.io/metadata.name", "In", "a"), NamespaceLabels(), True, id="the name"),
    pytest.param(named("kubernetes.io/metadata.name", "NotIn", "a"), ALL_OF_SHOP, None, id="not the name"),
    pytest.param({"matchLabels": {"team": "back", "stage": "x"}}, SHOP, False, id="one label decides"),
]


@pytest.mark.parametrize(("selector", "labels", "expected"), NAMESPACES)
def test_namespaces(selector: dict[str, Any], labels: NamespaceLabels, *, expected: bool | None) -> None:
    [term] = read_topology(apart(namespaceSelector=selector), "default").anti_affinities
    assert term.selector.selection(PodTopology("a", of_namespace=labels), itself=True) is expected


INVALID = [
    pytest.param(spread({"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]}), "operator must be one of In", id="an operator"),
    pytest.param(spread({}, minDomains="3"), "`minDomains` must be a whole number", id="text"),
]


@pytest.mark.parametrize(("raw", "message"), INVALID)
def test_invalid_fields(raw: dict[str, Any], message: str) -> None:
    with pytest.raises(PodError, match=message):
        read_topology(raw, "default")
