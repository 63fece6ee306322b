"""Operations on a copy of a declaration."""

import pytest
import yaml

from nodepools import Autoscale, Taint, UserPool, Weekly
from nodepools.model.aks.cluster import AutoscalerProfile
from nodepools.model.base import Model
from nodepools.rules.engine.finding import PYTHON, YAML, Operation, add, anchor_refs, applied, fix_of, remove, rename, render_refs, sentence, set_to
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import aks

SIZE = "Standard_D4ds_v5"
POOL = UserPool(vm_size=SIZE, count=3, labels={"team": "web"}, taints=[Taint("a", "b"), Taint("c", "d")])

ROWS = [
    pytest.param(POOL, set_to("count", 5), UserPool(vm_size=SIZE, count=5, labels={"team": "web"}, taints=POOL.taints), id="a field is set"),
    pytest.param(POOL, remove("count"), UserPool(vm_size=SIZE, labels={"team": "web"}, taints=POOL.taints), id="a field has its default again"),
    pytest.param(POOL, remove(("taints", 0)), UserPool(vm_size=SIZE, count=3, labels={"team": "web"}, taints=[Taint("c", "d")]), id="an entry goes"),
    pytest.param(
        POOL,
        set_to(("taints", 1, "value"), "e"),
        UserPool(vm_size=SIZE, count=3, labels={"team": "web"}, taints=[Taint("a", "b"), Taint("c", "e")]),
        id="inside an entry",
    ),
    pytest.param(
        POOL,
        add("taints", Taint("e", "f")),
        UserPool(vm_size=SIZE, count=3, labels={"team": "web"}, taints=[*POOL.taints, Taint("e", "f")]),
        id="an entry more",
    ),
    pytest.param(POOL, add("zones", 1), UserPool(vm_size=SIZE, count=3, labels={"team": "web"}, taints=POOL.taints, zones=[1]), id="the first entry"),
    pytest.param(
        POOL,
        add("labels", {"tier": "x"}),
        UserPool(vm_size=SIZE, count=3, labels={"team": "web", "tier": "x"}, taints=POOL.taints),
        id="a label more",
    ),
    pytest.param(POOL, remove("labels.team"), UserPool(vm_size=SIZE, count=3, labels={}, taints=POOL.taints), id="a label goes"),
    pytest.param(
        POOL, rename("labels.team", "tier"), UserPool(vm_size=SIZE, count=3, labels={"tier": "web"}, taints=POOL.taints), id="a label has another key"
    ),
    pytest.param(
        POOL,
        set_to("scale", Autoscale(1, 3)),
        UserPool(vm_size=SIZE, count=3, labels={"team": "web"}, taints=POOL.taints, scale=Autoscale(1, 3)),
        id="a part is set",
    ),
]


@pytest.mark.parametrize(("whole", "operation", "expected"), ROWS)
def test_an_operation(whole: Model, operation: Operation, expected: Model) -> None:
    made = applied(whole, [operation])
    assert made == expected
    assert made.model_fields_set == expected.model_fields_set
    assert hash(made) == hash(expected)


def test_several_are_applied_in_their_order() -> None:
    assert applied(aks(pools={"web": POOL}), [remove(("pools", "web", "count")), rename(("pools", "web"), "api")]).pools == {
        "api": UserPool(vm_size=SIZE, labels={"team": "web"}, taints=POOL.taints)
    }


@pytest.mark.parametrize("operation", [set_to(("taints", 7, "value"), "x"), remove(("taints", 2)), remove("labels.nope"), set_to("nope", 1)])
def test_what_is_not_there_cannot_be_changed(operation: Operation) -> None:
    with pytest.raises(LookupError):
        applied(POOL, [operation])


def test_a_part_of_several_kinds_is_written_with_its_kind_in_yaml() -> None:
    [fix] = [one.texts.fix for one in check(aks(node_provisioning={})) if one.code == "NAP012" and one.texts is not None]
    assert fix is not None
    written = fix.spelled(YAML).text.removeprefix("Set `maintenance` to `").removesuffix("`")
    assert aks(maintenance=yaml.safe_load(written)).maintenance == Weekly(days="sun", start="02:00", hours=5)


SENTENCES = [
    pytest.param(set_to("count", 2), "Set `count` to `2`", "Set `count` to `2`", id="a number"),
    pytest.param(set_to("isolated", value=True), "Set `isolated` to `True`", "Set `isolated` to `true`", id="a switch"),
    pytest.param(set_to("max_surge", "33%"), 'Set `max_surge` to `"33%"`', 'Set `max_surge` to `"33%"`', id="a text"),
    pytest.param(set_to("scale", Autoscale(0, 5)), "Set `scale` to `Autoscale(0, 5)`", "Set `scale` to `{min: 0, max: 5}`", id="a part"),
    pytest.param(
        set_to("pool", UserPool(vm_size="x")),
        'Set `pool` to `UserPool(vm_size="x")`',
        'Set `pool` to `{kind: "UserPool", vm_size: "x"}`',
        id="a pool",
    ),
    pytest.param(set_to("zones", [1, None]), "Set `zones` to `[1, None]`", "Set `zones` to `[1, null]`", id="a list"),
    pytest.param(add("labels", {"a/b": "c"}), 'Add `{"a/b": "c"}` to `labels`', 'Add `{"a/b": "c"}` to `labels`', id="a label"),
    pytest.param(remove("labels.a"), "Remove `labels.a`", "Remove `labels.a`", id="a key"),
    pytest.param(rename(("pools", "a"), "b"), "Rename `pools.a` to `b`", "Rename `pools.a` to `b`", id="a name"),
    pytest.param(
        (remove("a"), remove("b"), remove("c")), "Remove `a`, remove `b`, and remove `c`", "Remove `a`, remove `b`, and remove `c`", id="three"
    ),
    pytest.param((set_to("min", 1), remove("count")), "Set `min` to `1`, and remove `count`", "Set `min` to `1`, and remove `count`", id="two"),
]


@pytest.mark.parametrize(("given", "python", "yaml"), SENTENCES)
def test_operations_are_a_sentence(given: Operation | tuple[Operation, ...], python: str, yaml: str) -> None:
    fix = fix_of(given)
    assert fix is not None
    text = sentence(fix.operations)
    assert (render_refs(anchor_refs(text, lambda _: ()), PYTHON), render_refs(text, YAML)) == (python, yaml)


@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(set_to("kubelet.pod_max_pids", 100), id="inside a part that is not set"),
        pytest.param(remove(("taints", 2)), id="an entry behind the last"),
        pytest.param(set_to(("taints", 2, "value"), "e"), id="inside an entry behind the last"),
        pytest.param(remove("labels.tier"), id="a key that is not set"),
        pytest.param(rename("labels.tier", "team"), id="the new name of a key that is not set"),
        pytest.param(set_to("size", "x"), id="a field that the class does not have"),
    ],
)
def test_a_path_that_does_not_exist_is_a_lookup_error(operation: Operation) -> None:
    with pytest.raises(LookupError):
        applied(POOL, [operation])


def test_the_key_of_a_mapping_can_be_a_number() -> None:
    profile = AutoscalerProfile(expander="priority", priorities={10: ["web"]})
    assert applied(profile, [set_to(("priorities", 10, 0), "api")]).priorities == {10: ("api",)}
