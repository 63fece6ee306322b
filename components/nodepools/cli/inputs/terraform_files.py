"""Plans and states of Terraform as input of commands: recognized by their content, and checked by the rules of resources."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from nodepools.cli.problem import InputError, Problem, usage_error
from nodepools.clouds.change import AKS_CLUSTER, EKS_CLUSTER, NODE_GROUP
from nodepools.clouds.eks.existing import NO_REGION
from nodepools.data.version_support import AKS_SUPPORT, EKS_SUPPORT
from nodepools.model.eks.node_class import BUILT_IN_CLASS
from nodepools.model.listing import listed, saved
from nodepools.model.path import path_text, value_at
from nodepools.model.secret_places import is_secret
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.model.values import dataclass, replace
from nodepools.reading.bounded_input import TextError, file_text, is_terraform
from nodepools.resources.resource import UNKNOWN, Resource, Secret, closed
from nodepools.resources.resource_checks import Violation, check_stack
from nodepools.resources.terraform import NotTerraformError, Planned, TerraformSource, terraform_source, terraform_value
from nodepools.resources.terraform_blocks import Blocks
from nodepools.resources.terraform_references import Neighbour, inner_subnets
from nodepools.rules.engine.finding import Finding, Fix, SourcePosition
from nodepools.wire.karpenter import EKS_NODE_CLASS

if TYPE_CHECKING:
    from nodepools.cli.command_run import CommandRun

_OF_PULUMI: Final = frozenset({"AKS120"})
"""Rules about what azure-native sends in one request: azurerm sends pools separately."""
_IDS: Final = "AKS336"
"""The rule about the form of ids, which the address of a subnet that the plan creates does not have yet."""
_LISTED: Final = 3
_WITH_LINES: Final = ("sarif", "github", "gitlab")
"""Formats that are about lines."""
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


def unread(source: TerraformSource, file: str, run: "CommandRun") -> None:
    """Resources that can have nodes or NodePools and are not read: charts are a note, others a problem of `run`."""
    if source.missing:
        run.problems.append(Problem(file, source.missing))
    for of_type, addresses in source.unread.items():
        told = Problem(file, f"not read: {listed(addresses, _LISTED)} ({of_type}), which can have nodes, or change NodePools")
        (run.notes if of_type == _HELM else run.problems).append(told)


def checked_resources(source: TerraformSource, file: str, run: "CommandRun", today: date | None, hcl: Path | None) -> list[Finding]:
    """The findings about what is declared, with the names of Terraform. What is not read or not known yet is reported in `run`.

    Raises:
        TextError: nothing in it has rules.
    """
    unread(source, file, run)
    if not source.planned:
        raise TextError(f"{file}: has no cluster, agent pool, node group, NodePool or node class, so there is nothing to check")
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
    found = check_stack((*source.checked, *source.networks, *_OUTSIDE), today=today)
    around = {one.address: _as_planned(one) for one in source.neighbours}
    known = {**around, **{one.urn: around[one.name] for one in source.networks}, **source.by_address}
    subnets = {one.urn for one in source.networks}
    lines = Lines(file, run, hcl)
    findings = [
        _in_terraform(violation, known[violation.urn], file, lines)
        for violation in found
        if violation.urn in known and violation.finding.code not in _OF_PULUMI
        if violation.finding.code != _IDS or violation.finding.value not in subnets
    ]
    lines.report()
    return findings


def _as_planned(one: Neighbour) -> Planned:
    """A subnet, for findings about it."""
    return Planned(one.address, one.type, (), (), None, None, one.after if one.after is not None else {})


def _in_terraform(violation: Violation, planned: Planned, file: str, lines: "Lines") -> Finding:
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
        position=lines.of(planned.address, steps),
    )


class Lines:
    """The lines of the configuration of a plan: of the folder that `--hcl` names, or of the one of the plan."""

    def __init__(self, file: str, run: "CommandRun", hcl: Path | None) -> None:
        if hcl is not None and not hcl.is_dir():
            usage_error(f"--hcl: `{hcl}` is not a folder: name the one with the `*.tf` files")
        self._file, self._run = file, run
        self._blocks: Final = Blocks(hcl if hcl is not None else Path(file).parent)
        self._is_wanted: Final = hcl is not None or run.form in _WITH_LINES
        self._without: Final[dict[str, None]] = {}

    def of(self, address: str, steps: Steps) -> SourcePosition | None:
        """The line of an argument, of its block, or of the module that has it; `None` if it is not known."""
        found = self._blocks.position(address, steps)
        if found is None:
            self._without[address] = None
        return found

    def report(self) -> None:
        """A notice on what has no line, if lines are needed."""
        if self._without and self._is_wanted:
            self._run.notes.append(Problem(self._file, self._blocks.without_lines(list(self._without))))


_UNKNOWN: Final = type(UNKNOWN)


def sensitive_places(text: str, file: str) -> list[str]:
    """The arguments of what exists that Terraform does not show, without those that no cloud returns either."""
    source = terraform_in(text, file)
    found = source.planned if source is not None else ()
    places = ((one, steps) for one in found if one.before is not None for steps in _unknown_steps(one.before.inputs, (), Secret))
    return [f"{one.address}.{path_text(one.place(steps))}" for one, steps in places if not is_secret(steps)]


def _unknown(planned: Planned) -> Iterator[str]:
    """The arguments of a resource whose values are known later."""
    if planned.after is not None:
        for steps in _unknown_steps(planned.after.inputs, ()):
            yield f"{planned.address}.{path_text(planned.place(steps))}"


def _unknown_steps(value: object, steps: Steps, of: type = _UNKNOWN) -> Iterator[Steps]:
    """The places of values that are known later, or that are secret."""
    if isinstance(value, of):
        yield steps
    for name, part in mapping(value).items():
        yield from _unknown_steps(part, (*steps, name), of)
    for number, part in enumerate(sequence(value)):
        yield from _unknown_steps(part, (*steps, number), of)


_DECIDING: Final = frozenset(
    {
        *("vmSize", "count", "minCount", "maxCount", "enableAutoScaling", "nodeLabels", "nodeTaints", "availabilityZones", "mode"),
        *("labels", "taints", "desiredSize", "minSize", "maxSize"),
    }
)
"""What decides which pods a pool runs, and how many."""
_NOT_ABOUT_PODS: Final = frozenset({"role", "instanceProfile", "subnetSelectorTerms", "securityGroupSelectorTerms", "tags", "kmsKeyID"})
_WITHOUT: Final = ("resourceName", "resourceGroupName", "agentPoolName", "type", "configName", "clusterId")
_SUBNETS: Final = ("vnetSubnetID", "podSubnetID")
_LATER: Final = "known after terraform apply"
_NOTHING: Final[Mapping[str, object]] = {}
_NOBODY: Final = "0" * 12
"""The account of what is not created yet."""
_LATER_ROLE: Final = f"arn:aws:iam::{_NOBODY}:role/known-after-apply"
_LATER_SUBNETS: Final = ("subnet-00000000000000001", "subnet-00000000000000002")
_AZURE: Final = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/{}/providers/Microsoft.ContainerService/managedClusters/{}"
_NO_REGION: Final = "the region is not in the plan: set `region` of the provider `aws` to a constant or a variable"
_ONLY_PULUMI: Final = ("region", "vpcConfig", "enabledClusterLogTypes", "encryptionConfig", "bootstrapSelfManagedAddons", "defaultAddonsToRemoves")
"""Inputs of a cluster that the API of EKS does not have, or has in another spelling."""


@dataclass(frozen=True)
class PrintedSide:
    """One side of a plan, or a state, as `az`, `aws` and `kubectl` print what exists."""

    source: TerraformSource
    file: str
    run: "CommandRun"
    is_after: bool
    later: str = "terraform apply"
    """The command that decides what is not known yet."""

    def documents(self) -> Iterator[Mapping[str, object]]:
        """The output of one command after the other. What decides where pods run and is known later is a problem of the run."""
        for one in self.source.planned:
            resource = self._side(one)
            if resource is None:
                continue
            if resource.type.startswith("kubernetes:"):
                yield self._object(one)
            elif resource.type.startswith("aws:"):
                yield from self._of_aws(one, resource)
            else:
                yield from self._of_azure(one, resource)
        policies = [one for one in self.source.planned if (made := self._side(one)) is not None and made.type == _POLICY]
        yield from self._policies(policies)
        yield from (mapping(_known(held)) for one in self.source.neighbours for held in self._neighbour(one))

    def text(self) -> str:
        """The documents as one text, with the NodePools that Auto Mode creates in a cluster that is planned."""
        return "".join(f"---\n{json.dumps(one)}\n" for one in (*self.documents(), *self._built_in()))

    def _built_in(self) -> Iterator[Mapping[str, object]]:
        from nodepools.clouds.eks.pools import eks_cloud
        from nodepools.clouds.karpenter_objects import node_pool

        known = eks_cloud().built_in
        for one in self.source.planned:
            resource = self._side(one)
            auto = mapping(resource.inputs.get("computeConfig")) if resource is not None and resource.type == EKS_CLUSTER else _NOTHING
            names = [str(name) for name in sequence(auto.get("nodePools")) if name in known and auto.get("enabled") is True]
            if self.is_after:
                yield from (node_pool(name, known[name], EKS_NODE_CLASS, BUILT_IN_CLASS) for name in names)
            elif names:
                what = f"{listed(names, _LISTED)} of Auto Mode are objects of the cluster, which Terraform does not have"
                self.run.notes.append(Problem(self.file, f"{what}. {saved('`kubectl get nodepools -o yaml`', existing=True)}"))

    @property
    def is_empty(self) -> bool:
        """Nothing of a cluster is on this side."""
        return all(self._side(one) is None for one in self.source.planned)

    def _side(self, planned: Planned) -> Resource | None:
        return planned.after if self.is_after else planned.before

    def _values(self, planned: Planned) -> Mapping[str, object]:
        return planned.values if self.is_after else planned.was

    def _written(self, planned: Planned) -> dict[str, object]:
        """The inputs of a resource, without those that identify it."""
        resource = self._side(planned)
        if resource is None:
            return {}
        inputs, is_object = closed(resource).inputs, resource.type.startswith("kubernetes:")
        for of, state in ((_UNKNOWN, f"known after `{self.later}`"), (Secret, "sensitive")):
            for steps in _unknown_steps(resource.inputs, (), of):
                if _decides(steps, is_object=is_object):
                    place = f"{planned.address}.{path_text(planned.place(steps))}"
                    self.run.problems.append(Problem(self.file, f"{place} is {state}, and decides the answer"))
        return {name: _known(value, name) for name, value in inputs.items() if (name not in _WITHOUT or is_object) and _is_kept(value, name)}

    def _object(self, planned: Planned) -> Mapping[str, object]:
        """An object. That of a state exists, so that it has an identity."""
        written = self._written(planned)
        own = mapping(mapping(self._values(planned).get("object")).get("metadata"))
        return written if self.is_after else {**written, "metadata": {"uid": own.get("uid", planned.address), **mapping(written.get("metadata"))}}

    def _of_azure(self, planned: Planned, resource: Resource) -> Iterator[Mapping[str, object]]:
        written, cluster = self._written(planned), self._azure_id(planned, resource)
        if resource.type == AKS_CLUSTER:
            self._choose_version(planned, written, "kubernetesVersion", AKS_SUPPORT.rows[-2].version)
            pools = [self._pool({**mapping(pool)}) for pool in map(mapping, sequence(written.get(_INLINE)))]
            yield from ({**pool, "id": f"{cluster}/agentPools/{pool.get('name')}"} for pool in pools)
            identity = {} if "userAssignedIdentities" in mapping(written.get("identity")) else {"identity": {"type": "SystemAssigned"}}
            current = self._values(planned).get("current_kubernetes_version")
            version = {"currentKubernetesVersion": current} if isinstance(current, str) and current else {}
            yield {**written, **identity, **version, "name": str(resource.name if resource.name else "cluster"), "id": cluster}
        elif "agentPoolName" in resource.inputs:
            name = str(resource.inputs["agentPoolName"])
            yield {**self._pool(written), "name": name, "id": f"{cluster}/agentPools/{name}"}
        else:
            name = str(resource.inputs.get("configName"))
            yield {**written, "name": name, "id": f"{cluster}/maintenanceConfigurations/{name}"}

    @staticmethod
    def _pool(written: dict[str, object]) -> dict[str, object]:
        """A pool as Azure has it if azapi sets no system for it (https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update, 2026-11)."""
        fewest = {"count": written["minCount"]} if written.get("enableAutoScaling") is True and "minCount" in written else {}
        kind = {"osType": "Linux", "typePropertiesType": written.get("type", "VirtualMachineScaleSets")}
        return {**kind, **fewest, **{name: value for name, value in written.items() if name != "type"}}

    def _choose_version(self, planned: Planned, written: dict[str, object], name: str, version: str) -> None:
        """The version that the cloud chooses for a cluster that is created without one: AKS the second newest, EKS the newest (docs/facts)."""
        if name not in written and self.is_after and self.run.command in _ANY_VERSION:
            written[name] = version
            chosen = f"{planned.address} has no version that is known, and the cloud chooses one: the answer is for {version}"
            self.run.notes.append(Problem(self.file, chosen))

    def _azure_id(self, planned: Planned, resource: Resource) -> str:
        """The id of the cluster of a resource, or that of a cluster."""
        owner = resource if resource.type == AKS_CLUSTER else self._owner(resource)
        at = self.source.by_address.get(owner.urn) if owner is not None else None
        known = self._values(at).get("id") if at is not None else self._values(planned).get("kubernetes_cluster_id")
        inputs = owner.inputs if owner is not None else resource.inputs
        made = _AZURE.format(_text(inputs.get("resourceGroupName"), "unknown"), _text(inputs.get("resourceName"), "cluster"))
        is_own = isinstance(known, str) and known.lower().endswith(f"/managedclusters/{inputs.get('resourceName')}".lower())
        return str(known) if is_own else made

    def _owner(self, resource: Resource) -> Resource | None:
        at = next((self.source.by_address[name] for name in resource.dependencies if name in self.source.by_address), None)
        return self._side(at) if at is not None else None

    def _arn(self, planned: Planned, resource: Resource, inside: str) -> str:
        """The ARN of a resource: that of the state, or one in the region of its provider."""
        values, owner = self._values(planned), self._owner(resource)
        at = self.source.by_address.get(owner.urn) if owner is not None else None
        every = [
            values.get("arn"),
            *(value for name, value in values.items() if name.endswith("_arn") and name.partition("_")[0] in ("access", "association")),
        ]
        known = next((value for value in every if isinstance(value, str)), None)
        if known is not None:
            return known
        of_cluster = self._values(at).get("arn") if at is not None else None
        regions = [value for value in (values.get("region"), *([] if at is None else [self._values(at).get("region")])) if isinstance(value, str)]
        if isinstance(of_cluster, str):
            return f"{of_cluster.partition(':cluster/')[0]}:{inside}"
        if not regions and len(self.source.regions) != 1:
            self.run.problems.append(Problem(self.file, f"{planned.address}: {_NO_REGION}"))
        return f"arn:aws:eks:{next(iter((*regions, *self.source.regions)), NO_REGION)}:{_NOBODY}:{inside}"

    def _of_aws(self, planned: Planned, resource: Resource) -> Iterator[Mapping[str, object]]:
        made = self._written(planned)
        owner = self._owner(resource)
        cluster = _text(made.get("clusterName"), _text(owner.inputs.get("name") if owner is not None else None, "cluster"))
        tags = mapping(self._values(planned).get("tags_all"))
        made |= {"clusterName": cluster, **({"tags": _known(tags)} if tags else {})}
        if resource.type == EKS_CLUSTER:
            self._choose_version(planned, made, "version", EKS_SUPPORT.newest.version)
            yield {"cluster": self._cluster(planned, resource, made)}
        elif resource.type == NODE_GROUP:
            yield from self._node_group(planned, resource, made)
        elif resource.type == _ENTRY:
            made["username"] = made.pop("userName", None)
            yield {"accessEntry": {**made, **_kind(resource), "accessEntryArn": self._arn(planned, resource, f"access-entry/{cluster}/role/x")}}
        elif resource.type == _ADD_ON:
            name = str(made.get("addonName"))
            arn = self._arn(planned, resource, f"addon/{cluster}/{name}/x")
            identities = [
                {**mapping(one), "clusterName": cluster, "associationArn": f"{arn}/{number}", "associationId": f"{name}-{number}", "ownerArn": arn}
                for number, one in enumerate(sequence(made.pop(_IDENTITIES, None)))
            ]
            yield {"addon": {**_without(made, "preserve", "resolveConflictsOnCreate", "resolveConflictsOnUpdate"), "addonArn": arn}}
            yield from ({"association": one} for one in identities)
        elif resource.type == _IDENTITY:
            number = _text(self._values(planned).get("association_id"), planned.address)
            yield {
                "association": {**made, "associationId": number, "associationArn": self._arn(planned, resource, f"association/{cluster}/{number}")}
            }

    def _cluster(self, planned: Planned, resource: Resource, made: dict[str, object]) -> Mapping[str, object]:
        """As `aws eks describe-cluster` prints it. What is known later is something, all the same."""
        name, network = str(made.get("name")), dict(mapping(made.get("vpcConfig")))
        if self.is_after:
            network = {
                "vpcId": "vpc-known-after-apply",
                "subnetIds": list(_LATER_SUBNETS),
                **{key: value for key, value in network.items() if value != []},
            }
            made.setdefault("roleArn", _LATER_ROLE)
            auto = mapping(made.get("computeConfig"))
            if auto.get("enabled") is True and "nodePools" in auto:
                made["computeConfig"] = {"nodeRoleArn": _LATER_ROLE, **auto}
        keys, access = mapping(made.get("encryptionConfig")), mapping(made.get("accessConfig"))
        written = {
            "resourcesVpcConfig": network,
            "logging": {"clusterLogging": [{"types": list(sequence(made.get("enabledClusterLogTypes"))), "enabled": True}]},
            **({"encryptionConfig": [keys]} if keys else {}),
            **({"accessConfig": _without(access, "bootstrapClusterCreatorAdminPermissions")} if access else {}),
            "arn": self._arn(planned, resource, f"cluster/{name}"),
        }
        return {**_without(made, *_ONLY_PULUMI, "clusterName", "forceUpdateVersion"), **written}

    def _node_group(self, planned: Planned, resource: Resource, made: dict[str, object]) -> Iterator[Mapping[str, object]]:
        """As `aws eks describe-nodegroup` prints it, with its launch template. Without a type of image, it can be any."""
        name, owner = _text(made.get("nodegroupName"), planned.address), self._owner(resource)
        made["nodegroupName"], made["status"] = name, "ACTIVE"
        made["nodegroupArn"] = self._arn(planned, resource, f"nodegroup/{made['clusterName']}/{name}/x")
        made.setdefault("amiType", "CUSTOM")
        if owner is not None and isinstance(version := owner.inputs.get("version"), str):
            made.setdefault("version", version)
        held = self._values(planned).get("launch_template")
        named = mapping(next(iter(sequence(held)), None))
        if held is UNKNOWN or named:
            template = self._template(named, self.source.modules.get(planned.address, ""))
            number = f"lt-of-{name}"
            made["launchTemplate"] = {"id": number, "name": number, "version": "1"}
            if template is not None:
                yield {"LaunchTemplateVersions": [_template(number, template)]}
        yield {"nodegroup": made}

    def _template(self, named: Mapping[str, object], module: str) -> Mapping[str, object] | None:
        """The launch template of a node group: the one with its id or name, or the only one of its module, in the version that the group has."""
        every = [
            (one.module, values)
            for one in self.source.neighbours
            if one.type == "aws_launch_template" and (values := one.after if self.is_after else one.before) is not None
        ]
        keys = [key for key in ("id", "name") if isinstance(named.get(key), str) and named[key]]
        fitting = [values for _, values in every if keys and all(values.get(key) == named[key] for key in keys)]
        if not fitting and not keys:
            fitting = [values for of, values in every if of == module]
        if len(fitting) != 1:
            return None
        version, latest = named.get("version"), fitting[0].get("latest_version")
        is_latest = not isinstance(version, str) or version == "$Latest" or latest in (None, UNKNOWN) or version == str(latest)
        return fitting[0] if is_latest else None

    def _policies(self, found: Sequence[Planned]) -> Iterator[Mapping[str, object]]:
        """As `aws eks list-associated-access-policies` prints them, for each access entry."""
        for one in self.source.planned:
            resource = self._side(one)
            if resource is None or resource.type != _ENTRY:
                continue
            entry = self._written(one)
            made = [self._written(policy) for policy in found]
            own = [
                policy
                for policy in made
                if (policy.get("principalArn"), policy.get("clusterName")) == (entry.get("principalArn"), entry.get("clusterName"))
            ]
            owner = self._owner(resource)
            cluster = _text(entry.get("clusterName"), _text(owner.inputs.get("name") if owner is not None else None, "cluster"))
            listed = [_without(policy, "principalArn", "clusterName", "region") for policy in own]
            yield {"clusterName": cluster, "principalArn": entry.get("principalArn"), "associatedAccessPolicies": listed}

    def _neighbour(self, one: Neighbour) -> Iterator[Mapping[str, object]]:
        values = one.after if self.is_after else one.before
        named = values.get("id") if values is not None else None
        if values is None or not isinstance(named, str):
            return
        if one.type == "aws_subnet" and isinstance(values.get("availability_zone"), str):
            tags = [{"Key": key, "Value": value} for key, value in mapping(values.get("tags_all")).items()]
            yield {
                "Subnets": [{"SubnetId": named, "AvailabilityZone": values["availability_zone"], "CidrBlock": values.get("cidr_block"), "Tags": tags}]
            }
        elif one.type == "aws_vpc":
            yield {"Vpcs": [{"VpcId": named, "CidrBlock": values.get("cidr_block")}]}
        for held in (values,) if one.type == "azurerm_subnet" else (inner for _, inner, _ in inner_subnets(values)):
            if isinstance(held.get("id"), str) and sequence(held.get("address_prefixes")):
                yield {"id": held["id"], "addressPrefixes": list(sequence(held["address_prefixes"])), "ipConfigurations": _NOT_IN_STATES}


_ANY_VERSION: Final = ("calendar", "capacity", "cost")
"""Commands whose answer is the same for each version that is supported."""
_NOT_IN_STATES: Final = "not in a state"
_INLINE: Final = "agentPoolProfiles"
_IDENTITIES: Final = "podIdentityAssociations"
_ENTRY: Final = "aws:eks/accessEntry:AccessEntry"
_POLICY: Final = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
_IDENTITY: Final = "aws:eks/podIdentityAssociation:PodIdentityAssociation"
_ADD_ON: Final = "aws:eks/addon:Addon"


def _text(value: object, otherwise: str) -> str:
    return value if isinstance(value, str) and value else otherwise


def _kind(entry: Resource) -> Mapping[str, object]:
    return {"type": entry.inputs["type"]} if isinstance(entry.inputs.get("type"), str) else {}


def _without(written: Mapping[str, object], *names: str) -> dict[str, object]:
    return {name: value for name, value in written.items() if name not in names}


def _template(number: str, values: Mapping[str, object]) -> Mapping[str, object]:
    """A version of a launch template. Of user data, only whether there is any."""
    data = {"UserData": "hidden"} if values.get("user_data") not in (None, "") else {}
    machine = values.get("instance_type")
    if isinstance(machine, str) and machine:
        data["InstanceType"] = machine
    return {"LaunchTemplateId": number, "LaunchTemplateName": number, "VersionNumber": 1, "LaunchTemplateData": data}


def exports_of(text: str, file: str, run: "CommandRun") -> str:
    """What a state, or a plan before it is applied, has of clusters, as `az`, `aws` and `kubectl` print it; the text itself if it is something else.

    Raises:
        TextError: it is output of Terraform that cannot be read, or has nothing of a cluster.
        InputError: something that decides where pods run is sensitive.
    """
    source = terraform_in(text, file) if is_terraform(text) else None
    if source is None:
        return text
    exported = PrintedSide(source, file, run, is_after=False)
    if exported.is_empty:
        raise TextError(f"{file}: has nothing of a cluster that exists{f': what is planned is `--file {file}`' if source.is_plan else ''}")
    unread(source, file, run)
    before, made = len(run.problems), exported.text()
    if len(run.problems) > before and run.command != "adopt":
        raise InputError  # a pool with other labels could be the one that fits
    return made


def planned_texts(files: Sequence[Path], run: "CommandRun") -> dict[Path, bytes]:
    """The plans among files of which the commands read what exists, as `az`, `aws` and `kubectl` print it once they are applied.

    Raises:
        InputError: something that decides where pods run is not known.
    """
    found: dict[Path, bytes] = {}
    before = len(run.problems)
    for file in files:
        source = _source_in(file)
        if source is not None and (len(files) > 1 or _has_own_nodes(source)):
            unread(source, str(file), run)
            found[file] = PrintedSide(source, str(file), run, is_after=True).text().encode()
    if len(run.problems) > before:
        raise InputError
    return found


def _source_in(file: Path) -> TerraformSource | None:
    """The plan in a file that can be read twice; readers say why one cannot be read."""
    try:
        written = file_text(file) if file.is_file() else ""
        return terraform_in(written, str(file)) if is_terraform(written) else None
    except TextError:
        return None


def _has_own_nodes(source: TerraformSource) -> bool:
    """It has node groups of EKS, or a cluster without Auto Mode."""
    clusters = [mapping(one.inputs.get("computeConfig")).get("enabled") for one in source.after if one.type == EKS_CLUSTER]
    return any(one.type == NODE_GROUP for one in source.after) or any(enabled is not True for enabled in clusters)


NOT_DECLARED: Final = frozenset({"nodegroup", "LaunchTemplateVersions", "ipConfigurations"})
"""Documents that no declaration has."""


def _decides(steps: Steps, *, is_object: bool) -> bool:
    """A value decides which pods a pool runs, and how many: of a NodePool and of its class, each that is not about permissions and networks."""
    if is_object:
        return (steps[:1] == ("spec",) and _NOT_ABOUT_PODS.isdisjoint(steps)) or steps[:2] == ("metadata", "name")
    return not _DECIDING.isdisjoint(steps)


def _is_kept(value: object, name: str) -> bool:
    return value is not UNKNOWN or name in _SUBNETS


def _known(value: object, name: str = "") -> object:
    """A value without what is known later or secret; a subnet that is known later is one all the same."""
    if value is UNKNOWN or isinstance(value, Secret):
        return _LATER
    if isinstance(value, Mapping):
        return {key: _known(part, key) for key, part in mapping(cast("object", value)).items() if _is_kept(part, key)}
    return [_known(one, name) for one in sequence(cast("object", value)) if one is not UNKNOWN] if isinstance(value, list) else value
