"""Reads managed node groups of EKS, and other output of `aws` that decides where pods can run on them. Secrets of launch templates are not kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from nodepools.clouds.eks.node_groups import NodeGroup
from nodepools.model.kubernetes.raw_fields import PodError, entries, mapping, number, text, texts
from nodepools.model.kubernetes.taint import Taint
from nodepools.model.plain_data import mapping as plain_mapping

Raw = Mapping[str, object]
_EFFECTS: Final = {"NO_SCHEDULE": "NoSchedule", "NO_EXECUTE": "NoExecute", "PREFER_NO_SCHEDULE": "PreferNoSchedule"}
_ARN_PARTS: Final = 6


@dataclass(frozen=True, slots=True)
class Template:
    """A version of a launch template, without the values that can be secret."""

    id: str
    name: str
    version: str
    has_user_data: bool
    instance_type: str

    def is_of(self, named: Raw) -> bool:
        """A node group names it."""
        of = self.id == named.get("id") or (bool(self.name) and self.name == named.get("name"))
        return of and self.version == str(named.get("version"))


def node_groups_in(value: object) -> list[Raw] | None:
    """The output of `aws eks describe-nodegroup`, once or several times in a list; `None` if it is something else."""
    listed = cast("Sequence[object]", value) if isinstance(value, list) else [value]
    found = [cast("Raw", group) for one in listed if isinstance(group := plain_mapping(one).get("nodegroup"), Mapping)]
    return found if found and len(found) == len(listed) else None


def node_group(raw: Raw, templates: Sequence[Template]) -> NodeGroup:
    """A node group, with what is known of its launch template.

    Raises:
        PodError: a field is missing or invalid.
    """
    named = mapping(raw, "launchTemplate")
    template = next((one for one in templates if one.is_of(named)), None)
    scaling, update = mapping(raw, "scalingConfig"), mapping(raw, "updateConfig")
    types = texts(raw, "instanceTypes")
    percentage = update.get("maxUnavailablePercentage")
    return NodeGroup(
        name=_required(raw, "nodegroupName"),
        cluster=_required(raw, "clusterName"),
        region=_region(_required(raw, "nodegroupArn")),
        ami_type=_required(raw, "amiType"),
        least=number(scaling.get("minSize"), "scalingConfig.minSize"),
        desired=number(scaling.get("desiredSize"), "scalingConfig.desiredSize"),
        most=number(scaling.get("maxSize"), "scalingConfig.maxSize"),
        instance_types=types if types or template is None or not template.instance_type else (template.instance_type,),
        capacity_type=text(raw.get("capacityType"), "capacityType") or "ON_DEMAND",
        version=text(raw.get("version"), "version"),
        status=text(raw.get("status"), "status"),
        labels={key: text(label, key) for key, label in mapping(raw, "labels").items()},
        taints=tuple(_taint(taint) for taint in entries(raw, "taints")),
        subnets=texts(raw, "subnets"),
        template=text(named.get("name"), "launchTemplate.name") or text(named.get("id"), "launchTemplate.id"),
        template_id=text(named.get("id"), "launchTemplate.id"),
        template_version=str(named.get("version", "")),
        has_user_data=None if template is None else template.has_user_data,
        disk_gib=None if raw.get("diskSize") is None else number(raw["diskSize"], "diskSize"),
        unavailable=f"{percentage}%" if percentage is not None else str(number(update.get("maxUnavailable", 1), "updateConfig.maxUnavailable")),
        has_minimal_update=update.get("updateStrategy") == "MINIMAL",
    )


def templates_in(value: object) -> Iterator[Template] | None:
    """The output of `aws ec2 describe-launch-template-versions`; `None` if it is something else. Of user data, only that it is there is kept."""
    raw = plain_mapping(value)
    return map(_template, _listed(raw, "LaunchTemplateVersions")) if isinstance(raw.get("LaunchTemplateVersions"), list) else None


def zones_in(value: object) -> Mapping[str, str] | None:
    """The zones of subnets in the output of `aws ec2 describe-subnets`, by their ids; `None` if it is something else."""
    raw = plain_mapping(value)
    if not isinstance(raw.get("Subnets"), list):
        return None
    return {text(one.get("SubnetId"), "SubnetId"): text(one.get("AvailabilityZone"), "AvailabilityZone") for one in _listed(raw, "Subnets")}


def _listed(raw: Raw, name: str) -> Sequence[Raw]:
    if raw.get("NextToken") is not None:
        raise PodError("has more pages (`NextToken`): export it without `--max-items` and `--no-paginate`")
    return entries(raw, name)


def _template(raw: Raw) -> Template:
    data = mapping(raw, "LaunchTemplateData")
    return Template(
        text(raw.get("LaunchTemplateId"), "LaunchTemplateId"),
        text(raw.get("LaunchTemplateName"), "LaunchTemplateName"),
        str(raw.get("VersionNumber")),
        bool(data.get("UserData")),
        text(data.get("InstanceType"), "InstanceType"),
    )


def _taint(raw: Raw) -> Taint:
    effect = text(raw.get("effect"), "effect")
    if effect not in _EFFECTS:
        raise PodError(f"the effect of a taint must be one of {', '.join(f'`{known}`' for known in _EFFECTS)}, but is `{effect:.60}`")
    return Taint.model_validate({"key": raw.get("key"), "value": text(raw.get("value"), "value"), "effect": _EFFECTS[effect]})


def _required(raw: Raw, name: str) -> str:
    found = text(raw.get(name), name)
    if not found:
        raise PodError(f"it has no `{name}`, which `aws eks describe-nodegroup` prints")
    return found


def _region(arn: str) -> str:
    parts = arn.split(":")
    if len(parts) != _ARN_PARTS or not parts[3]:
        raise PodError(f"`nodegroupArn` must be an ARN with a region, but is `{arn:.60}`")
    return parts[3]
