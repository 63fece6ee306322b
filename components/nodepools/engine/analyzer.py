"""Runs a policy pack on a registration plan as Pulumi's engine does: in a separate process, over the Analyzer protocol."""

import json
import os
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol, cast

import grpc
from google.protobuf.empty_pb2 import Empty
from google.protobuf.json_format import MessageToDict
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as proto

from nodepools.engine.errors import PackError
from nodepools.engine.monitor import ORGANIZATION
from nodepools.engine.plan import Plan, PlannedResource
from nodepools.engine.process import ChildOutput, serving
from nodepools.engine.property_values import STACK_TYPE, JsonValue, json_of, struct_of
from nodepools.engine.protocol import AnalyzerCalls, analyzer_calls, is_timed_out, status_details
from nodepools.engine.run import Program
from nodepools.engine.time_limit import NO_LIMIT, TimeLimit
from nodepools.engine.transforms import CHANNEL_OPTIONS
from nodepools.model.kubernetes.duration import seconds
from nodepools.model.listing import unknown
from nodepools.model.steps import mapping
from nodepools.model.values import dataclass
from nodepools.reading.bounded_input import TextError, file_text
from nodepools.reading.pulumi_scalars import PULUMI
from nodepools.reading.yaml_documents import only_value

LEVELS: Final = {proto.ADVISORY: "advisory", proto.MANDATORY: "mandatory", proto.REMEDIATE: "remediate", proto.DISABLED: "disabled"}
_NUMBERS: Final = {level: number for number, level in LEVELS.items()}
_LEVEL: Final = "enforcementLevel"


class _Error(Protocol):
    """The attributes of an error that are used, with their types."""

    message: str
    absolute_path: Iterable[object]


class _Validator(Protocol):
    """The methods of a validator that are used, with their types."""

    def iter_errors(self, instance: object) -> Iterable[_Error]: ...


def read_config(file: Path | None) -> Mapping[str, JsonValue]:
    """Reads a file in the format of `pulumi preview --policy-pack-config`, if there is one.

    For each policy, or for `all`, it has a level, or an object with level and settings.

    Raises:
        PackError: the file cannot be read, or does not have this format.
    """
    if file is None:
        return {}
    try:
        text = file_text(file)
        config = cast("object", json.loads(text if text.strip() else "{}"))
    except TextError as error:
        raise PackError(str(error)) from None
    except ValueError as error:
        raise PackError(f"{file}: not JSON: {error}") from None
    except RecursionError:
        raise PackError(f"{file}: is nested too deeply") from None
    if not isinstance(config, dict):
        raise PackError(f"{file}: must be an object with the names of policies as keys")
    findings = [f"{file}: {finding}" for name, entry in cast("Mapping[str, object]", config).items() for finding in _form(name, entry)]
    if findings:
        raise PackError("\n".join(findings))
    return cast("Mapping[str, JsonValue]", config)


def reconciled(
    pack: proto.AnalyzerInfo, config: Mapping[str, JsonValue], everywhere: Mapping[str, JsonValue] | None = None
) -> dict[str, proto.PolicyConfig]:
    """Every policy with its level and settings.

    Later ones override earlier ones: defaults of the pack, settings in `everywhere` that a policy has, initial configuration of the pack, `config`.

    Raises:
        PackError: `config` has a policy that is not in the pack, or settings do not match the schema of their policy.
    """
    schemas = {policy.name: cast("Mapping[str, Mapping[str, object]]", MessageToDict(policy.configSchema.properties)) for policy in pack.policies}
    levels = {policy.name: policy.enforcementLevel for policy in pack.policies}
    settings = {name: {key: part["default"] for key, part in schema.items() if "default" in part} for name, schema in schemas.items()}
    for name, schema in schemas.items():
        settings[name] |= {key: everywhere[key] for key in schema if everywhere is not None and key in everywhere}
    initial: dict[str, JsonValue] = {
        name: {_LEVEL: LEVELS[item.enforcementLevel], **cast("Mapping[str, JsonValue]", MessageToDict(item.properties))}
        for name, item in pack.initialConfig.items()
    }
    for source in (initial, config):
        if (level := _level(source.get("all"))) is not None:
            levels = dict.fromkeys(levels, _NUMBERS[level])
        for name, entry in source.items():
            if (level := _level(entry)) is not None:
                levels[name] = _NUMBERS[level]
            settings.setdefault(name, {}).update(_settings(entry))
    findings = [unknown(name, schemas, "is not a policy of this pack") for name in config if name not in schemas and name != "all"]
    findings += [finding for policy in pack.policies for finding in _findings(policy, schemas[policy.name], settings[policy.name])]
    if findings:
        raise PackError("\n".join(findings))
    return {name: _made(levels.get(name, proto.ADVISORY), of_policy) for name, of_policy in settings.items()}


def _form(name: str, entry: object) -> Iterator[str]:
    levels = ", ".join(_NUMBERS)
    if not isinstance(entry, str | dict):
        yield f"{name}: must be a level ({levels}), or an object with `{_LEVEL}` and settings"
        return
    level = cast("Mapping[str, object]", entry).get(_LEVEL) if isinstance(entry, dict) else entry
    if level is not None and level not in _NUMBERS:
        yield f"{name}: {level!r} is not a level; use one of {levels}"


def _level(entry: JsonValue) -> str | None:
    level = entry.get(_LEVEL) if isinstance(entry, Mapping) else entry
    return level if isinstance(level, str) else None


def _settings(entry: JsonValue) -> dict[str, object]:
    return {key: value for key, value in entry.items() if key != _LEVEL} if isinstance(entry, Mapping) else {}


def _findings(policy: proto.PolicyInfo, schema: Mapping[str, Mapping[str, object]], settings: Mapping[str, object]) -> Iterator[str]:
    from jsonschema import Draft7Validator  # slow to import, and few previews have a pack

    declaration = {"type": "object", "properties": schema, "required": list(policy.configSchema.required)}
    validator = cast("_Validator", Draft7Validator(declaration))
    for name in (one for one in settings if schema and one not in schema):
        yield f"{policy.name}: {unknown(name, schema, 'is not a setting of this policy')}"
    for error in validator.iter_errors(settings):
        place = ".".join(str(step) for step in error.absolute_path)
        yield f"{policy.name}: {f'{place}: ' if place else ''}{error.message}"


def _made(level: proto.EnforcementLevel.ValueType, settings: Mapping[str, object]) -> proto.PolicyConfig:
    return proto.PolicyConfig(enforcementLevel=level, properties=struct_of(cast("Mapping[str, JsonValue]", settings)))


SECONDS_TO_START: Final = 60.0
_NOBODY: Final = "127.0.0.1:1"
"""The address of a missing engine: packs need it for logging only."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A policy pack: its directory, and the Python that runs it."""

    folder: Path
    python: Path


def read_pack(folder: Path) -> Pack:
    """Reads the pack in a directory.

    Raises:
        PackError: there is no pack, or it is written in another language.
    """
    path = folder / "PulumiPolicy.yaml"
    if not path.exists():
        raise PackError(f"no policy pack at {folder}: {path}: No such file or directory")
    try:
        project = only_value(file_text(path), str(path), PULUMI)
    except TextError as error:
        raise PackError(str(error)) from None
    runtime = mapping(project).get("runtime")
    name = runtime if isinstance(runtime, str) else mapping(runtime).get("name")
    if name is None:
        raise PackError(f"{path}: `runtime: python` is missing")
    if name != "python":
        raise PackError(f"{path}: a pack with `runtime: {name}` requires the Pulumi CLI; only `runtime: python` is supported here")
    main = mapping(project).get("main")
    inside = folder / main if isinstance(main, str) else folder
    if not (inside / "__main__.py").is_file() and not inside.is_file():
        raise PackError(f"policy pack {folder}: {inside / '__main__.py'} does not exist")
    virtualenv = mapping(mapping(runtime).get("options")).get("virtualenv")
    python = folder / virtualenv / "bin" / "python" if isinstance(virtualenv, str) else Path(sys.executable)
    if not python.exists():
        raise PackError(f"policy pack {folder}: its virtual environment {virtualenv} is not installed: run `pulumi install` in it")
    return Pack(inside.resolve(), python)


@contextmanager
def started(pack: Pack, program: Program, seconds: float = SECONDS_TO_START, limit: TimeLimit = NO_LIMIT) -> Generator[AnalyzerCalls]:
    """Runs the pack during the `with` block. `seconds` is the time limit for its start, and `limit` the one for all.

    Raises:
        PackError: the pack does not start.
    """
    command = [str(pack.python), "-u", "-m", "pulumi.policy", _NOBODY, str(pack.folder)]
    with serving(command, _environment(program), pack.folder) as (output, errors):
        port = _port(output, errors, pack, seconds, limit)
        for stream in (output, errors):
            stream.forward()
        with grpc.insecure_channel(f"127.0.0.1:{port}", options=CHANNEL_OPTIONS) as channel:
            yield analyzer_calls(channel, limit)


def timed_out(folder: Path, limit: TimeLimit) -> PackError:
    """The error for a pack that is not finished at the end of `limit`."""
    return PackError(f"policy pack {folder}: did not end within {limit.seconds:g} seconds, with the program, and was stopped")


def _port(output: ChildOutput, errors: ChildOutput, pack: Pack, seconds: float, limit: TimeLimit) -> int:
    """The port, which the pack prints as its first line."""
    left = limit.left
    line = output.first_line(min(seconds, left) if left is not None else seconds)
    if line is None and left is not None and left <= seconds:
        raise timed_out(pack.folder, limit)
    if line is None:
        raise PackError(f"policy pack {pack.folder}: did not start within {seconds:g} seconds")
    if not line:
        last = errors.last_line()
        raise PackError(f"policy pack {pack.folder}: does not start: {last if last is not None else 'it ended without output'}")
    if not line.strip().isdigit():
        raise PackError(f"policy pack {pack.folder}: printed {line.decode(errors='replace').strip()!r:.80} instead of its port")
    return int(line)


def _environment(program: Program) -> dict[str, str]:
    """Environment of a pack. Pulumi passes the configuration with decrypted secrets, too; none of them is known here."""
    return {
        **os.environ,
        "PULUMI_CONFIG": json.dumps(dict(program.config)),
        "PULUMI_ORGANIZATION": ORGANIZATION,
        "PULUMI_PROJECT": program.project,
        "PULUMI_STACK": program.stack,
        "PULUMI_DRY_RUN": "true",
        "no_grpc_proxy": "127.0.0.1",
    }


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
