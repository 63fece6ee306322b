"""NodePools alone, for a cluster that another stack has made: documents, as people keep them in a folder."""

# What the pack reports: a policy, the name of the resource, and the path of what is wrong with it.
# found: OBJ014 windows spec.disruption.consolidateAfter
# found: KAR010 static spec.weight
# found: KAR011 static spec.limits.cpu
# found: KAR021 windows spec.disruption.budgets[0].schedule
# found: KAR020 windows spec.disruption.budgets[1].schedule
# found: KAR022 windows spec.disruption.budgets[2].nodes
# found: KAR023 windows spec.disruption.budgets[3].schedule
# found: KAR013 words spec.limits.cpu
# found: KAR030 words spec.template.spec.startupTaints[0]
# found: KAR031 words spec.template.metadata.labels.product
# found: KAR034 words spec.template.metadata.labels["karpenter.sh/nodepool"]
# found: KAR040 words spec.template.spec.requirements[1]
# found: KAR041 words spec.template.metadata.labels.team
# found: KAR042 words spec.template.spec.requirements[4].minValues
# found: KAR043 words spec.template.spec.requirements[2].values

import yaml
from pulumi_kubernetes.apiextensions import CustomResource

DOCUMENTS = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: static}
spec:
  replicas: 3
  weight: 10
  limits: {cpu: "100"}
  template: &template
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: main}
      requirements:
        - {key: kubernetes.io/arch, operator: In, values: [amd64]}
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: windows}
spec:
  disruption:
    budgets:
      - {nodes: "0", schedule: "0 9 * * sat-sun", duration: 8h}
      - {nodes: "0", schedule: "0 9 * * mon-fri"}
      - {nodes: "0"}
      - {nodes: "0", schedule: "0 9-17 * * *", duration: 8h}
  template:
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: main}
      requirements:
        - {key: kubernetes.io/arch, operator: In, values: [amd64]}
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: words}
spec:
  limits: {cpu: 1500m}
  template:
    metadata:
      labels: {team: web, karpenter.sh/nodepool: words, product: "web & mobile"}
    spec:
      nodeClassRef: {group: eks.amazonaws.com, kind: NodeClass, name: main}
      taints: [{key: team, value: web, effect: NoSchedule}]
      startupTaints: [{key: team, value: ml, effect: NoSchedule}]
      requirements:
        - {key: kubernetes.io/arch, operator: In, values: [amd64]}
        - {key: kubernetes.io/arch, operator: In, values: [arm64]}
        - {key: karpenter.sh/capacity-type, operator: In, values: [ondemand]}
        - {key: team, operator: In, values: [ml]}
        - {key: node.kubernetes.io/instance-type, operator: In, values: [m7i.large], minValues: 2}
"""

for document in yaml.safe_load_all(DOCUMENTS):
    CustomResource(
        document["metadata"]["name"],
        api_version=document["apiVersion"],
        kind=document["kind"],
        metadata=document["metadata"],
        spec=document["spec"],
    )
