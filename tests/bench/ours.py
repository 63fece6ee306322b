"""The clusters of stack dev in turn, as many as the configuration `bench:clusters` says, by this library."""

import pulumi

from nodepools import Platform, deploy, load

DEV = load("dev")
KINDS = list(DEV.clusters.items())
MANY = range(pulumi.Config("bench").require_int("clusters"))
deploy(Platform(name="dev", maintenance=DEV.maintenance, clusters={f"{KINDS[number % 3][0]}-{number}": KINDS[number % 3][1] for number in MANY}))
