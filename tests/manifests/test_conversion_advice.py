"""Findings name `nodepools convert` where it clears them, and only there."""

from dataclasses import replace

import pytest

from nodepools.conversion.converted import convert
from nodepools.conversion.unconverted import ConversionOptions, Target
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.object_samples import SAMPLES

POOL = """
apiVersion: karpenter.sh/{version}
kind: NodePool
metadata: {{name: web}}
spec:
  disruption: {{consolidationPolicy: WhenEmpty, consolidateAfter: 30s}}
  template:
    spec:
      nodeClassRef: {{{reference}, name: default}}
      requirements: [{{key: kubernetes.io/arch, operator: {operator}, values: [amd64]}}]
"""
EC2 = "group: karpenter.k8s.aws, kind: EC2NodeClass"
CLASS = """
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: {{name: default}}
spec: {{amiFamily: AL2023{role}, subnetSelectorTerms: [{{tags: {{a: b}}}}], securityGroupSelectorTerms: [{{tags: {{a: b}}}}]}}
"""
AUTO = POOL.format(version="v1", reference="group: eks.amazonaws.com, kind: NodeClass", operator="In").replace("web", "auto")


def pool(version: str = "v1", reference: str = EC2, operator: str = "In") -> str:
    return POOL.format(version=version, reference=reference, operator=operator)


TO_AUTO_MODE = "`nodepools convert k8s.yaml --to auto-mode` converts it for EKS Auto Mode"
TO_NAP = "`nodepools convert k8s.yaml --to nap` converts it for node auto provisioning"
ROWS = [
    pytest.param(pool("v1beta1"), "OBJ001", TO_AUTO_MODE, id="a NodePool of a former version"),
    pytest.param(pool("v1beta1", "kind: AKSNodeClass"), "OBJ001", TO_NAP, id="a NodePool of a former version on Azure"),
    pytest.param(CLASS.format(role=", role: x"), "OBJ001", TO_AUTO_MODE, id="an EC2NodeClass of a former version"),
    pytest.param(f"{AUTO}---\n{pool()}", "OBJ013", TO_AUTO_MODE, id="a NodePool next to Auto Mode"),
    pytest.param("apiVersion: karpenter.azure.com/v1alpha2\nkind: AKSNodeClass\nmetadata: {name: x}\n", "OBJ002", TO_NAP, id="an old AKSNodeClass"),
    pytest.param(CLASS.format(role=""), "OBJ001", None, id="without a role, the converted NodeClass is not valid"),
    pytest.param("apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: x}\n", "OBJ001", None, id="a Provisioner"),
    pytest.param("apiVersion: karpenter.k8s.aws/v1alpha1\nkind: AWSNodeTemplate\nmetadata: {name: x}\n", "OBJ001", None, id="its node template"),
    pytest.param(pool("v1beta1", operator="in"), "OBJ001", None, id="a NodePool that stays invalid"),
    pytest.param(pool("v1beta1", "group: karpenter.kwok.sh, kind: KWOKNodeClass"), "OBJ001", None, id="another provider"),
]


def fixes(text: str, code: str, file: str = "k8s.yaml") -> list[str]:
    found = check_objects(list(objects(text, file))).findings
    return [finding.fix.text for finding in found if finding.code == code and finding.fix is not None]


def test_a_karpenter_that_runs_next_to_auto_mode_on_purpose() -> None:
    node_class = CLASS.format(role=", role: x").replace("v1beta1", "v1").replace("amiFamily: AL2023", "amiSelectorTerms: [{alias: al2023@v20260801}]")
    assert fixes(f"{AUTO}---\n{pool()}---\n{node_class}", "OBJ013") == []
    assert len(fixes(f"{AUTO}---\n{pool()}---\n{node_class.replace('name: default', 'name: other')}", "OBJ013")) == 2


@pytest.mark.parametrize(("text", "code", "advice"), ROWS)
def test_the_command_that_clears_a_finding(text: str, code: str, advice: str | None) -> None:
    [fix] = fixes(text, code)
    assert (advice in fix) if advice is not None else ("nodepools convert" not in fix)


@pytest.mark.parametrize(("text", "code", "advice"), ROWS)
def test_the_command_was_tried(text: str, code: str, advice: str | None) -> None:
    target = Target.NAP if advice == TO_NAP else Target.AUTO_MODE
    found = list(objects(text, "k8s.yaml"))
    made = convert([one.raw for one in found], ConversionOptions(target, target.suffix))
    left = check_objects([replace(one, raw=new.new) for one, new in zip(found, made, strict=True)]).findings
    assert advice is None or code not in {finding.code for finding in left}


def test_a_file_with_a_space_is_quoted_and_stdin_is_none() -> None:
    text = SAMPLES["OBJ013"]
    assert "`nodepools convert 'my pools.yaml' --to auto-mode`" in fixes(text, "OBJ013", "my pools.yaml")[0]
    assert "`nodepools convert FILE --to auto-mode`" in fixes(text, "OBJ013", "stdin")[0]
