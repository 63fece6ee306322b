"""The Pulumi program: deploys one of the steps of a cloud, `aks/up.yaml` to `eks/upgrade.yaml`."""

import pulumi

from nodepools import deploy, load_file

deploy(load_file(f"{pulumi.get_stack()}/{pulumi.Config().require('step')}.yaml"))
