"""Deploys the stack that Pulumi runs."""

import pulumi

from nodepools import deploy, load

deploy(load(pulumi.get_stack()))
