"""The state of a stack, as `pulumi stack export` prints it: imports that are not settled yet, and creations that were interrupted."""
