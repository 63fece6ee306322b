"""The Pulumi program: a payments cluster for each cluster that the stack declares."""

import pulumi
from nodepools import load

from payments.cluster import PaymentsCluster

platform = load(pulumi.get_stack())
image = pulumi.Config().require("image")
made = {key: PaymentsCluster(platform, key, image=image) for key in platform.clusters}
for key, cluster in made.items():
    pulumi.export(
        f"kubeconfig-{key}", cluster.kubeconfig
    )  # not in a map, which the Automation API returns as plain text
