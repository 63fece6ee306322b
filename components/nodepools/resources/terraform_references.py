"""What refers to what in a configuration of Terraform: pools to their cluster, subnets to their network, and pools to their subnets."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nodepools.clouds.request import AGENT_POOL, AKS_CLUSTER, EKS_CLUSTER
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.model.unknowns import UNKNOWN
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
    properties = mapping(body_of(values).get("properties"))
    within = _WITHIN.fullmatch(str(values.get("parent_id")))
    group, network = within.groups() if within is not None else (UNKNOWN, UNKNOWN)
    space = mapping(properties.get("addressSpace")).get("addressPrefixes")
    ranges = properties.get("addressPrefixes", [properties[name] for name in ("addressPrefix",) if name in properties])
    return {**values, "resource_group_name": group, "virtual_network_name": network, "address_space": space, "address_prefixes": ranges}


def body_of(values: Mapping[str, object]) -> Mapping[str, object]:
    """The body of a request of azapi; in its version 1 it is JSON in a text."""
    held = values.get("body")
    try:
        return mapping(json.loads(held) if isinstance(held, str) else held)
    except (ValueError, RecursionError):
        return _NOTHING


def owned(resource: Resource, clusters: Mapping[str, Resource], modules: Mapping[str, str], root: Mapping[str, object]) -> Resource:
    """A resource with the address of its cluster among its dependencies: by its id, its module, what the configuration refers to, or alone."""
    written = resource.inputs.get("resourceName", resource.inputs.get("clusterName"))
    kind = AKS_CLUSTER if resource.type.startswith("azure-native:containerservice:") else EKS_CLUSTER if resource.type.startswith("aws:") else None
    fitting = [address for address, cluster in clusters.items() if kind in (None, cluster.type)]
    if isinstance(written, str):
        fitting = [address for address in fitting if clusters[address].inputs.get(_NAMES[clusters[address].type]) == written]
    elif kind is not None:
        own = next((address for address in fitting if resource.urn.startswith(f"{address}.")), None)
        module = modules.get(resource.urn, "")
        near = [own] if own is not None else [address for address in fitting if modules.get(address, "") == module]
        referred = _referred(resource.urn, module, root) if len(near) > 1 else []
        exact = [address for address in near if address.removeprefix(f"{module}.").partition("[")[0] in referred]
        fitting = exact if exact else near if near else fitting
    if len(fitting) != 1:
        return resource
    owner = clusters[fitting[0]]
    names = {name: owner.inputs.get(name) for name in ("resourceGroupName", "resourceName") if resource.inputs.get(name, "") is UNKNOWN}
    return replace(resource, inputs={**resource.inputs, **names}, dependencies=(fitting[0],))


def _referred(address: str, module: str, root: Mapping[str, object]) -> list[str]:
    """The addresses that a pool names as its cluster, in its module."""
    expressions = expressions_of(address, module, root)
    held = mapping(expressions.get("kubernetes_cluster_id", expressions.get("parent_id")))
    return [str(name) for name in sequence(held.get("references"))]


def expressions_of(address: str, module: str, root: Mapping[str, object]) -> Mapping[str, object]:
    """What the configuration sets of a resource; empty if that is not known."""
    root = _module(module, root)
    own = address.removeprefix(f"{module}.").partition("[")[0]
    for one in map(mapping, sequence(root.get("resources"))):
        if one.get("address") == own:
            return mapping(one.get("expressions"))
    return _NOTHING


def configured(value: object, expressions: object) -> object:
    """A value without what is not known of it and not among the expressions, so that the cloud chooses it."""
    held = mapping(block_of(expressions))
    if sequence(value):
        return [configured(one, expressions) for one in sequence(value)]
    values = mapping(value)
    if not values or not held:
        return value
    return {name: configured(part, held.get(name)) for name, part in values.items() if part is not UNKNOWN or name in held}


def _module(module: str, root: Mapping[str, object]) -> Mapping[str, object]:
    """A module in the configuration."""
    for call in re.findall(r"module\.([^.]+)", KEY.sub("", module)):
        root = mapping(mapping(mapping(root.get("module_calls")).get(call)).get("module"))
    return root


def _targets(expression: object, module: str, root: Mapping[str, object]) -> Iterator[str]:
    """What an expression refers to in the end: it is followed through variables and outputs of modules."""
    names = [str(name) for name in sequence(mapping(expression).get("references"))]
    for name in names:
        head, *rest = KEY.sub("", name).split(".")
        if any(other.startswith((f"{name}.", f"{name}[")) for other in names):
            continue
        if head == "var" and module and rest:
            *above, call = _CALL.findall(module)
            calls = mapping(_module(".".join(above), root).get("module_calls"))
            given = mapping(mapping(calls.get(KEY.sub("", call).partition(".")[2])).get("expressions"))
            yield from _targets(given.get(rest[0]), ".".join(above), root)
        elif head == "module" and len(rest) > 1:
            inner = f"{module}.module.{rest[0]}".lstrip(".")
            yield from _targets(mapping(mapping(_module(inner, root).get("outputs")).get(rest[1])).get("expression"), inner, root)
        else:
            yield f"{module}.{name}".lstrip(".")


def _reached(expression: object, module: str, root: Mapping[str, object], among: Sequence[str]) -> list[str]:
    """The addresses that an expression refers to; none if it also refers to something else."""
    found: list[str] = []
    for target in dict.fromkeys(_targets(expression, module, root)):
        exact = [one for one in among if target == one or target.startswith(f"{one}.")]
        near = [one for one in among if f"{KEY.sub('', target)}.".startswith(f"{KEY.sub('', one)}.")]
        if not near:
            return []
        found += exact if exact else near
    return list(dict.fromkeys(found))


def subnets(neighbours: Sequence[Neighbour], root: Mapping[str, object]) -> Iterator[Resource]:
    """The subnets that are declared."""
    networks = {one.address: one.after for one in neighbours if one.type in ("azurerm_virtual_network", "aws_vpc") and one.after is not None}
    for one in neighbours:
        if one.type not in ("azurerm_subnet", "aws_subnet") or one.after is None:
            continue
        key, names = ("vpc_id", "id") if one.type == "aws_subnet" else ("virtual_network_name", "name")
        written, group = one.after.get(key), one.after.get("resource_group_name")
        expressions = expressions_of(one.address, one.module, root)
        given = expressions.get(key, expressions.get("parent_id"))
        named = [at for at, values in networks.items() if values.get(names) == written and values.get("resource_group_name") == group]
        same = named if isinstance(written, str) and group is not UNKNOWN else []
        near = same if same else _reached(given, one.module, root, list(networks))
        values = networks[near[0]] if len(near) == 1 else _NOTHING
        ranges = sequence(values.get("address_space", [values.get("cidr_block")]))
        known = ranges if all(isinstance(text, str) for text in ranges) else ()
        yield Resource(one.address, SUBNET, one.address, {**one.after, "network": known, "place": _place(one.after)})


def _place(values: Mapping[str, object]) -> Steps:
    """Where the range of a subnet is written."""
    properties = mapping(body_of(values).get("properties"))
    if not properties:
        return "address_prefixes", 0
    return ("body", "properties", "addressPrefixes", 0) if "addressPrefixes" in properties else ("body", "properties", "addressPrefix")


def in_subnets(one: Resource, module: str, subnets: Sequence[Resource], root: Mapping[str, object]) -> Resource:
    """A pool or a cluster with the addresses of subnets whose ids are not known yet, or whose zones decide.

    Of a body of azapi, a plan has what it refers to as a whole (Terraform 1.11, azapi of 2026-08-13), so only one reference decides.
    """
    if not subnets:
        return one
    given, inputs, among = expressions_of(one.urn, module, root), dict(one.inputs), [subnet.urn for subnet in subnets]
    if one.type == EKS_CLUSTER:
        written = sequence(mapping(inputs.get("vpcConfig")).get("subnetIds"))
        by_id = {subnet.inputs.get("id"): subnet.urn for subnet in subnets}
        reached = _reached(mapping(block_of(given.get("vpc_config"))).get("subnet_ids"), module, root, among)
        found = [by_id.get(ident) for ident in written] if written and UNKNOWN not in written else reached
        return replace(one, options={"subnets": found}) if None not in found else one

    def placed(pool: Mapping[str, object], expressions: object) -> dict[str, object]:
        held = mapping(block_of(expressions))
        near = {
            wire: _reached(held.get(name, held.get("body")), module, root, among) for wire, name in _ARGUMENTS.items() if pool.get(wire) is UNKNOWN
        }
        return {**pool, **{wire: found[0] for wire, found in near.items() if len(found) == 1}}

    if one.type == AGENT_POOL:
        inputs = placed(inputs, given)
    pools = [placed(mapping(pool), given.get("default_node_pool", given)) for pool in sequence(inputs.get("agentPoolProfiles"))]
    return replace(one, inputs={**inputs, **({"agentPoolProfiles": pools} if pools else {})})


def regions(written: Mapping[str, object]) -> Iterator[str]:
    """The regions that providers of AWS are configured with: constants, and variables of the root module."""
    for one in map(mapping, mapping(mapping(written.get("configuration")).get("provider_config")).values()):
        region = mapping(mapping(one.get("expressions")).get("region"))
        names = [str(name).removeprefix("var.") for name in sequence(region.get("references"))]
        variables = [mapping(mapping(written.get("variables")).get(name)).get("value") for name in names]
        yield from (value for value in (region.get("constant_value"), *variables) if one.get("name") == aws.PROVIDER and isinstance(value, str))
