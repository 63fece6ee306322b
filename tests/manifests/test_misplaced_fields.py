"""Fields of a manifest at another place than that of their object, and places that readers of YAML understand in different ways."""

import pytest

from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects

POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  consolidateAfter: 30s
  disruption: {expireAfter: 720h}
  template:
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}
      requirements:
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
        - {key: kubernetes.io/arch, operator: In, values: [amd64], kind: x, weight: 10}
"""
AKS_CLASS = "apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {name: web}\nspec:\n  images: []\n"
EC2_CLASS = (
    "apiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: {name: web}\n"
    "spec:\n  role: r\n  amiSelectorTerms: [{alias: bottlerocket@v1.50.0}]\n"
    "  subnetSelectorTerms: [{name: private}]\n  securityGroupSelectorTerms: [{id: sg-1}]\n"
)
EKS_CLASS = (
    "apiVersion: eks.amazonaws.com/v1\nkind: NodeClass\nmetadata: {name: web}\n"
    "spec:\n  role: r\n  subnetSelectorTerms: [{id: subnet-1}]\n  securityGroupSelectorTerms: [{id: sg-1}]\n  amis: []\n"
)


def fixes(text: str) -> dict[str, str]:
    found = check_objects(list(objects(text, "x.yaml"))).findings
    return {f"{one.code} {one.path}": one.fix.text if one.fix is not None else "" for one in found}


@pytest.mark.parametrize(
    ("text", "where", "fix"),
    [
        pytest.param(POOL, "CFG002 spec.consolidateAfter", "Move it to `spec.disruption.consolidateAfter`", id="into a part"),
        pytest.param(POOL, "CFG002 spec.disruption.expireAfter", "Move it to `spec.template.spec.expireAfter`", id="out of a part"),
        pytest.param(POOL, "CFG002 spec.template.spec.requirements[1].kind", "Remove it", id="a name at several places"),
        pytest.param(POOL, "CFG002 spec.template.spec.requirements[1].weight", "Move it to `spec.weight`", id="out of an entry"),
        pytest.param(EC2_CLASS, "CFG002 spec.subnetSelectorTerms[0].name", "Remove it", id="an entry is not another part with such a field"),
        pytest.param(AKS_CLASS, "CFG002 spec.images", "Remove it", id="the status of an AKSNodeClass"),
        pytest.param(EKS_CLASS, "CFG002 spec.amis", "Remove it", id="the status of a NodeClass"),
    ],
)
def test_a_field_at_another_place_is_moved(text: str, where: str, fix: str) -> None:
    assert fixes(text)[where] == fix


def test_a_field_of_the_status_is_told_as_one() -> None:
    [found] = [one for one in check_objects(list(objects(AKS_CLASS, "x.yaml"))).findings if one.path == "spec.images"]
    assert found.message == "`images` is a field of the status, which Karpenter writes, and not accepted here"
    assert found.operations == ()


def test_one_of_two_fields_is_enough() -> None:
    named = EKS_CLASS.replace("  amis: []\n", "")
    assert fixes(named.replace("  role: r\n", "")) == {"CFG001 spec.role": "Add `role` or `instanceProfile`"}
    assert not fixes(named.replace("role: r", "instanceProfile: eks-r"))
    assert fixes(f"{named}  instanceProfile: eks-r\n") == {"EKS021 spec.instanceProfile": "Remove `role` or `instanceProfile`"}


REPEATED = """
apiVersion: v1
kind: List
items:
- apiVersion: karpenter.sh/v1
  kind: NodePool
  metadata: {name: web}
  spec:
    weight: 010
    weight: 12
    template: {spec: {nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}}}
"""


def test_what_readers_of_yaml_understand_in_different_ways_is_told() -> None:
    [written] = objects(REPEATED, "x.yaml")
    found = {one.code: (one.path, one.message) for one in check_objects([written]).findings if one.code.startswith("OBJ")}
    assert written.raw["spec"]["weight"] == 12  # type: ignore[index]  # YAML of this test
    assert found["OBJ026"] == ("spec.weight", "`weight` is set twice, in lines 9 and 10: the API server and Helm use the last value")
    assert found["OBJ027"] == ("spec.weight", "Kubernetes reads `010` as 8 (YAML 1.1), other tools as 10 (YAML 1.2)")


def test_a_lost_separator_is_restored_where_the_second_object_begins() -> None:
    """And a single field that is there twice is no second object."""
    text = "\n".join(POOL.strip().removeprefix("---").strip() for _ in range(2))
    found = [one for one in check_objects(list(objects(text, "x.yaml"))).findings if one.code == "OBJ026"]
    line = text[: text.rindex("apiVersion: karpenter.sh")].count("\n") + 1
    assert {one.path for one in found} == {"apiVersion", "kind", "metadata", "spec"}
    assert {one.fix.text for one in found if one.fix} == {
        f"Separate the two objects, of which the first is lost, such as by `---` above line {line}, or remove one of them"
    }


def test_a_misspelt_field_that_is_required_is_rejected() -> None:
    found = check_objects(list(objects(POOL.replace("requirements:", "requirments:"), "x.yaml"))).findings
    [one] = [one for one in found if one.path.endswith("requirments")]
    assert one.message == "`requirments` is not a field of this object, and `requirements` is required: the API server rejects it"
    [other] = [one for one in check_objects(list(objects(POOL, "x.yaml"))).findings if one.path.endswith("kind")]
    assert other.message.endswith("without an error unless the client validates strictly, as `kubectl apply` does")


@pytest.mark.parametrize("text", ["1.10", "5e10", "0o17", "0x1F", "0123", "1_000"])
def test_a_number_that_must_be_text_is_quoted_as_it_is_written(text: str) -> None:
    """And `0123` is one finding."""
    pool = POOL.replace("metadata: {name: web}", f"metadata: {{name: web, labels: {{v: {text}}}}}")
    listed = "kind: List\napiVersion: v1\nitems:\n  - " + pool.strip().replace("\n", "\n    ")
    for written in (pool, listed):
        assert [(where, fix) for where, fix in fixes(written).items() if "labels" in where] == [
            ("CFG004 metadata.labels.v", f'Write it in quotes: `"{text}"`')
        ]
