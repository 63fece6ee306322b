"""Serves the policies over Pulumi's Analyzer protocol, for its engine and `nodepools preview`.

It implements the protocol `pulumi/analyzer.proto` directly, see docs/decisions/0008-policy-pack-on-the-protocol.md: secrets and unknown values
arrive with marks, and a resource is read and checked once, however many policies there are.
"""
# ruff: noqa: N802 - gRPC calls these methods by these names

import re
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Final, cast

import grpc
from google.protobuf.empty_pb2 import Empty
from google.protobuf.json_format import MessageToDict
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as proto
from pulumi.runtime.proto.analyzer_pb2_grpc import AnalyzerServicer, add_AnalyzerServicer_to_server
from pulumi.runtime.proto.plugin_pb2 import PluginInfo
from pydantic import ValidationError

from nodepools.engine.property_values import JsonValue, struct_of
from nodepools.engine.transforms import CHANNEL_OPTIONS
from nodepools.model.listing import unknown
from nodepools.model.values import dataclass
from nodepools.pack.organization import ORGANIZATION
from nodepools.pack.policy import Level, Policy, PolicyFunction, ResourceUnderCheck, Scope, Stack, rule_policies
from nodepools.resources.resource import Inputs, Resource, of_engine
from nodepools.resources.violation_text import ViolationText, format_violation, secrets_in
from nodepools.rules.engine.own_rules import RuleError

ALL: Final = "all"
"""Pulumi's name for every policy; Pulumi sets the levels."""


class ConfigurationError(Exception):
    """An invalid configuration, with all of its errors."""

    def __init__(self, findings: Iterable[str]) -> None:
        super().__init__("\n".join(findings))


@dataclass(frozen=True, slots=True)
class Configured:
    """A policy with its level and settings."""

    policy: Policy
    level: Level
    function: PolicyFunction


def configured(policies: Iterable[Policy], given: Mapping[str, tuple[Level, Mapping[str, object]]]) -> tuple[Configured, ...]:
    """Every policy, with the level and the settings that `given` has for it.

    Raises:
        ConfigurationError: a policy or a setting is not known, or a value is not valid.
    """
    known = {policy.name: policy for policy in policies}
    findings = [unknown(name, known, "is not a policy of this pack") for name in given if name not in known and name != ALL]
    made: list[Configured] = []
    for name, policy in known.items():
        level, settings = given.get(name, (policy.level, {}))
        wrong = [
            f"{name}: {unknown(setting, policy.settings, 'is not a setting of this policy')}"
            for setting in settings
            if setting not in policy.settings
        ]
        findings.extend(wrong)
        try:
            made.append(Configured(policy, level, policy.function({key: value for key, value in settings.items() if key in policy.settings})))
        except ValidationError as errors:
            findings.extend(f"{name}: {'.'.join(map(str, error['loc']))}: {error['msg']}" for error in errors.errors())
    if findings:
        raise ConfigurationError(findings)
    return tuple(made)


LEVELS: Final = {Level.ADVISORY: proto.ADVISORY, Level.MANDATORY: proto.MANDATORY, Level.REMEDIATE: proto.REMEDIATE, Level.DISABLED: proto.DISABLED}
"""The numbers of the levels in the protocol."""
_SCOPES: Final = {Scope.RESOURCE: proto.POLICY_TYPE_RESOURCE, Scope.STACK: proto.POLICY_TYPE_STACK}

_LINK: Final = re.compile(r"https://\S+")


def level_of(number: proto.EnforcementLevel.ValueType) -> Level:
    """Returns a level by its number."""
    return next(level for level, listed in LEVELS.items() if listed == number)


def information(name: str, policies: Iterable[Policy]) -> proto.AnalyzerInfo:
    """Returns the description of a pack and its policies."""
    return proto.AnalyzerInfo(
        name=name,
        displayName="AKS and EKS node pools",
        description="The rules of nodepools, and policies of an organization, for any Pulumi program",
        version=version("nodepools"),
        supportsConfig=True,
        policies=[_policy(policy) for policy in policies],
    )


def _policy(policy: Policy) -> proto.PolicyInfo:
    return proto.PolicyInfo(
        name=policy.name,
        displayName=policy.title,
        description=policy.description,
        enforcementLevel=LEVELS[policy.level],
        configSchema=proto.PolicyConfigSchema(properties=struct_of(cast("Mapping[str, JsonValue]", policy.settings))),
        policy_type=_SCOPES[policy.scope],
        url=link[0].rstrip(":,") if (link := _LINK.match(policy.source)) is not None else "",
    )


NAME: Final = "nodepools"
_VERSION: Final = version("nodepools")


class Analyzer(AnalyzerServicer):
    """Answers the requests of the engine, which come from several threads at once."""

    def __init__(self, policies: Iterable[Policy]) -> None:
        self._policies: Final = tuple(policies)
        self._configured: tuple[Configured, ...] = configured(self._policies, {})
        self._inputs: Final[dict[str, Inputs]] = {}

    def GetAnalyzerInfo(self, request: Empty, context: grpc.ServicerContext) -> proto.AnalyzerInfo:
        """Returns the list of policies."""
        del request, context
        return information(NAME, self._policies)

    def GetPluginInfo(self, request: Empty, context: grpc.ServicerContext) -> PluginInfo:
        """Returns the version of the library."""
        del request, context
        return PluginInfo(version=_VERSION)

    def Handshake(self, request: proto.AnalyzerHandshakeRequest, context: grpc.ServicerContext) -> proto.AnalyzerHandshakeResponse:
        """Accepts the connection: the pack requires nothing from the engine."""
        del request, context
        return proto.AnalyzerHandshakeResponse()

    def ConfigureStack(self, request: proto.AnalyzerStackConfigureRequest, context: grpc.ServicerContext) -> proto.AnalyzerStackConfigureResponse:
        """Ignores the configuration of the stack, which no policy reads."""
        del request, context
        return proto.AnalyzerStackConfigureResponse()

    def Configure(self, request: proto.ConfigureAnalyzerRequest, context: grpc.ServicerContext) -> Empty:
        """Sets the levels and settings of the policies; all errors of a configuration are reported at once."""
        given = {name: (level_of(item.enforcementLevel), _settings(item.properties)) for name, item in request.policyConfig.items()}
        try:
            self._configured = configured(self._policies, given)
        except ConfigurationError as wrong:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(wrong))
        return Empty()

    def Remediate(self, request: proto.AnalyzeRequest, context: grpc.ServicerContext) -> proto.RemediateResponse:
        """Repairs the inputs of one resource, one policy after the other."""
        del context
        properties = Struct()
        properties.CopyFrom(request.properties)
        response = proto.RemediateResponse()
        for item in self._at(Level.REMEDIATE):
            if item.function.remedy(_resource(request, _read(properties)), properties):
                response.remediations.append(
                    proto.Remediation(
                        policyName=item.policy.name,
                        policyPackName=NAME,
                        policyPackVersion=_VERSION,
                        description=item.policy.description,
                        properties=properties,
                    )
                )
        return response

    def Analyze(self, request: proto.AnalyzeRequest, context: grpc.ServicerContext) -> proto.AnalyzeResponse:
        """Checks one resource before it is created."""
        del context
        resource = _resource(request, _read(request.properties))
        self._inputs[resource.urn] = resource.inputs
        requested, secrets = ResourceUnderCheck(resource, _read(request.provider.properties)), list(secrets_in(resource.inputs))
        return proto.AnalyzeResponse(
            diagnostics=[
                _diagnostic(item, complaint, resource.urn, secrets)
                for item in self._at(Level.MANDATORY, Level.ADVISORY, Level.REMEDIATE)
                for complaint in item.function.of_resource(requested)
            ]
        )

    def AnalyzeStack(self, request: proto.AnalyzeStackRequest, context: grpc.ServicerContext) -> proto.AnalyzeResponse:
        """Checks all resources together: by their declared inputs if `Analyze` received them, otherwise by the outputs that the engine sends."""
        del context
        outputs = {resource.urn: _read(resource.properties) for resource in request.resources}
        resources = [_resource(resource, self._inputs.get(resource.urn, outputs[resource.urn])) for resource in request.resources]
        stack = Stack(resources, outputs, checked=self._inputs)
        secrets = {text for values in (*outputs.values(), *(resource.inputs for resource in resources)) for text in secrets_in(values)}
        return proto.AnalyzeResponse(
            diagnostics=[
                _diagnostic(item, complaint, urn, sorted(secrets))
                for item in self._at(Level.MANDATORY, Level.ADVISORY, Level.REMEDIATE)
                for urn, complaint in item.function.of_stack(stack)
            ]
        )

    def _at(self, *levels: Level) -> Iterator[Configured]:
        return (item for item in self._configured if item.level in levels)


def serve_policies() -> None:
    """Serves the pack until the process ends. First writes its port to standard output, which Pulumi reads."""
    with ThreadPoolExecutor(max_workers=4, thread_name_prefix="nodepools-policies") as pool:
        server = grpc.server(pool, options=CHANNEL_OPTIONS)
        add_AnalyzerServicer_to_server(Analyzer((*_rules(), *ORGANIZATION)), server)
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        sys.stdout.write(f"{port}\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            server.stop(grace=None).wait()


def _rules() -> Sequence[Policy]:
    try:
        return rule_policies()
    except RuleError as error:
        sys.exit(f"nodepools: {error}")


def _diagnostic(item: Configured, complaint: ViolationText, urn: str, secrets: Iterable[str]) -> proto.AnalyzeDiagnostic:
    # A violation that the policy could not repair stops the update.
    level = Level.MANDATORY if item.level is Level.REMEDIATE else item.level
    return proto.AnalyzeDiagnostic(
        policyName=item.policy.name,
        policyPackName=NAME,
        policyPackVersion=_VERSION,
        description=item.policy.description,
        message=f"{item.policy.description}\n{format_violation(_sourced(complaint, item.policy), list(secrets))}",
        enforcementLevel=LEVELS[level],
        urn=urn,
    )


def _sourced(complaint: ViolationText, policy: Policy) -> ViolationText:
    return ViolationText(complaint.path, complaint.value, complaint.message, complaint.fix, complaint.source if complaint.source else policy.source)


def _resource(given: proto.AnalyzeRequest | proto.AnalyzerResource, inputs: Inputs) -> Resource:
    """Returns a resource. The engine sends its parent and dependencies only in the check of a stack."""
    context = given if isinstance(given, proto.AnalyzerResource) else proto.AnalyzerResource()
    return Resource(
        urn=given.urn,
        type=given.type,
        name=given.name,
        inputs=inputs,
        parent=context.parent if context.parent else None,
        dependencies=tuple(context.dependencies),
        property_dependencies={name: tuple(listed.urns) for name, listed in context.propertyDependencies.items()},
        provider=given.provider.urn if given.HasField("provider") else None,
        options=cast("Mapping[str, object]", MessageToDict(given.options)),
    )


def _read(properties: Struct) -> Inputs:
    return cast("Inputs", of_engine(MessageToDict(properties)))


def _settings(properties: Struct) -> Mapping[str, object]:
    return cast("Mapping[str, object]", of_engine(MessageToDict(properties)))
