"""Names and types of overrides, in every part that has them: with the path, the value, the nearest name, and a fix."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pulumi
import pytest

from nodepools import AksNodeClass, EksClusterArgs, EksNodeClass, UserPool, check, derive
from nodepools.data.argument_types import Source
from nodepools.eks import PodIdentity
from nodepools.model.base import Model
from nodepools.rules.engine.override_findings import targets
from nodepools.rules.engine.samples import SIZE, aks, aks_pool, eks, eks_pool

IDENTITY = PodIdentity(namespace="shop", service_account="web", policies=["AmazonS3ReadOnlyAccess"])
WITHOUT_SUBNETS = EksClusterArgs(region="us-east-1", kubernetes_version="1.36", overrides={"vpc_config": {"subnet_ids": None}})


@pytest.fixture(autouse=True)
def _of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDKs have the versions of the table."""
    versions = {Source[name].origin.split()[0]: Source[name].origin.split()[1] for name in ("AZURE", "AWS")}
    monkeypatch.setattr("nodepools.data.argument_types.version", {**versions, "CRDs": ""}.__getitem__)


def told(declared: Model) -> list[tuple[str, str, str]]:
    """Code, path and message of what is about overrides."""
    codes = {"PLT022", "PLT023", "PLT024", "PLT025"}
    return [(one.code, one.path, one.message) for one in check(declared) if one.code in codes]


def pool(**overrides: object) -> UserPool:
    return UserPool(vm_size=SIZE, overrides=overrides)


_LAST_PORT = "kube_api_server_config.service_node_port_range.max_port"


def _node_ports(last: int) -> dict[str, object]:
    return {"kube_api_server_config": {"service_node_port_range": {"max_port": last}}}


WRONG = [
    pytest.param(
        aks(overrides={"network_profil": {}}),
        "PLT022 overrides.network_profil: `network_profil` is not an argument of `ManagedCluster`: the nearest is `network_profile`",
        id="a cluster of AKS",
    ),
    pytest.param(
        aks(system_pool={"overrides": {"agent_pool_name": "a"}}),
        "PLT022 system_pool.overrides.agent_pool_name: The component sets `agent_pool_name` itself: use `name`",
        id="the pool inside the cluster, with another name for its name",
    ),
    pytest.param(
        aks(pools={"web": {"overrides": {"resource_group_name": "a"}}}),
        "PLT022 pools.web.overrides.resource_group_name: The component sets `resource_group_name` itself: it cannot be overridden",
        id="a pool",
    ),
    pytest.param(
        pool(fips=True),
        "PLT022 overrides.fips: `fips` is not an argument of `AgentPool`: use the field `fips`",
        id="a field",
    ),
    pytest.param(
        pool(upgrade_settings={"drain_timeout": "30m"}),
        "PLT022 overrides.upgrade_settings.drain_timeout: `drain_timeout` is not an argument of `upgrade_settings`: use the field "
        "`upgrade.drain_timeout`",
        id="a field inside",
    ),
    *(
        pytest.param(
            aks(api_version=version, pools={"web": {"overrides": {"upgrade_settings": {"max_blocked_nodes": "50%"}}}}),
            "PLT022 pools.web.overrides.upgrade_settings.max_blocked_nodes: `upgrade_settings.max_blocked_nodes` is a preview of Azure: version "
            "2026-08-02-preview of the AKS API has it, and no GA version",
            id=f"a preview of Azure, in a cluster of version {version}",
        )
        for version in (None, "2026-05-01")
    ),
    pytest.param(
        eks(overrides={"kube_schedular_config": {}}),
        "PLT022 overrides.kube_schedular_config: `kube_schedular_config` is not an argument of `Cluster`: the nearest is `kube_scheduler_config`",
        id="a cluster of EKS",
    ),
    pytest.param(
        derive(IDENTITY, overrides={"disable_session_tag": True}),
        "PLT022 overrides.disable_session_tag: `disable_session_tag` is not an argument of `PodIdentityAssociation`: the nearest is "
        "`disable_session_tags`",
        id="a pod identity",
    ),
    pytest.param(
        eks_pool(overrides={"template": {"spec": {"expire_after": "24h"}}}),
        "PLT022 overrides.template.spec.expire_after: `expire_after` is not a field of `template.spec`: the nearest is `expireAfter`",
        id="Python's spelling in an object",
    ),
    pytest.param(
        AksNodeClass(overrides={"imageFamly": "Ubuntu2204"}),
        "PLT023 overrides.imageFamly: `imageFamly` is not a field of `AKSNodeClass.spec`, unless it is newer than CRDs of DAY: the nearest is "
        "`imageFamily`",
        id="a field that may be newer",
    ),
    pytest.param(
        EksNodeClass(overrides={"warmPools": 1}),
        "PLT023 overrides.warmPools: `warmPools` is not a field of `NodeClass.spec`, unless it is newer than CRDs of DAY",
        id="one that nothing is near to",
    ),
    pytest.param(pool(max_pods="30"), "PLT024 overrides.max_pods: `max_pods` must be a whole number, without quotes", id="another type"),
    pytest.param(aks_pool(overrides={"weight": "1"}), "PLT024 overrides.weight: `weight` must be a whole number, without quotes", id="an object"),
    *(
        pytest.param(
            made(overrides=given),
            f"PLT024 overrides.{at}: The API server rejects `{at}`: `{field}` says what it accepts",
            id=f"{field} of {made.__name__}, in a unit that no version has",
        )
        for made in (aks_pool, eks_pool)
        for given, at, field in (
            ({"template": {"spec": {"expireAfter": "30d"}}}, "template.spec.expireAfter", "expire_after"),
            ({"template": {"spec": {"terminationGracePeriod": "Never"}}}, "template.spec.terminationGracePeriod", "termination_grace_period"),
            (
                {"disruption": {"consolidationPolicy": "Newer", "consolidateAfter": "1d"}},
                "disruption.consolidateAfter",
                "disruption.consolidate_after",
            ),
        )
    ),
    *(
        pytest.param(made, f"PLT024 overrides.{at}: `{at}` must be {bound}", id=f"{at} out of bounds")
        for made, at, bound in (
            (pool(max_pods=300), "max_pods", "at most 250"),
            (pool(count=-1), "count", "at least 0"),
            (pool(kubelet_config={"container_log_max_files": 1}), "kubelet_config.container_log_max_files", "at least 2"),
            (eks(overrides=_node_ports(70_000)), _LAST_PORT, "at most 65535"),
            (eks_pool(overrides={"weight": 101}), "weight", "at most 100"),
            (AksNodeClass(overrides={"maxPods": 300}), "maxPods", "at most 250"),
        )
    ),
    pytest.param(
        pool(kubelet_config={"imageGcHighThreshold": 70}),
        "PLT025 overrides.kubelet_config.imageGcHighThreshold: `imageGcHighThreshold` is the spelling of the API: rules and `diff` read "
        "`image_gc_high_threshold`, Python's spelling",
        id="the API's spelling, which is sent",
    ),
]


@pytest.mark.parametrize(("declared", "expected"), WRONG)
def test_each_part_tells_what_its_overrides_lack(declared: Model, expected: str) -> None:
    [(code, path, message)] = told(declared)
    assert f"{code} {path}: {re.sub(r'CRDs of [0-9-]+', 'CRDs of DAY', message)}" == expected


@pytest.mark.parametrize(
    "declared",
    [pool(max_pods=250), pool(os_disk_size_gb=0), pool(max_pods=None), eks(overrides=_node_ports(32_767)), eks_pool(overrides={"weight": 1})],
)
def test_what_is_within_bounds_or_the_default_of_the_api_is_not_an_error(declared: Model) -> None:
    assert told(declared) == []


def test_all_of_it_is_told_at_once() -> None:
    given = {"network_profil": {}, "sku": {"teir": "Free", "name": 3}, "fqdn_subdomain": ["a"]}
    assert [(code, path) for code, path, _ in told(aks(overrides=given))] == [
        ("PLT022", "overrides.network_profil"),
        ("PLT022", "overrides.sku.teir"),
        ("PLT024", "overrides.sku.name"),
        ("PLT024", "overrides.fqdn_subdomain"),
    ]


FIXES = [
    pytest.param(
        aks(overrides={"networkProfile": {"pod_cidr": "10.0.0.0/8"}}), "Rename `overrides.networkProfile` to `network_profile`", id="certain"
    ),
    pytest.param(
        aks(overrides={"networkProfile": {}, "network_profile": {"dns_service_ip": None}}), "Remove `overrides.networkProfile`", id="both are given"
    ),
    pytest.param(pool(max_pods="30"), "Set `overrides.max_pods` to `30`", id="the same number"),
    pytest.param(pool(enable_auto_scaling="true"), "Set `overrides.enable_auto_scaling` to `True`", id="a switch that no field sends alone"),
    pytest.param(pool(enable_fips="True"), "Set `overrides.enable_fips` to `True`", id="the same switch"),
    pytest.param(pool(vm_size=3), 'Set `overrides.vm_size` to `"3"`', id="the same text"),
    pytest.param(pool(max_pods="5"), "Use the field `max_pods`, which says what it accepts", id="a number that the cloud rejects"),
    pytest.param(
        pool(upgrade_settings={"drain_timeout_in_minutes": "30"}),
        "Set `overrides.upgrade_settings.drain_timeout_in_minutes` to `30`",
        id="a number that the field has with a unit",
    ),
    pytest.param(
        aks_pool(overrides={"template": {"spec": {"terminationGracePeriod": 240}}}),
        "Use the field `termination_grace_period`, which says what it accepts",
        id="text without a unit",
    ),
    pytest.param(
        aks_pool(overrides={"disruption": {"consolidateAfter": 30}}),
        "Use the field `disruption.consolidate_after`, which says what it accepts",
        id="the same in a part of the part",
    ),
    pytest.param(pool(message_of_the_day=240), "Use the field `message_of_the_day`, which says what it accepts", id="text that is not encoded"),
    pytest.param(pool(max_pods="many"), None, id="no number"),
    pytest.param(pool(fips=True), "Set `fips` to `True`, and remove `overrides.fips`", id="the field"),
    pytest.param(aks(overrides={"fleet_membership": {}}), "Remove `overrides.fleet_membership`", id="nothing near"),
    pytest.param(pool(node_initialization_taints=["a=b:NoSchedule"]), "Remove `overrides.node_initialization_taints`", id="a preview"),
    pytest.param(WITHOUT_SUBNETS, "Remove `overrides.vpc_config.subnet_ids`", id="required"),
]


@pytest.mark.parametrize(("declared", "fix"), FIXES)
def test_the_fix_is_one_that_helps(declared: Model, fix: str | None) -> None:
    [found] = [one for one in check(declared) if one.code in {"PLT022", "PLT024"}]
    assert (found.fix.text if found.fix is not None else None) == fix


NOTES = [
    pytest.param(pool(enable_fips=True), "Rules do not check the override `enable_fips`: use the field `fips`, which they check", id="a field"),
    pytest.param(
        aks(overrides={"network_profile": {"pod_cidr": "10.244.0.0/16", "service_cidr": "10.96.0.0/16"}}),
        "Rules do not check the override `network_profile`: use the fields `network_profile.pod_cidr` and "
        "`network_profile.service_cidr`, which they check",
        id="two fields",
    ),
    pytest.param(
        aks(overrides={"extended_location": {"name": "edge"}}), "No rule checks the value of the override `extended_location`", id="no field"
    ),
    pytest.param(
        pool(max_pods=pulumi.Output.from_input(30)),
        "Rules do not check the override `max_pods`: use the field `max_pods`, which they check",
        id="an output",
    ),
    pytest.param(
        aks(system_pool={"overrides": {"scale_set_priority": "Spot"}}),
        "No rule checks the value of the override `scale_set_priority`",
        id="a field of other kinds of pools",
    ),
    pytest.param(
        pool(max_pods=None), "Rules do not check the override `max_pods`: use the field `max_pods`, which they check", id="a field that is removed"
    ),
]


@pytest.mark.parametrize(("declared", "message"), NOTES)
def test_a_note_names_the_field(declared: Model, message: str) -> None:
    assert [one.message for one in check(declared) if one.code == "PLT020"] == [message]


def literals(project: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The overrides in declarations and pages of this repository, overrides.md among them, with the file of each."""
    for folder in ("stacks", "examples", "docs", "components", "website"):
        for path in sorted((project / folder).rglob("*")):
            if path.suffix in {".py", ".md"} and "rules/" not in str(path) and path.name != "rules.md":
                text = re.sub(r"'\s*'", "", path.read_text(encoding="utf-8"))
                for start in (one.end() for one in re.finditer(r"overrides=(?=\{\")", text)):
                    end = next(end for end in range(start, len(text)) if text[start : end + 1].count("{") == text[start : end + 1].count("}"))
                    written = text[start : end + 1]
                    if "…" not in written:
                        yield f"{path.name}: {written}", ast.literal_eval(written)


def test_the_overrides_of_pages_and_examples_are_accepted(project: Path) -> None:
    found = list(literals(project))
    assert found
    for place, given in found:
        assert any(all(one.why.name == "NOTHING" for one in target.arguments.overrides(given)) for target in targets().values()), place


def test_every_part_with_overrides_is_checked() -> None:
    """A part that gets overrides also gets a table."""
    with_overrides = {kind for kind in every_model(Model) if "overrides" in kind.model_fields}
    assert {kind.__name__ for kind in with_overrides if not any(issubclass(kind, checked) for checked in targets())} == {"NodePool"}


def every_model(kind: type[Model]) -> Iterator[type[Model]]:
    for below in kind.__subclasses__():
        if below.__module__.startswith("nodepools.model.") and not below.__name__.startswith("_"):
            yield below
        yield from every_model(below)


_PARTS = [IDENTITY, AksNodeClass(), EksNodeClass(), aks(), aks().system_pool, pool(), eks(), aks_pool(), eks_pool()]


@pytest.mark.parametrize("part", _PARTS, ids=lambda part: type(part).__name__)
@pytest.mark.parametrize("value", [{"enabled": False}, [{"name": "a"}], True, "a"], ids=str)
def test_an_override_with_the_name_of_a_field_is_never_put_there_without_validation(part: Model, value: object) -> None:
    """A fix is tried on a copy: a mapping in the place of a part would end the check."""
    for field in type(part).model_fields.keys() - {"overrides"}:
        overridden = type(part).model_validate({**dict(part), "overrides": {field: value}})
        assert {one.code for one in check(overridden)} & {"PLT020", "PLT022", "PLT023", "PLT024", "PLT025"}, field


def test_a_value_that_its_field_takes_is_moved_there() -> None:
    fixes = [one.fix for one in check(pool(fips=True)) if one.code == "PLT022"]
    assert [[operation.op for operation in fix.operations] for fix in fixes if fix is not None] == [["set", "remove"]]
    fixes = [one.fix for one in check(eks(overrides={"auto_mode": {"enabled": False}})) if one.code == "PLT022"]
    assert [(fix.text, fix.operations) for fix in fixes if fix is not None] == [("Use the field `auto_mode`", ())]
