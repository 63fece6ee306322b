"""Shape errors as findings: every error that our models can raise has words of ours."""

import re
from collections.abc import Callable, Iterator
from typing import Literal, cast, get_args

import pulumi
import pytest
from pydantic import ValidationError
from pydantic_core import PydanticCustomError, core_schema

import nodepools.model.schema  # noqa: F401  # pyright: ignore[reportUnusedImport]  # every model is imported
from nodepools import (
    AksClusterArgs,
    AksNetworkArgs,
    AksNodeClass,
    AksNodePool,
    AutoMode,
    EksClusterArgs,
    EksNodeClass,
    EksNodePool,
    NodeProvisioning,
    Platform,
    StackOutput,
    SystemPool,
    Taint,
    UserPool,
)
from nodepools.loading import load_text
from nodepools.model.aks.agent_pool import AgentPool, UpgradeSettings
from nodepools.model.aks.maintenance import DailySchedule, WeeklySchedule
from nodepools.model.base import Model
from nodepools.model.eks.cluster import EksNetworkArgs, ExistingEksNetwork
from nodepools.model.eks.ec2_node_class import SelfManagedKarpenter
from nodepools.model.karpenter_alpha import CapacityBuffer, NodeOverlay
from nodepools.model.maintenance import Disruption, MaintenanceHours
from nodepools.model.schema import without_booleans
from nodepools.rules.engine.codes import SCHEMA_CODES
from nodepools.rules.engine.field_annotations import (
    Home,
    held_models,
    homes,
    inferred_kind,
    models_of,
    only_kind,
    options,
    reachable,
    target,
    words_of,
)
from nodepools.rules.engine.finding import YAML, DeclarationError, Finding
from nodepools.rules.engine.schema_findings import OWN_ERROR_FIXES, PATTERNS, empty_findings, quoted, shape_findings


def findings(whole: type[Model], **fields: object) -> list[Finding]:
    with pytest.raises(ValidationError) as refused:
        whole.model_validate(fields)
    return shape_findings(refused.value, whole)


def only(whole: type[Model], **fields: object) -> tuple[str, str, str, str]:
    [finding] = findings(whole, **fields)
    return finding.code, finding.path, finding.message, fix_of(finding)


def fix_of(finding: Finding) -> str:
    assert finding.fix is not None
    return finding.fix.text


def aks(**fields: object) -> dict[str, object]:
    pool = SystemPool(vm_size="x")
    return {"name": "dev", "clusters": {"weu": {"kind": "AksCluster", "location": "x", "kubernetes_version": "1.35", "system_pool": pool, **fields}}}


def eks(**fields: object) -> dict[str, object]:
    return {"name": "dev", "clusters": {"use1": {"kind": "EksCluster", "region": "x", "kubernetes_version": "1.35", **fields}}}


SHAPES = [
    pytest.param(
        aks(locatoin="x"),
        ("CFG002", "clusters.weu.locatoin", "`locatoin` is not a field of `AksClusterArgs`", "Rename it to `location`"),
        id="a misspelt field",
    ),
    pytest.param(
        aks(pools={"web": {"kind": "UserPool", "vm_sze": "x"}}),
        ("CFG002", "clusters.weu.pools.web.vm_sze", "`vm_sze` is not a field of `UserPool`", "Rename it to `vm_size`"),
        id="a misspelt field that is required is one finding",
    ),
    pytest.param(
        aks(pools={"web": {"kind": "UserPool", "size": "x"}}),
        ("CFG002", "clusters.weu.pools.web.size", "`size` is not a field of `UserPool`", "Rename it to `vm_size`"),
        id="what another tool calls it",
    ),
    pytest.param(
        aks(api_server={"privat": True}),
        ("CFG002", "clusters.weu.api_server.privat", "`privat` is not a field of `ApiServer`", "Rename it to `private`"),
        id="in a part",
    ),
    pytest.param(
        aks(api_server={"zzz": True}),
        (
            "CFG002",
            "clusters.weu.api_server.zzz",
            "`zzz` is not a field of `ApiServer`",
            "Remove it, or use one of `private`, `authorized_ip_ranges`",
        ),
        id="nothing like it",
    ),
    pytest.param(
        aks(kubernetes_version=1.3),
        (
            "CFG004",
            "clusters.weu.kubernetes_version",
            "`kubernetes_version` must be text, not the number 1.3: without quotes, 1.30 becomes 1.3",
            "Write the version in quotes, with all its digits",
        ),
        id="a version as a number",
    ),
    pytest.param(
        aks(kubernetes_version="v1.35"),
        (
            "CFG006",
            "clusters.weu.kubernetes_version",
            "`kubernetes_version` must be a version of Kubernetes, with or without its patch version",
            'Write only its numbers: `"1.MINOR"` or `"1.MINOR.PATCH"`',
        ),
        id="a version in words says what is allowed",
    ),
    pytest.param(
        eks(kubernetes_version="1.35.2"),
        (
            "CFG006",
            "clusters.use1.kubernetes_version",
            "`kubernetes_version` must be a minor version of Kubernetes: EKS chooses the patch version",
            "Write the minor version alone, without the patch version",
        ),
        id="EKS chooses the patch",
    ),
    pytest.param(
        aks(pools={"web": {"kind": "UserPool", "vm_size": "x", "kubernetes_version": "latest"}}),
        (
            "CFG006",
            "clusters.weu.pools.web.kubernetes_version",
            "`kubernetes_version` must be a version of Kubernetes, with or without its patch version",
            'Write only its numbers: `"1.MINOR"` or `"1.MINOR.PATCH"`',
        ),
        id="a pattern that is inherited",
    ),
    pytest.param(aks(location=None), ("CFG004", "clusters.weu.location", "`location` has no value", "Write a value"), id="an empty field"),
    pytest.param(
        aks(api_server=None),
        ("CFG004", "clusters.weu.api_server", "`api_server` has no value", "Remove it, or write a value"),
        id="an empty part",
    ),
    pytest.param(aks(pools={"web": None}), ("CFG004", "clusters.weu.pools.web", "`web` has no value", "Write a value"), id="an empty pool"),
    pytest.param(
        aks(pools={"np": AksNodePool()}),
        (
            "CFG003",
            "clusters.weu.pools.np",
            "`np` is an `AksNodePool`; it must be `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
            "Move it to `node_pools` of `NodeProvisioning`",
        ),
        id="a NodePool among agent pools",
    ),
    pytest.param(
        aks(pools={"np": {"kind": "AksNodePool"}}),
        (
            "CFG003",
            "clusters.weu.pools.np",
            "`np` has the kind `AksNodePool`; it must be `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
            "Move it to `node_pools` of `NodeProvisioning`",
        ),
        id="the same in YAML",
    ),
    pytest.param(
        aks(pools={"web": {"kind": "UserPool", "vm_size": "x", "scale": {"kind": "Autoscale", "min": 1, "max": 2}}}),
        ("CFG002", "clusters.weu.pools.web.scale.kind", "`kind` is not a field of `Autoscale`", "Remove it: there is only one kind here"),
        id="a kind where there is only one",
    ),
    pytest.param(
        aks(pools={"np": {"kind": "Userpool"}}),
        (
            "CFG003",
            "clusters.weu.pools.np",
            "`np` has the kind `Userpool`; it must be `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
            "Set `kind` to `UserPool`",
        ),
        id="a kind misspelt",
    ),
    pytest.param(
        aks(pools={"np": {"kind": "SpotPool"}}),
        (
            "CFG003",
            "clusters.weu.pools.np",
            "`np` has the kind `SpotPool`; it must be `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
            "Set `kind` to `UserPool`, and add `spot: {}`",
        ),
        id="a function of Python as a kind",
    ),
    pytest.param(
        aks(pools={"np": {"kind": "System"}}),
        (
            "CFG003",
            "clusters.weu.pools.np",
            "`np` has the kind `System`; it must be `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
            "Set `kind` to `SystemPool`",
        ),
        id="a mode of AKS as a kind",
    ),
    pytest.param(
        aks(pools={"np": {"kind": "NodePool"}}),
        (
            "CFG003",
            "clusters.weu.pools.np",
            "`np` has the kind `NodePool`; it must be `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
            "Set `kind` to `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
        ),
        id="a kind that has only a word in common with others",
    ),
    pytest.param(
        aks(pools={"np": {"kind": "Deployment"}}),
        (
            "CFG003",
            "clusters.weu.pools.np",
            "`np` has the kind `Deployment`; it must be `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
            "Set `kind` to `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
        ),
        id="a kind of something else",
    ),
    pytest.param(
        eks(auto_mode={"node_classes": {"own": {"own_role": True}}}),
        ("CFG002", "clusters.use1.auto_mode.node_classes.own.own_role", "`own_role` is not a field of `EksNodeClass`", "Rename it to `create_role`"),
        id="the name of a field in version 0.1",
    ),
    pytest.param(
        aks(pools={"np": {}}),
        ("CFG003", "clusters.weu.pools.np", "`np` has no `kind`", "Set `kind` to `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`"),
        id="no kind",
    ),
    pytest.param(
        aks(system_pool=UserPool(vm_size="x")),
        (
            "CFG003",
            "clusters.weu.system_pool",
            "`system_pool` is a `UserPool`; it must be `SystemPool`",
            "Move it to `pools` of `AksClusterArgs`",
        ),
        id="a user pool as the system pool",
    ),
    pytest.param(
        eks(network=AksNetworkArgs()),
        (
            "CFG003",
            "clusters.use1.network",
            "`network` is an `AksNetworkArgs`; it must be `EksNetworkArgs` or `ExistingEksNetwork`",
            "Use `EksNetworkArgs` or `ExistingEksNetwork`",
        ),
        id="the network of the other cloud",
    ),
    pytest.param(
        aks(node_provisioning=True),
        (
            "CFG003",
            "clusters.weu.node_provisioning",
            "`node_provisioning` must be `NodeProvisioning`",
            "Set `node_provisioning` to `NodeProvisioning()`, which has the defaults",
        ),
        id="a switch in place of a part",
    ),
    pytest.param(
        aks(tier="premium"),
        ("CFG005", "clusters.weu.tier", "`tier` must be one of `Free`, `Standard`, `Premium`", "Use `Premium`"),
        id="a word in lower case",
    ),
    pytest.param(
        aks(tier="gold"),
        (
            "CFG005",
            "clusters.weu.tier",
            "`tier` must be one of `Free`, `Standard`, `Premium`",
            "Remove `tier`, or use `Free`, `Standard` or `Premium`",
        ),
        id="another word",
    ),
    pytest.param(
        aks(system_pool={"kind": "SystemPool", "vm_size": "Standard_D4ds_v5", "zones": ["1"]}),
        ("CFG005", "clusters.weu.system_pool.zones[0]", "`zones[0]` is text", "Write `1` without quotes"),
        id="a number in quotes",
    ),
    pytest.param(
        aks(private=True),
        ("CFG002", "clusters.weu.private", "`private` is not a field of a cluster", "Move it to `api_server`"),
        id="a field of a part",
    ),
    pytest.param(
        aks(network_profile={"plugin_mode": "flat"}),
        ("CFG005", "clusters.weu.network_profile.plugin_mode", "`plugin_mode` must be `overlay`", "Use `overlay`"),
        id="the only word",
    ),
    pytest.param(
        eks(auto_mode={"built_in_node_pools": ("system")}),
        (
            "CFG004",
            "clusters.use1.auto_mode.built_in_node_pools",
            "`built_in_node_pools` must be a list, not text",
            'Write `["system"]`',
        ),
        id="parentheses",
    ),
    pytest.param(
        aks(tags={3: "x"}),
        ("CFG004", 'clusters.weu.tags["3"]', "The key `3` is not text", 'Write the key in quotes: `"3"`'),
        id="a number as key",
    ),
    pytest.param(
        aks(tags={"x": 3}),
        ("CFG004", "clusters.weu.tags.x", "`x` must be text, not the number 3", 'Write it in quotes: `"3"`'),
        id="a number as value",
    ),
    pytest.param(
        aks(tags={"x": False}), ("CFG004", "clusters.weu.tags.x", "`x` must be text", 'Write it in quotes: `"false"`'), id="a truth as value"
    ),
    pytest.param(aks(tags={"x": []}), ("CFG004", "clusters.weu.tags.x", "`x` must be text", "Write one text, in quotes"), id="a list as value"),
    pytest.param(
        aks(network={"kind": "ExistingAksNetwork", "subnet_id": {"stack": "org/network/prod"}}),
        ("CFG001", "clusters.weu.network.subnet_id.output", "`output` is required", "Set `output`"),
        id="half a StackOutput",
    ),
    pytest.param(
        aks(network={"kind": "ExistingAksNetwork", "subnet_id": {"stack": "network", "output": "x"}}),
        (
            "CFG006",
            "clusters.weu.network.subnet_id.stack",
            "`stack` must be the full name of a stack",
            'Write its full name: `"organization/project/stack"`',
        ),
        id="a stack by its short name",
    ),
    pytest.param(
        aks(network={"kind": "ExistingAksNetwork", "subnet_id": {"stack": "a/b/c", "output": "x", "name": "x"}}),
        ("CFG002", "clusters.weu.network.subnet_id.name", "`name` is not a field of `StackOutput`", "Remove it, or use one of `stack`, `output`"),
        id="a StackOutput with more",
    ),
    pytest.param(
        eks(account={"id": 12}),
        (
            "CFG004",
            "clusters.use1.account.id",
            "`id` must be text, not the number 12",
            "Write all 12 digits in quotes, leading zeros too, without hyphens",
        ),
        id="an account as a number",
    ),
    pytest.param(
        eks(account={"id": "12"}),
        (
            "CFG006",
            "clusters.use1.account.id",
            "`id` must be the 12 digits of an AWS account",
            "Write all 12 digits in quotes, leading zeros too, without hyphens",
        ),
        id="an account that is too short",
    ),
    pytest.param(
        {"name": "dev", "clusters": {}},
        ("CFG008", "clusters", "`clusters` is empty: at least 1 entry is required", "Add an entry"),
        id="no clusters",
    ),
    pytest.param(
        {"name": "dev", "clusters": []},
        ("CFG004", "clusters", "`clusters` must be a mapping of keys to values", "Write a mapping, such as `{key: value}`"),
        id="a list of clusters",
    ),
    pytest.param(
        {**aks(), "name": "Dev"},
        (
            "CFG006",
            "name",
            "`name` must be at most 30 lowercase letters, digits and hyphens, starting with a letter",
            "Write it in lower case, with `-` for other characters, and shorten it",
        ),
        id="a name with a capital",
    ),
]


@pytest.mark.parametrize(("fields", "expected"), SHAPES)
def test_shapes(fields: dict[str, object], expected: tuple[str, str, str, str]) -> None:
    assert only(Platform, **fields) == expected


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        pytest.param({"vm_size": "x", "labels": {"a": [1]}}, [("CFG003", "web"), ("CFG004", "web.labels.a")], id="wrong with each kind"),
        pytest.param({"vm_size": "x", "labels": {"a": "b"}}, [("CFG003", "web")], id="right with each kind"),
        pytest.param({"vm_sise": "x", "labels": {"a": [1]}}, [("CFG003", "web")], id="fields of no kind"),
    ],
)
def test_a_pool_without_a_kind(pool: dict[str, object], expected: list[tuple[str, str]]) -> None:
    found = findings(Platform, **aks(pools={"web": pool}))
    assert [(finding.code, finding.path.removeprefix("clusters.weu.pools.")) for finding in found] == expected


class Server(pulumi.Resource):
    def __init__(self) -> None:
        """Is registered nowhere."""


def unknown() -> object:
    """An Output needs an event loop."""
    return pulumi.Output.from_input("x")


NO_VALUE = "is a `pulumi.Output`, which has no value until Pulumi runs"
WRITE_THE_VALUE = "Write a plain value: only references, such as ids, accept Outputs"


@pytest.mark.parametrize(
    ("fields", "path", "message", "fix"),
    [
        pytest.param(lambda: aks(pools={"web": unknown()}), "clusters.weu.pools.web", NO_VALUE, WRITE_THE_VALUE, id="an output as a pool"),
        pytest.param(lambda: aks(system_pool=unknown()), "clusters.weu.system_pool", NO_VALUE, WRITE_THE_VALUE, id="as the system pool"),
        pytest.param(lambda: aks(network=unknown()), "clusters.weu.network", NO_VALUE, WRITE_THE_VALUE, id="as a network"),
        pytest.param(lambda: {"name": "dev", "clusters": {"weu": unknown()}}, "clusters.weu", NO_VALUE, WRITE_THE_VALUE, id="as a cluster"),
        pytest.param(lambda: aks(location=unknown()), "clusters.weu.location", NO_VALUE, WRITE_THE_VALUE, id="as text"),
        pytest.param(lambda: aks(tags=unknown()), "clusters.weu.tags", NO_VALUE, WRITE_THE_VALUE, id="as a mapping"),
        pytest.param(lambda: aks(admins=unknown()), "clusters.weu.admins", NO_VALUE, WRITE_THE_VALUE, id="as a list"),
        pytest.param(
            lambda: {"name": "dev", "clusters": {"weu": Server()}},
            "clusters.weu",
            "is a Pulumi resource, where a plain value is required",
            "Write `AksClusterArgs` or `EksClusterArgs`, not the resource",
            id="a component as a cluster",
        ),
        pytest.param(
            lambda: aks(location=Server()),
            "clusters.weu.location",
            "is a Pulumi resource, where a plain value is required",
            "Write a plain value, not the resource",
            id="as text",
        ),
        pytest.param(
            lambda: aks(resource_group=Server()),
            "clusters.weu.resource_group",
            "is a Pulumi resource; it must be the id of one",
            "Write the id of the resource: its output `id`",
            id="as a reference",
        ),
    ],
)
@pytest.mark.usefixtures("loop")
def test_what_only_pulumi_knows(
    fields: Callable[[], dict[str, object]], path: str, message: str, fix: str, capfd: pytest.CaptureFixture[str]
) -> None:
    name = path.rpartition(".")[2]
    assert only(Platform, **fields())[1:] == (path, f"`{name}` {message}", fix)
    assert capfd.readouterr() == ("", "")  # Pulumi warns whoever asks an Output for its text


@pytest.mark.parametrize(
    ("fields", "message", "fix"),
    [
        pytest.param(aks(locatoin="x"), "`locatoin` is not a field of `AksCluster`", "Rename it to `location`", id="of a kind"),
        pytest.param(
            aks(api_server={"zzz": True}),
            "`zzz` is not a field of `api_server`",
            "Remove it, or use one of `private`, `authorized_ip_ranges`",
            id="of a part without a kind",
        ),
        pytest.param({**aks(), "zzz": 1}, "`zzz` is not a field of the declaration", None, id="of the platform"),
        pytest.param(
            aks(node_provisioning=True),
            "`node_provisioning` must be a mapping",
            "Set `node_provisioning` to `{}`, which has the defaults",
            id="a switch",
        ),
        pytest.param(
            aks(network="x"),
            "`network` must be a mapping with the `kind` `AksNetwork`, `ExistingAksNetwork` or `ManagedAksNetwork`",
            "Write a mapping with the `kind` `AksNetwork`, `ExistingAksNetwork` or `ManagedAksNetwork`, with its fields",
            id="text in place of one of several parts",
        ),
        pytest.param(
            aks(pools={"np": {"kind": "AksNodePool"}}),
            "`np` has the kind `AksNodePool`; it must be `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
            "Move it to `node_pools` of `node_provisioning`",
            id="a part of another part",
        ),
        pytest.param(
            aks(pools={"np": {"kind": "AksCluster"}}),
            "`np` has the kind `AksCluster`; it must be `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
            "Move it to `clusters` of the declaration",
            id="a part of the platform",
        ),
        pytest.param(
            aks(network={"kind": "AksNetworkArgs"}),
            "`network` has the kind `AksNetworkArgs`; it must be `AksNetwork`, `ExistingAksNetwork` or `ManagedAksNetwork`",
            "Set `kind` to `AksNetwork`",
            id="the class of Python",
        ),
    ],
)
def test_a_platform_file_is_told_kinds_and_fields_and_no_classes(fields: dict[str, object], message: str, fix: str | None) -> None:
    [found] = [one.spelled(YAML) for one in findings(Platform, **fields)]
    assert found.message == message
    assert found.fix is not None
    assert fix is None or found.fix.text == fix


def test_a_part_that_is_validated_alone_has_paths_of_its_own() -> None:
    assert only(EksClusterArgs, region="x", kubernetes_version="1.35", protect="maybe")[1] == "protect"
    assert [finding.path for finding in findings(AksClusterArgs, location="x")] == ["kubernetes_version"]
    assert findings(AksClusterArgs, location="x")[0].source == "nodepools.AksClusterArgs.kubernetes_version"


def test_one_finding_for_each_of_a_list() -> None:
    taints = ["a", {"key": "x", "effect": "NoScheduel"}, Taint("a")]
    assert [finding.path for finding in findings(UserPool, vm_size="x", taints=taints)] == ["taints[0]", "taints[1].effect"]


def test_an_error_that_nobody_has_words_for_says_its_own() -> None:
    class Odd(Model):
        x: int = 1

        @classmethod
        def __get_pydantic_core_schema__(cls, source: object, handler: object) -> core_schema.CoreSchema:
            def refuse(_: object) -> object:
                raise PydanticCustomError("odd", "is odd, {{indeed}}")

            return core_schema.no_info_plain_validator_function(refuse)

    [finding] = findings(Odd)
    assert (finding.code, finding.path, fix_of(finding)) == ("CFG009", "", "Change the value")
    assert finding.message.startswith("The declaration: is odd")


def everything() -> list[type[Model]]:
    return list(
        dict.fromkeys([*reachable(Platform), *reachable(SelfManagedKarpenter), AgentPool, MaintenanceHours, StackOutput, NodeOverlay, CapacityBuffer])
    )


WRONG: tuple[object, ...] = (
    *(None, 3, -3, 10**30, 3.5, float("nan"), float("inf"), 1e300, True, b"x", object(), 1j),
    *("", "x", "A B!", "1h30", "3d", "1m1s", "5000%", "[", "2027-06-31", "x" * 400),
    *(
        [],
        {},
        (),
        set[object](),
        [None],
        ["x"],
        [3],
        ["x"] * 200,
        [list[object]()],
        {"x": None},
        {"x": 3},
        {"x": 0},
        {3: "x"},
        {"x": "y"},
        {"x": 2.5},
        {"x": {}},
        {"x": []},
        {"x": ["x"]},
    ),
    *({"kind": "x"}, {"kind": 3}, {"x": {"kind": "x"}}, {"stack": "x"}, {"operator": "In"}, {"operator": "Gt", "key": "x", "values": ["y"]}),
    {str(index): "x" for index in range(60)},
    *(["use1-az1", "us-east-1a"], [{"operator": "In", "key": "x"}], ["a:b"]),
)


def raised() -> Iterator[tuple[str, ValidationError, type[Model]]]:
    """Every error that a wrong value can raise in any field of any model, once."""
    seen: set[tuple[object, ...]] = set()
    for model in everything():
        for field in model.model_fields:
            for wrong in WRONG:
                try:
                    model.model_validate({field: wrong})
                except ValidationError as error:
                    details = {(model, detail["loc"], detail["type"], detail["msg"]) for detail in error.errors(include_url=False)}
                    if not details <= seen:
                        seen |= details
                        yield f"{model.__name__}.{field}", error, model


@pytest.mark.sweep
def test_every_error_that_our_models_can_raise_has_words_of_ours() -> None:
    seen: set[str] = set()
    for where, error, model in raised():
        for finding, detail in zip(shape_findings(error, model), error.errors(include_url=False), strict=False):
            seen.add(finding.code)
            assert finding.code in SCHEMA_CODES, where
            assert fix_of(finding) != "Change the value", (where, detail["type"])
            assert not re.search(r"Input|String|\^|\$|instance of|\{\w+\}", finding.message + fix_of(finding)), (where, finding)
            assert fix_of(finding), where
            for text in (finding.message, fix_of(finding)):  # a list of no values ends a sentence too early
                assert not re.search(r"``|(one of|must be|or|,|Use|Write)\s*$", text), (where, text)
    assert seen == set(SCHEMA_CODES) - {
        "CFG010",
        "CFG011",
        "CFG012",
        "CFG013",
        "CFG014",
        "CFG015",
    }  # of Outputs, of files, of derive(), of raw resources


@pytest.mark.sweep
def test_a_word_for_none_that_a_field_has_is_never_told_to_be_nothing() -> None:
    own = [(model, name, word) for model in everything() for name, field in model.model_fields.items() for word in words_of(field.annotation)]
    named = [(model, name, word) for model, name, word in own if str(word).lower() == "none"]
    assert len(named) > 5
    for model, name, word in named:
        for wrong in {"none", "None", "NONE"} - {word}:
            assert [fix_of(found) for found in shape_findings_of(model, name, wrong) if found.path == name] == [f"Use `{word}`"], (model, name)


@pytest.mark.parametrize("number", [3, 30, 3.5])
@pytest.mark.sweep
def test_a_number_is_put_in_quotes_only_where_that_is_valid(number: float) -> None:
    tried: list[str] = []
    for model in everything():
        for field in model.model_fields:
            for wrong, as_text in ((number, str(number)), ([number], [str(number)]), ({"x": number}, {"x": str(number)})):
                at = [finding.path for finding in shape_findings_of(model, field, wrong) if fix_of(finding) == f'Write it in quotes: `"{number}"`']
                tried += at
                assert not [finding for finding in shape_findings_of(model, field, as_text) if finding.path in at], (model, field)
    assert tried


def shape_findings_of(model: type[Model], field: str, value: object) -> list[Finding]:
    try:
        model.model_validate({field: value})
    except ValidationError as error:
        return shape_findings(error, model)
    return []


def test_every_pattern_has_words() -> None:
    patterns = {
        (model.__name__, field)
        for model in everything()
        for field, info in model.model_fields.items()
        if any(getattr(constraint, "pattern", None) for constraint in info.metadata) and field in model.__annotations__
    }
    assert patterns == set(PATTERNS)


@pytest.mark.parametrize("name", ["a" * 81, "/subscriptions/0/resourceGroups/shop-nodes", "shop."], ids=["longer", "an id", "a period at its end"])
def test_a_length_next_to_the_pattern_has_the_words_of_the_pattern(name: str) -> None:
    [_, _, message, fix] = only(Platform, **aks(node_resource_group=name))
    assert (message, fix) == (
        "`node_resource_group` must be the name of a resource group of at most 80 characters, without a period at the end",
        'Write a name such as `"shop-weu-nodes"`, not an id',
    )


def test_the_examples_of_fixes_have_the_form() -> None:
    examples = {
        (model.__name__, field): (example.group(1), pattern)
        for model in everything()
        for field, info in model.model_fields.items()
        for pattern in (getattr(constraint, "pattern", None) for constraint in info.metadata)
        if pattern is not None and field in model.__annotations__
        if (example := re.search(r'such as `"?([^`"]+)"?`', PATTERNS[model.__name__, field].fix))
    }
    assert [at for at, (example, pattern) in examples.items() if not re.search(pattern, example)] == []
    names = [("AksClusterArgs", "name"), ("AksClusterArgs", "dns_prefix"), ("EksClusterArgs", "name"), ("EksNodeClass", "name")]
    users = [("WindowsProfile", "admin_username"), ("LinuxProfile", "admin_username")]
    assert set(names + users) <= set(examples), "a new cluster has no name yet that could be written"


def test_no_pattern_counts_letters_of_every_script() -> None:
    """Pydantic compiles it with each of them for each count: that took 30 ms in the start of every command."""
    counted = re.compile(r"\\w(?:[^\]]*\])?\{")
    patterns = [
        getattr(constraint, "pattern", None) for model in everything() for info in model.model_fields.values() for constraint in info.metadata
    ]
    assert any(patterns)
    assert not [pattern for pattern in patterns if pattern is not None and counted.search(pattern)]


def test_every_error_of_our_own_validators_has_a_fix() -> None:
    types = {detail["type"] for _, error, _ in raised() for detail in error.errors(include_url=False)}
    # One needs pulumi, two two fields, two the key of a mapping: tests/rules/test_karpenter_alpha.py raises those.
    assert set(OWN_ERROR_FIXES) - types == {"ref_resource", "window_length", "buffered", "overlay_capacity", "restricted_label"}


def test_where_things_belong() -> None:
    assert list(homes(Platform, "EksNodeClass")) == [
        Home("node_classes", AutoMode, "auto_mode"),
        Home("previous", EksNodeClass, "node_classes"),
    ]
    assert list(homes(Platform, "AksCluster")) == [Home("clusters", Platform, None)]
    assert list(homes(EksClusterArgs, "UserPool")) == []
    assert NodeProvisioning in reachable(Platform)
    assert EksNodePool not in reachable(AksClusterArgs)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"budgets": [{"reasons": ["Drfted"]}]}, ("budgets[0].reasons[0]", "Use `Drifted`")),
        ({"budgets": [{"reasons": ["Drift"]}]}, ("budgets[0].reasons[0]", "Use `Drifted`")),
        (
            {"budgets": [{"reasons": ["Expire"]}]},
            ("budgets[0].reasons[0]", "Remove `reasons[0]`, or use `Underutilized`, `Empty`, `Drifted`, `Unhealthy` or `NodeNotHealthy`"),
        ),
        ({"budgets": [{"reasons": "Drfted"}]}, ("budgets[0].reasons", 'Write `["Drifted"]`')),
        (
            {"budgets": [{"reasons": "Expire"}]},
            ("budgets[0].reasons", "Write a list of `Underutilized`, `Empty`, `Drifted`, `Unhealthy` or `NodeNotHealthy`"),
        ),
        ({"budgets": "10%"}, ("budgets", "Write a list of `Budget`")),
        ({"budgets": {"nodes": "10%"}}, ("budgets", "Write a list of `Budget`")),
        ({"budgets": [{"reasons": 5}]}, ("budgets[0].reasons", "Write a list in brackets, such as `[a, b]`")),
        ({"consolidate_after": 30}, ("consolidate_after", "Write the number with its unit: `s`, `m` or `h`")),
        ({"consolidate_after": "30"}, ("consolidate_after", "Write the number with its unit: `s`, `m` or `h`")),
        ({"consolidate_after": "3d"}, ("consolidate_after", "Write `72h`")),
    ],
)
def test_words_of_lists_and_durations(fields: dict[str, object], told: tuple[str, str]) -> None:
    [finding] = findings(Disruption, **fields)
    assert (finding.path, fix_of(finding)) == told


def test_targets() -> None:
    assert target(Platform, ()).field == ""
    assert target(Platform, ("clusters", "weu", "AksCluster", "pools", "web", "UserPool", "taints", 0, "key")).steps == (
        *("clusters", "weu", "pools", "web", "taints", 0, "key"),
    )
    assert target(Platform, ("nowhere", "at", "all")).annotation is None
    assert options(int | None) == [int]


EMPTY = [
    pytest.param("AksCluster", ("pools", "web"), "Write a value, or remove the key", id="an entry"),
    pytest.param("AksCluster", ("tags",), "Write a value, or remove the key (for the default)", id="a field that is never none"),
    pytest.param("AksCluster", ("tier",), "Write a value, or remove the key (for the default)", id="one of some words"),
    pytest.param(
        "AksCluster", ("windows_profile",), "Write a value, remove the key (for the default), or write `null` (for none)", id="a part or none"
    ),
    pytest.param(None, ("tags",), "Write a value, or remove the key", id="in a part of no kind"),
]


@pytest.mark.parametrize(("kind", "steps", "fix"), EMPTY)
def test_nothing_after_a_field_of_a_file_is_a_finding_whose_fix_is_valid(kind: str | None, steps: tuple[str, ...], fix: str) -> None:
    path = ("clusters", "weu", *steps)
    [finding] = empty_findings([path], Platform, {"clusters": {"weu": {} if kind is None else {"kind": kind}}})
    assert (finding.code, finding.path, finding.message) == ("CFG011", ".".join(path), f"`{steps[-1]}` has no value")
    assert finding.steps == path, "by these its line is found"
    assert fix_of(finding) == fix


POOLS = list(held_models(AksClusterArgs.model_fields["pools"].annotation))
NETWORKS = models_of(AksClusterArgs.model_fields["network"].annotation)
CLUSTERS = list(held_models(Platform.model_fields["clusters"].annotation))
TOLD = [
    pytest.param(CLUSTERS, ["location", "kubernetes_version"], "AksClusterArgs", id="a location"),
    pytest.param(CLUSTERS, ["region"], "EksClusterArgs", id="a region"),
    pytest.param(CLUSTERS, ["location", "pools", "service_cidr"], "AksClusterArgs", id="most fields"),
    pytest.param(CLUSTERS, ["kubernetes_version", "network"], None, id="what both have"),
    pytest.param(CLUSTERS, ["location", "region"], None, id="a contradiction"),
    pytest.param(NETWORKS, ["cidr"], "AksNetworkArgs", id="a range that only one always has"),
    pytest.param(NETWORKS, ["subnet_id", "cidr"], "ExistingAksNetwork", id="a field of one"),
    pytest.param(POOLS, ["vm_size", "count", "os_sku"], None, id="pools have these in common"),
    pytest.param(POOLS, [], None, id="nothing"),
    pytest.param([], ["x"], None, id="no kinds"),
]


@pytest.mark.parametrize(("models", "fields", "kind"), TOLD)
def test_fields_tell_the_kind(models: list[type[Model]], fields: list[str], kind: str | None) -> None:
    found = inferred_kind(models, dict.fromkeys(fields))
    assert (found.__name__ if found is not None else None) == kind


WITHOUT_KINDS = """
name: dev
clusters:
  weu:
    location: westeurope
    kubernetes_version: "1.36"
    vnet_subnet_id: x
    service_cidr: 10.0.0.0/16
    totally: 1
    network: {cidr: 10.10.0.0/16}
    system_pool: {vm_size: Standard_D4ds_v5, count: three, spot: true}
    pools:
      web: {kind: UserPool, vm_size: Standard_D4ds_v5, min_count: 1, spot: true, tier: Free, scale: {min: 5, max: 2}}
      x: {vm_size: Standard_D4ds_v5}
    maintenance: 3
"""


def test_a_file_without_kinds_is_told_everything_at_once() -> None:
    with pytest.raises(DeclarationError) as error:
        load_text(WITHOUT_KINDS, "p.yaml")
    fixes = {one.path: one.spelled(YAML).fix for one in error.value.findings}
    assert {path: fix.text for path, fix in fixes.items() if fix is not None} == {
        "clusters.weu": "Set `kind` to `AksCluster`",
        "clusters.weu.network": "Set `kind` to `AksNetwork`",
        "clusters.weu.pools.x": "Set `kind` to `SystemPool`, `UserPool`, `GpuPool` or `WindowsPool`",
        "clusters.weu.system_pool.count": "Write a whole number, without quotes and without a fraction",
        "clusters.weu.system_pool.spot": "Move the spot nodes to a pool in `pools`",
        "clusters.weu.pools.web.min_count": "Remove it, and set `scale`",
        "clusters.weu.pools.web.spot": "Set `spot` to `{}`, which has the defaults",
        "clusters.weu.pools.web.tier": "Move it to `AksCluster`",
        "clusters.weu.vnet_subnet_id": "Set `network` to an `ExistingAksNetwork` with its `subnet_id`",
        "clusters.weu.service_cidr": "Move it to `network_profile.service_cidr`",
        "clusters.weu.totally": "Remove it: no field has a similar name",
        "clusters.weu.maintenance": fixes["clusters.weu.maintenance"].text if fixes["clusters.weu.maintenance"] else "",
        "clusters.weu.pools.web.scale.min": "Lower `min` to `2`, or raise `max` to `5`",
    }


@pytest.mark.parametrize(
    ("path", "given", "expected"),
    [
        ("clusters.weu.network_profile.network_plugin", "azure", "Rename it to `plugin`"),
        ("clusters.weu.network_profile.network_plugin_mode", "overlay", "Rename it to `plugin_mode`"),
        ("clusters.weu.pools.web.kubelet.cpu_cfs_quota_enabled", True, "Rename it to `cpu_cfs_quota`"),
        ("clusters.weu.pools.web.kubelet.container_log_max_size_mb", 50, "Remove it, and set `container_log_max_size`"),
        ("clusters.weu.pools.web.upgrade.drain_timeout_in_minutes", 30, "Remove it, and set `drain_timeout`"),
        ("clusters.weu.pools.web.linux_os.swap_file_size_mb", 1500, "Remove it, and set `swap_file_size`"),
        ("clusters.weu.pools.web.spot.spot_max_price", -1, "Rename it to `max_price`"),
        ("clusters.weu.pools.web.upgrade.max_sruge", "1", "Rename it to `max_surge`"),
        ("clusters.weu.node_pools", {}, "Use `system_pool` and `pools`, or `node_provisioning.node_pools` for NodePools of Karpenter"),
    ],
)
def test_a_field_with_more_or_fewer_words_is_meant_and_renamed_if_the_value_is_valid_there(path: str, given: object, expected: str) -> None:
    whole: dict[str, object] = aks(pools={"web": {"kind": "UserPool", "vm_size": "Standard_D4ds_v5", "scale": {"min": 1, "max": 3}}})
    *above, field = path.split(".")
    part = whole
    for step in above:
        part = cast("dict[str, object]", part.setdefault(step, {}))
    part[field] = given
    with pytest.raises(ValidationError) as caught:
        Platform.model_validate(whole)
    assert [fix_of(one) for one in shape_findings(caught.value, Platform, whole) if one.path == path] == [expected]


def test_a_switch_that_is_off_is_removed() -> None:
    assert only(Platform, **aks(node_provisioning=False))[3] == "Remove it"


DOUBTFUL = """
name: dev
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    location: northeurope
    kubernetes_version: "1.36"
    network: {kind: AksNetwork, cidr: 10.10.0.0/16}
    system_pool: {vm_size: Standard_D4ds_v5, count: 3}
    pools: {web: {kind: UserPool, vm_size: Standard_D4ds_v5, count: 010, labels: {build: 0123}}}
"""


def test_what_readers_of_yaml_understand_in_different_ways_is_told_and_the_rest_is_read() -> None:
    with pytest.raises(DeclarationError) as error:
        load_text(DOUBTFUL, "p.yaml")
    assert [(one.code, one.path, one.message, one.fix and one.fix.text) for one in error.value.findings if one.code.startswith("CFG")] == [
        ("CFG013", "clusters.weu.location", "`location` is set twice, first in line 6", "Remove one of them"),
        ("CFG014", "clusters.weu.pools.web.count", "`count` is `010`, which is 8 in YAML 1.1 and 10 in YAML 1.2", "Write `8` or `10`"),
        ("CFG014", "clusters.weu.pools.web.labels.build", "`build` is `0123`, which is 83 in YAML 1.1 and 123 in YAML 1.2", 'Write `"0123"`'),
    ]


def test_a_number_in_a_part_that_is_not_read_can_be_text_or_a_number() -> None:
    text = DOUBTFUL.replace("kind: UserPool", "kind: Userpool")
    with pytest.raises(DeclarationError) as error:
        load_text(text, "p.yaml")
    [found, _] = [one for one in error.value.findings if one.code == "CFG014"]
    assert fix_of(found) == 'Write `"010"`, `8` or `10`'


FIXES = [
    pytest.param(EksNetworkArgs, "nat", "none", "Write `None` without quotes, which means none", id="a word that means none"),
    pytest.param(AksNodeClass, "gpu_mode", "none", "Use `None`", id="a word of the field, whose default is the opposite"),
    pytest.param(UpgradeSettings, "max_surge", 33, 'Write `"33%"` or `"33"`, which is a count', id="a number that can be a percentage"),
]


@pytest.mark.parametrize(("model", "field", "value", "fix"), FIXES)
def test_a_fix_names_the_value_that_was_meant(model: type[Model], field: str, value: object, fix: str) -> None:
    [found] = [one for one in shape_findings_of(model, field, value) if one.path == field]
    assert fix_of(found) == fix


def test_true_for_a_part_with_required_fields_is_no_switch() -> None:
    with pytest.raises(DeclarationError) as caught:
        load_text("name: dev\nclusters: {weu: {kind: AksCluster, location: westeurope, kubernetes_version: '1.35', system_pool: true}}", "p.yaml")
    [found] = [finding for finding in caught.value.findings if finding.path.endswith("system_pool")]
    assert "{}" not in found.fix.text


ONLY = [
    pytest.param(CLUSTERS, {"location": "westeurope"}, "AksClusterArgs", id="a field of one cloud"),
    pytest.param(CLUSTERS, {"location": "westeurope", "totally": 1}, None, id="a field of none"),
    pytest.param(NETWORKS, {"cidr": "10.0.0.0/16"}, None, id="two fit"),
    pytest.param([EksNetworkArgs, ExistingEksNetwork], {"cidr": "10.0.0.0/16"}, "EksNetworkArgs", id="the other one needs more"),
    pytest.param(POOLS, {"vm_size": "Standard_D4ds_v5", "driver": "Install"}, "GpuPool", id="a field of one kind of pool"),
    pytest.param(POOLS, {"vm_size": "Standard_D4ds_v5", "spot": {}}, None, id="two kinds of pools can be spot"),
    pytest.param([DailySchedule, WeeklySchedule], {}, None, id="no fields"),
    pytest.param([], {"x": 1}, None, id="no kinds"),
]


@pytest.mark.parametrize(("models", "written", "kind"), ONLY)
def test_a_kind_is_certain_if_no_other_fits(models: list[type[Model]], written: dict[str, object], kind: str | None) -> None:
    found = only_kind(models, written)
    assert (found.__name__ if found is not None else None) == kind


def test_a_word_decides_the_kind() -> None:
    class Red(Model):
        color: Literal["red"]

    class Blue(Model):
        color: Literal["blue"]

    assert only_kind([Red, Blue], {"color": "blue"}) is Blue
    assert only_kind([Red, Blue], {"color": 1}) is None


def test_a_boolean_is_not_a_number() -> None:
    numbers = [(model, field) for model in everything() for field, info in model.model_fields.items() if is_number(info.annotation)]
    assert len(numbers) > 50
    taken = [(model, field) for model, field in numbers if f"`{field}`" not in " ".join(one.message for one in shape_findings_of(model, field, True))]
    assert taken == []


def is_number(annotation: object) -> bool:
    kinds = get_args(annotation) if get_args(annotation) else (annotation,)
    return bool({int, float} & set(kinds)) and bool not in kinds


def test_alternatives_with_labels_stay_as_they_are() -> None:
    labeled = (core_schema.int_schema(), "a label")
    assert without_booleans({"type": "union", "choices": [labeled]}) == {"type": "union", "choices": [labeled]}


def test_a_number_and_a_boolean_that_must_be_text_get_their_advice() -> None:
    assert quoted(7) == "Write it in quotes"
    assert "`n`, `no`, `off` and `false` as false" in quoted(given=False)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param({"count": 1, "node_count": 2}, "Remove it, or write its value at `count`, which is set, too", id="the field is set"),
        pytest.param({"node_count": 2}, "Rename it to `count`", id="it is not"),
        pytest.param({"count": None, "node_count": 2}, "Rename it to `count`", id="it has no value"),
    ],
)
def test_no_fix_renames_a_field_to_one_that_is_set(written: dict[str, object], expected: str) -> None:
    whole = aks(pools={"web": {"kind": "UserPool", "vm_size": "x", **written}})
    with pytest.raises(ValidationError) as caught:
        Platform.model_validate(whole)
    assert [fix_of(one) for one in shape_findings(caught.value, Platform, whole) if one.path.endswith("node_count")] == [expected]
