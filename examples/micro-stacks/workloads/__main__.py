"""Workloads in the cluster of another stack."""

import pulumi
import pulumi_kubernetes as k8s

cluster = pulumi.StackReference("acme/cluster/prod")
provider = k8s.Provider("weu", kubeconfig=cluster.require_output("kubeconfig-weu"))
POD = {
    "nodeSelector": {"nodepools/name": "web"},
    "containers": [{"name": "web", "image": "registry.k8s.io/pause:3.10", "resources": {"requests": {"cpu": "500m", "memory": "512Mi"}}}],
}
web = k8s.apps.v1.Deployment(
    "web",
    metadata={"name": "web", "namespace": "default"},
    spec={
        "replicas": 2,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {"metadata": {"labels": {"app": "web"}}, "spec": POD},
    },
    opts=pulumi.ResourceOptions(provider=provider),
)
pulumi.export("endpoint", cluster.require_output("clusters").apply(lambda clusters: clusters["weu"]["endpoint"]))
