"""Plans and states of Terraform as input of commands: recognized by their content, and checked by the rules of resources."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Final, cast

from nodepools.adoption.draft import CannotAdoptError
from nodepools.cli.command_run import CommandRun
from nodepools.cli.problem import InputError, Problem
from nodepools.clouds.aks.existing import ClusterId, ExistingAksCluster
from nodepools.clouds.existing_objects import ObjectExport, object_exports
from nodepools.clouds.request import AKS_CLUSTER, NODE_GROUP
from nodepools.loading import UnreadableError
from nodepools.model.clusters import AnyCluster
from nodepools.model.listing import listed
from nodepools.model.path import path_text, value_at
from nodepools.model.platform import Platform
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.reading.limits import TextError
from nodepools.resources.resource import UNKNOWN, Resource, closed
from nodepools.resources.resource_checks import Violation, check_stack
from nodepools.resources.terraform import NotTerraformError, Planned, TerraformSource, terraform_source, terraform_value
from nodepools.rules.engine.finding import Finding
from nodepools.rules.engine.fix import Fix

_OF_PULUMI: Final = frozenset({"AKS120"})
"""Rules about what azure-native sends in one request: azurerm sends pools separately."""
_LISTED: Final = 3
_HELM: Final = "helm_release"
_OUTSIDE: Final = (
    Resource("outside", "kubernetes:yaml/v2:ConfigGroup", "", {}),
    Resource("rule", "azure-native:insights:DataCollectionRuleAssociation", "", {"resourceUri": UNKNOWN, "dataCollectionRuleId": UNKNOWN}),
)
"""What can be in a plan, or next to it, and is not read: any objects of a cluster, and the rule of its log agent."""
_REMOVE: Final = "Remove "
"""The beginning of fixes that need something to remove."""


def in_terraform_words(text: str) -> str:
    """A text about an update by Pulumi, as one about an update by Terraform."""
    return text.replace("`pulumi up`", "`terraform apply`").replace("Pulumi", "Terraform")


def terraform_in(text: str, name: str) -> TerraformSource | None:
    """The plan or the state in a text; `None` if it is something else.

    Raises:
        TextError: it is output of Terraform that cannot be read.
    """
    try:
        value = terraform_value(text)
        return terraform_source(value) if value is not None else None
    except NotTerraformError as error:
        raise TextError(f"{name}: {error}") from None


def unread(source: TerraformSource, file: str, run: CommandRun) -> None:
    """Resources that can have nodes or NodePools and are not read: charts are a note, others a problem of `run`."""
    for of_type, addresses in source.unread.items():
        told = Problem(file, f"not read: {listed(addresses, _LISTED)} ({of_type}), which can have nodes, or change NodePools")
        (run.notes if of_type == _HELM else run.problems).append(told)


def checked_resources(source: TerraformSource, file: str, run: CommandRun, today: date | None) -> list[Finding]:
    """The findings about what is declared, with the names of Terraform. What is not read or not known yet is reported in `run`."""
    unread(source, file, run)
    later = [place for one in source.planned if one.after is not None for place in _unknown(one)]
    if later:
        are = "1 value is" if len(later) == 1 else f"{len(later):,} values are"
        run.notes.append(Problem(file, f"{are} known after `terraform apply`, such as {later[0]}: not checked"))
    left = [f"{one.address}.{path_text(steps)}" for one in source.planned for steps, _, new in one.left if new is not None and new is not UNKNOWN]
    if left:
        verb = "is" if len(left) == 1 else "are"
        run.notes.append(Problem(file, f"{listed(left, _LISTED)} {verb} not known to this version: not checked"))
    groups = [one.address for one in source.planned if one.after is not None and one.after.type == NODE_GROUP]
    if groups:
        run.notes.append(Problem(file, f"no rule checks node groups: {listed(groups, _LISTED)}"))
    found = check_stack((*source.after, *_OUTSIDE), today=today)
    return [
        _in_terraform(violation, source.by_address[violation.urn], file)
        for violation in found
        if violation.urn in source.by_address and violation.finding.code not in _OF_PULUMI
    ]


def _in_terraform(violation: Violation, planned: Planned, file: str) -> Finding:
    finding = violation.finding
    steps = planned.place(finding.steps)
    value = value_at(planned.values, steps)
    shown = value if isinstance(value, str | int | float) else None
    advice = in_terraform_words(planned.spelled(finding.fix.text)) if finding.fix is not None else ""
    is_set = value is not None or not advice.startswith(_REMOVE)
    return replace(
        finding,
        path=path_text(steps),
        steps=steps,
        value=shown,
        message=in_terraform_words(planned.spelled(finding.message)),
        fix=Fix(advice) if advice and is_set else None,
        object=f"{file}#{planned.address}",
        texts=None,
    )


def _unknown(planned: Planned) -> Iterator[str]:
    """The arguments of a resource whose values are known later."""
    if planned.after is not None:
        for steps in _unknown_steps(planned.after.inputs, ()):
            yield f"{planned.address}.{path_text(planned.place(steps))}"


def _unknown_steps(value: object, steps: Steps) -> Iterator[Steps]:
    if value is UNKNOWN:
        yield steps
    for name, part in mapping(value).items():
        yield from _unknown_steps(part, (*steps, name))
    for number, part in enumerate(sequence(value)):
        yield from _unknown_steps(part, (*steps, number))


_DECIDING: Final = ("vmSize", "count", "minCount", "maxCount", "enableAutoScaling", "nodeLabels", "nodeTaints", "availabilityZones", "mode")
"""What decides which pods a pool runs, and how many."""
_IDENTITY: Final = {"type": "SystemAssigned"}
_WITHOUT: Final = ("resourceName", "resourceGroupName", "agentPoolName", "type", "configName")
_SUBNETS: Final = ("vnetSubnetID", "podSubnetID")
_LATER: Final = "known after terraform apply"
_NOT_IN_KEYS: Final = re.compile(r"[^a-z0-9-]+")


def terraform_platform(source: TerraformSource, file: str, run: CommandRun) -> Platform:
    """The AKS clusters of a plan or a state as they are declared after it. What is not in it is a problem of `run`.

    Raises:
        UnreadableError: it has no AKS cluster.
        InputError: something that decides where pods run is not known, or not read.
        DeclarationError: a cluster has values that are not valid.
    """
    from nodepools.adoption.adopted import in_model  # only these commands declare them

    before = len(run.problems)
    held = [one for one in source.planned if one.after is not None]
    owned: dict[str, list[Planned]] = {one.address: [] for one in held if one.after is not None and one.after.type == AKS_CLUSTER}
    others: list[str] = []
    for one in held:
        owner = next((name for name in one.after.dependencies if name in owned), None) if one.after is not None else None
        if owner is not None:
            owned[owner].append(one)
        elif one.address not in owned:
            others.append(one.address)
    if others:
        run.problems.append(Problem(file, f"not read here: {listed(others, _LISTED)}: `nodepools check` and `nodepools diff` read them"))
    if not owned:
        raise UnreadableError(f"{file}: declares no AKS cluster, which this command needs: `nodepools check` and `nodepools diff` read it")
    clusters: dict[str, AnyCluster] = {}
    for address, parts in owned.items():
        try:
            cluster = in_model(_observed(source.by_address[address], parts, file, run)).cluster("cluster")
        except CannotAdoptError as error:
            run.problems.append(Problem(file, f"`{address}` {error}"))
            continue
        key = _NOT_IN_KEYS.sub("-", str(_name_of(source.by_address[address])).lower()).strip("-")[:_LONGEST_KEY]
        clusters[key if key not in clusters else f"{key}-{len(clusters)}"] = cluster
    if len(run.problems) > before:
        raise InputError  # a pool that is not read could be the one that fits
    return Platform(name="terraform", clusters=clusters, standard_tags=False)


_LONGEST_KEY: Final = 20


def _name_of(planned: Planned) -> object:
    name = planned.after.name if planned.after is not None else ""
    return name if name else "cluster"


def _observed(planned: Planned, parts: Iterable[Planned], file: str, run: CommandRun) -> ExistingAksCluster:
    """A cluster as exports have it."""
    shown = _written(planned, run, file)
    pools = {
        str(mapping(pool).get("name")): {**mapping(pool), "typePropertiesType": "VirtualMachineScaleSets"} for pool in sequence(shown.get(_INLINE))
    }
    configurations: dict[str, Mapping[str, object]] = {}
    objects: list[ObjectExport] = []
    for one in parts:
        inputs = mapping(one.after.inputs if one.after is not None else None)
        written = _written(one, run, file)
        if "agentPoolName" in inputs:
            name = str(inputs["agentPoolName"])
            pools[name] = {**written, "name": name, "typePropertiesType": "VirtualMachineScaleSets"}
        elif "configName" in inputs:
            configurations[str(inputs["configName"])] = written
        else:
            found = object_exports(written, file)
            objects.extend(found if found is not None else ())
    group = str(planned.after.inputs.get("resourceGroupName")) if planned.after is not None else ""
    identity = {"identity": _IDENTITY} if "userAssignedIdentities" not in mapping(shown.get("identity")) else {}
    cluster = {**shown, **identity, "name": str(_name_of(planned))}
    return ExistingAksCluster(ClusterId("", group, str(_name_of(planned))), cluster, pools, configurations, {}, tuple(objects))


_INLINE: Final = "agentPoolProfiles"


def _written(planned: Planned, run: CommandRun, file: str) -> dict[str, object]:
    """The inputs of a resource, without those that identify it. What decides where pods run and is known later is a problem of `run`."""
    if planned.after is None:
        return {}
    inputs = closed(planned.after).inputs
    for steps in _unknown_steps(inputs, ()):
        if steps[-1] in _DECIDING:
            place = f"{planned.address}.{path_text(planned.place(steps))}"
            run.problems.append(Problem(file, f"{place} is known after `terraform apply`, and decides the answer"))
    is_object = planned.after.type.startswith("kubernetes:")
    return {name: _known(value, name) for name, value in inputs.items() if (name not in _WITHOUT or is_object) and _is_kept(value, name)}


def _is_kept(value: object, name: str) -> bool:
    return value is not UNKNOWN or name in _SUBNETS


def _known(value: object, name: str = "") -> object:
    """A value without what is known later; a subnet that is known later is one all the same."""
    if value is UNKNOWN:
        return _LATER
    if isinstance(value, Mapping):
        return {key: _known(part, key) for key, part in mapping(cast("object", value)).items() if _is_kept(part, key)}
    return [_known(one, name) for one in sequence(cast("object", value)) if one is not UNKNOWN] if isinstance(value, list) else value
