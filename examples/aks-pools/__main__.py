"""What `pulumi up` runs: the platform of the stack, deployed."""

import pulumi

from nodepools import deploy, load

deploy(load(pulumi.get_stack()))
