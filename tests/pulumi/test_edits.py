"""Edits of the stack `dev`, applied with the real engine: what `diff` predicts is what the engine does, in that order, and then nothing is left.

The clouds are simulated; `simulated_provider.py` names the rules that their model lacks. The prediction is the one of the library.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from nodepools import AksNodeClass, AksNodePool, derive, load
from nodepools.eks import AddOn
from tests.pulumi.cloud_copies import Clouds, Run
from tests.pulumi.edited import Edit, Fields, places
from tests.pulumi.prerequisites import required_clouds

GROUP = "11111111-2222-3333-4444-555555555555"
MORE: Fields = {
    "clusters": {
        "neu": {
            "node_provisioning": {
                "node_classes": {"big": {"os_disk_size_gb": 256}, "small": {}},
                "node_pools": {
                    "big": AksNodePool.model_validate(
                        {
                            "node_class": "big",
                            "expire_after": "240h",
                            "labels": {"size": "big"},
                            "requirements": [{"key": "karpenter.azure.com/sku-family", "operator": "In", "values": ["D", "E"]}],
                        }
                    )
                },
            }
        },
        "use1": {
            "admins": ["arn:aws:iam::123456789012:role/admins"],
            "access_entries": {
                "readers": {
                    "principal": "arn:aws:iam::123456789012:role/readers",
                    "policies": [{"name": "AmazonEKSViewPolicy"}],
                    "groups": ["readers"],
                }
            },
            "pod_identities": {"web": {"namespace": "web", "service_account": "web", "role": "arn:aws:iam::123456789012:role/web"}},
            "add_ons": {"metrics-server": {"version": "v0.7.2-eksbuild.1"}},
        },
    }
}
"""Parts that `dev` does not have, and that edits change."""
WORKSPACE = "/subscriptions/s/resourceGroups/m/providers/Microsoft.OperationalInsights/workspaces/w"
WINDOW = {"kind": "Weekly", "days": "sat", "start": "01:00", "hours": 6, "tz": "Europe/Paris"}


def _pool(name: str, **fields: object) -> tuple[str, Fields]:
    return "weu", {"pools": {name: fields}}


def _system(**fields: object) -> tuple[str, Fields]:
    return "weu", {"system_pool": fields}


def _aks(**fields: object) -> tuple[str, Fields]:
    return "weu", fields


def _nap(**fields: object) -> tuple[str, Fields]:
    return "neu", {"node_provisioning": fields}


def _nap_pool(name: str, **fields: object) -> tuple[str, Fields]:
    return _nap(node_pools={name: fields})


def _nap_class(name: str, **fields: object) -> tuple[str, Fields]:
    return _nap(node_classes={name: fields})


def _eks(**fields: object) -> tuple[str, Fields]:
    return "use1", fields


def _eks_class(**fields: object) -> tuple[str, Fields]:
    return "use1", {"auto_mode": {"node_classes": {"private": fields}}}


def _eks_pool(**fields: object) -> tuple[str, Fields]:
    return "use1", {"auto_mode": {"node_pools": {"compute": fields}}}


TAINT = {"key": "team", "value": "web"}
FAMILY = {"key": "karpenter.azure.com/sku-family", "operator": "In"}
EDITS = {
    # agent pools
    "a larger VM size": _pool("web", vm_size="Standard_D4ds_v5"),
    "zones of a pool": _pool("batch", zones=[1, 2]),
    "a spot pool with regular priority": _pool("batch", spot=None),
    "both pools get another VM size": ("weu", {"pools": {"web": {"vm_size": "Standard_D4ds_v5"}, "batch": {"vm_size": "Standard_D4ds_v5"}}}),
    "scale bounds": _pool("web", scale={"min": 2, "max": 8}),
    "the first count of an autoscaled pool": _pool("web", count=3),
    "an autoscaled pool with a fixed count": _pool("web", scale=None, count=2),
    "another value of a label": _pool("web", labels={"tier": "api"}),
    "a taint": _pool("web", taints=[TAINT]),
    "a taint that evicts pods": _pool("web", taints=[{**TAINT, "effect": "NoExecute"}]),
    "upgrade settings": _pool("web", upgrade={"max_surge": "33%"}),
    "another operating system image": _pool("web", os_sku="AzureLinux"),
    "FIPS": _pool("web", fips=True),
    "a default that is set": _pool("web", fips=False),
    "no SSH access": _pool("web", ssh_access="Disabled"),
    "tags of a pool": _pool("web", tags={"team": "web"}),
    "an override of a pool": _pool("web", overrides={"scale_down_mode": "Deallocate"}),
    "a subnet for one pool": _aks(network={"pool_subnets": {"web": "10.10.128.0/20"}}),
    "a pool is added": _pool("more", kind="UserPool", vm_size="Standard_D2ds_v5", count=1),
    "a pool is removed": ("weu", {"pools": {"batch": None}}),
    "a pool gets another key": (
        "weu",
        {
            "pools": {
                "web": None,
                "site": {"kind": "UserPool", "vm_size": "Standard_D2ds_v5", "scale": {"min": 1, "max": 5}, "labels": {"tier": "web"}},
            }
        },
    ),
    "another count of the first pool": _system(count=3),
    "labels of the first pool": _system(labels={"a": "b"}),
    "another VM size of the first pool": _system(vm_size="Standard_D8ds_v5"),
    # AKS clusters
    "the next Kubernetes version": _aks(kubernetes_version="1.36"),
    "another region": _aks(location="francecentral"),
    "another dataplane": _aks(network_profile={"dataplane": "azure", "policy": "azure"}),
    "no overlay": _aks(network_profile={"plugin_mode": None}, network={"pod_subnet_cidr": "10.10.64.0/18"}),
    "another range for pods": _aks(network_profile={"pod_cidr": "10.200.0.0/16"}),
    "another range for services": _aks(network_profile={"service_cidr": "172.16.0.0/16"}),
    "another maintenance window": _aks(maintenance=WINDOW),
    "tags of a cluster": _aks(tags={"team": "web"}),
    "an admin": _aks(admins=[{"object_id": GROUP, "principal_type": "Group"}]),
    "an identity that deploys is not an admin": _aks(entra={"deployer_is_admin": False}, admins=[{"object_id": GROUP, "principal_type": "Group"}]),
    "ranges that can reach the API server": _aks(api_server={"authorized_ip_ranges": ["203.0.113.0/24"]}),
    "another tier": _aks(tier="Free"),
    "an upgrade channel": _aks(auto_upgrade="patch"),
    "node images are not upgraded": _aks(node_os_upgrade="Unmanaged"),
    "settings of the autoscaler": _aks(autoscaler={"scan_interval": "20s"}),
    "priorities of the autoscaler": _aks(autoscaler={"expander": "priority", "priorities": {10: ["web"], 50: ["batch"]}}),
    "an override of a cluster": _aks(overrides={"http_proxy_config": {"http_proxy": "http://proxy.example.com:8080"}}),
    "no Entra ID": _aks(entra=None),
    "a Kubernetes version is skipped": _aks(kubernetes_version="1.37"),
    "an older Kubernetes version": _aks(kubernetes_version="1.34"),
    "no OIDC issuer": _aks(oidc_issuer=False, workload_identity=False),
    "logs, metrics and audit logs": _aks(logs={"workspace": WORKSPACE}, metrics={}, audit={"workspace": WORKSPACE}),
    "logs of a workspace in another region": _aks(logs={"workspace": WORKSPACE, "location": "northeurope"}),
    # NodePools and node classes of node auto provisioning
    "a weight": _nap_pool("general", weight=20),
    "limits": _nap_pool("general", limits={"cpu": 100}),
    "labels of a NodePool": _nap_pool("general", labels={"a": "b"}),
    "an override of startup taints": _nap_pool(
        "general", overrides={"template": {"spec": {"startupTaints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]}}}
    ),
    "a duration in other units": _nap_pool("big", expire_after="14400m"),
    "another expiry": _nap_pool("big", expire_after="480h"),
    "a grace period": _nap_pool("big", termination_grace_period="1h"),
    "fewer VM families": _nap_pool("big", requirements=[{**FAMILY, "values": ["D"]}]),
    "VM families in another order": _nap_pool("big", requirements=[{**FAMILY, "values": ["E", "D"]}]),
    "a disruption budget": _nap_pool("big", disruption={"budgets": [{"nodes": "20%"}]}),
    "a slower consolidation": _nap_pool("big", disruption={"consolidate_after": "5m"}),
    "a larger disk of a node class": _nap_class("big", os_disk_size_gb=512),
    "the default disk of a node class": _nap_class("small", os_disk_size_gb=128),
    "tags of a node class": _nap_class("big", tags={"a": "b"}),
    "another node class": _nap_pool("big", node_class="small"),
    "a node class is added": _nap(node_classes={"more": AksNodeClass(os_disk_size_gb=512)}),
    "a node class is removed": _nap(node_classes={"small": None}),
    "a NodePool is added": _nap(node_pools={"more": AksNodePool(node_class="small")}),
    "a NodePool is removed": _nap(node_pools={"big": None}),
    "a NodePool gets another key": _nap(node_pools={"general": None, "usual": AksNodePool(weight=10)}),
    "the next Kubernetes version with NodePools": ("neu", {"kubernetes_version": "1.36"}),
    "another window with NodePools": ("neu", {"maintenance": WINDOW}),
    "no built-in NodePools": _nap(default_node_pools="None"),
    "another region with NodePools": ("neu", {"location": "francecentral"}),
    # EKS clusters
    "the next Kubernetes version of EKS": _eks(kubernetes_version="1.36"),
    "a larger disk of a NodeClass": _eks_class(ephemeral_storage="200Gi"),
    "subnets of a NodeClass": _eks_class(subnets=[{"tags": {"tier": "private"}}]),
    "tags of a NodeClass": _eks_class(tags={"a": "b"}),
    "a role for a NodeClass": _eks_class(create_role=True),
    "an existing role for a NodeClass": _eks_class(role="nodes"),
    "limits of a NodePool of EKS": _eks_pool(limits={"cpu": 400}),
    "a taint of a NodePool of EKS": _eks_pool(taints=[TAINT]),
    "another window of EKS": _eks(maintenance=WINDOW),
    "a second built-in NodePool": _eks(auto_mode={"built_in_node_pools": ["system", "general-purpose"]}),
    "no built-in NodePool": _eks(auto_mode={"built_in_node_pools": []}),
    "another admin": _eks(admins=["arn:aws:iam::123456789012:role/others"]),
    "one more admin": _eks(admins=["arn:aws:iam::123456789012:role/admins", "arn:aws:iam::123456789012:role/others"]),
    "another principal of an access entry": _eks(access_entries={"readers": {"principal": "arn:aws:iam::123456789012:role/others"}}),
    "another policy of an access entry": _eks(access_entries={"readers": {"policies": [{"name": "AmazonEKSEditPolicy"}]}}),
    "namespaces of an access policy": _eks(access_entries={"readers": {"policies": [{"name": "AmazonEKSViewPolicy", "namespaces": ["web"]}]}}),
    "groups of an access entry": _eks(access_entries={"readers": {"groups": ["others"]}}),
    "an access entry is removed": _eks(access_entries={"readers": None}),
    "another role of a pod identity": _eks(pod_identities={"web": {"role": "arn:aws:iam::123456789012:role/others"}}),
    "another service account of a pod identity": _eks(pod_identities={"web": {"service_account": "site"}}),
    "a version of an add-on": _eks(add_ons={"metrics-server": {"version": "v0.8.0-eksbuild.1"}}),
    "an add-on is added": _eks(add_ons={"kube-state-metrics": AddOn()}),
    "ranges that can reach the API server of EKS": _eks(api_server={"authorized_ip_ranges": ["203.0.113.0/24"]}),
    "a private API server": _eks(api_server={"private": True}),
    "fewer logs": _eks(log_types=["audit"]),
    "extended support": _eks(upgrade_policy="EXTENDED"),
    "deletion protection": _eks(deletion_protection=True),
    "an older authentication mode": _eks(authentication_mode="API_AND_CONFIG_MAP"),
    "tags of an EKS cluster": _eks(tags={"team": "web"}),
    "an encryption key": _eks(secrets_key="arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555"),
    "another range for services of EKS": _eks(service_cidr="172.16.0.0/16"),
    "another AWS region": _eks(region="us-west-2"),
    "another path of IAM roles": _eks(iam_path="/teams/"),
    "an identity provider": _eks(oidc_provider=True),
    "no ingress class": _eks(objects={"ingress_class": None}),
    "a NAT gateway for each zone": _eks(network={"nat": "per-zone"}),
    "no NAT gateway": _eks(network={"nat": None}),
    "a zone more of the VPC": _eks(network={"zones": ["us-east-1a", "us-east-1b", "us-east-1c", "us-east-1d"]}),
    "other zones of the VPC": _eks(network={"zones": ["us-east-1b", "us-east-1c"]}),
    "another range of the VPC": _eks(network={"cidr": "10.40.0.0/16"}),
}
"""Name: the cluster that is edited, and other values of its fields."""


BATCHES = 4


@dataclass(frozen=True, slots=True)
class Applied:
    """A batch of edits, applied twice."""

    first: Run
    second: Run


@pytest.fixture(scope="session")
def edits(project: Path) -> dict[str, Edit]:
    base = derive(load("dev", project), MORE)
    found = places([cluster for cluster, _ in EDITS.values()], BATCHES)
    return {name: Edit.of(base, place, fields) for (name, (_, fields)), place in zip(EDITS.items(), found, strict=True)}


@pytest.fixture(scope="session")
def clouds(tmp_path_factory: pytest.TempPathFactory) -> Clouds:
    """Clouds without resources."""
    return Clouds.new(tmp_path_factory.mktemp("edits"), required_clouds())


@pytest.fixture(scope="session")
def applied(edits: dict[str, Edit], clouds: Clouds, project: Path) -> Callable[[int], Applied]:
    """Applies a batch of edits to a copy of one base, and once more."""
    stack = _stack(project, [edit for edit in edits.values() if not edit.is_alone])
    base = clouds.copied("base")
    assert not base.up(stack).failed

    @cache
    def apply(batch: int) -> Applied:
        copy = base.copied(f"batch-{batch}")
        edited = stack + "".join(edit.line for edit in edits.values() if edit.batch == batch and not edit.is_alone)
        return Applied(copy.up(edited), copy.up(edited))

    return apply


_IMPORTS = "from nodepools import AksNodeClass, Disruption, Requirement, Timeouts, derive\nfrom nodepools.eks import AddOn"
"""The classes that the values of edits have when they are written, next to those that the stack imports itself."""


def _stack(project: Path, edits: Iterable[Edit]) -> str:
    """The stack `dev` with a cluster for each edit."""
    dev = (project / "stacks/dev.py").read_text(encoding="utf-8")
    return f"{dev}\n{_IMPORTS}\n\nPLATFORM = derive(PLATFORM, {MORE!r})\n{_copied({edit.cluster: edit.copied for edit in edits})}"


def _copied(copies: Mapping[str, str]) -> str:
    """Lines of a stack file that replace the clusters of the platform by copies."""
    return (
        f"COPIES = {copies!r}\n"
        "WHOLE = dict.fromkeys(PLATFORM.clusters) | {key: PLATFORM.clusters[copied] for key, copied in COPIES.items()}\n"
        "PLATFORM = derive(PLATFORM, {'clusters': WHOLE})\n"
    )


@pytest.mark.parametrize("name", EDITS)
def test_the_engine_does_what_diff_predicts(edits: dict[str, Edit], request: pytest.FixtureRequest, clouds: Clouds, project: Path, name: str):
    edit = edits[name]
    if edit.is_alone:
        stack, alone = _stack(project, [edit]), clouds.copied(f"alone-{edit.cluster}-{edit.batch}")
        assert not alone.up(stack).failed
        (_is_refused if edit.is_refused else _is_planned)(edit, alone, stack + edit.line)
        return
    result: Applied = request.getfixturevalue("applied")(edit.batch)
    done = result.first.of(f"dev-{edit.cluster}")
    assert not result.first.failed, result.first.output
    assert edit.same(done) == edit.predicted
    assert edit.reversed(done) == []
    assert edit.is_reported or not edit.others(done)
    assert result.second.of(f"dev-{edit.cluster}") == []


def _is_refused(edit: Edit, clouds: Clouds, stack: str) -> None:
    assert clouds.up(stack).failed, edit


def _is_planned(edit: Edit, clouds: Clouds, stack: str) -> None:
    """Pulumi 3.272 cannot replace a cluster with the objects in it: it closes the Kubernetes provider before it deletes them (pulumi#14650).

    So the prediction is compared with the preview. When `up` does not fail any more, such edits belong to the batches.
    """
    assert edit.same(clouds.planned(stack)) == edit.predicted
    assert "the client connection is closing" in clouds.up(stack).output
