"""The guide for other languages: its snippets say what the schema has, and the one that can be run here is."""

import re

import pytest
import yaml

OWN = {"web", "batch", "shop", "kubeconfig", "nodeSubnetId"}
"""Keys of the caller's own."""


@pytest.fixture(scope="module")
def snippets(project):
    text = (project / "docs" / "guides" / "other-languages.md").read_text()
    return dict(re.findall(r"```(typescript|go|csharp|yaml)\n(.*?)```", text, re.DOTALL))


@pytest.fixture(scope="module")
def properties(schema):
    return {
        name for spec in (schema["types"] | schema["resources"]).values() for of in ("properties", "inputProperties") for name in spec.get(of, ())
    }


@pytest.fixture(scope="module")
def names(schema):
    """Classes of arguments, as SDKs name them."""
    return {f"{token.rpartition(':')[2]}Args" for token in (*schema["types"], *schema["resources"])}


SAID = {
    "typescript": r"(?<![\w\"])(\w+): ",
    "go": r"\b([A-Z]\w+): ",
    "csharp": r"\b([A-Z]\w+) =\s",
}
"""How a language names a property that it sets."""


@pytest.mark.parametrize("language", SAID)
def test_what_a_snippet_sets_is_in_the_schema(snippets, properties, names, language):
    said = {name[0].lower() + name[1:] for name in re.findall(SAID[language], snippets[language])}
    assert said >= {"location", "kubernetesVersion", "systemPool", "vmSize", "pools", "scale", "min", "max", "spot", "zones", "subnetId", "kind"}
    assert said - OWN <= properties
    if language != "typescript":
        classes = set(re.findall(r"\b(\w+Args)\b", snippets[language]))
        assert classes >= {"AksClusterArgs", "UserPoolArgs", "AutoscaleArgs"}
        assert classes <= names


@pytest.mark.parametrize("language", SAID)
def test_what_a_snippet_reads_is_an_output(snippets, schema, language):
    read = {name[0].lower() + name[1:] for name in re.findall(r"\bshop\.(\w+)", snippets[language])}
    assert read == {"kubeconfig"}
    assert read <= set(schema["resources"]["nodepools:index:AksCluster"]["properties"])


def test_a_part_that_can_be_left_out_is_a_pointer_in_go(snippets, schema):
    specs = [(spec, "inputProperties", "requiredInputs") for spec in schema["resources"].values()]
    specs += [(spec, "properties", "required") for spec in schema["types"].values()]
    found = re.findall(r"(\w+):\s+(&?)nodepools\.(\w+)Args\{", snippets["go"])
    wanted = {
        (name, part["$ref"].rpartition(":")[2]): "" if name in spec.get(required, ()) else "&"
        for spec, properties, required in specs
        for name, part in spec.get(properties, {}).items()
        if "$ref" in part
    }
    said = {(name[0].lower() + name[1:], kind): sign for name, sign, kind in found if (name[0].lower() + name[1:], kind) in wanted}
    assert said.keys() >= {("systemPool", "SystemPool"), ("scale", "Autoscale"), ("spot", "Spot")}
    assert said == {key: wanted[key] for key in said}


def test_kinds_that_snippets_name_are_kinds(snippets, schema):
    kinds = {spec["properties"]["kind"]["const"] for spec in schema["types"].values() if "kind" in spec.get("properties", {})}
    for language, text in snippets.items():
        named = set(re.findall(r"[kK]ind[:=\s]+\"?(\w+)", text))
        assert named == {"ExistingAksNetwork", "UserPool"}, language
        assert named <= kinds


@pytest.mark.program
def test_the_snippet_in_yaml_makes_a_cluster(snippets, construct):
    program = yaml.safe_load(snippets["yaml"])
    properties = program["resources"]["shop"]["properties"]
    properties["network"]["subnetId"] = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/nodes"
    made = construct("AksCluster", "shop", properties)
    assert made.refused is None
    assert [one.type for one in made.plan.resources].count("azure-native:containerservice:AgentPool") == 2


@pytest.mark.program
def test_the_message_that_it_shows_is_the_message(project, construct):
    text = (project / "docs" / "guides" / "other-languages.md").read_text()
    shown = re.search(r"has a problem: (.*?)```", text, re.DOTALL)[1].strip()
    cluster = {"location": "westeurope", "kubernetesVersion": 1.35, "systemPool": {"vmSize": "Standard_D4ds_v5", "count": 2}}
    told = construct("AksCluster", "shop", {**cluster, "pools": {"web": {"kind": "UserPool", "vmSzie": "Standard_D2ds_v5"}}}).error
    assert told == shown


def test_the_table_of_switches_is_whole(project, schema):
    text = (project / "docs" / "guides" / "other-languages.md").read_text()
    switched = {
        name
        for spec in (schema["types"] | schema["resources"]).values()
        for name, part in (spec.get("properties", {}) | spec.get("inputProperties", {})).items()
        if "enabled" in schema["types"].get(part.get("$ref", "").removeprefix("#/types/"), {}).get("properties", {})
    }
    assert all(f"`{name}" in text for name in switched), switched
    nothing = {token.rpartition(":")[2] for token, spec in schema["types"].items() if any(one["value"] == "none" for one in spec.get("enum", ()))}
    assert {"NetworkProfilePluginMode", "EksNetworkNat"} <= nothing
