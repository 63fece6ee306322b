"""The smallest text that has a finding of each code without a rule: a platform for schema findings, objects for the others."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from nodepools.data.karpenter_releases import KarpenterRelease, karpenter_release
from nodepools.manifests.ignore_comments import object_ignores
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.platform_yaml import parse
from nodepools.model.platform import Platform
from nodepools.rules.engine.accepted_findings import without_accepted
from nodepools.rules.engine.finding import Finding
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.schema_findings import doubtful_findings, empty_findings, shape_findings


def _platform(cluster: str) -> str:
    """Returns a platform of one cluster, which is valid except for `cluster`."""
    return f"""name: dev
clusters:
  use1:
    kind: EksCluster
    region: us-east-1
{cluster}"""


def _pool(*, api_version: str = "karpenter.sh/v1", name: str = "web", group: str = "eks.amazonaws.com", more: str = "") -> str:
    """Returns a NodePool of EKS Auto Mode."""
    return f"""apiVersion: {api_version}
kind: NodePool
metadata: {{name: {name}}}
spec:
  template:
    spec:
      nodeClassRef: {{group: {group}, kind: NodeClass, name: default}}
      requirements:
      - {{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}}
      - {{key: kubernetes.io/arch, operator: In, values: [amd64]}}
      expireAfter: 300h
{more}"""


_VERSION = '    kubernetes_version: "1.36"\n'
_WEIGHTED = "  weight: 10\n"
_TAINTED = "      taints: [{key: team, value: ml, effect: NoSchedule}]\n"
_NODE = """apiVersion: v1
kind: Node
metadata: {name: aks-web-1, labels: {kubernetes.azure.com/agentpool: web, kubernetes.io/os: linux, kubernetes.io/arch: amd64}}
status: {allocatable: {cpu: "4", memory: 16Gi, pods: "110"}}
"""
_CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: karpenter.sh
  names: {kind: NodePool}
  versions:
  - name: v1
    served: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {template: {type: object}}}}}}
"""
_RULE = "type: object, x-kubernetes-validations: [{rule: authorizer.path('/x').check('get').allowed()}], properties: {spec"
"""What the schema has where it begins, with a rule that only a cluster can evaluate."""


def _deployment(selected: str) -> str:
    template = f"{{spec: {{nodeSelector: {{{selected}}}, containers: [{{name: web}}]}}}}"
    return f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec: {{template: {template}}}\n"


def _overlay(name: str) -> str:
    kind = f"apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: {{name: {name}}}\n"
    return f"{kind}spec:\n  capacity: {{example.com/gpu: 2}}\n  requirements: [{{key: kubernetes.io/arch, operator: In, values: [amd64]}}]\n"


SAMPLES: Final[Mapping[str, str]] = {
    "CFG001": _platform(""),
    "CFG002": _platform(f"{_VERSION}    tag: {{team: web}}\n"),
    "CFG003": _platform(f"{_VERSION}    network: {{kind: AksNetwork}}\n"),
    "CFG004": _platform("    kubernetes_version: 136\n"),
    "CFG005": _platform(f"{_VERSION}    upgrade_policy: standart\n"),
    "CFG006": _platform('    kubernetes_version: "1.36.1"\n'),
    "CFG007": _platform(f"{_VERSION}    auto_mode: {{node_pools: {{web: {{weight: 101}}}}}}\n"),
    "CFG008": "name: dev\nclusters: {}\n",
    "CFG009": _platform(f"{_VERSION}    auto_mode: {{node_pools: {{web: {{limits: {{cpu: many}}}}}}}}\n"),
    "CFG011": _platform(f"{_VERSION}    auto_mode:\n"),
    "CFG013": _platform(f"{_VERSION}{_VERSION}"),
    "CFG014": _platform(f"{_VERSION}    network: {{kind: EksNetwork, nat: single}}\n    tags: {{a: 010}}\n"),
    "OBJ001": _pool(api_version="karpenter.sh/v1beta1"),
    "OBJ002": "apiVersion: karpenter.azure.com/v1alpha2\nkind: AKSNodeClass\nmetadata: {name: web}\nspec: {}\n",
    "OBJ003": _pool(group="karpenter.k8s.gcp"),
    "OBJ004": _pool(api_version="karpenter.sh/v2"),
    "OBJ005": f"{_pool()}---\n{_pool()}",
    "OBJ007": f"{_CRD}---\n{_pool(more=_WEIGHTED)}",
    "OBJ008": f"{_pool()}---\n{_deployment('tier: 3')}",
    "OBJ009": _pool(more=_TAINTED),
    "OBJ010": f"{_pool()}---\n{_deployment('tier: web')}",
    "OBJ011": f"{_pool(group='karpenter.azure.com').replace('kind: NodeClass', 'kind: AKSNodeClass')}---\n{_NODE}---\n{_deployment('')}",
    "OBJ012": _pool(name="system"),
    "OBJ013": f"{_pool()}---\n{_pool(name='old', group='karpenter.k8s.aws').replace('kind: NodeClass', 'kind: EC2NodeClass')}",
    "OBJ014": _pool(more="  disruption: {consolidationPolicy: WhenEmpty}\n"),
    "OBJ015": f"{_CRD.replace('type: object, properties: {spec', _RULE, 1)}---\n{_pool()}",
    "OBJ016": _pool(group="karpenter.k8s.aws", more="  replicas: 3\n").replace("kind: NodeClass", "kind: EC2NodeClass"),
    "OBJ028": f"{_pool()}---\n{_overlay('gpu')}",
    "OBJ029": f"{_overlay('gpu')}---\n{_overlay('more')}",
    "OBJ030": _overlay("gpu").replace("  capacity: {example.com/gpu: 2}\n", ""),
    "OBJ026": _pool(more="  weight: 1\n  weight: 2\n"),
    "OBJ027": _pool(more="  weight: 010\n"),
    "IGN001": f"# nodepools: ignore KAR010 it moves next week\n{_pool()}",
    "IGN002": f"# nodepools: ignore KAR045\n{_pool()}",
    "IGN003": f"# nodepools: ignore KAR010 it moves next week\n{_pool(more='  replicas: 3' + chr(10) + _WEIGHTED)}",
    "IGN004": _platform(f"{_VERSION}    accepted_errors: {{EKS001: moves next week}}\n"),
}
"""All codes but CFG010 and CFG012: only programs contain values that just Pulumi knows, and derive."""


def findings_of(code: str, text: str | None = None) -> list[Finding]:
    """Returns the findings of the sample of a code, or of another text, that have this code."""
    text = SAMPLES[code] if text is None else text
    is_platform = code.startswith("CFG") or code == "IGN004"
    found = _of_platform(text) if is_platform else _of_objects(text, karpenter_release("1.7") if code == "OBJ016" else None)
    return [finding for finding in found if finding.code == code]


def _of_platform(text: str) -> list[Finding]:
    document = parse(text, "platform.yaml")
    try:
        platform = Platform.model_validate(document.value)
    except ValidationError as error:
        return [*empty_findings(document.empty), *shape_findings(error, Platform)]
    return [*empty_findings(document.empty), *doubtful_findings(document.doubts), *check(platform)]


def _of_objects(text: str, karpenter: KarpenterRelease | None) -> list[Finding]:
    found = [written for written in objects(text, "pools.yaml") if written.kind != "CustomResourceDefinition"]
    findings = list(without_accepted(check_objects(found, karpenter=karpenter).findings, object_ignores(text, "pools.yaml", found)))
    if "CustomResourceDefinition" not in text:
        return findings
    from nodepools.manifests.crds.schema import read_crds  # needs libraries that the rest does without
    from nodepools.manifests.crds.validation import validated

    return [*findings, *validated(found, read_crds([Path("crds.yaml")], lambda _: text)).findings]
