"""Access, add-ons and overrides of EKS clusters: what is refused beside what is taken."""

import pytest

from nodepools import AutoMode, EksClusterArgs, EksNodeClass, Platform, StackOutput
from nodepools.eks import (
    AccessEntry,
    AccessPolicy,
    AddOn,
    AwsAccount,
    ClusterObjects,
    PodIdentity,
    StorageClass,
)
from nodepools.model.base import Model
from nodepools.rules.engine.samples import OFFICE_API_SERVER, aks, eks

ROLE = "arn:aws:iam::111122223333:role/team"
OTHER = "arn:aws:iam::111122223333:role/other"
OUTPUT = StackOutput("org/iam/prod", "role")
NODES = AccessPolicy("AmazonEKSAutoNodePolicy")
VIEWER = AccessEntry(principal=ROLE, policies=[AccessPolicy("AmazonEKSViewPolicy")])


def with_overrides(**overrides: object) -> EksClusterArgs:
    """`derive` takes `None` for a field to remove; here it is what is declared."""
    return EksClusterArgs(region="us-east-1", kubernetes_version="1.36", api_server=OFFICE_API_SERVER, overrides=overrides)


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        pytest.param(eks(admins=[OTHER], access_entries={"team": AccessEntry(principal=ROLE)}), [], id="an admin and a team"),
        pytest.param(
            eks(admins=[OUTPUT], access_entries={"team": AccessEntry(principal=OUTPUT)}),
            ["EKS080 access_entries.team.principal"],
            id="one output of another stack",
        ),
        *(
            pytest.param(
                eks(
                    auto_mode=AutoMode(node_classes={"own": {"role": "team/nodes"}}),
                    access_entries={"nodes": AccessEntry(principal=f"arn:aws:iam::{account}:role/{role}", type=of_type, policies=policies)},
                    **more,
                ),
                ["EKS080 access_entries.nodes.principal"] * found,
                id=f"the role of a NodeClass: {name}",
            )
            for name, account, role, of_type, policies, more, found in (
                ("nodes", "111122223333", "team/nodes", "EC2", [NODES], {}, True),
                ("another role", "111122223333", "nodes", "EC2", [NODES], {}, False),
                ("perhaps of another account", "111122223333", "team/nodes", "STANDARD", [], {}, False),
                ("in the account", "111122223333", "team/nodes", "STANDARD", [], {"account": {"id": "111122223333"}}, True),
                ("in another account", "444455556666", "team/nodes", "STANDARD", [], {"account": {"id": "111122223333"}}, False),
            )
        ),
        pytest.param(
            eks(access_entries={"a": AccessEntry(principal=ROLE), "b": AccessEntry(principal=ROLE)}),
            ["EKS080 access_entries.b.principal"],
            id="one principal twice",
        ),
        pytest.param(eks(admins=[ROLE, OTHER, ROLE]), ["EKS080 admins[2]"], id="an admin twice"),
        pytest.param(eks(admins=[ROLE], node_role=ROLE), ["EKS080 admins[0]"], id="the role of the built-in pools as an admin"),
        pytest.param(eks(admins=[OUTPUT, StackOutput("org/iam/prod", "other")]), [], id="outputs of another stack"),
        pytest.param(
            AccessEntry(principal=ROLE, groups=["viewers", "system:nodes"], user_name="aws:ada"),
            ["EKS175 groups[1]", "EKS175 user_name"],
            id="names that EKS keeps",
        ),
        pytest.param(AccessEntry(principal=ROLE, groups=["eks:viewers"], user_name="ada:system:{{SessionName}}"), [], id="prefixes elsewhere"),
        pytest.param(
            AccessEntry(principal=ROLE, policies=[AccessPolicy("AmazonEKSViewPolicy"), AccessPolicy("AmazonEKSEditPolicy")]), [], id="two policies"
        ),
        pytest.param(AccessEntry(principal=ROLE, policies=[NODES, NODES], type="EC2"), ["EKS176 policies[1]"], id="a policy twice"),
        pytest.param(
            eks(
                admins=["arn:aws:sts::111122223333:federated-user/ada"],
                access_entries={"team": AccessEntry(principal="arn:aws:sts::111122223333:assumed-role/team/ada")},
                pod_identities={"web": PodIdentity(namespace="a", service_account="b", role="arn:aws:sts::111122223333:assumed-role/web/ada")},
            ),
            ["EKS177 admins[0]", "EKS177 access_entries.team.principal", "EKS177 pod_identities.web.role"],
            id="sessions instead of roles",
        ),
        pytest.param(eks(add_ons={"metrics-server": AddOn(), "kubecost_kubecost": AddOn()}), [], id="an add-on of the community, one of a vendor"),
        pytest.param(eks(add_ons={"something-else": AddOn()}), ["EKS178 add_ons.something-else"], id="an add-on that is not known"),
        pytest.param(
            eks(node_role=ROLE, access_entries={"nodes": AccessEntry(principal=ROLE, type="EC2", policies=[NODES])}),
            ["EKS080 access_entries.nodes.principal"],
            id="the role of the built-in pools",
        ),
        pytest.param(
            eks(
                node_role=OTHER,
                auto_mode=AutoMode(built_in_node_pools=[], node_classes={"own": {"instance_profile": "eks-x"}, "two": {}}),
                access_entries={"nodes": AccessEntry(principal=ROLE, type="EC2", policies=[NODES])},
            ),
            ["PLT001 auto_mode"],
            id="the role of an instance profile",
        ),
        pytest.param(eks(tags={"AWS:team": "a", "awsteam": "b"}), ['EKS181 tags["AWS:team"]'], id="a prefix of AWS"),
        pytest.param(Platform(name="dev", clusters={"use1": eks()}, tags={"aws:a": "b"}), ['EKS181 tags["aws:a"]'], id="in a platform"),
        pytest.param(Platform(name="dev", clusters={"weu": aks()}, tags={"aws:a": "b"}), [], id="in a platform without EKS"),
        pytest.param(
            Platform(name="dev", clusters={"use1": eks(tags={f"t{number}": "" for number in range(48)})}),
            ["EKS016 clusters.use1.tags"],
            id="48 tags next to those of the platform",
        ),
        pytest.param(eks(api_server={"authorized_ip_ranges": [f"203.0.113.{number}/32" for number in range(40)]}), [], id="40 ranges"),
        pytest.param(AccessEntry(principal=ROLE, type="EC2"), ["EKS084 policies"], id="nodes without their policy"),
        pytest.param(AccessEntry(principal=ROLE, groups=["viewers"], user_name="ada"), [], id="groups of a principal"),
        pytest.param(PodIdentity(namespace="a", service_account="b", role=ROLE, target_role=OUTPUT), [], id="a role of pods"),
        pytest.param(
            PodIdentity(namespace="a", service_account="b", role="web", target_role="x"), ["EKS081 role", "EKS081 target_role"], id="by name"
        ),
        pytest.param(eks(overrides={"compute_config": {"enabled": True}}), [], id="a switch that is on"),
        pytest.param(eks(overrides={"storage_config": {"block_storage": {}}}), [], id="a switch that is not spoken of"),
        pytest.param(
            eks(overrides={"kubernetes_network_config": {"elastic_load_balancing": {"enabled": False}}}),
            ["EKS013 overrides.kubernetes_network_config.elastic_load_balancing.enabled"],
            id="a switch that is off",
        ),
        pytest.param(
            eks(overrides={"bootstrap_self_managed_addons": True}), ["EKS014 overrides.bootstrap_self_managed_addons"], id="EKS's own add-ons"
        ),
        pytest.param(eks(overrides={"access_config": {"authentication_mode": "API_AND_CONFIG_MAP"}}), [], id="entries and the old way too"),
        pytest.param(eks(authentication_mode="API_AND_CONFIG_MAP", security_group_ids=["sg-1"]), [], id="both, in a field"),
        pytest.param(eks(authentication_mode="CONFIG_MAP"), ["EKS014 authentication_mode"], id="the old way alone"),
        pytest.param(
            eks(authentication_mode="CONFIG_MAP", overrides={"access_config": {"authentication_mode": "API"}}), [], id="the old way, overridden"
        ),
        pytest.param(eks(security_group_ids=["sg-1", "web"]), ["EKS132 security_group_ids[1]"], id="a group by its name"),
        pytest.param(eks(security_group_ids=[StackOutput("o/p/s", "group")]), [], id="a group that is not known before deployment"),
        pytest.param(eks(overrides={"zonal_shift_config": {"enabled": False}}), [], id="no zonal shift"),
        pytest.param(with_overrides(storage_config=None), ["EKS013 overrides.storage_config"], id="a switch that is taken away"),
        pytest.param(
            with_overrides(storage_config={"block_storage": None}), ["EKS013 overrides.storage_config.block_storage"], id="a switch taken away alone"
        ),
        pytest.param(
            with_overrides(storage_config=None, compute_config=None, kubernetes_network_config=None),
            ["EKS089 overrides.compute_config.enabled"],
            id="all three taken away turns Auto Mode off",
        ),
        pytest.param(
            eks(overrides={"storage_config": {"block_storage": "on"}}), ["PLT024 overrides.storage_config.block_storage"], id="what is no block"
        ),
        pytest.param(with_overrides(bootstrap_self_managed_addons=None), ["EKS014 overrides.bootstrap_self_managed_addons"], id="their default"),
        pytest.param(with_overrides(access_config=None), ["EKS014 overrides.access_config"], id="the default of access, which has no entries"),
        pytest.param(with_overrides(zonal_shift_config=None), [], id="no word on zonal shift"),
        pytest.param(eks(overrides={"compute_config": {"node_pools": ["system"]}}), [], id="one built-in pool in place of two"),
        pytest.param(with_overrides(compute_config={"node_pools": [], "node_role_arn": None}), [], id="neither pools nor role"),
        pytest.param(
            with_overrides(compute_config={"node_role_arn": None}), ["EKS092 overrides.compute_config.node_role_arn"], id="pools without a role"
        ),
        pytest.param(eks(upgrade_policy="STANDARD"), [], id="the upgrade policy of a version in support"),
        pytest.param(eks(upgrade_policy="EXTENDED", kubernetes_version="1.32"), ["EKS070 kubernetes_version"], id="and of one that is not"),
    ],
)
def test_clusters(declared: Model, found: list[str], judged) -> None:
    assert judged(declared) == found


@pytest.mark.parametrize(
    ("name", "version", "found"),
    [
        pytest.param("metrics-server", "v0.1.0-eksbuild.1", [], id="an add-on of one's own"),
        pytest.param("vpc-cni", "v1.19.0-eksbuild.1", ["EKS086"], id="new enough, though not needed"),
        pytest.param("vpc-cni", "v1.19.0-eksbuild.0", ["EKS085", "EKS086"], id="one build too old"),
        pytest.param("vpc-cni", "v1.9.3-eksbuild.1", ["EKS085", "EKS086"], id="numbers are compared as numbers"),
        pytest.param("snapshot-controller", None, [], id="the default version"),
        pytest.param("snapshot-controller", "latest", ["EKS178"], id="what is no version"),
        pytest.param("kube-proxy", "v1.30.6-eksbuild.2", ["EKS085", "EKS086"], id="the least version follows the cluster's"),
        pytest.param("kube-proxy", "v1.31.2-eksbuild.3", ["EKS086"], id="new enough for 1.31"),
        pytest.param("kube-proxy", "v1.35.0-eksbuild.1", ["EKS086"], id="any of a later one"),
        pytest.param("kube-proxy", None, ["EKS086"], id="its default version"),
    ],
)
def test_add_ons(name: str, version: str | None, found: list[str], judged) -> None:
    assert sorted(finding.split()[0] for finding in judged(eks(add_ons={name: AddOn(version=version)}))) == found


NOBODY = ["EKS090 creator_is_admin"]


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        pytest.param({}, NOBODY, id="nobody"),
        pytest.param({"admins": [ROLE]}, [], id="an admin"),
        pytest.param({"access_entries": {"team": VIEWER}}, [], id="a principal with rights, whichever"),
        pytest.param({"access_entries": {"team": AccessEntry(principal=ROLE, groups=["admins"])}}, [], id="a principal with groups"),
        pytest.param({"access_entries": {"team": AccessEntry(principal=ROLE)}}, NOBODY, id="a principal without rights"),
        pytest.param({"access_entries": {"team": AccessEntry(principal=ROLE, type="EC2", policies=[NODES])}}, NOBODY, id="nodes alone"),
        pytest.param({"apply": "render"}, [], id="others apply the objects"),
        pytest.param({"objects": ClusterObjects(storage_class=None, ingress_class=None)}, [], id="there are no objects"),
        pytest.param({"creator_is_admin": True}, [], id="the creator"),
    ],
)
def test_who_enters(fields: dict[str, object], found: list[str], judged) -> None:
    assert judged(eks(**{"creator_is_admin": False, **fields})) == found


CHINA = "arn:aws-cn:iam::111122223333:role/team"
KEY = "arn:aws-cn:kms:cn-north-1:111122223333:key/1"


@pytest.mark.parametrize(
    ("region", "fields", "found"),
    [
        pytest.param("us-east-1", {"admins": [ROLE], "secrets_key": OUTPUT}, [], id="commercial, and what is not known yet"),
        pytest.param("cn-north-1", {"admins": [CHINA], "node_role": CHINA.replace("team", "nodes")}, [], id="China"),
        pytest.param("us-gov-east-1", {"admins": ["arn:aws-us-gov:iam::111122223333:role/team"]}, [], id="GovCloud"),
        pytest.param("us-iso-east-1", {"admins": [ROLE]}, [], id="parts that stand apart are not judged"),
        pytest.param("us-east-1", {"admins": [CHINA]}, ["EKS095 admins[0]"], id="China in a commercial region"),
        pytest.param("cn-north-1", {"cluster_role": ROLE, "node_role": OTHER}, ["EKS095 cluster_role", "EKS095 node_role"], id="roles"),
        pytest.param(
            "us-east-1",
            {
                "access_entries": {"team": AccessEntry(principal=CHINA)},
                "pod_identities": {"web": PodIdentity(namespace="a", service_account="b", role=ROLE, target_role=CHINA)},
                "add_ons": {"metrics-server": AddOn(role=CHINA)},
                "auto_mode": AutoMode(node_classes={"own": EksNodeClass(ephemeral_storage_kms_key_id=KEY)}),
                "objects": ClusterObjects(storage_class=StorageClass(kms_key=KEY)),
                "account": AwsAccount(id="111122223333", role_arn=CHINA),
            },
            [
                "EKS028 auto_mode.node_classes.own.ephemeral_storage_kms_key_id",
                "EKS095 auto_mode.node_classes.own.ephemeral_storage_kms_key_id",
                "EKS095 access_entries.team.principal",
                "EKS095 pod_identities.web.target_role",
                "EKS095 add_ons.metrics-server.role",
                "EKS095 objects.storage_class.kms_key",
                "EKS095 account.role_arn",
            ],
            id="wherever there is one",
        ),
        pytest.param("us-east-1", {"objects": ClusterObjects(storage_class=None)}, [], id="no storage class"),
    ],
)
def test_partitions(region: str, fields: dict[str, object], found: list[str], judged) -> None:
    assert judged(eks(region=region, **fields)) == found
