"""The examples of the page."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Example:
    """A command with its input: texts, or files of the project."""

    title: str
    command: str
    texts: Mapping[str, str]
    files: Mapping[str, str]
    to: str = ""
    """The version of an upgrade."""

    def shown(self, project: Path) -> dict[str, object]:
        """Returns the example as the page reads it."""
        read = {name: (project / path).read_text(encoding="utf-8") for name, path in self.files.items()}
        return {"title": self.title, "command": self.command, "files": {**self.texts, **read}, "to": self.to}


_POOL: Final = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: compute
spec:
  template:
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: default}
      requirements:
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
        - {key: kubernetes.io/arch, operator: In, values: [amd64]}
        - {key: INSTANCE_KEY, operator: Gt, values: ["3"]}
      expireAfter: EXPIRY
  limits: {cpu: "200"}
"""
_PODS: Final = """apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - name: web
      image: registry.example.com/web:1
      resources: {requests: {cpu: "2", memory: 4Gi}}
---
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  nodeSelector: {kubernetes.io/arch: arm64}
  containers:
    - name: train
      image: registry.example.com/train:1
      resources: {requests: {cpu: "8", memory: 32Gi}}
"""
_WINDOW: Final = """  disruption:
    consolidationPolicy: WhenEmptyOrUnderutilized
    consolidateAfter: 5m
    budgets:
      - {nodes: "10%"}
      - {nodes: "0", schedule: "0 8 * * mon-fri", duration: 10h, reasons: [Drifted, Underutilized]}
"""


_PLATFORM: Final = "examples/drift/platform.yaml"
_WORKLOADS: Final = """apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  nodeSelector: {nodepools/name: web}
  containers: [{name: web, image: "registry.example.com/web:1", resources: {requests: {cpu: 500m, memory: 1Gi}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: typo}
spec:
  nodeSelector: {nodepools/name: wbe}
  containers: [{name: typo, image: "registry.example.com/typo:1", resources: {requests: {cpu: 500m, memory: 1Gi}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: large}
spec:
  containers: [{name: large, image: "registry.example.com/large:1", resources: {requests: {cpu: "6", memory: 24Gi}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: spot}
spec:
  nodeSelector: {karpenter.sh/capacity-type: spot}
  containers: [{name: spot, image: "registry.example.com/spot:1", resources: {requests: {cpu: "1", memory: 2Gi}}}]
"""


def _pool(*, key: str = "eks.amazonaws.com/instance-cpu", expiry: str = "336h") -> str:
    return _POOL.replace("INSTANCE_KEY", key).replace("EXPIRY", expiry)


EXAMPLES: Final = (
    Example("A NodePool with faults", "check", {"pools": _pool(key="karpenter.k8s.aws/instance-cpu", expiry="800h")}, {}),
    Example("Which pool a pod lands on", "explain", {"pools": _pool(), "pods": _PODS}, {}),
    Example("When Karpenter may replace nodes", "calendar", {"pools": _pool() + _WINDOW}, {}),
    Example("What an edit does", "diff", {"pools": _pool(), "new": _pool(expiry="240h")}, {}),
    Example("A matrix: four workloads, two clusters", "explain", {"pods": _WORKLOADS}, {"pools": _PLATFORM}),
    Example("Addresses, ports and vCPUs", "capacity", {}, {"pools": _PLATFORM}),
    Example(
        "An upgrade, and what blocks it", "upgrade", {}, {"pools": "examples/drift/platform.yaml", "pods": "examples/upgrade/checkout.yaml"}, "1.36"
    ),
    Example("A platform: AKS in YAML", "check", {}, {"pools": _PLATFORM}),
)
