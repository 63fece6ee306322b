"""Asks a policy pack about a registration plan, as Pulumi's engine does: the pack in a process of its own, over the Analyzer protocol."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import grpc
from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as proto

from nodepools.engine.analyzer_requests import finished, request
from nodepools.engine.errors import PackError
from nodepools.engine.pack_process import SECONDS_TO_START, read_pack, started
from nodepools.engine.plan import Plan, PlannedResource
from nodepools.engine.policy_config import LEVELS, reconciled
from nodepools.engine.property_values import JsonValue, json_of
from nodepools.engine.protocol import AnalyzerCalls, status_details
from nodepools.engine.run import Program
from nodepools.engine.urns import STACK_TYPE


@dataclass(frozen=True, slots=True)
class Breach:
    """A violation of a policy."""

    policy: str
    level: str
    """`mandatory` or `advisory`."""
    description: str
    message: str
    """What the policy says, without its description."""
    urn: str
    """The resource; the stack's own where it is of the stack as a whole."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What a policy changed in a resource, or could not."""

    policy: str
    description: str
    urn: str
    inputs: Mapping[str, JsonValue]
    """All inputs, as they are now."""
    diagnostic: str = ""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a pack says of a plan."""

    pack: str
    breaches: tuple[Breach, ...] = ()
    repairs: tuple[Repair, ...] = ()


def analyze(
    folder: Path,
    plan: Plan,
    program: Program,
    config: Mapping[str, JsonValue],
    *,
    everywhere: Mapping[str, JsonValue] | None = None,
    seconds: float = SECONDS_TO_START,
) -> Analysis:
    """Runs the pack in `folder` over `plan`.

    Args:
        folder: where its `PulumiPolicy.yaml` is.
        plan: what the program registered.
        program: the program itself: packs may ask for project, stack and configuration.
        config: levels and settings, as Pulumi's `--policy-pack-config` has them.
        everywhere: settings of every policy that has one of that name, and is not given another.
        seconds: within which it must have started.

    Raises:
        PackError: it is no pack, it does not start, it refuses its configuration, or it fails.
    """
    with started(read_pack(folder), program, seconds) as calls:
        try:
            return run_analyzer(calls, plan, config, everywhere)
        except grpc.RpcError as error:
            raise PackError(f"policy pack {folder}: {status_details(error)}") from None


def run_analyzer(calls: AnalyzerCalls, plan: Plan, config: Mapping[str, JsonValue], everywhere: Mapping[str, JsonValue] | None = None) -> Analysis:
    """What a pack that runs says of a plan."""
    information = calls.information(Empty())
    calls.configure(proto.ConfigureAnalyzerRequest(policyConfig=reconciled(information, config, everywhere if everywhere is not None else {})))
    by_urn = {one.urn: one for one in plan.resources}
    breaches: list[Breach] = []
    repairs: list[Repair] = []
    made: list[proto.AnalyzerResource] = []
    for one in plan.resources:
        inputs = one.wire[0]
        if "read" not in one.options:  # what is only read is not made: nobody asks whether it may be
            repaired = list(_repaired(calls, one, inputs, by_urn))
            repairs += [repair for repair, _ in repaired]
            inputs = next((changed for _, changed in reversed(repaired) if changed is not None), inputs)
            breaches += _breaches(calls.analyze(request(one, inputs, by_urn)).diagnostics, one.urn)
        made.append(finished(one, inputs, by_urn))
    stack = next((one.urn for one in plan.resources if one.type == STACK_TYPE), "")
    breaches += _breaches(calls.analyze_stack(proto.AnalyzeStackRequest(resources=made)).diagnostics, stack)
    return Analysis(information.name, tuple(breaches), tuple(repairs))


def _repaired(
    calls: AnalyzerCalls, one: PlannedResource, inputs: Struct, by_urn: Mapping[str, PlannedResource]
) -> Iterator[tuple[Repair, Struct | None]]:
    for repair in calls.remediate(request(one, inputs, by_urn)).remediations:
        changed = None if repair.diagnostic else repair.properties
        yield Repair(repair.policyName, repair.description, one.urn, json_of(repair.properties), repair.diagnostic), changed


def _breaches(diagnostics: Iterable[proto.AnalyzeDiagnostic], urn: str) -> Iterator[Breach]:
    for one in diagnostics:
        message = one.message.removeprefix(one.description).lstrip("\n")
        yield Breach(one.policyName, LEVELS[one.enforcementLevel], one.description, message, one.urn if one.urn else urn)
