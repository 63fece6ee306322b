"""The first draft of an EKS cluster: every field that was observed, before anything is dropped."""

from collections.abc import Mapping, Sequence
from typing import Final, cast

from nodepools.adoption.draft import CannotAdoptError, Draft, Reader
from nodepools.adoption.eks_access_draft import access_draft
from nodepools.adoption.eks_inputs import own_tags
from nodepools.adoption.objects_draft import BuiltIn, ObjectsDraft, objects_draft
from nodepools.adoption.observed_eks import ObservedEksCluster
from nodepools.model.eks.auto_mode import BUILT_IN_CLASS
from nodepools.model.kubernetes.raw_fields import entries, mapping, texts
from nodepools.wire.eks.aws_json import DESCRIBED, LISTED_GROUP
from nodepools.wire.eks.log_group import log_group_name
from nodepools.wire.eks.node_class import NODE_CLASS
from nodepools.wire.karpenter import EKS_NODE_CLASS

_POLICIES: Final = {"network_policy": "DefaultAllow", "network_policy_event_logs": "Disabled"}
"""Fields of a NodeClass with the only value that does not turn the network policy controller on."""
_NOT_EXPORTED: Final = "its creator: it is not in the exports (`aws logs describe-log-groups`), so `logs.existing` leaves it alone"


def eks_draft(cluster: ObservedEksCluster) -> Draft:
    """Reads everything that was observed.

    Raises:
        CannotAdoptError: the cluster does not use Auto Mode.
    """
    if mapping(cluster.described, "computeConfig").get("enabled") is not True:
        raise CannotAdoptError("does not use Auto Mode, which this library requires: enable it first (docs/guides/enable-auto-mode.md)")
    reader = Reader(fold=False)
    fields = reader.read(DESCRIBED, cluster.described, "")
    auto = cast("dict[str, object]", fields.pop("auto_mode", {}))
    inside = objects_draft(cluster.objects, EKS_NODE_CLASS, NODE_CLASS, _built_in(auto), reader)
    access = access_draft(cluster, fields.get("node_role"), _class_roles(cluster, inside), reader)
    tags, rest = _tags(cluster, access.tagged)
    whole: dict[str, object] = {
        **fields,
        "kind": "EksCluster",
        "region": cluster.id.region,
        "network": _network(cluster),
        "logs": reader.read(LISTED_GROUP, cluster.log_group, "log group") if cluster.log_group is not None else {"existing": True},
        **access.fields,
        "objects": _objects(inside),
        "auto_mode": {**auto, **inside.fields, "node_classes": {name: {**one, "name": name} for name, one in inside.classes.items()}},
        "tags": tags,
    }
    overrides = {**cast("Mapping[str, object]", fields.get("overrides", {})), **({"tags": rest} if rest else {})}
    if overrides:
        whole["overrides"] = overrides
    unread = tuple(path for path in reader.unread if path[0] != "tags")
    return Draft(
        whole,
        unread,
        tuple(path for path in reader.unknown if path[0] != "tags"),
        {**inside.outside, **access.outside, **_others(cluster)},
        tuple(inside.pools),
    )


def _built_in(auto: Mapping[str, object]) -> BuiltIn:
    return BuiltIn("EKS: Auto Mode created it", texts(auto, "built_in_node_pools"), (BUILT_IN_CLASS,))


def _class_roles(cluster: ObservedEksCluster, inside: ObjectsDraft) -> list[str]:
    return [cluster.id.role(str(one["role"])) for one in inside.classes.values() if "role" in one]


def _objects(inside: ObjectsDraft) -> dict[str, object]:
    """No object that the cluster has not got. The network policy controller stays as it is."""
    with_policies = any(one.get(name) != value for one in inside.classes.values() for name, value in _POLICIES.items())
    return {"storage_class": None, "ingress_class": None, **({"network_policies": False} if with_policies else {})}


def _tags(cluster: ObservedEksCluster, tagged: Sequence[Mapping[str, object]]) -> tuple[dict[str, object], dict[str, object]]:
    """The tags that all resources have, and the other ones of the cluster."""
    own = own_tags(cluster.described)
    shared = {key: value for key, value in own.items() if all(tags.get(key) == value for tags in tagged)}
    return shared, {key: value for key, value in own.items() if key not in shared}


def _network(cluster: ObservedEksCluster) -> dict[str, object]:
    """The subnets of nodes are those of the NodeClass `default`, if it was exported: EKS fills them in."""
    described = mapping(cluster.described, "resourcesVpcConfig")
    control_plane = list(texts(described, "subnetIds"))
    made: dict[str, object] = {"kind": "ExistingEksNetwork", "vpc_id": described.get("vpcId")}
    nodes = _node_subnets(cluster)
    if not nodes or sorted(nodes) == sorted(control_plane):
        made["private_subnet_ids"] = control_plane
    else:
        made |= {"private_subnet_ids": nodes, "control_plane_subnet_ids": control_plane}
    vpc = cluster.vpcs.get(str(described.get("vpcId")))
    return {**made, **({"cidr": vpc["CidrBlock"]} if vpc is not None and "CidrBlock" in vpc else {})}


def _node_subnets(cluster: ObservedEksCluster) -> list[str]:
    default = cluster.named(EKS_NODE_CLASS.kind, BUILT_IN_CLASS)
    terms = entries(default.spec, "subnetSelectorTerms") if default is not None else ()
    return [str(term["id"]) for term in terms] if all("id" in term for term in terms) else []


def _others(cluster: ObservedEksCluster) -> dict[str, str]:
    described = mapping(cluster.described, "resourcesVpcConfig")
    roles = [cluster.described.get("roleArn"), mapping(cluster.described, "computeConfig").get("nodeRoleArn")]
    return {
        f"VPC {described.get('vpcId')} and its subnets": "their creator: the declaration refers to them",
        **{f"role {role}": "its creator: the declaration refers to it" for role in roles if role is not None},
        **({f"log group {log_group_name(cluster.name)}": _NOT_EXPORTED} if cluster.log_group is None else {}),
    }
