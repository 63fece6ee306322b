"""Deploys several platforms from one process: each is a stack of Pulumi's Automation API, with an inline program."""

import json
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from pulumi import automation

from nodepools import AksClusterArgs, AutoMode, EksClusterArgs, EksNetworkArgs, Finding, Platform, Severity, SystemPool, UserPool, check, deploy

PROJECT: Final = "fleet"
AT_ONCE: Final = 4

# Without the controls of `baseline="cis"`: the example is about the Automation API. docs/security-baseline.md lists what production needs.
PLATFORMS: Final = [
    *(
        Platform(
            name=name,
            protect=False,  # an example to try and to destroy
            clusters={
                "aks": AksClusterArgs(
                    location=location,
                    kubernetes_version="1.35",
                    system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3),
                    pools={"web": UserPool(vm_size="Standard_D4ds_v5", count=2)},
                )
            },
        )
        for name, location in {"weu": "westeurope", "neu": "northeurope"}.items()
    ),
    Platform(
        name="use1",
        protect=False,
        clusters={
            "eks": EksClusterArgs(
                region="us-east-1",
                kubernetes_version="1.35",
                network=EksNetworkArgs(cidr="10.30.0.0/16", nat="single"),
                auto_mode=AutoMode(built_in_node_pools=["general-purpose", "system"]),
            )
        },
    ),
]


def errors(platforms: Sequence[Platform]) -> Mapping[str, Sequence[Finding]]:
    """The errors of each platform that has some. An invalid program only says so in the text of Pulumi's exception."""
    found = {platform.name: [finding for finding in check(platform) if finding.severity is Severity.ERROR] for platform in platforms}
    return {name: listed for name, listed in found.items() if listed}


def stack_of(platform: Platform) -> automation.Stack:
    """The stack of a platform. Settings of the clouds come from the environment, or from `set_config`."""

    def program() -> None:
        deploy(platform)

    return automation.create_or_select_stack(stack_name=platform.name, project_name=PROJECT, program=program)


def up(platform: Platform) -> Mapping[str, object]:
    """`pulumi up` of a platform. The outputs that are returned have no secret as plain text."""
    done = stack_of(platform).up()
    return {name: "[secret]" if output.secret else output.value for name, output in done.outputs.items()}


def destroy(platform: Platform) -> Mapping[str, object]:
    """Deletes what `up` created."""
    stack_of(platform).destroy()
    return {}


def main(platforms: Sequence[Platform], *, destroys: bool = False) -> int:
    """Checks all platforms first: with an error in one, no stack is started. Of stacks that fail, the others go on."""
    invalid = errors(platforms)
    for name, listed in invalid.items():
        print(f"{name}:", *listed, sep="\n", file=sys.stderr)
    if invalid:
        return 1
    with ThreadPoolExecutor(AT_ONCE) as pool:
        started = {platform.name: pool.submit(destroy if destroys else up, platform) for platform in platforms}
    failed = {name: error for name, one in started.items() if (error := one.exception()) is not None}
    for name, one in started.items():
        print(f"{name}: {failed[name] if name in failed else json.dumps(one.result())}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(PLATFORMS, destroys="destroy" in sys.argv[1:]))
