"""`nodepools schema`: editors accept the platforms that `check` accepts, and mark the mistakes that a schema can describe."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from nodepools.cli.schema import schema_document
from nodepools.cli.starter_files import Ci, Cloud, Origin, project_files
from nodepools.manifests.object_samples import SAMPLES
from nodepools.model.base import Model
from tests.cli.conftest import Run
from tests.rules.test_schema_findings import SHAPES, everything
from tools.platform_schema import TARGET, text

CHECK = Path(sys.executable).with_name("check-jsonschema")
LINE = re.compile(r"^# yaml-language-server: \$schema=(\S+)$", re.MULTILINE)
"""What editors read in the first lines of a file."""
KEYS = "a key of JSON is always text"
SYNTAX = "text with a syntax of its own: a pattern would be a second parser of it"
UNDESCRIBED = {
    "budget_nodes": SYNTAX,
    "calendar": "which days exist",
    "cidr": "a range starts at its own first address",
    "cidr6": "a range starts at its own first address",
    "duration": SYNTAX,
    "endpoints": "two names of one service",
    "int_parsing": KEYS,
    "int_parsing_size": "JSON numbers have no size",
    "literal_error": "the effect in the text of a taint",
    "price": SYNTAX,
    "quantity": SYNTAX,
    "requirement_values": "how many values there must be depends on the operator",
    "revision": SYNTAX,
    "string_type": KEYS,
    "taint": SYNTAX,
    "window_tz": "the names of time zones are on the machine",
    "zones": "names and ids must not be mixed",
}
"""Errors of the models that a schema does not describe, with the reason."""
WRONG: tuple[Any, ...] = (
    *(None, 3, -3, 3.5, 1e300, True, "", "x", "A B!", "1h30", "5000%"),
    *([], {}, ["x"], [3], ["a:b"], [[]], {"x": 3}, {3: "x"}, {"x": "y"}, {"x": []}, {"kind": "x"}, {"stack": "x"}, [{"operator": "In", "key": "x"}]),
)


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(schema_document())
    return Draft202012Validator(schema_document())


def valid(validator: Draft202012Validator, value: Any) -> bool:
    return not list(cast("Iterator[object]", validator.iter_errors(value)))  # pyright: ignore[reportUnknownMemberType]


def as_json(value: Any) -> Any:
    """What a file would have in place of a part that Python declares."""
    if isinstance(value, Model):
        return {"kind": type(value).__name__, **value.model_dump(mode="json", exclude_unset=True)}
    if isinstance(value, dict):
        return {key: as_json(part) for key, part in cast("dict[str, Any]", value).items()}
    return value


def platforms(project: Path) -> list[Path]:
    """The YAML files of the repository that editors check, by their first lines."""
    listed = subprocess.run(["git", "ls-files", "*.yaml", "*.yml"], cwd=project, capture_output=True, text=True, check=True).stdout
    return [project / name for name in listed.splitlines() if LINE.search((project / name).read_text(encoding="utf-8"))]


def test_the_stored_schema_is_current():
    assert TARGET.read_text(encoding="utf-8") == text(), "run `python tools/plugin_schema.py`"


def test_every_platform_in_yaml_names_the_stored_schema(project: Path):
    listed = subprocess.run(["git", "ls-files", "examples/*.yaml"], cwd=project, capture_output=True, text=True, check=True).stdout
    declared = [project / name for name in listed.splitlines() if re.search(r"^clusters:$", (project / name).read_text(), re.MULTILINE)]
    assert declared
    assert platforms(project) == declared
    for file in declared:
        [name] = LINE.findall(file.read_text(encoding="utf-8"))
        assert (file.parent / name).resolve() == TARGET


@pytest.mark.skipif(not CHECK.exists(), reason="check-jsonschema is not installed")
def test_a_validator_of_others_accepts_them(project: Path):
    """Its patterns are those of ECMAScript, as in editors."""
    for arguments in (["--check-metaschema", str(TARGET)], ["--schemafile", str(TARGET), *map(str, platforms(project))]):
        done = subprocess.run([CHECK, *arguments], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "ok -- validation done\n"), done.stdout


@pytest.mark.skipif(not CHECK.exists(), reason="check-jsonschema is not installed")
@pytest.mark.parametrize(("ci", "schema"), [(Ci.GITHUB, "vendor.github-workflows"), (Ci.GITLAB, "vendor.gitlab-ci")])
def test_workflows_of_new_projects_are_valid(tmp_path: Path, ci: Ci, schema: str):
    [(path, text)] = project_files("shop", Cloud.BOTH, ci, Origin("")).items() - project_files("shop", Cloud.BOTH, None, Origin("")).items()
    (tmp_path / path.name).write_text(text, encoding="utf-8")
    done = subprocess.run([CHECK, "--builtin-schema", schema, tmp_path / path.name], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "ok -- validation done\n")


@pytest.mark.parametrize("code", sorted(code for code in SAMPLES if code.startswith("CFG")))
def test_a_mistake_in_the_shape_is_refused_if_a_schema_can_describe_it(validator: Draft202012Validator, code: str):
    """CFG009 is about quantities, durations and address ranges, CFG013 about keys that YAML has lost: only `check` reads them."""
    assert valid(validator, yaml.safe_load(SAMPLES[code])) is (code in ("CFG009", "CFG013"))


@pytest.mark.parametrize("fields", [pytest.param(row.values[0], id=row.id) for row in SHAPES])
def test_each_mistake_that_check_reports_is_refused(validator: Draft202012Validator, fields: dict[str, Any]):
    with_text_as_keys = json.loads(json.dumps(as_json(fields)))
    assert valid(validator, with_text_as_keys) is (with_text_as_keys != as_json(fields)), KEYS


@pytest.mark.sweep
def test_a_schema_describes_every_error_of_every_field_but_these():
    """Every field of every part with wrong values: what `check` reports and the schema accepts is in the table, with the reason."""
    accepted: set[str] = set()
    for model in everything():
        of_part = Draft202012Validator({**model.model_json_schema(), "required": []})
        accepted |= {
            kind for field in model.model_fields for wrong in WRONG for kind in _errors(model, field, wrong) if valid(of_part, {field: wrong})
        }
    assert accepted == set(UNDESCRIBED)


def _errors(model: type[Model], field: str, wrong: object) -> set[str]:
    try:
        model.model_validate({field: wrong})
    except ValidationError as error:
        return {detail["type"] for detail in error.errors(include_url=False) if detail["loc"][:1] == (field,)}
    return set()


def test_every_field_has_a_description():
    schema = cast("dict[str, Any]", schema_document())
    parts = [schema, *schema["$defs"].values()]
    assert [name for part in parts for name, field in part.get("properties", {}).items() if not field.get("description")] == []


def test_every_definition_has_a_description():
    definitions = cast("dict[str, Any]", schema_document()["$defs"])
    assert [name for name, definition in definitions.items() if not definition.get("description")] == []


def test_the_schema_is_printed_or_written(nodepools: Run, tmp_path: Path):
    assert json.loads(nodepools("schema", cwd=tmp_path).out) == schema_document()
    assert nodepools("schema", "-o", "platform.schema.json", cwd=tmp_path).out == "platform.schema.json: written\n"
    assert json.loads((tmp_path / "platform.schema.json").read_text(encoding="utf-8")) == schema_document()


def test_a_folder_that_does_not_exist_is_one_error(nodepools: Run, tmp_path: Path):
    answer = nodepools("schema", "-o", "missing/platform.schema.json", cwd=tmp_path)
    assert (answer.status, answer.err.count("\n")) == (2, 1)
