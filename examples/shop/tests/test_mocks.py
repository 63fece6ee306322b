"""The same program with the mocks of Pulumi itself."""

import asyncio
import runpy
from pathlib import Path
from typing import cast

import pulumi
import pytest
from nodepools import AksCluster

PROGRAM = Path(__file__).parent.parent / "__main__.py"


class Mocks(pulumi.runtime.Mocks):
    """Every resource gets an id, and its inputs as outputs."""

    def new_resource(self, args: pulumi.runtime.MockResourceArgs) -> tuple[str, dict[str, object]]:
        """Registers a resource."""
        inputs = cast("dict[str, object]", args.inputs)  # pyright: ignore[reportUnknownMemberType]  # Pulumi's has no types
        return f"{args.name}-id", inputs

    def call(self, args: pulumi.runtime.MockCallArgs) -> tuple[dict[str, object], list[tuple[str, str]]]:
        """Answers an invoke with nothing."""
        return {}, []


@pytest.fixture
def cluster() -> AksCluster:
    """The cluster that the program makes."""
    asyncio.set_event_loop(asyncio.new_event_loop())
    pulumi.runtime.set_mocks(Mocks(), project="shop", stack="dev")
    return runpy.run_path(str(PROGRAM))["cluster"]


def test_the_pool_has_its_size(cluster: AksCluster) -> None:
    def size(value: str | None) -> None:
        assert value == "Standard_D4ds_v5"

    loop = asyncio.get_event_loop()
    loop.run_until_complete(cluster.agent_pools["web"].vm_size.apply(size).future())
