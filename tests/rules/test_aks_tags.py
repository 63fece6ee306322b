"""Tags of Azure: what Resource Manager accepts, on each part of a declaration that has tags."""

import pytest

from nodepools import AksNodeClass, Platform, UserPool
from nodepools.model.aks.agent_pool import AgentPool
from nodepools.model.base import Model
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.eks.ec2_node_class import Ec2NodeClass
from nodepools.model.eks.node_class import EksNodeClass
from nodepools.model.severity import Severity
from nodepools.rules.engine.registry import all_rules
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import SIZE, aks, ec2_class, eks, platform, provisioning
from tests.rules.test_samples import DAY

MANY = {f"t{number}": "x" for number in range(51)}
FULL = {f"t{number}": "x" for number in range(50)}
CODES = ("AKS325", "AKS326", "AKS369", "NAP027", "NAP071")


def told(declared: Model) -> list[str]:
    return [f"{found.code} {found.path}" for found in check(declared, today=DAY) if found.code in CODES]


def pool(**fields: object) -> UserPool:
    return UserPool.model_validate({"vm_size": SIZE, **fields})


REJECTED = [
    pytest.param({"a/b": "c"}, "a/b", id="a slash"),
    pytest.param({"a%b": "c"}, "a%b", id="a percent sign"),
    pytest.param(
        {"hidden-title": "Shop", "hidden-link:/subscriptions/1": "Resource", "hidden-a?b": "c"}, "hidden-a?b", id="a slash of a link is none"
    ),
    pytest.param({"a<b": "c"}, "a<b", id="less than"),
    pytest.param({"a\\b": "c"}, "a\\b", id="a backslash"),
    pytest.param({"a\tb": "c"}, "a\tb", id="a control character"),
    pytest.param({" ": "c"}, " ", id="no key"),
    pytest.param({"k" * 513: "v"}, "k" * 513, id="a long key"),
    pytest.param({"k": "v" * 257}, "k", id="a long value"),
    pytest.param(MANY, None, id="51 tags"),
]


@pytest.mark.parametrize(("tags", "key"), REJECTED)
@pytest.mark.parametrize(
    "declared",
    [
        lambda tags: aks(tags=tags),
        lambda tags: pool(tags=tags),
        lambda tags: Platform(name="dev", clusters={"weu": aks()}, tags=tags, standard_tags=False),
    ],
    ids=["cluster", "pool", "platform"],
)
def test_what_resource_manager_rejects_is_told_where_it_is_written(declared, tags, key):
    codes = [found for found in check(declared(tags), today=DAY) if found.code == "AKS325"]
    assert [found.steps[0] for found in codes] == ["tags"]
    assert [found.steps[1:] for found in codes] == [(key,) if key is not None else ()]


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param(aks(tags={"Env": "a", "env": "b"}), ["AKS369 tags.env"], id="a cluster"),
        pytest.param(pool(tags={"Env": "a", "env": "b"}), ["AKS369 tags.env"], id="a pool"),
        pytest.param(AksNodeClass(tags={"Env": "a", "env": "b"}), ["AKS369 tags.env"], id="a node class"),
        pytest.param(AksNodeClass(tags={"a/b": "1", "a_b": "2", "a_c": ""}), ['AKS369 tags["a/b"]'], id="a slash, which Karpenter does not write"),
        pytest.param(Platform(name="dev", clusters={"use": eks()}, tags={"Env": "a", "env": "b"}), [], id="a platform without Azure"),
        pytest.param(platform(weu=aks(tags={"Environment": "a"})), ["AKS369 clusters.weu.tags.Environment"], id="next to one that all have"),
    ],
)
def test_keys_that_differ_in_case_are_a_warning(declared, expected):
    """Resource Manager documents that case does not matter, and not that it rejects two spellings."""
    found = [one for one in check(declared, today=DAY) if one.code in CODES]
    assert [f"{one.code} {one.path}" for one in found] == expected
    assert all(one.severity is Severity.WARNING for one in found)


@pytest.mark.parametrize(
    "tags",
    [
        pytest.param(FULL, id="50 tags"),
        pytest.param({"k" * 512: "v" * 256}, id="the longest"),
        pytest.param({"a:b.c-d_e f": ""}, id="other characters, and an empty value"),
        pytest.param({"team-azure": "x", "my-windows": "x"}, id="reserved words that a key does not begin with"),
        pytest.param({"aks-managed-team": "x"}, id="a prefix of AKS"),
    ],
)
def test_what_resource_manager_accepts_is_not_told(tags):
    assert told(aks(tags=tags)) == told(pool(tags=tags)) == []


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param(aks(tags=FULL, pools={"web": pool(tags={"one": "x"})}), ["AKS325 pools.web.tags"], id="50 of the cluster and one of a pool"),
        pytest.param(aks(tags=FULL, pools={"web": pool(tags={"t1": "y"})}), [], id="a pool that overrides one of 50"),
        pytest.param(aks(tags=MANY, pools={"web": pool(tags={"one": "x"})}), ["AKS325 tags"], id="too many before those of the pool"),
        pytest.param(aks(tags={"Env": "a"}, pools={"web": pool(tags={"env": "b"})}), ["AKS369 pools.web.tags.env"], id="spelled otherwise above"),
        pytest.param(platform(weu=aks(tags=FULL)), ["AKS325 clusters.weu.tags"], id="three standard tags more than 47"),
        pytest.param(platform(weu=aks(tags={"Cluster": "x"})), ["AKS369 clusters.weu.tags.Cluster"], id="a standard tag in another spelling"),
        pytest.param(platform(weu=aks(tags={"cluster": "x"})), [], id="a standard tag overridden"),
        pytest.param(Platform(name="dev", clusters={"use1": eks()}, tags={"a/b": "c", "azure": "x"}), [], id="a platform without AKS"),
        pytest.param(aks(tags={"azure-team": "x"}), ["AKS326 tags.azure-team"], id="a prefix of Azure"),
        pytest.param(Platform(name="dev", clusters={"weu": aks()}, tags={"Windows": "x"}), ["AKS326 tags.Windows"], id="a prefix in another case"),
        pytest.param(AksNodeClass(tags={"microsoft_x": ""}), ["AKS326 tags.microsoft_x"], id="a prefix in a node class"),
        pytest.param(AksNodeClass(tags={"a/b": "c"}), [], id="a slash, which Karpenter replaces"),
        pytest.param(AksNodeClass(tags={"Env": "", "env": ""}), ["AKS369 tags.env"], id="two spellings in a node class"),
        pytest.param(AksNodeClass(tags=dict(list(FULL.items())[:47])), [], id="47 next to those of Karpenter"),
        pytest.param(AksNodeClass(tags=dict(list(FULL.items())[:48])), ["NAP027 tags"], id="48 next to those of Karpenter"),
        pytest.param(AksNodeClass(tags={"karpenter.azure.com_cluster": "x"}), ['NAP071 tags["karpenter.azure.com_cluster"]'], id="Karpenter's own"),
        pytest.param(
            provisioning(node_classes={"own": AksNodeClass(tags={"compute.aks.billing": "x"})}),
            ['NAP071 node_provisioning.node_classes.own.tags["compute.aks.billing"]'],
            id="that of AKS",
        ),
    ],
)
def test_tags_are_counted_with_those_that_resources_get_anyway(declared, expected):
    assert told(declared) == expected


EVERY: dict[type[Model], Model] = {
    Platform: Platform(name="dev", clusters={"weu": aks(), "use1": eks()}, tags={"k": "v" * 257}),
    type(aks()): aks(tags={"k": "v" * 257}),
    AgentPool: pool(tags={"k": "v" * 257}),
    AksNodeClass: AksNodeClass(tags={"k": "v" * 257}),
    EksClusterArgs: eks(tags={"k": "v" * 257}),
    EksNodeClass: EksNodeClass(tags={"k": "v" * 257}),
    Ec2NodeClass: ec2_class(tags={"k": "v" * 257}),
}


def _models(kind: type[Model]) -> set[type[Model]]:
    return {kind, *(model for below in kind.__subclasses__() for model in _models(below))}


def test_no_model_with_tags_is_forgotten():
    """Terms of selectors have tags that are compared, not sent; all others are sent, and a cloud limits them."""
    all_rules()
    tagged = {model for model in _models(Model) if "tags" in model.model_fields and model.__module__.startswith("nodepools.")}
    sent = {model for model in tagged if not model.__name__.endswith("Term")}
    assert {model for model in sent if not any(issubclass(model, known) or issubclass(known, model) for known in EVERY)} == set()
    for declared in EVERY.values():
        assert any("tags.k" in found.path for found in check(declared, today=DAY)), declared
