"""What `pulumi up` runs, and `nodepools preview` too: the platform of the stack, deployed."""

import pulumi

from nodepools import deploy, load

deploy(load(pulumi.get_stack()))
