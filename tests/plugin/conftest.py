"""The plugin as the engine starts it, and the engine's side of the wire."""
# The SDK's protobuf stubs lose their types.

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import grpc
import pytest
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import provider_pb2 as proto
from pulumi.runtime.proto.provider_pb2_grpc import ResourceProviderStub
from pulumi.runtime.proto.resource_pb2 import RegisterResourceRequest

from nodepools.engine.invokes import DEFAULTS
from nodepools.engine.monitor import Deployment, Monitor
from nodepools.engine.plan import Plan
from nodepools.engine.property_values import STACK_TYPE, struct_of
from nodepools.engine.resource_registry import Registry
from nodepools.engine.run import Logs, engine_server
from nodepools.engine.transforms import Transforms

PROJECT, STACK = "shop", "dev"
ROOT = f"urn:pulumi:{STACK}::{PROJECT}::{STACK_TYPE}::{PROJECT}-{STACK}"


@dataclass(frozen=True)
class Constructed:
    """What came of one Construct: the answer, or the error, and all that was registered."""

    plan: Plan
    urn: str = ""
    state: Struct = field(default_factory=Struct)
    dependencies: Mapping[str, list[str]] = field(default_factory=dict)
    refused: grpc.RpcError | None = None

    @property
    def error(self) -> str:
        assert self.refused is not None, "it was not refused"
        assert isinstance(self.refused, grpc.Call)
        return self.refused.details() or ""

    @property
    def registered(self) -> dict[str, dict[str, Any]]:
        """The resources by URN, the stack's own aside."""
        return {one.urn: one.to_json() for one in self.plan.resources if one.urn != ROOT}


class Plugin:
    """The engine's end of one plugin process."""

    def __init__(self, stub: ResourceProviderStub, logs: Logs) -> None:
        self.stub = stub
        self.logs = logs

    def construct(
        self,
        kind: str,
        name: str,
        inputs: Mapping[str, Any] | Struct,
        *,
        preview: bool = True,
        outputs: Mapping[str, Any] | None = None,
        beside: Sequence[RegisterResourceRequest] = (),
        **more: Any,
    ) -> Constructed:
        """One Construct, with an empty state behind it; `beside` is what the program has registered before."""
        registry = Registry()
        deployment = Deployment(PROJECT, STACK, preview, fixtures=DEFAULTS, outputs=outputs or {})
        with closing(Transforms()) as transforms:
            monitor = Monitor(deployment, registry, transforms)
            with engine_server(monitor, Logs()) as address:
                for registered in (RegisterResourceRequest(type=STACK_TYPE, name=f"{PROJECT}-{STACK}"), *beside):
                    monitor.RegisterResource(registered, cast("grpc.ServicerContext", None))  # only refusals use it
                request = proto.ConstructRequest(
                    project=PROJECT,
                    stack=STACK,
                    organization="organization",
                    dryRun=preview,
                    parallel=16,
                    monitorEndpoint=address,
                    parent=ROOT,
                    type=f"nodepools:index:{kind}",
                    name=name,
                    inputs=inputs if isinstance(inputs, Struct) else struct_of(inputs),
                    **more,
                )
                try:
                    answer = self.stub.Construct(request, timeout=120)
                except grpc.RpcError as refused:
                    return Constructed(registry.plan(STACK, ()), refused=refused)
                depends = {name: sorted(listed.urns) for name, listed in answer.stateDependencies.items()}
                return Constructed(registry.plan(STACK, ()), answer.urn, answer.state, depends)


@pytest.fixture(scope="session")
def plugin(project: Path) -> Iterator[Plugin]:
    """One process for all tests, as for all clusters of a program: `python plugin <engine>`, then a port on its standard output."""
    with ExitStack() as stack:
        transforms = stack.enter_context(closing(Transforms()))
        logs = Logs()
        engine = stack.enter_context(engine_server(Monitor(Deployment(PROJECT, STACK, preview=True), Registry(), transforms), logs))
        command = [sys.executable, "-u", project / "plugin", engine]
        process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "no_grpc_proxy": "127.0.0.1"}))
        stack.callback(process.kill)
        assert process.stdout is not None
        port = process.stdout.readline().strip()
        channel = stack.enter_context(grpc.insecure_channel(f"127.0.0.1:{port}"))
        yield Plugin(ResourceProviderStub(channel), logs)


@pytest.fixture
def construct(plugin: Plugin) -> Callable[..., Constructed]:
    return plugin.construct


@pytest.fixture
def served(plugin: Plugin) -> dict[str, Any]:
    """The schema as the plugin serves it."""
    return json.loads(plugin.stub.GetSchema(proto.GetSchemaRequest()).schema)


@pytest.fixture(scope="session")
def schema(project: Path) -> dict[str, Any]:
    """The stored schema, which a test compares with the one that the plugin serves."""
    return json.loads((project / "plugin/schema.json").read_text(encoding="utf-8"))
