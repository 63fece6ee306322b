"""Plans and states of Terraform and OpenTofu, as `terraform show -json` prints them: their resources in the spelling of the rows.

What is known only after `terraform apply` is `UNKNOWN`, and what Terraform calls sensitive is a `Secret`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, cast

from nodepools.clouds.change import AGENT_POOL, AKS_CLUSTER, EKS_CLUSTER, NODE_GROUP
from nodepools.model.aks.agent_pool import CRITICAL_ADDONS_ONLY
from nodepools.model.listing import grouped, listed
from nodepools.model.path import path_text
from nodepools.model.secret_places import steps_of
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.model.unknowns import UNKNOWN
from nodepools.model.values import dataclass, field, replace
from nodepools.reading.bounded_input import HCL, LOGGED, is_terraform
from nodepools.resources.kubernetes_objects import terraform_manifest
from nodepools.resources.resource import Inputs, Resource, Secret, all_marks, with_marks
from nodepools.resources.terraform_references import Clusters, Configuration, Neighbour, Subnets, body_of, configured, neighbour, regions, subnets
from nodepools.wire.aks import azurerm
from nodepools.wire.eks import terraform as aws
from nodepools.wire.paths import value_at
from nodepools.wire.terraform import Arguments, block_of, written_by

_MAJOR: Final = "1"
_FORMAT: Final = "format_version"
_SHOW: Final = "`terraform show -json PLAN > plan.json` (or `tofu show`)"
_OTHERS: Final = {
    "provider_schemas": "the schema of providers",
    "function_signatures": "the list of functions",
    "diagnostics": "the result of `validate`",
}
"""Other outputs in JSON, by a name that each has."""
WINDOW: Final = "azure-native:containerservice:MaintenanceConfiguration"
_TOKENS: Final[Mapping[str, tuple[str, Arguments]]] = {
    azurerm.CLUSTER.type: (AKS_CLUSTER, azurerm.CLUSTER),
    azurerm.POOL.type: (AGENT_POOL, azurerm.POOL),
    aws.CLUSTER.type: (EKS_CLUSTER, aws.CLUSTER),
    aws.NODE_GROUP.type: (NODE_GROUP, aws.NODE_GROUP),
    aws.ACCESS_ENTRY.type: ("aws:eks/accessEntry:AccessEntry", aws.ACCESS_ENTRY),
    aws.ACCESS_POLICY.type: ("aws:eks/accessPolicyAssociation:AccessPolicyAssociation", aws.ACCESS_POLICY),
    aws.POD_IDENTITY.type: ("aws:eks/podIdentityAssociation:PodIdentityAssociation", aws.POD_IDENTITY),
    aws.IDENTITY_PROVIDER.type: ("aws:eks/identityProviderConfig:IdentityProviderConfig", aws.IDENTITY_PROVIDER),
    aws.ADD_ON.type: ("aws:eks/addon:Addon", aws.ADD_ON),
}
_AZAPI: Final = re.compile(r"microsoft\.containerservice/managedclusters(?:/(agentpools|maintenanceconfigurations))?@.*", re.IGNORECASE)
_AZAPI_TOKENS: Final[Mapping[str | None, str]] = {None: AKS_CLUSTER, "agentpools": AGENT_POOL, "maintenanceconfigurations": WINDOW}
_OBJECTS: Final = ("kubernetes_manifest", "kubectl_manifest")
_NODES: Final = re.compile(
    r"azurerm_kubernetes_(automatic_cluster|fleet_update_run|cluster_extension)"
    r"|aws_eks_fargate_profile|aws_autoscaling_group|helm_release|azurerm_orchestrated_virtual_machine_scale_set"
    r"|(deposed|unknown action of) (azurerm_kubernetes_cluster|aws_eks|azapi_resource|kubernetes_manifest|kubectl_manifest).*"
)
"""Types that can have nodes, or create objects of Karpenter, and are not read."""
_API: Final = re.compile(
    r"microsoft\.(containerservice/(managedclusters(/agentpools|/machines|/maintenanceconfigurations)?|fleets/updateruns)"
    r"|kubernetesconfiguration/extensions|compute/virtualmachinescalesets)@.*",
    re.IGNORECASE,
)
"""The same of azapi, by their type in the API; one that is not known can be one of them."""
_ACTIONS: Final = frozenset(
    {
        *(("no-op",), ("read",), ("create",), ("update",), ("delete",), ("forget",)),
        *(("delete", "create"), ("create", "delete"), ("forget", "create"), ("create", "forget")),
    }
)
_UPDATES: Final = "azapi_update_resource"
_OF_AZAPI: Final = ("azapi_resource", "azapi_resource_action", _UPDATES)
IN_LIST: Final = ".agentPoolProfiles["
"""A part of the address of a pool in the body of its cluster."""
_RANGE: Final = "netIpv4IpLocalPortRange"
"""One value in the API, and two arguments of azurerm: its first port stands for both."""
_SWAP: Final = "failSwapOn"
"""No argument of azurerm: it sends `false` with each `kubelet_config` (expandAgentPoolKubeletConfig of its source, 2026-11)."""
_SCALER: Final = "autoScalerProfile"
"""The API has hyphens in its names (`scan-interval`), and the rows have capitals, as the SDK of Pulumi."""
_HYPHEN: Final = re.compile("-([a-z])")
_CAPITAL: Final = re.compile("[A-Z]")
_LISTED: Final = 3
_QUOTED: Final = re.compile(r"`([A-Za-z][\w.\[\]]*)`")
_CLUSTER_ID: Final = re.compile(r"/subscriptions/[^/]+/resourcegroups/([^/]+)(?:/.*?/managedclusters/([^/]+))?.*", re.IGNORECASE)


_NOTHING: Final[Mapping[str, object]] = {}


class NotTerraformError(Exception):
    """Output of Terraform that cannot be read. The message says what to use instead."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One resource of a plan or a state: what Terraform does with it, and what it is before and after that."""

    address: str
    """`module.aks.azurerm_kubernetes_cluster_node_pool.this["web"]`."""
    type: str
    actions: tuple[str, ...]
    """`no-op`, `create`, `update`, `delete`, or two of them for a replacement."""
    replace_paths: tuple[Steps, ...]
    """The arguments for which Terraform replaces it."""
    before: Resource | None
    after: Resource | None
    values: Mapping[str, object]
    """The arguments as Terraform has them after the plan, or before it if the resource is deleted."""
    arguments: Arguments | None = None
    """The spelling of its provider; `None`: that of the API."""
    left: tuple[tuple[Steps, object, object], ...] = ()
    """Arguments that no row has, with their values before and after."""
    was: Mapping[str, object] = field(default_factory=dict[str, object])
    """The arguments as Terraform had them before the plan."""
    note: str = ""
    """`moved from …` or `imported`, if a block of the configuration does that, or what other than an argument replaces it."""

    @property
    def is_replaced(self) -> bool:
        """Terraform deletes it, and creates another one."""
        return {"create", "delete"} <= {*self.actions}

    @property
    def is_left(self) -> bool:
        """Terraform creates another one, and forgets this one without deleting it."""
        return {"create", "forget"} <= {*self.actions}

    def place(self, wire: Steps) -> Steps:
        """The path of an argument as Terraform writes it."""
        if self.arguments is not None:
            return self.arguments.argument(tuple("portsFrom" if step == _RANGE else step for step in wire if step != _SWAP), self.values)
        if wire[:1] == (_SCALER,):
            wire = (_SCALER, *(_CAPITAL.sub(lambda found: f"-{found[0].lower()}", str(step)) for step in wire[1:]))
        return ("body", "properties", *wire) if self.type.startswith("azapi") and IN_LIST not in self.address else wire

    def spelled(self, text: str) -> str:
        """A text with the names of arguments in backticks, as Terraform writes them."""
        return _QUOTED.sub(lambda found: f"`{self._word(found[1])}`", text) if self.arguments is not None else text

    def _word(self, name: str) -> str:
        steps = steps_of(name)
        place = self.place(steps)
        if place != steps or self.arguments is None or len(steps) != 1:
            return path_text(place)
        named = {argument.rpartition(".")[2] for argument, at in self.arguments.places.items() if at.wire.rpartition(".")[2] == name}
        return named.pop() if len(named) == 1 else name


@dataclass(frozen=True)
class TerraformSource:
    """What a plan or a state has about clusters."""

    is_plan: bool
    planned: tuple[Planned, ...]
    """One for each resource; a cluster of azurerm also has one for each maintenance window in it."""
    unread: Mapping[str, Sequence[str]]
    """Addresses of resources that can have nodes and are not read, by their type."""
    others: int
    """The number of other resources that the plan changes, or the state has."""
    neighbours: tuple[Neighbour, ...] = ()
    modules: Mapping[str, str] = field(default_factory=dict[str, str])
    """The module of each resource, by its address."""
    forgotten: tuple[str, ...] = ()
    """Addresses of what Terraform forgets without deleting it."""
    regions: frozenset[str] = frozenset()
    """The regions of the providers of AWS, as far as the configuration has them."""
    networks: tuple[Resource, ...] = ()
    """The subnets that are declared, with the range and the network of each."""
    checked: tuple[Resource, ...] = ()
    """What is declared; the id of a subnet that is created with it is its address."""
    missing: str = ""
    """Why the plan does not have everything; empty if it has."""

    @cached_property
    def after(self) -> tuple[Resource, ...]:
        """What is declared."""
        return tuple(one.after for one in self.planned if one.after is not None)

    @cached_property
    def by_address(self) -> Mapping[str, Planned]:
        """Each resource by its address."""
        return {one.address: one for one in self.planned}


def terraform_value(text: str) -> object | None:
    """The value of a text that is output of Terraform, or one of its raw states; `None` if it is something else.

    Raises:
        NotTerraformError: it is a configuration, a log, or encrypted.
    """
    if not is_terraform(text):
        return None
    if HCL.search(text) is not None:
        raise NotTerraformError(f"is a configuration of Terraform, which needs its variables and providers: plan it, then use {_SHOW}")
    if LOGGED.search(text) is not None:
        raise NotTerraformError(f"is what `terraform plan` prints: add `-out PLAN` to it, then use {_SHOW}")
    try:
        written = mapping(json.loads(text))
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data" and text.lstrip().startswith("{"):
            raise NotTerraformError(f"has something after its end, at line {error.lineno}: write it again with {_SHOW}") from None
        return None  # readers of JSON and YAML say where it ends
    if set(written) == {_FORMAT} and isinstance(written[_FORMAT], str):
        raise NotTerraformError("is a state of Terraform that is empty: select its workspace, then use `terraform show -json > state.json`")
    if {"encrypted_data", "lineage"} <= written.keys():
        raise NotTerraformError("is an encrypted state of OpenTofu: use `tofu show -json > state.json`")
    other = next((what for name, what in _OTHERS.items() if name in written and _FORMAT in written), None)
    if other is not None:
        raise NotTerraformError(f"is {other} of Terraform, which has no resources: use {_SHOW}")
    is_shown = isinstance(written.get(_FORMAT), str | float) and not {"planned_values", "values", "terraform_version", "resource_changes"}.isdisjoint(
        written
    )
    return written if is_shown or _is_raw_state(written) else None


def _is_raw_state(written: Mapping[str, object]) -> bool:
    return "terraform_version" in written and {"lineage", "serial"} <= written.keys()


def terraform_source(value: object) -> TerraformSource:
    """Reads a plan or a state.

    Raises:
        NotTerraformError: it is a raw state, of another format, or has no resources.
    """
    written = mapping(value)
    if _is_raw_state(written):
        raise NotTerraformError("is a raw state of Terraform: use `terraform show -json > state.json` (or `tofu show`)")
    version = str(written.get(_FORMAT))
    if version.partition(".")[0] != _MAJOR:
        raise NotTerraformError(f"has format version `{version:.20}` of Terraform, and 1 is read here: use a Terraform that prints it")
    if written.get("errored") is True:
        raise NotTerraformError("is a plan that ended with an error, so it is not complete: correct the error, and plan again")
    if isinstance(written.get("resource_changes"), list):
        return _source(_changes(written), written, is_plan=True)
    modules = mapping(mapping(written.get("values")).get("root_module"))
    if "resource_changes" in written or (not modules and "planned_values" in written):
        raise NotTerraformError(f"has no list `resource_changes`: use {_SHOW}")
    return _source(_of_state(modules), written, is_plan=False)


REPLACED_BY: Final = {
    "replace_because_tainted": ("it is tainted", "`terraform untaint '{address}'` keeps it, if nothing is wrong with it"),
    "replace_by_request": ("`-replace` asks for it", "Plan without `-replace` to keep it"),
    "replace_by_triggers": ("`replace_triggered_by` asks for it", "Change nothing that triggers it"),
}
"""What other than an argument replaces a resource, by the `action_reason` of a plan, and what keeps it."""


@dataclass(frozen=True, slots=True)
class _Entry:
    address: str
    type: str
    module: str
    actions: tuple[str, ...]
    replace_paths: tuple[Steps, ...]
    before: Mapping[str, object] | None
    after: Mapping[str, object] | None
    note: str = ""


def _changes(written: Mapping[str, object]) -> Iterator[_Entry]:
    for one in map(mapping, sequence(written["resource_changes"])):
        change = mapping(one.get("change"))
        actions = tuple(map(str, sequence(change.get("actions"))))
        if one.get("mode", "managed") != "managed" or actions == ("forget",):
            continue
        secret = all_marks(change.get("before_sensitive"), change.get("after_sensitive"))  # a value that becomes sensitive is the same value
        before, after = (
            _values(change[side], secret, change.get("after_unknown") if side == "after" else None) if isinstance(change.get(side), Mapping) else None
            for side in ("before", "after")
        )
        yield _Entry(
            str(one.get("address")),
            f"{'deposed ' if one.get('deposed') else 'unknown action of ' if actions not in _ACTIONS else ''}{one.get('type')}",
            str(one.get("module_address", "")),
            actions,
            tuple(cast("Steps", tuple(sequence(path))) for path in sequence(change.get("replace_paths"))),
            before,
            after if actions != ("no-op",) else before,
            _noted(one),
        )


def _noted(one: Mapping[str, object]) -> str:
    if one.get("previous_address"):
        return f"moved from {one['previous_address']}"
    return "imported" if mapping(one.get("change")).get("importing") else REPLACED_BY.get(str(one.get("action_reason")), ("",))[0]


def _of_state(module: Mapping[str, object]) -> Iterator[_Entry]:
    for one in map(mapping, sequence(module.get("resources"))):
        if one.get("mode", "managed") == "managed":
            values = _values(one.get("values"), one.get("sensitive_values"), None)
            of_type = f"{'deposed ' if one.get('deposed_key') else ''}{one.get('type')}"
            yield _Entry(str(one.get("address")), of_type, str(module.get("address", "")), ("no-op",), (), values, values)
    for child in map(mapping, sequence(module.get("child_modules"))):
        yield from _of_state(child)


def _values(values: object, sensitive: object, unknown: object) -> Mapping[str, object]:
    """The arguments of a resource, with what is secret and what is not known yet: some of them, or all."""
    held = mapping(values)
    every = dict.fromkeys(held, True)
    marks = (every if mark is True else mark for mark in (sensitive, unknown))
    return cast("Mapping[str, object]", with_marks(held, *marks))


def _source(found: Iterator[_Entry], written: Mapping[str, object], *, is_plan: bool) -> TerraformSource:
    configuration = Configuration(mapping(mapping(written.get("configuration")).get("root_module")))
    entries = [_without_computed(entry, configuration) for entry in found]
    read = [one for entry in entries for one in _planned(entry)]
    known = {(one.address, one.type) for one in read}
    modules = {entry.address: entry.module for entry in entries}
    known |= {(entry.address, entry.type) for entry in _updated(entries, read, modules, configuration)}
    others = [
        entry for entry in entries if (entry.address, entry.type) not in known and (not is_plan or entry.actions not in (("no-op",), ("read",)))
    ]
    unread = grouped((entry.type, entry.address) for entry in others if _NODES.fullmatch(entry.type) or _is_hidden(entry))
    around = (neighbour(one.address, one.type, one.module, one.before, one.after) for one in entries)
    neighbours = tuple(one for one in around if one is not None)
    left = len(others) - sum(map(len, unread.values()))
    planned, within = tuple(_with_owners(read, modules, configuration)), Subnets(tuple(subnets(neighbours, configuration)), configuration)
    checked = tuple(
        within.placed(one.after, modules[one.address]) if one.address in modules else one.after for one in planned if one.after is not None
    )
    forgotten, of_providers = tuple(_forgotten(written)), frozenset(regions(written))
    return TerraformSource(
        is_plan, planned, unread, left, neighbours, modules, forgotten, of_providers, tuple(within.every), checked, _missing(written)
    )


def _missing(written: Mapping[str, object]) -> str:
    """Why a plan does not have everything that its configuration changes; empty if it has."""
    changes = (mapping(mapping(one).get("resource_change")).get("address") for one in sequence(written.get("deferred_changes")))
    deferred = [str(address) for address in changes]
    if deferred:
        return f"has deferred changes, whose effect is not known: {listed(deferred, _LISTED)}. Apply it, then plan again"
    return (
        "is a plan of a part of its configuration, and the rest is not known: plan again without `-target`"
        if written.get("complete") is False
        else ""
    )


def _forgotten(written: Mapping[str, object]) -> Iterator[str]:
    """Addresses of pools and clusters that a `removed` block forgets."""
    for one in map(mapping, sequence(written.get("resource_changes"))):
        if sequence(mapping(one.get("change")).get("actions")) == ["forget"] and one.get("type") in (*_TOKENS, "azapi_resource", *_OBJECTS):
            yield str(one.get("address"))


def _updated(entries: Sequence[_Entry], read: list[Planned], modules: Mapping[str, str], configuration: Configuration) -> Iterator[_Entry]:
    """Adds what each `azapi_update_resource` sets to the resource with its id, or to the only one that it refers to, and yields those that did."""
    by_id, by_block = dict[str, set[int]](), dict[tuple[str, str], set[int]]()
    for number, one in enumerate(read):
        module = modules.get(one.address, "")
        by_block.setdefault((module, one.address.removeprefix(f"{module}.").partition("[")[0]), set()).add(number)
        for ident in (one.values.get("id"), one.was.get("id")):
            if isinstance(ident, str):
                by_id.setdefault(ident, set()).add(number)
    for entry in entries:
        values = entry.after if entry.after is not None else mapping(entry.before)
        hidden = (mapping(side).get(_HIDDEN) for side in (entry.before, entry.after))
        if entry.type != _UPDATES or _AZAPI.fullmatch(str(values.get("type"))) is None or len({str(one) for one in hidden}) > 1:
            continue
        named = values.get("resource_id", f"{values.get('parent_id')}/{values.get('name')}")
        references = sequence(mapping(configuration.expressions(entry.address, entry.module).get("resource_id")).get("references"))
        fitting = set[int]().union(by_id.get(str(named), ()), *(by_block.get((entry.module, str(name)), ()) for name in references))
        if len(fitting) == 1:
            [number] = fitting
            one = read[number]
            before, after = _with_body(one.before, entry.before), _with_body(one.after, entry.after)
            actions = ("update",) if one.actions == ("no-op",) and before != after else one.actions
            read[number] = replace(one, before=before, after=after, actions=actions)
            yield entry


def _with_body(resource: Resource | None, values: Mapping[str, object] | None) -> Resource | None:
    body = body_of(values) if values is not None else _NOTHING
    return replace(resource, inputs=_merged(resource.inputs, mapping(body.get("properties")))) if resource is not None and body else resource


def _merged(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    inner = {name: _merged(mapping(below[name]), mapping(value)) for name, value in above.items() if mapping(value) and mapping(below.get(name))}
    return {**below, **above, **inner}


def _without_computed(entry: _Entry, configuration: Configuration) -> _Entry:
    """A resource without the values that the cloud chooses: they are not known either, and the configuration does not set them."""
    given = configuration.expressions(entry.address, entry.module)
    if not given or entry.after is None:
        return entry
    return replace(entry, after=cast("Mapping[str, object]", configured(entry.after, given)))


def _is_hidden(entry: _Entry) -> bool:
    """A resource of a type that is read, whose content is not known yet or secret, or one of azapi that can change nodes."""
    of = (entry.after if entry.after is not None else mapping(entry.before)).get("type")
    return entry.type in (*_OBJECTS, *_TOKENS) or (entry.type in _OF_AZAPI and (not isinstance(of, str) or _API.fullmatch(of) is not None))


def _planned(entry: _Entry) -> Iterator[Planned]:
    sides = [_resources(entry, values if values is not None else _NOTHING) for values in (entry.before, entry.after)]
    if any(given is not None and not found for given, (found, _) in zip((entry.before, entry.after), sides, strict=True)):
        return  # one side is not read, which is not the same as that it is gone
    names = list(dict.fromkeys([*sides[0][0], *sides[1][0]]))
    values = entry.after if entry.after is not None else mapping(entry.before)
    old, new = (dict(left) for _, left in sides)
    left = tuple(
        (steps, old.get(steps), new.get(steps)) for steps in {**old, **new} if old.get(steps) != new.get(steps) or entry.before is entry.after
    )
    for number, name in enumerate(names):
        token = _TOKENS.get(entry.type)
        before, after = sides[0][0].get(name), sides[1][0].get(name)
        inner = name != entry.address
        yield Planned(
            name,
            entry.type,
            entry.actions,
            entry.replace_paths,
            before,
            after,
            values,
            token[1] if token is not None and not inner else None,
            left if number == 0 else (),
            mapping(entry.before),
            entry.note,
        )


def _resources(entry: _Entry, values: Mapping[str, object]) -> tuple[dict[str, Resource], list[tuple[Steps, object]]]:
    """The resources of one address, each by its own, and what is not understood."""
    if not values:
        return {}, []
    if entry.type in _TOKENS:
        token, arguments = _TOKENS[entry.type]
        made, left = written_by(arguments, values)
        found = {entry.address: Resource(entry.address, token, _name(values), _finished(entry, token, made))}
        if token == AKS_CLUSTER:
            found |= {place: Resource(place, WINDOW, place, inputs) for place, inputs in azurerm.windows(entry.address, values)}
        return found, left
    kind = _AZAPI.fullmatch(str(values.get("type"))) if entry.type == "azapi_resource" else None
    if kind is not None and isinstance(values.get("body"), str | Mapping | None):
        token = _AZAPI_TOKENS[kind[1].lower() if kind[1] is not None else None]
        left: list[tuple[Steps, object]] = [(("body", name), value) for name, value in body_of(values).items() if name not in _OF_BODY]
        left += [((_HIDDEN, name), value) for name, value in mapping(values.get(_HIDDEN)).items()]
        return {entry.address: Resource(entry.address, token, _name(values), _azapi(token, values))}, left
    manifest = terraform_manifest(values) if entry.type in _OBJECTS else None
    if manifest is not None:
        return {
            entry.address: Resource(entry.address, f"kubernetes:{manifest.get('apiVersion')}:{manifest.get('kind')}", entry.address, manifest)
        }, []
    return {}, []


def _name(values: Mapping[str, object]) -> str:
    """The name in the cloud; empty if it is not known."""
    name = next((values[key] for key in ("node_group_name", "addon_name", "principal_arn", "name") if isinstance(values.get(key), str)), "")
    return str(name)


def _finished(entry: _Entry, token: str, made: dict[str, object]) -> Inputs:
    """The inputs of a resource, without what the cloud returns and no configuration can set."""
    finish = {AKS_CLUSTER: _cluster, AGENT_POOL: _pool, EKS_CLUSTER: _eks_cluster}.get(token)
    if finish is not None:
        return finish(made)
    is_of_nodes = entry.type == aws.ACCESS_ENTRY.type and entry.before is not None and made.get("type") != "STANDARD"
    return {name: value for name, value in made.items() if name not in _OF_NODES} if is_of_nodes else made


_OF_NODES: Final = ("kubernetesGroups", "userName")
"""EKS gives them to entries of nodes: https://docs.aws.amazon.com/eks/latest/userguide/creating-access-entries.html (2026-11)."""
_ANYWHERE: Final = ["0.0.0.0/0"]


def _eks_cluster(made: dict[str, object]) -> Inputs:
    """EKS returns the range of a public endpoint that is off, too."""
    network = mapping(made.get("vpcConfig"))
    if network.get("endpointPublicAccess") is not False or network.get("publicAccessCidrs") != _ANYWHERE:
        return made
    return {**made, "vpcConfig": {name: value for name, value in network.items() if name != "publicAccessCidrs"}}


_PRIVATE: Final = ("enablePrivateClusterPublicFQDN", "privateDNSZone")


def _cluster(made: dict[str, object]) -> Inputs:
    pools = [_settled(dict(mapping(pool)), "System") for pool in mapping(made.get("agentPoolProfiles")).values()]
    access = mapping(made.get("apiServerAccessProfile"))
    if access.get("enablePrivateCluster") in (None, False):  # the provider has defaults for private clusters
        made["apiServerAccessProfile"] = {name: value for name, value in access.items() if name not in _PRIVATE}
    return {"enableRBAC": True, **made, **({"agentPoolProfiles": pools} if pools else {})}


def _pool(made: dict[str, object]) -> Inputs:
    of = _CLUSTER_ID.fullmatch(str(made.pop("clusterId", None)))
    named = {"resourceGroupName": of[1], "resourceName": of[2]} if of is not None and of[2] is not None else {}
    return {**_settled(made, "User"), **dict.fromkeys(("resourceGroupName", "resourceName"), UNKNOWN), **named}


def _settled(pool: dict[str, object], mode: str) -> dict[str, object]:
    """A pool without what does not apply to it, and with the defaults of the provider."""
    made: dict[str, object] = {"mode": mode, "osType": "Linux", "type": "VirtualMachineScaleSets", "enableAutoScaling": False, **pool}
    if made["enableAutoScaling"] is False:
        made = {name: value for name, value in made.items() if name not in ("minCount", "maxCount")}
    if made.get("scaleSetPriority") != "Spot":
        made = {name: value for name, value in made.items() if name not in ("scaleSetEvictionPolicy", "spotMaxPrice")}
    critical = made.pop("criticalAddonsOnly", False)
    if critical is not False:
        taints = [*sequence(made.get("nodeTaints")), str(CRITICAL_ADDONS_ONLY)]
        made["nodeTaints"] = taints if critical is True and made.get("nodeTaints") is not UNKNOWN else UNKNOWN
    sysctls = mapping(value_at(made, ("linuxOSConfig", "sysctls")))
    if "kubeletConfig" in made:
        kubelet = mapping(made["kubeletConfig"])
        made["kubeletConfig"] = {**kubelet, _SWAP: UNKNOWN if all(value is UNKNOWN for value in kubelet.values()) else False}
    if not sysctls.keys().isdisjoint(("portsFrom", "portsTo")):
        ports = _joined((sysctls.get("portsFrom"), sysctls.get("portsTo")))
        rest = {name: value for name, value in sysctls.items() if name not in ("portsFrom", "portsTo")}
        made["linuxOSConfig"] = {**mapping(made["linuxOSConfig"]), "sysctls": {**rest, _RANGE: ports}}
    return made


def _joined(parts: Sequence[object]) -> object:
    """One text of several values; not known if one of them is not."""
    return UNKNOWN if any(part is UNKNOWN or isinstance(part, Secret) for part in parts) else " ".join(map(str, parts))


_HIDDEN: Final = "sensitive_body_version"
"""Which parts of a body that no plan has are sent: those with another version."""
_OUTSIDE: Final = ("sku", "kind", "extendedLocation")
_OF_BODY: Final = frozenset({"properties", "tags", *_OUTSIDE})


def _azapi(token: str, values: Mapping[str, object]) -> Inputs:
    """A body of the API itself."""
    body = body_of(values)
    properties = {name: value for name, value in mapping(body.get("properties")).items() if name != "powerState" or token == AGENT_POOL}
    scaler = mapping(properties.get(_SCALER))
    if scaler:
        properties[_SCALER] = {_HYPHEN.sub(lambda found: found[1].upper(), name): value for name, value in scaler.items()}
    outside = {name: value for name, value in body.items() if name in _OUTSIDE}
    of = _CLUSTER_ID.fullmatch(str(values.get("parent_id")))
    group = of[1] if of is not None else UNKNOWN
    if token != AKS_CLUSTER:
        owner = {"resourceGroupName": group, "resourceName": of[2] if of is not None and of[2] is not None else UNKNOWN}
        own = {"agentPoolName" if token == AGENT_POOL else "configName": values.get("name")}
        return {**(_settled(properties, "User") if token == AGENT_POOL else properties), **owner, **own}
    identity = mapping(block_of(values.get("identity")))
    named = {"type": identity.get("type"), "userAssignedIdentities": identity.get("identity_ids")}
    others = {name: values[name] for name in ("location", "tags") if values.get(name) is not None}
    return {
        **properties,
        **outside,
        **others,
        "resourceName": values.get("name"),
        "resourceGroupName": group,
        **({"identity": {name: value for name, value in named.items() if value}} if identity else {}),
    }


def _with_owners(read: Sequence[Planned], modules: Mapping[str, str], configuration: Configuration) -> Iterator[Planned]:
    """The resources with the address of their cluster among their dependencies."""
    every = {one.address: one.after if one.after is not None else one.before for one in read}
    found = {address: one for address, one in every.items() if one is not None and one.type in (AKS_CLUSTER, EKS_CLUSTER)}
    clusters = Clusters(found, modules, configuration)
    for one in read:
        sides = [one.before, one.after]
        for number, resource in enumerate(sides):
            if resource is not None and one.address not in clusters.by_address:
                sides[number] = clusters.owned(resource)
        yield replace(one, before=sides[0], after=sides[1])
