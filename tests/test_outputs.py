"""Every finding of every rule in every output, as its reader writes declarations: platform files, manifests and other languages have no Python in it.

Resources of other programs are in tests/resources/test_every_rule.py, where all samples are registered once.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from nodepools.cli.output.review_formats import Review, annotations, sarif
from nodepools.clouds.registry import cloud_of
from nodepools.manifests.manifest_objects import objects
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.object_samples import SAMPLES, findings_of
from nodepools.model.base import Model
from nodepools.model.platform import AnyCluster, Platform
from nodepools.plugin.provider import in_their_words, wire_name
from nodepools.rules.engine.finding import YAML, Finding
from nodepools.rules.engine.registry import all_rules
from nodepools.rules.engine.runner import findings_without_fix_trial
from tests.python_syntax import SNAKE, python_in
from tests.resources.test_every_rule import UNDECLARED, clusters_of
from tests.rules.test_samples import DAY

OF_THE_SDK = {"PLT020", "PLT022", "PLT023", "PLT024", "PLT025"}
"""Overrides are named as the Python SDKs of the clouds name their arguments, whatever language declares them."""
UNRENDERED = {"KAR072", *UNDECLARED}
"""Of more budgets than an object can have, or about objects that no declaration has."""


@cache
def samples() -> dict[str, Model]:
    return {code: rule.sample() for code, rule in all_rules().items() if rule.sample is not None}


@cache
def clusters() -> list[AnyCluster]:
    """Those of platforms; every other part is in a cluster, many in one."""
    platforms = {code: sample for code, sample in samples().items() if isinstance(sample, Platform)}
    others = {code.lower(): part for code, part in samples().items() if code not in platforms.keys() | UNRENDERED}
    return [*(cluster for platform in platforms.values() for cluster in platform.clusters.values()), *clusters_of(others).values()]


def texts(finding: Finding) -> list[str]:
    """What a person reads of a finding: as text, as JSON, in a review."""
    data = finding.to_json()
    fix = data["fix"]
    [run] = json.loads(json.dumps(sarif(Review([finding]))))["runs"]
    results = json.dumps(run["results"], ensure_ascii=False)
    return [
        str(finding),
        str(data["message"]),
        *([str(fix["text"])] if isinstance(fix, Mapping) else []),
        results.replace('\\"', '"'),
        *annotations(Review([finding])),
    ]


def wrong(findings: Iterator[Finding], *, snake: bool) -> list[str]:
    """Findings with Python in some output, each with what it is; `snake`: fields have underscores there."""
    found: dict[str, None] = {}
    for finding in findings:
        for text in texts(finding):
            for piece in python_in(text, frozenset() if snake else SNAKE):
                found[f"{finding.code}: {piece} in {text}"] = None
    return list(found)


def test_a_platform_file() -> None:
    rules = (found.spelled(YAML) for sample in samples().values() for found in findings_without_fix_trial(sample, "", DAY))
    shapes = (found.spelled(YAML) for code in SAMPLES if code.startswith("CFG") for found in findings_of(code))
    assert wrong(rules, snake=True) == []
    assert wrong(shapes, snake=True) == []


def test_other_languages() -> None:
    found = [in_their_words(one, type(cluster)) for cluster in clusters() for one in findings_without_fix_trial(cluster, "", DAY, own=False)]
    assert len({one.code for one in found}) > 200
    assert wrong((one for one in found if one.code not in OF_THE_SDK), snake=False) == []


def test_manifests() -> None:
    lists = [json.dumps({"kind": "List", "items": list(cloud_of(cluster).objects("it", str))}) for cluster in clusters()]
    found = [one for text in lists for one in check_objects(list(objects(text, "it.json")), DAY).findings]
    assert len({one.code for one in found}) > 80
    assert wrong(iter(found), snake=False) == []
    assert wrong((one for code in SAMPLES if code.startswith("OBJ") for one in findings_of(code)), snake=False) == []


SEEN = [
    pytest.param("Set `fips=True`", ["fips=True"], id="an argument"),
    pytest.param("Use Spot()", ["Spot("], id="a call"),
    pytest.param("Set it to `True`", ["`True`"], id="a constant"),
    pytest.param("a field of `NetworkProfile`", ["`NetworkProfile`"], id="a class"),
    pytest.param("at web: [True, None]", ["True", "None"], id="a value as Python shows it"),
    pytest.param("set `vm_size`", ["vm_size"], id="a field"),
    pytest.param("None of `vmSize`, `true`, `overrides.enable_rbac`: `None`, `UserPool`, NodePool (static)", [], id="what others write"),
]


@pytest.mark.parametrize(("text", "found"), SEEN)
def test_python_is_seen(text: str, found: list[str]) -> None:
    assert list(python_in(text, SNAKE)) == found


def test_fields_have_another_spelling() -> None:
    assert all(re.search("[A-Z]", wire_name(name)) for name in SNAKE)
