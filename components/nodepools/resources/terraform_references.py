"""What refers to what in a configuration of Terraform: pools to their cluster, subnets to their network, and pools to their subnets."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from nodepools.clouds.change import AGENT_POOL, AKS_CLUSTER, EKS_CLUSTER
from nodepools.model.listing import grouped
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.model.unknowns import UNKNOWN
from nodepools.model.values import dataclass, field, replace
from nodepools.resources.resource import SUBNET, Resource
from nodepools.resources.terraform_blocks import KEY
from nodepools.wire.eks import terraform as aws
from nodepools.wire.terraform import block_of

_NOTHING: Final[Mapping[str, object]] = {}
_NEIGHBOURS: Final = frozenset({"aws_subnet", "aws_vpc", "aws_launch_template", "azurerm_subnet", "azurerm_virtual_network"})
_AZAPI: Final = re.compile(r"microsoft\.network/virtualnetworks(/subnets)?@.*", re.IGNORECASE)
_WITHIN: Final = re.compile(r"/subscriptions/[^/]+/resourcegroups/([^/]+)(?:/.*/virtualnetworks/([^/]+))?", re.IGNORECASE)
_NAMES: Final = {AKS_CLUSTER: "resourceName", EKS_CLUSTER: "name"}
_CALL: Final = re.compile(r'module\.[^.\[]+(?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?')
_ARGUMENTS: Final = {"vnetSubnetID": "vnet_subnet_id", "podSubnetID": "pod_subnet_id"}


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A subnet, a network or a launch template, as Terraform has it."""

    address: str
    type: str
    module: str
    before: Mapping[str, object] | None
    after: Mapping[str, object] | None
    """Its arguments; those of azapi also in the spelling of azurerm, whose type it has."""


def neighbour(address: str, kind: str, module: str, before: Mapping[str, object] | None, after: Mapping[str, object] | None) -> Neighbour | None:
    """A resource next to clusters; `None` if it is of another kind."""
    of = _AZAPI.fullmatch(str(mapping(after if after is not None else before).get("type"))) if kind == "azapi_resource" else None
    if of is not None:
        kind = "azurerm_subnet" if of[1] is not None else "azurerm_virtual_network"
        before, after = (_as_azurerm(values) if values is not None else None for values in (before, after))
    return Neighbour(address, kind, module, before, after) if kind in _NEIGHBOURS else None


def _as_azurerm(values: Mapping[str, object]) -> Mapping[str, object]:
    """A network or a subnet of azapi (https://learn.microsoft.com/azure/templates/microsoft.network/virtualnetworks/subnets, 2026-11)."""
    properties = _properties(values)
    within = _WITHIN.fullmatch(str(values.get("parent_id")))
    group, network = within.groups() if within is not None else (UNKNOWN, UNKNOWN)
    space = mapping(properties.get("addressSpace")).get("addressPrefixes")
    ranges = _ranges(properties)
    return {**values, "resource_group_name": group, "virtual_network_name": network, "address_space": space, "address_prefixes": ranges}


def _properties(values: Mapping[str, object]) -> Mapping[str, object]:
    return mapping(body_of(values).get("properties"))


def _ranges(properties: Mapping[str, object]) -> object:
    return properties.get("addressPrefixes", [properties[name] for name in ("addressPrefix",) if name in properties])


def body_of(values: Mapping[str, object]) -> Mapping[str, object]:
    """The body of a request of azapi; in its version 1 it is JSON in a text."""
    held = values.get("body")
    try:
        return mapping(json.loads(held) if isinstance(held, str) else held)
    except (ValueError, RecursionError):
        return _NOTHING


@dataclass(frozen=True, eq=False)
class Configuration:
    """The configuration of a plan, each module and block of which is searched once."""

    root: Mapping[str, object]
    _modules: dict[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    _blocks: dict[str, Mapping[object, object]] = field(default_factory=dict[str, Mapping[object, object]])

    def module(self, address: str) -> Mapping[str, object]:
        """A module by its address; empty if it is not known."""
        if address not in self._modules:
            found = self.root
            for call in re.findall(r"module\.([^.]+)", KEY.sub("", address)):
                found = mapping(mapping(mapping(found.get("module_calls")).get(call)).get("module"))
            self._modules[address] = found
        return self._modules[address]

    def expressions(self, address: str, module: str) -> Mapping[str, object]:
        """What the configuration sets of a resource; empty if that is not known."""
        if module not in self._blocks:
            blocks = map(mapping, sequence(self.module(module).get("resources")))
            self._blocks[module] = {str(one.get("address")): one.get("expressions") for one in blocks}
        return mapping(self._blocks[module].get(address.removeprefix(f"{module}.").partition("[")[0]))


@dataclass(frozen=True, eq=False)
class Clusters:
    """The clusters of a plan, with what finds the one of a resource."""

    by_address: Mapping[str, Resource]
    modules: Mapping[str, str]
    """The module of each resource."""
    configuration: Configuration
    _groups: dict[tuple[object, ...], list[str]] = field(default_factory=dict[tuple[object, ...], list[str]])

    def __post_init__(self) -> None:
        for address, cluster in self.by_address.items():
            name = cluster.inputs.get(_NAMES[cluster.type])
            for kind in (None, cluster.type):
                for key in ((kind,), (kind, "named", name if isinstance(name, str) else None), (kind, "in", self.modules.get(address, ""))):
                    self._groups.setdefault(key, []).append(address)

    def owned(self, resource: Resource) -> Resource:
        """A resource with the address of its cluster among its dependencies: by its id, its module, what the configuration refers to, or alone."""
        kind = (
            AKS_CLUSTER if resource.type.startswith("azure-native:containerservice:") else EKS_CLUSTER if resource.type.startswith("aws:") else None
        )
        fitting = self._fitting(resource, kind)
        if len(fitting) != 1:
            return resource
        owner = self.by_address[fitting[0]]
        names = {name: owner.inputs.get(name) for name in ("resourceGroupName", "resourceName") if resource.inputs.get(name, "") is UNKNOWN}
        return replace(resource, inputs={**resource.inputs, **names}, dependencies=(fitting[0],))

    def _fitting(self, resource: Resource, kind: str | None) -> Sequence[str]:
        written = resource.inputs.get("resourceName", resource.inputs.get("clusterName"))
        if isinstance(written, str):
            named = self._groups.get((kind, "named", written), [])
            group = _folded(resource.inputs.get("resourceGroupName"))
            same = [one for one in named if _folded(self.by_address[one].inputs.get("resourceGroupName")) == group] if len(named) > 1 else named
            return same if same else named
        every = self._groups.get((kind,), [])
        if kind is None:
            return every
        address, _, _ = resource.urn.rpartition(".")
        if address in self.by_address and self.by_address[address].type == kind:
            return [address]
        module = self.modules.get(resource.urn, "")
        near = self._groups.get((kind, "in", module), [])
        if len(near) > 1:
            given = self.configuration.expressions(resource.urn, module)
            referred = set(_references(given.get("kubernetes_cluster_id", given.get("parent_id"))))
            exact = [one for one in near if one.removeprefix(f"{module}.").partition("[")[0] in referred] if referred else []
            return exact if exact else near
        return near if near else every


def _folded(name: object) -> object:
    """The name of a resource group, whose case means nothing."""
    return name.casefold() if isinstance(name, str) else name


def _references(expression: object) -> list[str]:
    return [str(name) for name in sequence(mapping(expression).get("references"))]


def configured(value: object, expressions: object) -> object:
    """A value without what is not known of it and not among the expressions, so that the cloud chooses it."""
    held = mapping(block_of(expressions))
    if sequence(value):
        return [configured(one, expressions) for one in sequence(value)]
    values = mapping(value)
    if not values or not held:
        return value
    return {name: configured(part, held.get(name)) for name, part in values.items() if part is not UNKNOWN or name in held}


def _targets(expression: object, module: str, configuration: Configuration) -> Iterator[str]:
    """What an expression refers to in the end: it is followed through variables and outputs of modules, through each once."""
    left, seen = [(expression, module)], set[tuple[str, str]]()
    while left:
        expression, module = left.pop()
        names = _references(expression)
        longer = {name[: place.start()] for name in names for place in re.finditer(r"[.\[]", name)}
        for name in names:
            head, *rest = KEY.sub("", name).split(".")
            if name in longer or (module, name) in seen:
                continue
            seen.add((module, name))
            if head == "var" and module and rest:
                *above, call = _CALL.findall(module)
                calls = mapping(configuration.module(".".join(above)).get("module_calls"))
                given = mapping(mapping(calls.get(KEY.sub("", call).partition(".")[2])).get("expressions"))
                left.append((given.get(rest[0]), ".".join(above)))
            elif head == "module" and len(rest) > 1:
                inner = f"{module}.module.{rest[0]}".lstrip(".")
                left.append((mapping(mapping(configuration.module(inner).get("outputs")).get(rest[1])).get("expression"), inner))
            else:
                yield f"{module}.{name}".lstrip(".")


class _Among:
    """Addresses that an expression can refer to, found by the block of each."""

    def __init__(self, addresses: Iterable[str]) -> None:
        self._reached: Final[dict[tuple[int, str], list[str]]] = {}
        self._blocks = grouped((KEY.sub("", address), address) for address in addresses)

    def reached(self, expression: object, module: str, configuration: Configuration) -> list[str]:
        """The addresses that an expression refers to; none if it also refers to something else. All instances of a block have one expression."""
        key = id(expression), module
        if key not in self._reached:
            self._reached[key] = self._found(expression, module, configuration)
        return self._reached[key]

    def _found(self, expression: object, module: str, configuration: Configuration) -> list[str]:
        found: dict[str, None] = {}
        for target in _targets(expression, module, configuration):
            block = KEY.sub("", target)
            ends = (len(block), *(place.start() for place in re.finditer(r"\.", block)))
            near = next((self._blocks[block[:end]] for end in ends if block[:end] in self._blocks), None)
            if near is None:
                return []
            exact = [one for one in near if target == one or target.startswith(f"{one}.")]
            found |= dict.fromkeys(exact if exact else near)
        return list(found)


def subnets(neighbours: Sequence[Neighbour], configuration: Configuration) -> Iterator[Resource]:
    """The subnets that are declared, also those in the block of a network."""
    networks = {one.address: one.after for one in neighbours if one.type in ("azurerm_virtual_network", "aws_vpc") and one.after is not None}
    among, named = _Among(networks), dict[tuple[object, object], list[str]]()
    for address, values in networks.items():
        for name in ("id", "name"):
            if isinstance(values.get(name), str):
                named.setdefault((values[name], _folded(values.get("resource_group_name"))), []).append(address)
    for one in neighbours:
        if one.type not in ("azurerm_subnet", "aws_subnet") or one.after is None:
            continue
        key = "vpc_id" if one.type == "aws_subnet" else "virtual_network_name"
        written, group = one.after.get(key), _folded(one.after.get("resource_group_name"))
        given = configuration.expressions(one.address, one.module)
        same = named.get((written, group), []) if isinstance(written, str) and group is not UNKNOWN else []
        near = same if same else among.reached(given.get(key, given.get("parent_id")), one.module, configuration)
        yield _subnet(one.address, one.after, networks[near[0]] if len(near) == 1 else _NOTHING, _place(one.after))
    for address, values in networks.items():
        for at, held, place in inner_subnets(values):
            yield _subnet(f"{address}.{at}", held, values, place, address)


def inner_subnets(values: Mapping[str, object]) -> Iterator[tuple[str, Mapping[str, object], Steps]]:
    """The subnets that a network contains: what refers to each, its arguments, and where its range is."""
    for number, one in enumerate(map(mapping, sequence(values.get("subnet")))):
        old = "address_prefix" in one  # azurerm 3
        held = {**one, "address_prefixes": [one["address_prefix"]]} if old else one
        yield f"subnet[{number}]", held, ("subnet", number, *(("address_prefix",) if old else ("address_prefixes", 0)))
    for number, one in enumerate(map(mapping, sequence(_properties(values).get("subnets")))):
        own, network = mapping(one.get("properties")), values.get("id")
        ident = f"{network}/subnets/{one.get('name')}" if isinstance(network, str) else UNKNOWN
        held = {**one, "id": ident, "address_prefixes": _ranges(own)}
        yield f"output.properties.subnets[{number}]", held, ("body", "properties", "subnets", number, *_of_range(own))


def _subnet(address: str, values: Mapping[str, object], network: Mapping[str, object], place: Steps, within: str = "") -> Resource:
    """A subnet, whose name is the address of the block that it is written in."""
    ranges = sequence(network.get("address_space", [network.get("cidr_block")]))
    known = ranges if all(isinstance(text, str) for text in ranges) else ()
    return Resource(address, SUBNET, within if within else address, {**values, "network": known, "place": place})


def _place(values: Mapping[str, object]) -> Steps:
    """Where the range of a subnet is written."""
    properties = _properties(values)
    return ("body", *_of_range(properties)) if properties else ("address_prefixes", 0)


def _of_range(properties: Mapping[str, object]) -> Steps:
    return ("properties", "addressPrefixes", 0) if "addressPrefixes" in properties else ("properties", "addressPrefix")


@dataclass(frozen=True, eq=False)
class Subnets:
    """The subnets of a plan, with what finds those of a pool or a cluster."""

    every: Sequence[Resource]
    configuration: Configuration

    @cached_property
    def _among(self) -> _Among:
        return _Among(subnet.urn for subnet in self.every)

    @cached_property
    def _by_id(self) -> Mapping[object, str]:
        return {subnet.inputs.get("id"): subnet.urn for subnet in self.every if isinstance(subnet.inputs.get("id"), str)}

    def placed(self, one: Resource, module: str) -> Resource:
        """A pool or a cluster with the addresses of subnets whose ids are not known yet, or whose zones decide.

        Of a body of azapi, a plan has what it refers to as a whole (Terraform 1.11, azapi of 2026-08-13), so only one reference decides.
        """
        if not self.every:
            return one
        given, inputs = self.configuration.expressions(one.urn, module), dict(one.inputs)
        if one.type == EKS_CLUSTER:
            written = sequence(mapping(inputs.get("vpcConfig")).get("subnetIds"))
            reached = self._among.reached(mapping(block_of(given.get("vpc_config"))).get("subnet_ids"), module, self.configuration)
            found = [self._by_id.get(ident) for ident in written] if written and UNKNOWN not in written else reached
            return replace(one, options={"subnets": found}) if None not in found else one
        if one.type == AGENT_POOL:
            inputs = self._placed(inputs, given, module)
        pools = [self._placed(mapping(pool), given.get("default_node_pool", given), module) for pool in sequence(inputs.get("agentPoolProfiles"))]
        return replace(one, inputs={**inputs, **({"agentPoolProfiles": pools} if pools else {})})

    def _placed(self, pool: Mapping[str, object], expressions: object, module: str) -> dict[str, object]:
        held = mapping(block_of(expressions))
        near = {
            wire: self._among.reached(held.get(name, held.get("body")), module, self.configuration)
            for wire, name in _ARGUMENTS.items()
            if pool.get(wire) is UNKNOWN
        }
        return {**pool, **{wire: found[0] for wire, found in near.items() if len(found) == 1}}


def regions(written: Mapping[str, object]) -> Iterator[str]:
    """The regions that providers of AWS are configured with: constants, and variables of the root module."""
    for one in map(mapping, mapping(mapping(written.get("configuration")).get("provider_config")).values()):
        region = mapping(mapping(one.get("expressions")).get("region"))
        names = [str(name).removeprefix("var.") for name in sequence(region.get("references"))]
        variables = [mapping(mapping(written.get("variables")).get(name)).get("value") for name in names]
        yield from (value for value in (region.get("constant_value"), *variables) if one.get("name") == aws.PROVIDER and isinstance(value, str))
