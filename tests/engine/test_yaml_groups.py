"""Objects of YAML texts in programs: the plugin that reads them does not run, and the engine registers the same."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nodepools.engine.errors import ProgramFailed
from nodepools.engine.yaml_groups import decoded

pytestmark = pytest.mark.program

Engine = Callable[..., Any]

TEXT = """
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Secret, metadata: {name: key, namespace: shop}, data: {password: aHVudGVyMg==}}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: batch}
"""
PROGRAM = """
from pulumi_kubernetes import Provider, yaml
there = pulumi.ResourceOptions(provider=Provider("shop", kubeconfig=Thing("cluster").id))
yaml.v2.{group}
"""
NAMES = {"Secret": "kubernetes:core/v1:Secret", "NodePool": "kubernetes:karpenter.sh/v1:NodePool"}


@pytest.mark.parametrize(
    ("group", "prefix"),
    [
        pytest.param("ConfigFile('all', file='objects.yaml', opts=there)", "all:", id="a file"),
        pytest.param("ConfigGroup('all', files=['*.yaml'], resource_prefix='own', opts=there)", "own:", id="a pattern and a prefix"),
        pytest.param("ConfigGroup('all', files=[__import__('os').getcwd() + '/*s.yaml'], opts=there)", "all:", id="an absolute pattern"),
        pytest.param("ConfigGroup('all', yaml=open('objects.yaml').read(), resource_prefix='', opts=there)", "", id="a text without a prefix"),
        pytest.param(
            "ConfigGroup('all', objs=[one for one in __import__('yaml').safe_load_all(open('objects.yaml'))], opts=there)", "all:", id="objects"
        ),
    ],
)
def test_the_objects_are_registered_in_the_cluster_of_the_provider(engine: Engine, tmp_path: Path, group: str, prefix: str) -> None:
    (tmp_path / "objects.yaml").write_text(TEXT)
    graph = engine(PROGRAM.format(group=group))
    found = {one.type: one for one in graph.plan.resources if one.type in NAMES.values()}
    assert {one.name for one in found.values()} == {f"{prefix}shop/key", f"{prefix}batch"}
    assert all("::shop" in str(one.options["provider"]) for one in found.values())
    assert all(one.calls for one in found.values()), "findings are at the line of the group"
    assert found[NAMES["Secret"]].inputs["data"] == {"$secret": True}


@pytest.mark.parametrize(
    ("group", "told"),
    [
        pytest.param("ConfigFile('all', file='nowhere.yaml')", "nowhere.yaml", id="a file that does not exist"),
        pytest.param("ConfigFile('all', file='https://example.com/a.yaml')", "nothing is downloaded here", id="an address"),
        pytest.param(
            "ConfigGroup('all', yaml=Thing('text').made)", "its objects are secret, or known after `pulumi up`", id="a text that is not known"
        ),
        pytest.param("ConfigGroup('all', yaml=pulumi.Output.secret('a: b'))", "its objects are secret", id="a secret text"),
        pytest.param("ConfigGroup('all', files=['a.yaml', Thing('text').made])", "known after `pulumi up`", id="a file that is not known"),
        pytest.param("ConfigGroup('all', yaml='{apiVersion: v1, kind: Pod, metadata: {namespace: a}}')", "it has no `apiVersion`", id="no name"),
        pytest.param("ConfigGroup('all', yaml='a: [')", "objects of 'all' (kubernetes:yaml/v2:ConfigGroup): yaml:2:1:", id="not YAML"),
        pytest.param(
            "ConfigGroup('all', yaml='[a]')", "a document is not an object: it has no `apiVersion`, `kind` or `metadata.name`", id="not an object"
        ),
    ],
)
def test_what_cannot_be_read_ends_the_program_at_its_line(engine: Engine, group: str, told: str) -> None:
    with pytest.raises(ProgramFailed) as failed:
        engine(PROGRAM.format(group=group))
    assert told in str(failed.value)
    assert "__main__.py" in str(failed.value)


def test_the_function_of_the_first_version_returns_the_objects() -> None:
    assert [one["kind"] for one in decoded({"text": TEXT})["result"]] == ["List", "NodePool"]  # type: ignore[union-attr, index, call-overload]
