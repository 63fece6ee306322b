"""What no API server takes of an object, whatever its CRD: an error at its place; beside it what every server takes."""

import json
from typing import Any

import pytest

from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.model.severity import Severity

REFERENCE = {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "default"}


def pool(metadata: object = None, reference: object = REFERENCE, **nodes: object) -> dict[str, Any]:
    requirements = [
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
        {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]},
    ]
    template = {"spec": {"nodeClassRef": reference, "requirements": requirements, **nodes}}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": metadata if metadata is not None else {"name": "web"},
        "spec": {"template": template, "disruption": {"consolidateAfter": "1m"}},
    }


def labelled(labels: object) -> dict[str, Any]:
    return pool({"name": "web", "labels": labels})


def annotated(annotations: object) -> dict[str, Any]:
    return pool({"name": "web", "annotations": annotations})


def tainted(**taint: object) -> dict[str, Any]:
    return pool(taints=[{"key": "team", "effect": "NoSchedule", **taint}])


def errors(*manifests: dict[str, Any]) -> list[str]:
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": list(manifests)})
    return [
        f"{finding.code} {finding.path}" for finding in check_objects(list(objects(text, "it.json"))).findings if finding.severity is Severity.ERROR
    ]


WHOLE = {
    "name": "web",
    "generateName": "web-",
    "namespace": "default",
    "labels": {"team": "web", "example.com/x": "", "empty": None},
    "annotations": {"example.com/UPPER": "any text: {}", "Example.com/x": "y"},
    "finalizers": ["karpenter.sh/termination"],
    "ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "x", "uid": "y"}],
    "managedFields": [{"manager": "kubectl"}],
    "generation": 3,
    "creationTimestamp": None,
    "deletionTimestamp": "2026-11-21T04:40:00Z",
    "deletionGracePeriodSeconds": 0,
    "resourceVersion": "17",
    "uid": "u",
    "selfLink": "/x",
}


@pytest.mark.parametrize(
    ("manifest", "found"),
    [
        pytest.param(pool(WHOLE), [], id="metadata as the cluster prints it"),
        pytest.param({**pool(), "status": {"resources": {"cpu": "4"}}}, [], id="a status"),
        pytest.param({**pool(), "sepc": {}}, ["CFG002 sepc"], id="a field that no object has"),
        pytest.param(pool({"name": "web", "lables": {"team": "web"}}), ["CFG002 metadata.lables"], id="metadata that no object has"),
        pytest.param(pool(["web"]), ["CFG001 metadata.name", "CFG004 metadata"], id="metadata that is a list"),
        pytest.param(labelled(["team"]), ["CFG004 metadata.labels"], id="labels that are a list"),
        pytest.param(labelled({"team": 1}), ["CFG004 metadata.labels.team"], id="a label that is a number"),
        pytest.param(labelled({"te am": "web"}), ['CFG006 metadata.labels["te am"]'], id="a label that cannot be"),
        pytest.param(labelled({"team": "a b"}), ["CFG006 metadata.labels.team"], id="the value of no label"),
        pytest.param(annotated({"team": True}), ["CFG004 metadata.annotations.team"], id="an annotation that is no text"),
        pytest.param(annotated({"a/b/c": "x"}), ['CFG006 metadata.annotations["a/b/c"]'], id="an annotation that cannot be"),
        pytest.param(annotated({"a": "x" * 262_143}), [], id="as much as annotations may hold"),
        pytest.param(annotated({"a": "x" * 262_144}), ["CFG008 metadata.annotations"], id="one byte more"),
        pytest.param(pool({"name": "web", "generation": "3"}), ["CFG004 metadata.generation"], id="a number as text"),
        pytest.param(pool({"name": "web", "generation": True}), ["CFG004 metadata.generation"], id="a number that is none"),
        pytest.param(pool({"name": "web", "finalizers": "x"}), ["CFG004 metadata.finalizers"], id="finalizers that are no list"),
        pytest.param(pool({"name": "web", "finalizers": ["a b", "example.com/x"]}), ["CFG006 metadata.finalizers[0]"], id="no finalizer"),
        pytest.param(
            pool({"name": "web", "ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "x"}]}),
            ["CFG001 metadata.ownerReferences[0].uid"],
            id="an owner without its UID",
        ),
        pytest.param(pool({"name": "web", "namespace": 3}), ["CFG004 metadata.namespace"], id="a namespace that is no text"),
        pytest.param(pool(reference={**REFERENCE, "group": ""}), ["CFG006 spec.template.spec.nodeClassRef.group"], id="an empty group"),
        pytest.param(tainted(value="web"), [], id="a taint with a value"),
        pytest.param(tainted(), [], id="a taint without"),
        pytest.param(tainted(value=None), [], id="a taint whose value the cluster drops"),
        pytest.param(tainted(value=""), ["CFG006 spec.template.spec.taints[0].value"], id="a taint with an empty value"),
        pytest.param(
            pool(startupTaints=[{"key": "a", "value": "", "effect": "NoExecute"}]),
            ["CFG006 spec.template.spec.startupTaints[0].value"],
            id="a startup taint with an empty value",
        ),
        *(
            pytest.param(tainted(timeAdded=f"2026-11-21{rest}"), [], id=f"a taint added at {rest}")
            for rest in ("T04:40:00Z", "t04:40:00z", "T04:40:00.5+01:00", "T23:59:59-12:30")
        ),
        *(
            pytest.param(tainted(timeAdded=text), ["CFG009 spec.template.spec.taints[0].timeAdded"], id=f"a taint added {text}")
            for text in ("yesterday", "", "2026-11-21", "2026-13-21T04:40:00Z", "2026-11-21T24:00:00Z", "2026-11-21T04:40:00")
        ),
        pytest.param({key: part for key, part in pool().items() if key != "apiVersion"}, ["CFG001 apiVersion"], id="no version"),
        pytest.param({"kind": "Foo", "metadata": {"name": "a"}}, ["CFG001 apiVersion"], id="no version of an unknown kind"),
        pytest.param({"kind": "Kustomization", "resources": ["a.yaml"]}, [], id="kustomize needs no version"),
        pytest.param({"kind": "Deployment", "metadata": {"name": "x"}}, ["CFG001 apiVersion"], id="no version of a kind of Kubernetes itself"),
    ],
)
def test_errors(manifest: dict[str, Any], found: list[str]) -> None:
    assert sorted(errors(manifest)) == sorted(found)


def test_the_entries_of_a_typed_list_may_leave_version_and_kind_to_it() -> None:
    one = {key: part for key, part in pool(reference={**REFERENCE, "group": "/"}).items() if key in ("metadata", "spec")}
    text = json.dumps({"apiVersion": "karpenter.sh/v1", "kind": "NodePoolList", "items": [one]})
    [written] = objects(text, "it.json")
    assert (written.group, written.version, written.kind, written.name) == ("karpenter.sh", "v1", "NodePool", "web")
