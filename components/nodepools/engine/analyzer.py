"""Runs a policy pack on a registration plan as Pulumi's engine does: in a separate process, over the Analyzer protocol."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc
from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as proto

from nodepools.engine.errors import PackError
from nodepools.engine.pack_process import SECONDS_TO_START, read_pack, started, timed_out
from nodepools.engine.plan import Plan, PlannedResource
from nodepools.engine.policy_config import LEVELS, reconciled
from nodepools.engine.property_values import JsonValue, json_of
from nodepools.engine.protocol import AnalyzerCalls, is_timed_out, status_details
from nodepools.engine.run import Program
from nodepools.engine.time_limit import NO_LIMIT, TimeLimit
from nodepools.engine.urns import STACK_TYPE
from nodepools.model.kubernetes.duration import seconds


@dataclass(frozen=True, slots=True)
class Breach:
    """A violation of a policy."""

    policy: str
    level: str
    """`mandatory` or `advisory`."""
    description: str
    message: str
    """The message of the policy, without its description."""
    urn: str
    """The resource, or the stack if the violation is about the stack as a whole."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A change that a policy made to a resource, or failed to make."""

    policy: str
    description: str
    urn: str
    inputs: Mapping[str, JsonValue]
    """All inputs after the change."""
    diagnostic: str = ""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of a pack for a plan."""

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
    limit: TimeLimit = NO_LIMIT,
) -> Analysis:
    """Runs the pack in `folder` on `plan`.

    Args:
        folder: directory of its `PulumiPolicy.yaml`.
        plan: what the program registered.
        program: packs can read its project, stack and configuration.
        config: levels and settings, in the format of Pulumi's `--policy-pack-config`.
        everywhere: settings for every policy that has a setting of the same name and no other value.
        seconds: time limit for its start.
        limit: time limit for the pack as a whole.

    Raises:
        PackError: the folder has no pack, or the pack does not start, rejects its configuration, fails, or exceeds the time limit.
    """
    with started(read_pack(folder), program, seconds, limit) as calls:
        try:
            return run_analyzer(calls, plan, config, everywhere)
        except grpc.RpcError as error:
            if is_timed_out(error):
                raise timed_out(folder, limit) from None
            raise PackError(f"policy pack {folder}: {status_details(error)}") from None


def run_analyzer(calls: AnalyzerCalls, plan: Plan, config: Mapping[str, JsonValue], everywhere: Mapping[str, JsonValue] | None = None) -> Analysis:
    """Runs a started pack on a plan."""
    information = calls.information(Empty())
    calls.configure(proto.ConfigureAnalyzerRequest(policyConfig=reconciled(information, config, everywhere if everywhere is not None else {})))
    by_urn = {resource.urn: resource for resource in plan.resources}
    breaches: list[Breach] = []
    repairs: list[Repair] = []
    made: list[proto.AnalyzerResource] = []
    for resource in plan.resources:
        inputs = resource.wire[0]
        if "read" not in resource.options:  # a resource that is only read is not created: policies do not apply
            repaired = list(_repaired(calls, resource, inputs, by_urn))
            repairs += [repair for repair, _ in repaired]
            inputs = next((changed for _, changed in reversed(repaired) if changed is not None), inputs)
            breaches += _breaches(calls.analyze(request(resource, inputs, by_urn)).diagnostics, resource.urn)
        made.append(finished(resource, inputs, by_urn))
    stack = next((resource.urn for resource in plan.resources if resource.type == STACK_TYPE), "")
    breaches += _breaches(calls.analyze_stack(proto.AnalyzeStackRequest(resources=made)).diagnostics, stack)
    return Analysis(information.name, tuple(breaches), tuple(repairs))


def _repaired(
    calls: AnalyzerCalls, resource: PlannedResource, inputs: Struct, by_urn: Mapping[str, PlannedResource]
) -> Iterator[tuple[Repair, Struct | None]]:
    for repair in calls.remediate(request(resource, inputs, by_urn)).remediations:
        changed = None if repair.diagnostic else repair.properties
        yield Repair(repair.policyName, repair.description, resource.urn, json_of(repair.properties), repair.diagnostic), changed


def _breaches(diagnostics: Iterable[proto.AnalyzeDiagnostic], urn: str) -> Iterator[Breach]:
    for diagnostic in diagnostics:
        message = diagnostic.message.removeprefix(diagnostic.description).lstrip("\n")
        yield Breach(
            diagnostic.policyName, LEVELS[diagnostic.enforcementLevel], diagnostic.description, message, diagnostic.urn if diagnostic.urn else urn
        )


def request(resource: PlannedResource, inputs: Struct, by_urn: Mapping[str, PlannedResource]) -> proto.AnalyzeRequest:
    """The request to check one resource with these inputs."""
    return proto.AnalyzeRequest(
        type=resource.type, urn=resource.urn, name=resource.name, properties=inputs, options=_options(resource), provider=_provider(resource, by_urn)
    )


def finished(resource: PlannedResource, inputs: Struct, by_urn: Mapping[str, PlannedResource]) -> proto.AnalyzerResource:
    """A resource in the check of the whole stack: with its outputs, as far as a preview knows them."""
    properties = Struct()
    properties.CopyFrom(inputs if resource.type != STACK_TYPE else resource.wire[1])
    properties.MergeFrom(resource.wire[1])
    return proto.AnalyzerResource(
        type=resource.type,
        urn=resource.urn,
        name=resource.name,
        properties=properties,
        options=_options(resource),
        provider=_provider(resource, by_urn),
        parent=resource.parent if resource.parent is not None else "",
        dependencies=resource.dependencies,
        propertyDependencies={name: proto.AnalyzerPropertyDependencies(urns=urns) for name, urns in resource.property_dependencies.items()},
    )


def _options(resource: PlannedResource) -> proto.AnalyzerResourceOptions:
    options = resource.options
    timeouts = options.get("customTimeouts")
    before = options.get("deleteBeforeReplace")
    return proto.AnalyzerResourceOptions(
        protect=options.get("protect") is True,
        ignoreChanges=_texts(options.get("ignoreChanges")),
        deleteBeforeReplace=before is True,
        deleteBeforeReplaceDefined=before is not None,
        additionalSecretOutputs=_texts(options.get("additionalSecretOutputs")),
        aliases=_texts(options.get("aliases")),
        customTimeouts=proto.AnalyzerResourceOptions.CustomTimeouts(
            **{name: _seconds(time) for name, time in timeouts.items()} if isinstance(timeouts, Mapping) else {}
        ),
        parent=resource.parent if resource.parent is not None else "",
    )


def _provider(resource: PlannedResource, by_urn: Mapping[str, PlannedResource]) -> proto.AnalyzerProviderResource | None:
    urn = resource.options.get("provider")
    provider = by_urn.get(urn) if isinstance(urn, str) else None
    if provider is None:
        return None
    return proto.AnalyzerProviderResource(type=provider.type, properties=provider.wire[0], urn=provider.urn, name=provider.name)


def _texts(value: JsonValue) -> list[str]:
    return [part for part in value if isinstance(part, str)] if isinstance(value, Sequence) and not isinstance(value, str) else []


def _seconds(time: JsonValue) -> float:
    """A timeout in seconds: `1h30m`; 0 for other formats."""
    try:
        return float(seconds(str(time)))
    except ValueError:
        return 0.0
