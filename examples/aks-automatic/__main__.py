"""The Pulumi program: deploys the platform of the selected stack."""

import pulumi

from nodepools import deploy, load

deploy(load(pulumi.get_stack()))
