"""The program in Pulumi YAML, proven by the wire: its arguments are sent as the host of that language would send them."""

import re

import pytest
import yaml

from nodepools.engine.project import read_project
from nodepools.engine.property_values import json_of
from nodepools.engine.signatures import OUTPUT, SIGNATURE

EXAMPLE = "examples/pulumi-yaml"
KINDS = {"nodepools:AksCluster": "AksCluster", "nodepools:EksCluster": "EksCluster"}


@pytest.fixture(scope="module")
def program(project):
    return yaml.safe_load((project / EXAMPLE / "Pulumi.yaml").read_text())


@pytest.fixture(scope="module")
def settings(project):
    return read_project(project / EXAMPLE, "dev").config


@pytest.fixture(scope="module")
def sent(program, settings):
    """The arguments of a resource: `${name}` is the configuration, `${resource.output}` is not known yet, a dependency."""

    def resolved(value):
        match value:
            case dict():
                return {key: resolved(part) for key, part in value.items()}
            case list():
                return [resolved(part) for part in value]
            case str() if found := re.fullmatch(r"\$\{(\w+)(\.\w+)?\}", value):
                name, output = found.groups()
                if output is None:
                    return settings[f"pulumi-yaml:{name}"]
                return {SIGNATURE: OUTPUT, "dependencies": [urn(program["resources"][name]["type"], name)]}
            case _:
                return value

    return {name: resolved(resource["properties"]) for name, resource in program["resources"].items()}


def urn(kind, name):
    package, module, type_ = kind.split(":")
    return f"urn:pulumi:dev::shop::{package}:{module}/{type_.lower()}:{type_}::{name}"


def clusters(program):
    return {name: KINDS[resource["type"]] for name, resource in program["resources"].items() if resource["type"] in KINDS}


def test_it_runs_with_this_plugin(project, program):
    assert program["runtime"] == "yaml"
    assert (project / EXAMPLE / program["packages"]["nodepools"]).resolve() == project / "plugin"
    assert clusters(program) == {"shop": "AksCluster", "data": "EksCluster"}


@pytest.mark.program
def test_each_of_its_clusters_is_made(construct, program, sent):
    made = {name: construct(kind, name, sent[name]) for name, kind in clusters(program).items()}
    assert {name: one.refused for name, one in made.items()} == {"shop": None, "data": None}
    kinds = {name: [resource.type.rpartition(":")[2] for resource in one.plan.resources] for name, one in made.items()}
    assert kinds["shop"].count("AgentPool") == 2
    assert kinds["data"].count("NodePool") == 1
    assert "IngressClass" not in kinds["data"]


@pytest.mark.program
def test_what_it_takes_from_another_resource_is_a_dependency(construct, sent):
    [cluster] = [one for one in construct("EksCluster", "data", sent["data"]).plan.resources if one.type == "aws:eks/cluster:Cluster"]
    assert cluster.inputs["computeConfig"]["nodeRoleArn"] == {"$unknown": True}
    assert "urn:pulumi:dev::shop::aws:iam/role:Role::nodes" in cluster.dependencies


@pytest.mark.program
def test_what_it_exports_is_told(construct, program, sent):
    for text in program["outputs"].values():
        name, output = re.fullmatch(r"\$\{(\w+)\.(\w+)\}", text).groups()
        assert output in json_of(construct(clusters(program)[name], name, sent[name]).state)


def test_its_properties_are_those_of_the_schema(program, schema):
    for name, kind in clusters(program).items():
        component = schema["resources"][f"nodepools:index:{kind}"]
        given = program["resources"][name]["properties"]
        assert set(component["requiredInputs"]) <= set(given) <= set(component["inputProperties"])
