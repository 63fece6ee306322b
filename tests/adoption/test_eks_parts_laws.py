"""Reading is the inverse of writing for access entries, add-ons, pod identities and NodeClasses: what is declared is declared again."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodepools import EksNodeClass
from nodepools.adoption.proof import platform_of
from nodepools.changes.platform_changes import requests_of
from nodepools.clouds.change import ADD_ON, CLASS, ENTRY, IDENTITY, POLICY
from nodepools.eks import AccessEntry, AccessPolicy, AddOn, PodIdentity
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.platform import Platform
from tests.adoption.existing_eks import ACCOUNT, REGION, described, entry
from tests.adoption.test_adopted_eks import add_on, adopted, declared

NAMES = st.from_regex(r"[a-z][a-z0-9]{0,7}", fullmatch=True)
TAGS = {"team": "shop"}
"""The tags of the cluster, which its resources have."""
_BASE = adopted(described())
BASE, OUTSIDE = _BASE.declared, _BASE.outside.keys()
ROLES = NAMES.map(lambda name: f"arn:aws:iam::{ACCOUNT}:role/{name}")
POLICIES = st.lists(
    st.builds(
        AccessPolicy, st.sampled_from(["AmazonEKSViewPolicy", "AmazonEKSEditPolicy", "AmazonEKSAdminPolicy"]), namespaces=st.lists(NAMES, max_size=2)
    ),
    max_size=2,
    unique_by=lambda policy: policy.name,
)
ENTRIES = st.builds(
    AccessEntry,
    principal=ROLES,
    policies=POLICIES,
    groups=st.lists(NAMES, max_size=2, unique=True),
    user_name=st.none() | NAMES,
)
NODE_ENTRIES = st.builds(AccessEntry, principal=ROLES, type=st.sampled_from(["EC2", "HYBRID_LINUX"]))
CONFIGURATIONS = st.dictionaries(NAMES, st.integers(0, 9) | NAMES | st.dictionaries(NAMES, st.booleans(), max_size=2), max_size=2)
ADD_ONS = st.builds(
    AddOn,
    version=st.just("v1.2.3-eksbuild.1"),
    configuration=CONFIGURATIONS.filter(lambda found: not any(word in str(found) for word in ("key", "token", "secret", "password"))),
    role=st.none() | ROLES,
)
IDENTITIES = st.builds(PodIdentity, namespace=NAMES, service_account=NAMES, role=ROLES, target_role=st.none() | ROLES)
TERMS = st.lists(st.fixed_dictionaries({"id": NAMES.map(lambda name: f"subnet-{name}")}), min_size=1, max_size=2)
CLASSES = st.builds(
    EksNodeClass,
    role=st.just("data-nodes"),
    subnets=TERMS,
    security_groups=st.lists(st.fixed_dictionaries({"tags": st.dictionaries(NAMES, NAMES, min_size=1, max_size=2)}), min_size=1, max_size=2),
    ephemeral_storage=st.integers(1, 999).map(lambda size: f"{size}Gi"),
    ephemeral_storage_iops=st.none() | st.integers(3000, 16000),
    ephemeral_storage_throughput=st.none() | st.integers(125, 1000),
    snat_policy=st.sampled_from(["Random", "Disabled"]),
    network_policy=st.sampled_from(["DefaultAllow", "DefaultDeny"]),
    tags=st.dictionaries(NAMES, NAMES, max_size=2),
    advanced_networking=st.none()
    | st.fixed_dictionaries({"https_proxy": NAMES.map(lambda name: f"http://{name}:3128"), "no_proxy": st.lists(NAMES, max_size=2)}),
)
LAW = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def platform_with(**parts: object) -> Platform:
    """The declaration of the small cluster, with these parts."""
    return platform_of({"name": "west", "standard_tags": False, "clusters": {"shop": {**BASE, **parts}}})


def cluster_of(platform: Platform) -> EksClusterArgs:
    found = platform.clusters["shop"]
    assert isinstance(found, EksClusterArgs)
    return found


def both(**parts: object) -> tuple[EksClusterArgs, EksClusterArgs]:
    """What is declared, and what is declared again if AWS and the cluster have what it sends. What is then sent is what they have."""
    platform = platform_with(**parts)
    have = list(_printed(platform))
    one = adopted(described(), *have)
    assert (one.changes, one.rejected, one.outside.keys()) == (False, (), OUTSIDE)
    sent = list(_printed(declared(one)))
    assert sorted(map(json.dumps, sent)) == sorted(map(json.dumps, have)), "write(read(observed)) == observed"
    return cluster_of(platform), cluster_of(declared(one))


def _printed(platform: Platform) -> Iterator[dict[str, Any]]:
    """What `aws` and `kubectl` print about the resources that a declaration creates."""
    requests = requests_of(platform).of_cluster("shop")
    policies: dict[str, list[dict[str, Any]]] = {}
    principals = {request.key[2]: _arn(request.sent["principalArn"]) for request in requests if request.subject == ENTRY}
    for number, request in enumerate(requests):
        sent = cast("dict[str, Any]", dict(request.sent))
        if request.subject == ENTRY:
            policies.setdefault(_arn(sent["principalArn"]), [])
            yield _entry(sent)
        elif request.subject == POLICY:
            [principal] = [of for key, of in principals.items() if request.key[2] in (f"{key}-{sent['policyArn']}", f"{key}-policy")]
            arn = f"arn:aws:eks::aws:cluster-access-policy/{sent['policyArn']}"
            policies[principal].append({"policyArn": arn, "accessScope": sent["accessScope"]})
        elif request.subject == ADD_ON:
            arn = f"arn:aws:eks:{REGION}:{ACCOUNT}:addon/shop/{request.key[2]}/1"
            yield {"addon": {**sent, "addonName": request.key[2], "clusterName": "shop", "addonArn": arn, "tags": TAGS, "status": "ACTIVE"}}
        elif request.subject == IDENTITY:
            arn = f"arn:aws:eks:{REGION}:{ACCOUNT}:podidentityassociation/shop/a-{number}"
            yield {"association": {**sent, "clusterName": "shop", "associationArn": arn, "associationId": f"a-{number}", "tags": TAGS}}
        elif request.subject == CLASS:
            name = request.resource.name.removeprefix("west-shop-")
            yield {"apiVersion": "eks.amazonaws.com/v1", "kind": "NodeClass", "metadata": {"name": name}, "spec": sent}
    for principal, found in policies.items():
        yield {"clusterName": "shop", "principalArn": principal, "associatedAccessPolicies": found}


def _arn(principal: object) -> str:
    return str(principal) if str(principal).startswith("arn:") else f"arn:aws:iam::{ACCOUNT}:role/{principal}"


def _entry(sent: dict[str, Any]) -> dict[str, Any]:
    """EKS makes user names, and the groups of nodes."""
    made = {} if sent["type"] == "STANDARD" else {"username": "system:node:{{EC2PrivateDNSName}}", "kubernetesGroups": ["system:nodes"]}
    own = {"username": sent["userName"]} if sent.get("userName") is not None else made
    return entry(_arn(sent["principalArn"]), type=sent["type"], tags=TAGS, **{"kubernetesGroups": list(sent.get("kubernetesGroups", ())), **own})


@LAW
@given(entries=st.lists(ENTRIES | NODE_ENTRIES, max_size=3, unique_by=lambda one: one.principal))
def test_access_entries(entries: list[AccessEntry]) -> None:
    first, second = both(access_entries={str(one.principal).rpartition("/")[2]: one for one in entries})
    assert second.access_entries == first.access_entries


@LAW
@given(admins=st.lists(ROLES, max_size=3, unique=True))
def test_admins(admins: list[str]) -> None:
    first, second = both(admins=admins)
    assert second.admins == first.admins


@LAW
@given(add_ons=st.dictionaries(NAMES, ADD_ONS, max_size=3))
def test_add_ons(add_ons: dict[str, AddOn]) -> None:
    first, second = both(add_ons=add_ons)
    assert second.add_ons == first.add_ons


@LAW
@given(identities=st.lists(IDENTITIES, max_size=2, unique_by=lambda one: (one.namespace, one.service_account)))
def test_pod_identities(identities: list[PodIdentity]) -> None:
    first, second = both(pod_identities={f"{one.namespace}-{one.service_account}": one for one in identities})
    assert second.pod_identities == first.pod_identities


@LAW
@given(classes=st.dictionaries(NAMES.map(lambda name: f"c{name}"), CLASSES, max_size=2))
def test_node_classes(classes: dict[str, EksNodeClass]) -> None:
    own = {name: {**one.model_dump(exclude_unset=True), "name": name} for name, one in classes.items()}
    first, second = both(auto_mode={**cast("Mapping[str, Any]", BASE.get("auto_mode", {})), "node_classes": own})
    assert second.node_classes == first.node_classes


@LAW
@given(configuration=CONFIGURATIONS, spaces=st.none() | st.integers(0, 4))
def test_the_spaces_in_a_configuration_are_no_difference(configuration: dict[str, Any], spaces: int | None) -> None:
    text = json.dumps(configuration, indent=spaces)
    one = adopted(described(), add_on("velero", tags=TAGS, configurationValues=text))
    assert (one.changes, cluster_of(declared(one)).add_ons["velero"].configuration) == (False, configuration)
