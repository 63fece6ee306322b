"""A plain Pulumi program that registers what the program of a stack registers.

The source is two runs of the program in which ids and outputs are not unknown, but marks: texts that name their resource. An input then says which
outputs it is made of. Marks differ between both runs, so that what a program computes of an output differs too: it is rejected, never written.
"""

import base64
import inspect
import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from ipaddress import IPv6Network
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast, get_args

from nodepools.engine.errors import EngineError
from nodepools.engine.property_values import PROVIDER_PREFIX, STACK_TYPE, is_secret, to_json
from nodepools.engine.run import Program
from nodepools.engine.run import run as engine_run
from nodepools.engine.signatures import SIGNATURE
from nodepools.model.listing import counted, grouped
from nodepools.model.steps import mapping, sequence
from nodepools.model.values import dataclass, field, replace

if TYPE_CHECKING:
    from google.protobuf.struct_pb2 import Value

    from nodepools.engine.invokes import Fixture
    from nodepools.engine.monitor import OutputFixture
    from nodepools.engine.plan import Plan, PlannedResource
    from nodepools.engine.property_values import JsonValue

_MARK: Final = re.compile(r"np([ab])x(\d+)z")
_AZURE_ID: Final = re.compile(rf"/subscriptions/{_MARK.pattern}/resourceGroups/x/providers/({_MARK.pattern})")
_KUBECONFIG: Final = re.compile(rf'\{{"nodepools": "({_MARK.pattern})"\}}')
_IPV6: Final = re.compile(r"fd([ab])([0-9a-f]):[0-9a-f:]*/64")
_OUTPUTS: Final[Mapping[str, tuple[str, ...]]] = {
    "azure-native:managedidentity:UserAssignedIdentity": ("principalId", "clientId"),
    "azure-native:containerservice:ManagedCluster": ("fqdn",),
    "azure-native:network:PublicIPAddress": ("ipAddress",),
    "aws:ec2/eip:Eip": ("allocationId", "publicIp"),
    "aws:eks/cluster:Cluster": ("endpoint", "certificateAuthority.data"),
}
"""Outputs of types, besides the id, the `name` of Azure and the `arn` of AWS."""
_CLIENT: Final = "azure-native:authorization:getClientConfig"
_IDENTITY: Final = "aws:index/getCallerIdentity:getCallerIdentity"
_CREDENTIALS: Final = "azure-native:containerservice:listManagedClusterUserCredentials"
_ZONES: Final = "aws:index/getAvailabilityZones:getAvailabilityZones"
_MOST_ZONES: Final = 6
_CALLS: Final = {
    _CLIENT: "azure_native.authorization.get_client_config_output({opts}).{name}",
    _IDENTITY: "aws.get_caller_identity_output({opts}).{name}",
    _ZONES: "zone({place}, {region}{more})",
}
_WRITTEN: Final = frozenset({"custom", "version", "hooks", "aliases", "additionalSecretOutputs", "importId"})
"""Options that the SDKs set themselves; hooks, which a plain program does not have; and the id of an import, which the state has."""
_OF_OBJECTS: Final = frozenset({"apiVersion", "kind", "metadata", "spec"})
_DEFAULTED: Final = {"azure-native:authorization:RoleAssignment": {"principalType"}}
"""Arguments that the SDK sends with a default of its own if they are not given."""
_UNTOLD: Final = "which is not registered, or not the only one of its type and name"
_COUNT: Final = "agentPoolProfiles[0].count"
"""Of an autoscaled first pool: the state has its number of nodes."""
_SHORTEST: Final = 4
"""Characters of a secret that is looked for in what is written: shorter ones are in any text."""
_NOBODY: Final = "00000000-0000-0000-0000-000000000000"
_NAMES_OF_DEPLOYER: Final = (
    "nothing written: `--deployer` is missing, with the object id of who deploys, of which names of role assignments are made: add "
    '`--deployer "$(az ad signed-in-user show --query id --output tsv)"` for your own login, or `--deployer OBJECT_ID` for another'
)
_WIDTH: Final = 120
_HEAD: Final = Path(__file__).parent / "ejected.py.template"
"""The functions that a program can use; the others are not written."""


class NotEjectedError(EngineError):
    """What the program registers cannot be written as a plain program. Each line is one reason."""


@dataclass(frozen=True, slots=True)
class Ejected:
    """A plain program."""

    text: str
    resources: int
    secrets: tuple[str, ...]
    """Keys of the configuration that have to be set before the program runs."""
    left: tuple[str, ...]
    """What the program registers and this one does not: outputs of the stack, and hooks."""


def ejected(program: Program, deployer: str | None = None) -> Ejected:
    """Runs a program twice, and writes what it registers.

    `deployer` is the object id of the identity that runs Pulumi in Azure, of which names of its role assignments are made.

    Raises:
        ProgramFailed: the program did not complete.
        NotEjectedError: it registers something that cannot be written.
    """
    (first, marks), different = _run_twice(program, deployer)
    if different is not None:
        is_of_deployer = deployer is None and _run_twice(program, _NOBODY)[1] is None
        reasons = [f"{one.name}: a name or an input is computed from an output" for one in different]
        raise NotEjectedError(_NAMES_OF_DEPLOYER if is_of_deployer else "\n".join(reasons))
    usual = engine_run(program, fixtures={} if deployer is None else {_CLIENT: lambda _: {"objectId": deployer}})
    return _Writer(first, marks, usual).written()


def _run_twice(program: Program, deployer: str | None) -> "tuple[tuple[Plan, _Marks], list[PlannedResource] | None]":
    """One run of the program, and the resources that are not the same in another; `None`: both are equal."""
    one, other = (_Marks(name, deployer).run(program) for name in ("a", "b"))
    plans = [marks.named(json.dumps([each.to_json() for each in plan.resources], sort_keys=True)) for plan, marks in (one, other)]
    return one, list(_different(one[0], other[0], one[1], other[1])) if plans[0] != plans[1] else None


def _different(first: "Plan", second: "Plan", marks: "_Marks", others: "_Marks") -> "Iterator[PlannedResource]":
    known = {others.named(json.dumps(one.to_json(), sort_keys=True)) for one in second.resources}
    yield from (one for one in first.resources if marks.named(json.dumps(one.to_json(), sort_keys=True)) not in known)


class _Outputs(dict[str, "OutputFixture"]):
    """The marks of every type."""

    def __init__(self, marks: "_Marks") -> None:
        super().__init__()
        self._marks = marks

    def get(self, key: str, default: object = None) -> "OutputFixture":  # type: ignore[override]  # every type has outputs
        del default
        return lambda name, inputs: self._marks.outputs(key, name, inputs)


@dataclass(slots=True)
class _Marks:
    """The marks of one run: what each stands for, by its number."""

    name: str
    deployer: str | None = None
    known: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    excluded: list[str] = field(default_factory=list[str])
    """Zones in which EKS makes no control planes."""

    def mark(self, *what: *tuple[str, str, str]) -> str:
        """The mark of something; the same for the same."""
        if what not in self.known:
            self.known.append(what)
        return f"np{self.name}x{self.known.index(what):04}z"

    def named(self, text: str) -> str:
        """A text with what its marks stand for."""
        return _IPV6.sub("IPv6", _MARK.sub(lambda found: "|".join(self.known[int(found[2])]), text))

    def run(self, program: Program) -> "tuple[Plan, _Marks]":
        fixtures: Mapping[str, Fixture] = {
            _CLIENT: self._client,
            _IDENTITY: lambda _: {name: self.mark(_IDENTITY, "", name) for name in ("accountId", "arn", "userId")},
            _ZONES: self._zones,
            _CREDENTIALS: self._credentials,
        }
        return engine_run(program, fixtures=fixtures, outputs=_Outputs(self), ids=self.id), self

    def _zones(self, given: "Mapping[str, JsonValue]") -> "Mapping[str, JsonValue]":
        self.excluded = [str(zone) for zone in sequence(given.get("excludeZoneIds"))]
        return {"names": [self.mark(_ZONES, str(given.get("region")), str(place)) for place in range(_MOST_ZONES)]}

    def _client(self, _: "Mapping[str, JsonValue]") -> "Mapping[str, JsonValue]":
        marks = {name: self.mark(_CLIENT, "", name) for name in ("clientId", "objectId", "subscriptionId", "tenantId")}
        return marks | ({"objectId": self.deployer} if self.deployer is not None else {})

    def id(self, type_: str, name: str) -> str:
        own = self.mark(type_, name, "id")
        return (
            f"/subscriptions/{self.mark(type_, name, 'subscription')}/resourceGroups/x/providers/{own}" if type_.startswith("azure-native") else own
        )

    def outputs(self, type_: str, name: str, inputs: "Mapping[str, JsonValue]") -> "Mapping[str, JsonValue]":
        of_package = {"azure-native": ("name",), "aws": ("arn",)}.get(type_.partition(":")[0].partition("_")[0], ())
        made: dict[str, JsonValue] = {}
        for path in (*of_package, *_OUTPUTS.get(type_, ())):
            first, _, rest = path.partition(".")
            if first not in inputs:
                made[first] = {rest: self.mark(type_, name, path)} if rest else self.mark(type_, name, path)
        if inputs.get("assignGeneratedIpv6CidrBlock") is True:
            self.mark(type_, name, "ipv6CidrBlock")
            vpcs = [one for one in self.known if one[2] == "ipv6CidrBlock"]
            made["ipv6CidrBlock"] = f"fd{self.name}{vpcs.index((type_, name, 'ipv6CidrBlock')):x}::/56"
        return made

    def _credentials(self, given: "Mapping[str, JsonValue]") -> "Mapping[str, JsonValue]":
        mark = self.mark(_CREDENTIALS, str(given.get("resourceGroupName")), str(given.get("resourceName")))
        return {"kubeconfigs": [{"name": "clusterUser", "value": base64.b64encode(json.dumps({"nodepools": mark}).encode()).decode()}]}


@dataclass(frozen=True, slots=True)
class _Code:
    """An expression, with the URNs of the resources that it refers to."""

    text: str
    of: frozenset[str] = frozenset()


class _Writer:
    """Writes one plan."""

    def __init__(self, plan: "Plan", marks: _Marks, usual: "Plan") -> None:
        self._plan, self._marks, self._usual = plan, marks, usual
        self._by_urn = {one.urn: one for one in plan.resources if one.type != STACK_TYPE}
        self._by_name = grouped(((one.type, one.name), one.urn) for one in self._by_urn.values())
        self._variables = dict(self._named())
        self._secrets: list[str] = []
        self._problems: list[str] = []
        self._packages = {"azure-native": "azure_native", "aws": "aws", "kubernetes": "kubernetes"}

    def written(self) -> Ejected:
        """The program.

        Raises:
            NotEjectedError: something cannot be written.
        """
        usual = {one.urn: one.inputs for one in self._usual.resources}
        for one in self._by_urn.values():
            lost = _lost(one.inputs, usual.get(one.urn, {}), ())
            self._problems += [f"{one.name}: {'.'.join(path)} is made of an output that is not known here" for path in lost]
        blocks = [self._resource(one) for one in self._ordered()]
        exports, left = self._exports()
        if self._problems:
            raise NotEjectedError("\n".join(dict.fromkeys(self._problems)))
        hooks = sum("hooks" in one.options for one in self._by_urn.values())
        if hooks:
            left.append(f"hooks of {counted(hooks, 'role assignment')}, which wait until it applies")
        used = {one.type.removeprefix(PROVIDER_PREFIX).partition(":")[0].partition("/")[0] for one in self._by_urn.values()}
        packages = "".join(f"import pulumi_{module} as {module}\n" for package, module in self._packages.items() if package in used)
        text = f"{self._head(packages, [*blocks, *exports])}\n\n{chr(10).join(blocks)}\n" + "".join(exports)
        secrets = [secret for secret in self._plan.secrets if len(secret) >= _SHORTEST and not _MARK.search(secret)]
        if any(form in text for secret in secrets for form in (secret, repr(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])):
            raise NotEjectedError("a value that is secret is also sent as plain text: it would be written into the program")
        return Ejected(text, len(blocks), tuple(dict.fromkeys(self._secrets)), tuple(sorted(left)))

    def _head(self, packages: str, blocks: Sequence[str]) -> str:
        head = _HEAD.read_text(encoding="utf-8").format(stack=self._plan.stack, imports="\0", packages=packages, excluded=self._marks.excluded)
        start, *functions = head.split("\n\n\n")
        body = "\n".join(blocks)
        named = [(one[len("def ") : one.index("(")], one) for one in functions]
        kept = [one for name, one in named if re.search(rf"\b{name}\(|\({name}\)", body)]
        needed = "\n".join(kept)
        standard = ["import base64"] if "base64." in needed else []
        standard += ["from ipaddress import IPv6Network"] if "IPv6Network" in needed else []
        third = "\nimport yaml" if "yaml." in needed else ""
        start = start.replace("\0\nimport pulumi\n", "\n".join([*standard, *([""] if standard else []), f"import pulumi{third}\n"]), 1)
        if "config." not in body:
            start = start.replace("\nconfig = pulumi.Config()", "", 1).rstrip()
        return "\n\n\n".join([start.rstrip(), *(one.rstrip() for one in kept)])

    def _named(self) -> Iterator[tuple[str, str]]:
        taken: set[str] = set()
        for urn, one in self._by_urn.items():
            name = re.sub(r"\W+", "_", one.name).strip("_").lower()
            kind = _snake(one.type.rpartition(":")[2])
            full = next(
                text for text in (f"{name}_{kind}", *(f"{name}_{kind}_{number}" for number in range(2, len(self._by_urn) + 2))) if text not in taken
            )
            full = full if full.isidentifier() and not iskeyword(full) else f"_{full}"
            taken.add(full)
            yield urn, full

    def _ordered(self) -> "Iterator[PlannedResource]":
        left = dict(self._by_urn)
        while left:
            ready = [urn for urn, one in left.items() if not self._needs(one) & left.keys()]
            yield from (left.pop(urn) for urn in (ready if ready else list(left)))

    def _needs(self, one: "PlannedResource") -> set[str]:
        options = one.options
        named = {str(options.get(name)) for name in ("provider", "deletedWith")} | {str(urn) for urn in mapping(options.get("providers")).values()}
        of_marks = {self._urn(*self._marks.known[int(number)][:2], one) or "" for _, number in _MARK.findall(self._text(one))}
        return {str(one.parent), *one.dependencies, *(urn for urns in one.property_dependencies.values() for urn in urns), *named, *of_marks} - {
            one.urn
        }

    def _urn(self, type_: str, name: str, one: "PlannedResource") -> str | None:
        """The resource of which `one` uses an output. Of several with one type and name, it is the one that `one` depends on."""
        found = self._by_name.get((type_, name), [])
        if len(found) > 1:
            needed = {*one.dependencies, *(urn for urns in one.property_dependencies.values() for urn in urns)}
            found = [urn for urn in found if urn in needed]
        return found[0] if len(found) == 1 else None

    def _text(self, one: "PlannedResource") -> str:
        """Its inputs as text, with what kubeconfigs are made of."""
        text = str(one.wire[0])
        inside = [what for _, number in _MARK.findall(text) if (what := self._marks.known[int(number)])[0] == _CREDENTIALS]
        return " ".join([text, *(part for what in inside for part in what[1:])])

    def _resource(self, one: "PlannedResource") -> str:
        if "read" in one.options:
            self._problems.append(f"{one.name}: reads {one.type}, which is not offered: give its values in the declaration")
            return ""
        name = json.dumps(one.name)
        options = self._options(one)
        if not one.options.get("custom"):
            arguments = [json.dumps(one.type), name, *([f"opts={options}"] if options else [])]
            return _call(f"{self._variables[one.urn]} = pulumi.ComponentResource", arguments)
        found = self._class(one)
        if found is None:
            self._problems.append(f"{one.name}: no class of the SDKs has the type {one.type}")
            return ""
        spelled, class_ = found
        arguments = [name]
        types, names = _arguments_of(class_)
        for wire, value in sorted(one.wire[0].fields.items()):
            if wire in ("apiVersion", "kind") and one.type.startswith("kubernetes:") and not spelled.endswith("CustomResource"):
                continue
            code = self._value(value, types.get(wire), one, (wire,))
            recorded = frozenset(one.property_dependencies.get(wire, ()))
            spelling = names.get(wire, _snake(wire))
            spelling += "_" if spelling == "resource_name" else ""  # the SDKs have an argument of that name for Pulumi's own name
            arguments.append(f"{spelling}={self._waiting(code, value, recorded - code.of)}")
        defaulted = _DEFAULTED.get(one.type, set()) - one.inputs.keys()
        arguments += [f"{_snake(wire)}=pulumi.Output.from_input(None)" for wire in sorted(defaulted)]
        return _call(f"{self._variables[one.urn]} = {spelled}", [*arguments, *([f"opts={options}"] if options else [])])

    def _waiting(self, code: _Code, value: "Value", missing: frozenset[str]) -> str:
        """The value with the dependencies that it does not show: the name of a resource is its output."""
        for urn in sorted(missing if value.string_value else ()):
            fields = self._by_urn[urn].wire[0].fields
            same = [name for name in fields if fields[name].string_value == value.string_value and (name == "name" or code.of)]
            if same:
                return self._waiting(_Code(f"{self._variables[urn]}.{_snake(same[0])}"), value, missing - {urn})
        return f"after({', '.join([code.text, *(self._variables[urn] for urn in sorted(missing))])})" if missing else code.text

    def _class(self, one: "PlannedResource") -> tuple[str, type] | None:
        package, module, kind = (*one.type.split(":"), "")[:3]
        if one.type.startswith(PROVIDER_PREFIX):
            package, module, kind = kind, "", "Provider"
        if package not in self._packages:
            return None
        spelled = self._packages[package]
        path = module.partition("/")[0] if package == "aws" else module
        if package == "kubernetes" and module and "aliases" not in one.options and one.inputs.keys() <= _OF_OBJECTS:
            return "kubernetes.apiextensions.CustomResource", import_module("pulumi_kubernetes.apiextensions").CustomResource
        if package == "kubernetes" and module:
            group, _, version = module.partition("/")
            path = f"{group.partition('.')[0]}.{version}"
        path = "" if path == "index" else path
        try:
            with warnings.catch_warnings(action="ignore"):  # `pulumi_aws.ec2` warns of a class of its own, when its first class is read
                found = import_module(f"pulumi_{spelled}{f'.{path}' if path else ''}")
                return f"{spelled}{f'.{path}' if path else ''}.{kind}", getattr(found, kind)
        except (ImportError, AttributeError):
            return None

    def _options(self, one: "PlannedResource") -> str:
        given = dict(one.options)
        first = mapping(next(iter(sequence(one.inputs.get("agentPoolProfiles"))), None))
        if first.get("enableAutoScaling") is True:
            given["ignoreChanges"] = [*map(str, sequence(given.get("ignoreChanges"))), _COUNT]
        made: list[str] = []
        if one.parent in self._variables:
            made.append(f"parent={self._variables[str(one.parent)]}")
        implied = {urn for urns in one.property_dependencies.values() for urn in urns}
        others = [self._variables[urn] for urn in one.dependencies if urn not in implied]
        if others:
            made.append(f"depends_on=[{', '.join(others)}]")
        for name in sorted(given.keys() - _WRITTEN):
            value = given[name]
            match name:
                case "provider":
                    parent = self._by_urn.get(str(one.parent))
                    inherited = mapping(parent.options.get("providers")).values() if parent is not None else ()
                    made += [f"provider={self._variables[str(value)]}"] if value not in inherited else []
                case "deletedWith":
                    made.append(f"deleted_with={self._variables[str(value)]}")
                case "providers":
                    made.append(f"providers=[{', '.join(self._variables[str(urn)] for urn in mapping(value).values())}]")
                case "customTimeouts":
                    times = ", ".join(f"{key}={time!r}" for key, time in mapping(value).items())
                    made.append(f"custom_timeouts=pulumi.CustomTimeouts({times})")
                case "ignoreChanges" | "protect" | "retainOnDelete" | "deleteBeforeReplace" | "replaceOnChanges":
                    made.append(f"{_snake(name)}={value!r}")
                case _:
                    self._problems.append(f"{one.name}: the option `{name}` cannot be written")
        return f"pulumi.ResourceOptions({', '.join(made)})" if made else ""

    def _value(self, value: "Value", type_: object, one: "PlannedResource", path: tuple[str, ...]) -> _Code:
        if is_secret(value):
            return self._secret(value.struct_value.fields["value"], type_, one, path)
        where = f"{one.name}: {'.'.join(path)}"
        if to_json(value) == {"$unknown": True} or SIGNATURE in value.struct_value.fields:
            return self._refused(f"{where} is made of an output that is not known here, or is a file or a resource")
        match value.WhichOneof("kind"):
            case "string_value":
                return self._string(value.string_value, one, where)
            case "list_value":
                parts = [self._value(part, _inner(type_), one, (*path, str(number))) for number, part in enumerate(value.list_value.values)]
                return _joined("[", parts, "]")
            case "struct_value":
                return self._struct(value, type_, one, path)
            case _:
                return _Code(repr(to_json(value)))

    def _refused(self, problem: str) -> _Code:
        self._problems.append(problem)
        return _Code("None")

    def _struct(self, value: "Value", type_: object, one: "PlannedResource", path: tuple[str, ...]) -> _Code:
        types, names = _fields_of(type_)
        inside = _inner(type_) if not names else None
        parts = {
            names.get(key, key): self._value(part, types.get(key) if names else inside, one, (*path, key))
            for key, part in sorted(value.struct_value.fields.items())
        }
        text = _bracket("{", [f"{json.dumps(key, ensure_ascii=False)}: {part.text}" for key, part in parts.items()], "}")
        return _Code(text, frozenset[str]().union(*(part.of for part in parts.values())))

    def _secret(self, value: "Value", type_: object, one: "PlannedResource", path: tuple[str, ...]) -> _Code:
        """A secret is never written: only a kubeconfig is made of outputs."""
        if one.type == f"{PROVIDER_PREFIX}kubernetes" and path == ("kubeconfig",) and _MARK.search(str(value)):
            code = self._value(value, type_, one, path)
            return code if code.text.startswith("kubeconfig(") else replace(code, text=f"pulumi.Output.secret({code.text})")
        if _MARK.search(str(value)):
            self._problems.append(f"{one.name}: {'.'.join(path)} is a secret that is made of an output")
        key = re.sub(r"[^\w-]+", "-", "-".join((one.name, *path)))
        self._secrets.append(key)
        return _Code(f"config.require_secret{'' if value.WhichOneof('kind') == 'string_value' else '_object'}({json.dumps(key)})")

    def _string(self, text: str, one: "PlannedResource", where: str) -> _Code:
        whole = _KUBECONFIG.fullmatch(text)
        text = whole[1] if whole else text
        parts: list[_Code] = []
        end = 0
        for found in re.finditer(f"{_AZURE_ID.pattern}|{_MARK.pattern}|{_IPV6.pattern}", text):
            if found.start() > end:
                parts.append(_Code(_text(text[end : found.start()])))
            parts.append(self._output(found[0], one, where))
            end = found.end()
        if end < len(text) or not parts:
            parts.append(_Code(_text(text[end:])))
        return parts[0] if len(parts) == 1 else _joined("pulumi.Output.concat(", parts, ")")

    def _output(self, text: str, one: "PlannedResource", where: str) -> _Code:
        """The output that a mark stands for."""
        six = _IPV6.fullmatch(text)
        if six:
            vpcs = [what for what in self._marks.known if what[2] == "ipv6CidrBlock"]
            type_, name, _ = vpcs[int(six[2], 16)]
            if (urn := self._urn(type_, name, one)) is None:
                return self._refused(f"{where} is made of an output of {name}, {_UNTOLD}")
            number = (int(IPv6Network(text).network_address) >> 64) & 0xFF
            return _Code(f"part({self._variables[urn]}.ipv6_cidr_block, {number})", frozenset({urn}))
        type_, name, path = self._marks.known[int(_MARK.findall(text)[-1][1])]
        given = one.options.get("provider")
        provider = [f"opts=pulumi.InvokeOutputOptions(provider={self._variables[str(given)]})"] if given in self._variables else []
        if type_ == _CREDENTIALS:
            group, cluster = (self._string(text, one, where) for text in (name, path))
            return _Code(f"kubeconfig({', '.join([group.text, cluster.text, *provider])})", group.of | cluster.of)
        if type_ in _CALLS:
            return _Code(
                _CALLS[type_].format(
                    place=path, region=json.dumps(name), opts="".join(provider), more="".join(f", {one}" for one in provider), name=_snake(path)
                )
            )
        if (urn := self._urn(type_, name, one)) is None:
            return self._refused(f"{where} is made of an output of {name}, {_UNTOLD}")
        shown = 'id.apply(lambda known: known.split("/")[2])' if path == "subscription" else ".".join(map(_snake, path.split(".")))
        return _Code(f"{self._variables[urn]}.{shown}", frozenset({urn}))

    def _exports(self) -> tuple[list[str], list[str]]:
        """The outputs of the stack, and those that are not written, because they are made of outputs that are not known here."""
        made: list[str] = []
        left: list[str] = []
        root = next((one for one in self._plan.resources if one.type == STACK_TYPE), None)
        for name, value in sorted(root.wire[1].fields.items()) if root is not None else ():
            before = len(self._problems)
            kept = _known(value, self._usual.outputs.get(name), (name,), left)
            secret = is_secret(kept)
            code = self._value(kept.struct_value.fields["value"] if secret else kept, None, cast("PlannedResource", root), (name,))
            if len(self._problems) > before or (secret and not code.of):
                del self._problems[before:]
                left.append(f"the output `{name}` of the stack")
                continue
            made.append(_call("pulumi.export", [json.dumps(name), f"pulumi.Output.secret({code.text})" if secret else code.text]) + "\n")
        return made, left


def _lost(marked: object, usual: object, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """What is unknown in a preview, and not made of marks: the program took the lack of an output for a value."""
    if usual == {"$unknown": True}:
        yield from () if _MARK.search(json.dumps(marked)) or marked == usual else (path,)
    elif isinstance(usual, Mapping):
        for key, value in cast("Mapping[str, object]", usual).items():
            yield from _lost(mapping(marked).get(key), value, (*path, key))
    elif isinstance(usual, list) and isinstance(marked, list):
        for number, (one, other) in enumerate(zip(cast("list[object]", marked), cast("list[object]", usual), strict=False)):
            yield from _lost(one, other, (*path, str(number)))


def _known(value: "Value", usual: object, path: tuple[str, ...], left: list[str]) -> "Value":
    """The value without entries that are not known, which are named in `left`."""
    kept = type(value)()
    kept.CopyFrom(value)
    if value.WhichOneof("kind") == "struct_value" and SIGNATURE not in value.struct_value.fields:
        for key, part in value.struct_value.fields.items():
            of_preview = mapping(usual).get(key)
            if to_json(part) == {"$unknown": True} or any(_lost(to_json(part), of_preview, ())):
                left.append(f"`{'.'.join((*path, key))}` in an output of the stack")
                del kept.struct_value.fields[key]
            else:
                kept.struct_value.fields[key].CopyFrom(_known(part, of_preview, (*path, key), left))
    return kept


def _text(text: str) -> str:
    return repr(text) if '"' in text else json.dumps(text, ensure_ascii=False)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _arguments_of(class_: type) -> tuple[Mapping[str, object], Mapping[str, str]]:
    """The types of its arguments and their names in Python, by their names in the request."""
    module = import_module(class_.__module__)
    return _fields_of(getattr(module, f"{class_.__name__}Args", None) or getattr(module, f"{class_.__name__}InitArgs", None))


def _fields_of(type_: object) -> tuple[Mapping[str, object], Mapping[str, str]]:
    """The same for a class of arguments, which `type_` is or contains; empty for anything else."""
    from pulumi import _types as sdk  # pyright: ignore[reportPrivateUsage]  # what the SDK itself converts names with

    found = type_ if inspect.isclass(type_) and sdk.is_input_type(type_) else None
    if found is None and getattr(type_, "__origin__", None) not in (Sequence, Mapping, list, dict):
        found = next((one for one in get_args(type_) if inspect.isclass(one) and sdk.is_input_type(one)), None)
    if found is None:
        return {}, {}
    return sdk.input_type_types(found), {wire: name for name, wire in sdk.input_type_py_to_pulumi_names(found).items()}


def _inner(type_: object) -> object:
    """The type of the entries of a list or mapping."""
    arguments = get_args(type_)
    return arguments[-1] if arguments else None


def _call(function: str, arguments: Sequence[str]) -> str:
    return _bracket(f"{function}(", arguments, ")")


def _joined(start: str, parts: Sequence[_Code], end: str) -> _Code:
    return _Code(_bracket(start, [part.text for part in parts], end), frozenset[str]().union(*(part.of for part in parts)))


def _bracket(start: str, parts: Sequence[str], end: str) -> str:
    """In one line if it fits, otherwise a line for each part."""
    line = f"{start}{', '.join(parts)}{end}"
    if len(line) <= _WIDTH and "\n" not in line:
        return line
    return "\n".join([start, *("    " + part.replace("\n", "\n    ") + "," for part in parts), end])
