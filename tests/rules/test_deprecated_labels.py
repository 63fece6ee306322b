"""Deprecated label keys: Karpenter reads them as the keys that replaced them, and so do all rules, in `check` as in `explain` and `diff`."""

from collections.abc import Iterator
from typing import Any

import pytest

from nodepools.data.azure_vm_sizes import azure_vm_sizes
from nodepools.keys import aks as keys
from nodepools.model.base import Model
from nodepools.model.karpenter import NodePool, Requirement
from nodepools.model.kubernetes.label import DEPRECATED_LABELS, current_label
from nodepools.model.listing import with_article
from nodepools.model.path import children
from nodepools.rules.engine.registry import all_rules
from nodepools.rules.engine.runner import check
from nodepools.rules.engine.samples import aks_pool
from nodepools.rules.platform.labels import renamed_label
from tests.rules.test_samples import DAY

DEPRECATED = {current: deprecated for deprecated, current in DEPRECATED_LABELS.items()}


def parts(value: object) -> Iterator[Model]:
    if isinstance(value, Model):
        yield value
    for _, inner in children(value):
        yield from parts(inner)


def in_former_words(declared: Model) -> Model:
    """The same declaration with deprecated keys in the requirements of its NodePools."""

    def translated(value: Any) -> Any:
        if isinstance(value, dict):
            is_requirement = {"key", "operator"} <= value.keys()
            return {key: DEPRECATED.get(inner, inner) if is_requirement and key == "key" else translated(inner) for key, inner in value.items()}
        return [translated(inner) for inner in value] if isinstance(value, (list, tuple)) else value

    return type(declared).model_validate(translated(declared.model_dump(exclude_unset=True)))


SAMPLES = {
    code: sample
    for code, rule in all_rules().items()
    if rule.sample is not None
    for sample in [rule.sample()]
    if not getattr(sample, "must_fit", ())
    and any(isinstance(part, NodePool) and any(one.key in DEPRECATED for one in part.requirements) for part in parts(sample))
}


@pytest.mark.parametrize("code", SAMPLES)
def test_a_rule_finds_the_same_with_deprecated_keys(code: str) -> None:
    try:
        former = in_former_words(SAMPLES[code])
    except ValueError:
        pytest.skip("the sample is made of texts that a dump does not give back")
    assert code in {found.code for found in check(former, today=DAY)}


def test_most_samples_can_be_translated() -> None:
    assert len(SAMPLES) > 60
    assert current_label("beta.kubernetes.io/arch") == "kubernetes.io/arch"
    assert Requirement("failure-domain.beta.kubernetes.io/zone", "In", ["1"]).label == "topology.kubernetes.io/zone"


def test_families_are_those_that_sizes_have() -> None:
    """A letter is a value of the label if a size of the table has it."""
    letters = {size.family for size in azure_vm_sizes().values()}
    for letter in sorted(letters):
        pool = aks_pool(Requirement(keys.sku_family.name, "In", ["D", letter] if letter != "D" else ["D"]))
        assert [found for found in check(pool, today=DAY) if found.path.endswith("values[1]")] == [], letter
    for other in ("X", "d", "DC"):
        assert [found.code for found in check(aks_pool(Requirement(keys.sku_family.name, "In", [other])), today=DAY)] == ["NAP033"]


@pytest.mark.parametrize(("noun", "written"), [("AKSNodeClass", "an AKSNodeClass"), ("NodePool", "a NodePool"), ("UserPool", "a UserPool")])
def test_articles(noun: str, written: str) -> None:
    assert with_article(noun) == written


def test_a_label_that_differs_in_its_spelling_alone_is_certain_to_be_meant() -> None:
    assert renamed_label(("labels", "Karpenter.sh/Nodepool"), "Karpenter.sh/Nodepool", "karpenter.sh/nodepool").is_certain
    assert not renamed_label(("labels", "karpenter.sh/nodepol"), "karpenter.sh/nodepol", "karpenter.sh/nodepool").is_certain
