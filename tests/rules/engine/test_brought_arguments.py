"""Arguments that people bring from other tools: each names a field that exists, and none is a field already."""

import re
from collections.abc import Iterator, Mapping
from inspect import signature
from typing import cast

import pytest
from pulumi import Output

from nodepools import AksNodePool, DeclarationError, EksClusterArgs, EksNodePool, GpuPool, NodeProvisioning, Platform, SystemPool, UserPool
from nodepools.model.aks.agent_pool import AgentPool, Autoscale
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.aks.node_settings import KubeletConfig
from nodepools.model.base import Model
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.maintenance import MaintenanceHours
from nodepools.rules.engine.field_annotations import models_of
from nodepools.rules.engine.samples import SIZE
from nodepools.rules.engine.schema_findings import BROUGHT

MODELS: dict[str, tuple[type[Model], ...]] = {
    **{one.__name__: (one,) for one in (AksClusterArgs, AksNodePool, Autoscale, EksClusterArgs, EksNodeClass, EksNodePool, NodeProvisioning)},
    **{one.__name__: (one,) for one in (GpuPool, KubeletConfig, MaintenanceHours, SystemPool, UserPool)},
    AgentPool.__name__: (SystemPool, UserPool),
}


def named(fix: str) -> Iterator[str]:
    yield from [fix] if fix.isidentifier() else re.findall(r"\{f:([\w.]+)\}", fix)


def exists(path: str, models: tuple[type[Model], ...]) -> bool:
    first, _, rest = path.partition(".")
    return all(
        first in model.model_fields and (not rest or any(exists(rest, (inner,)) for inner in models_of(model.model_fields[first].annotation)))
        for model in models
    )


def test_every_field_that_a_fix_names_exists() -> None:
    paths = [(owner, path) for (owner, _), arguments in BROUGHT.items() for fix in arguments.values() for path in named(fix)]
    assert len(paths) > 100
    assert [f"{owner}: {path}" for owner, path in paths if not exists(path, MODELS[owner])] == []


def test_no_argument_is_a_field_or_is_listed_twice() -> None:
    listed = [(owner, name) for (owner, _), arguments in BROUGHT.items() for name in arguments]
    assert [f"{owner}: {name}" for owner, name in listed if any(name in model.model_fields for model in MODELS[owner])] == []
    assert len(listed) == len(set(listed))


@pytest.mark.program
def test_arguments_of_azure_native_are_those_of_the_installed_one() -> None:
    from pulumi_azure_native import containerservice

    cluster, pool = (set(signature(one).parameters) for one in (containerservice.ManagedClusterArgs, containerservice.AgentPoolArgs))
    for (owner, source), arguments in BROUGHT.items():
        if source.startswith("pulumi-azure-native"):
            assert {name.removesuffix("_") for name in arguments} <= (cluster if owner == "AksClusterArgs" else pool)


WEU: dict[str, object] = {"kind": "AksCluster", "location": "westeurope", "kubernetes_version": "1.36", "system_pool": {"vm_size": SIZE, "count": 3}}
USE1: dict[str, object] = {"kind": "EksCluster", "region": "us-east-1", "kubernetes_version": "1.36", "auto_mode": {}}


@pytest.mark.parametrize(
    ("cluster", "path", "fix"),
    [
        pytest.param({**WEU, "oidc_issuer_enabled": True}, "oidc_issuer_enabled", "Rename it to `oidc_issuer`", id="the same value"),
        pytest.param({**WEU, "private_cluster_enabled": True}, "private_cluster_enabled", "Move it to `api_server.private`", id="in a part"),
        pytest.param(
            {**WEU, "pools": {"web": {"kind": "UserPool", "vm_size": SIZE, "spot_max_price": -1}}},
            "pools.web.spot_max_price",
            "Remove it, and set `spot`",
            id="another shape",
        ),
        pytest.param(
            {**WEU, "system_pool": {"vm_size": SIZE, "priority": "Spot"}},
            "system_pool.priority",
            "Remove it: AKS has no system pools of spot nodes",
            id="impossible in this part",
        ),
        pytest.param(
            {**USE1, "node_group": "web"},
            "node_group",
            "Use `auto_mode.node_pools`: the nodes of EKS Auto Mode come from NodePools",
            id="not node_role, whose name is similar",
        ),
        pytest.param(
            {**WEU, "identity": {"type": "SystemAssigned"}},
            "identity.type",
            "Write the id, as text or as an Output: a cluster without `identity` has one of its own",
            id="a mapping in place of an id",
        ),
        pytest.param(
            {**WEU, "logs": Output.from_input("workspace")},
            "logs",
            "Set `log_analytics_workspace_id` to it, or `logs` to a `ContainerLogs` with its `workspace`",
            id="an output where another field accepts it",
        ),
        pytest.param({**USE1, "role_arn": "x"}, "role_arn", "Rename it to `cluster_role`", id="not that of the account"),
        pytest.param(
            {**USE1, "auto_mode": {"node_pools": {"web": {"instance_types": ["m7g.large"]}}}},
            "auto_mode.node_pools.web.instance_types",
            "Add a requirement on `node.kubernetes.io/instance-type` to `requirements`",
            id="a requirement",
        ),
    ],
)
def test_the_fix_names_the_field(cluster: object, path: str, fix: str) -> None:
    with pytest.raises(DeclarationError) as refused:
        Platform(name="dev", clusters=cast("Mapping[str, AksClusterArgs]", {"c": cluster}))
    assert (f"clusters.c.{path}", fix) in [(finding.path, finding.fix.text) for finding in refused.value.findings if finding.fix is not None]
