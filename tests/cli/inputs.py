"""Small inputs with and without a mistake."""

from typing import Final

PLATFORM: Final = """name: dev
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    system_pool: {vm_size: Standard_D4ds_v5, count: 2}
"""
WITH_POOL: Final = f"{PLATFORM}    pools:\n      web: {{kind: UserPool, vm_size: Standard_D2ds_v5, scale: {{min: 1, max: 5}}}}\n"
TAINTED: Final = PLATFORM.replace("count: 2}", "count: 2, taints: [{key: dedicated, value: web, effect: NoSchedule}]}")
"""AKS014 at `clusters.weu.system_pool.taints[0]`, in the last line."""
MISSPELT_POOL: Final = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: kubernetes.io/arch, operator: In, values: [amd46]}]
"""
"""A NodePool with an architecture that does not exist, in the last line."""
BLOCKED: Final = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 2
  template:
    metadata: {labels: {app: web}}
    spec: {nodeSelector: {nodepools/name: web}, containers: [{name: web, image: i}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}
"""
"""Pods of the pool `web`, and a PodDisruptionBudget that lets none of them go."""
