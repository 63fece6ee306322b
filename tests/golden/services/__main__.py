"""Deploys the platform of this project."""

import pulumi

from nodepools import deploy, load

deploy(load(pulumi.get_stack()))
