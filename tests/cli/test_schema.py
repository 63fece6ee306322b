"""`nodepools schema`: editors accept the platforms that `check` accepts, and mark the mistakes that a schema can describe."""

import json

import jsonschema
import pytest
import yaml

from nodepools.manifests.object_samples import SAMPLES
from tests.cli.conftest import started

UNDESCRIBED = {"CFG009"}
"""Quantities, durations and address ranges: only `check` reads them."""


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    return json.loads(started("schema", cwd=tmp_path_factory.mktemp("empty")).out)


@pytest.fixture(scope="module")
def validator(schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("path", ["examples/drift/platform.yaml"])
def test_a_platform_of_the_examples_is_valid(project, validator, path):
    assert [error.message for error in validator.iter_errors(yaml.safe_load((project / path).read_text(encoding="utf-8")))] == []


@pytest.mark.parametrize("code", sorted(code for code in SAMPLES if code.startswith("CFG")))
def test_a_mistake_in_the_shape_is_refused_if_a_schema_can_describe_it(validator, code):
    assert validator.is_valid(yaml.safe_load(SAMPLES[code])) is (code in UNDESCRIBED)


def test_every_field_has_a_description(schema):
    parts = [schema, *schema["$defs"].values()]
    assert [name for part in parts for name, field in part.get("properties", {}).items() if not field.get("description")] == []


def test_the_schema_can_be_a_file(schema, tmp_path):
    assert started("schema", "-o", "platform.schema.json", cwd=tmp_path).out == "platform.schema.json: written\n"
    assert json.loads((tmp_path / "platform.schema.json").read_text(encoding="utf-8")) == schema


def test_a_folder_that_does_not_exist_is_one_error(tmp_path):
    answer = started("schema", "-o", "missing/platform.schema.json", cwd=tmp_path)
    assert (answer.status, answer.err.count("\n")) == (2, 1)
