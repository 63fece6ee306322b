"""The schema that SDKs of other languages are made of: current, whole, and in their words."""

import re
import subprocess
import sys
import tomllib

import pytest
import yaml

from nodepools import AksClusterArgs, EksClusterArgs
from nodepools.plugin.provider import DECLARED, SWITCH, annotation_of, field_name, is_switchable, wire_name
from nodepools.rules.engine.field_annotations import models_of, reachable
from tools.package_schema import value_name

ANY = "pulumi.json#/Any"
RESERVED = {"urn", "pulumi"}
MODELS = list(dict.fromkeys(model for whole in DECLARED for model in reachable(whole)))
FIELDS = sorted({name for model in MODELS for name in model.model_fields})


@pytest.mark.program
def test_the_file_is_current(project):
    code = "import sys; sys.path.insert(0, 'tools'); import plugin_schema; sys.stdout.write(plugin_schema.text())"
    made = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=True)
    assert made.stdout == (project / "plugin" / "schema.json").read_text(), "python tools/plugin_schema.py rewrites it"


@pytest.mark.program
def test_it_is_served_as_it_is_stored(served, schema):
    assert served == schema


def test_one_version_is_said_everywhere(project, schema):
    package = tomllib.loads((project / "pyproject.toml").read_text())["project"]
    described = yaml.safe_load((project / "plugin" / "PulumiPlugin.yaml").read_text())
    assert described == {"name": "nodepools", "version": package["version"], "runtime": "python"}
    assert (schema["name"], schema["version"]) == (package["name"], package["version"])


def test_what_the_plugin_installs_is_this_library_with_both_clouds(project):
    extras = tomllib.loads((project / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    [line] = (project / "plugin" / "requirements.txt").read_text().splitlines()
    [wanted] = re.findall(r"^\.\.\[(.*)\]$", line)
    assert set(wanted.split(",")) == {"aks", "eks"} <= set(extras)


def objects(schema):
    """Everything that has properties, by what it is."""
    for token, spec in (schema["types"] | schema["resources"]).items():
        for properties, required in (("properties", "required"), ("inputProperties", "requiredInputs")):
            if properties in spec:
                yield f"{token} {properties}", spec[properties], spec.get(required, [])


def specs(spec):
    """A type and all that is in it."""
    yield spec
    for inside in (spec.get("items"), spec.get("additionalProperties"), *spec.get("oneOf", ())):
        if inside is not None:
            yield from specs(inside)


def every(schema):
    for place, properties, _ in objects(schema):
        for name, spec in properties.items():
            for part in specs(spec):
                yield f"{place} {name}", part


def test_every_type_that_is_named_is_there_and_every_one_is_named(schema):
    named = {part["$ref"].removeprefix("#/types/") for _, part in every(schema) if "$ref" in part and part["$ref"] != ANY}
    assert named == set(schema["types"])


def test_every_part_is_one_kind_of_type(schema):
    kinds = ("$ref", "oneOf", "items", "additionalProperties")
    for place, part in every(schema):
        said = [kind for kind in kinds if kind in part]
        assert len(said) == 1 or (not said and part["type"] in ("string", "integer", "number", "boolean")), place


def test_what_is_required_is_a_property(schema):
    for place, properties, required in objects(schema):
        assert set(required) <= set(properties), place
        assert not set(properties) & RESERVED, place


@pytest.mark.parametrize(("kind", "model"), [("AksCluster", AksClusterArgs), ("EksCluster", EksClusterArgs)])
def test_all_that_has_a_default_is_optional(schema, kind, model):
    required = schema["resources"][f"nodepools:index:{kind}"]["requiredInputs"]
    assert required == [wire_name(name) for name, field in model.model_fields.items() if field.is_required()]


def test_kinds_are_told_apart(schema):
    unions = [(place, part) for place, part in every(schema) if "oneOf" in part]
    assert {place.rpartition(" ")[2] for place, _ in unions} >= {"pools", "network", "schedule"}
    for place, union in unions:
        mapping = union["discriminator"]["mapping"]
        assert list(mapping.values()) == [one["$ref"] for one in union["oneOf"]], place
        for kind, ref in mapping.items():
            assert schema["types"][ref.removeprefix("#/types/")]["properties"]["kind"]["const"] == kind, place


def test_the_kind_is_said_unless_a_type_also_stands_alone(schema):
    optional = [token for token, spec in schema["types"].items() if "kind" in spec.get("properties", {}) and "kind" not in spec["required"]]
    assert optional == ["nodepools:index:SystemPool"]


def test_only_references_take_outputs(schema):
    eventual = {
        place.split(":")[-1] for place, part in every(schema) if not part.get("plain") and part.get("$ref") != ANY and "inputProperties" in place
    }
    assert eventual == {
        f"AksCluster inputProperties {name}"
        for name in (
            "logAnalyticsWorkspaceId",
            "diskEncryptionSetId",
            "privateDnsZone",
            "hostedSystemSubnetId",
            "apiServerSubnetId",
            "registries",
            "resourceGroup",
            "identity",
        )
    } | {
        f"EksCluster inputProperties {name}"
        for name in ("admins", "clusterPolicies", "clusterRole", "nodePolicies", "nodeRole", "permissionsBoundary", "secretsKey", "securityGroupIds")
    }
    assert all(
        part["type"] == "string" for place, part in every(schema) if not part.get("plain") and "$ref" not in part and " properties" not in place
    )


def test_enums_have_names_that_every_language_takes(schema):
    enums = {token: spec["enum"] for token, spec in schema["types"].items() if "enum" in spec}
    assert len(enums) > 40
    for token, values in enums.items():
        names = [value["name"] for value in values]
        assert all(re.fullmatch(r"[A-Z][A-Za-z0-9]*", name) for name in names), token
        assert len({name.lower() for name in names}) == len(values), token


@pytest.mark.parametrize(
    ("word", "name"),
    [("least-waste", "LeastWaste"), ("AWS_MANAGED", "AwsManaged"), ("32", "Value32"), ("TCP", "TCP"), ("defer+madvise", "DeferMadvise")],
)
def test_values_of_enums_are_named(word, name):
    assert value_name(word) == name


def test_names_of_types_differ_by_more_than_capitals(schema):
    names = [token.rpartition(":")[2] for token in (*schema["types"], *schema["resources"])]
    assert len({name.lower() for name in names}) == len(names)
    assert not [name for name in names if name.endswith(("Args", "Input", "Output"))]


def test_every_field_has_one_name_there_and_comes_back():
    assert [field_name(wire_name(field)) for field in FIELDS] == FIELDS
    assert not [field for field in FIELDS if not re.fullmatch(r"[a-z][A-Za-z0-9]*", wire_name(field))]


def test_what_is_left_out_by_a_switch_can_be_left_out_wherever_it_stands():
    places = [(field, models_of(annotation_of(field))) for model in MODELS for field in model.model_fields.values()]
    switched = {model for field, models in places if is_switchable(field) for model in models}
    assert switched
    assert all(is_switchable(field) for field, models in places if switched.intersection(models))
    assert not [model for model in switched if SWITCH in model.model_fields]


def test_everything_is_described_in_the_words_of_other_languages(schema):
    ours = [name for name in FIELDS if wire_name(name) != name]
    texts = {f"{place} {name}": spec["description"] for place, properties, _ in objects(schema) for name, spec in properties.items()}
    texts |= {token: spec["description"] for token, spec in schema["resources"].items()}
    texts |= {token: spec["description"] for token, spec in schema["types"].items() if "enum" not in spec}
    for place, text in texts.items():
        assert text, place
        assert not re.search(rf"\b({'|'.join(ours)})\b|`(True|False)`|[a-z]=(True|False|None)|[A-Z][A-Za-z]+\([a-z\"0-9]", text), f"{place}: {text}"


def test_the_kubeconfig_is_a_secret(schema):
    for component in schema["resources"].values():
        assert [name for name, spec in component["properties"].items() if spec.get("secret")] == ["kubeconfig"]
