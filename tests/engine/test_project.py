"""Project and stack files, read as the Pulumi CLI reads them."""

from pathlib import Path

import pytest

from nodepools.engine.project import PLACEHOLDER, ProjectError, read_project

pytestmark = pytest.mark.program

PROJECT = "name: shop\nruntime: python\n"


def write(folder: Path, project: str = PROJECT, stack: str | None = None) -> Path:
    (folder / "Pulumi.yaml").write_text(project)
    if stack is not None:
        (folder / "Pulumi.dev.yaml").write_text(stack)
    return folder


@pytest.mark.parametrize(
    ("stack", "config", "secret_keys"),
    [
        pytest.param(None, {}, (), id="a stack without a file has no configuration"),
        pytest.param("encryptionsalt: v1:abc\n", {}, (), id="what is not configuration is passed over"),
        pytest.param("config:\n", {}, (), id="an empty section"),
        pytest.param("config:\n  aws:region: us-east-1\n", {"aws:region": "us-east-1"}, (), id="a plain value"),
        pytest.param("config:\n  size: 3\n", {"shop:size": "3"}, (), id="a key without a package is the project's"),
        pytest.param(
            "config:\n  a: true\n  b: no\n  c: 2026-01-01\n", {"shop:a": "true", "shop:b": "no", "shop:c": "2026-01-01"}, (), id="words stay words"
        ),
        pytest.param(
            "config:\n  a: 012\n  b: 12:30\n  c: 1_000\n  d: .5\n  e: ~\n  f: 0b_\n",
            {"shop:a": "10", "shop:b": "750", "shop:c": "1000", "shop:d": "0.5", "shop:e": "null", "shop:f": "0b_"},
            (),
            id="numbers are those of YAML 1.1",
        ),
        pytest.param("config:\n  map: {1: a, true: b, ~: c}\n", {"shop:map": '{"1": "a", "true": "b", "null": "c"}'}, (), id="keys are JSON"),
        pytest.param("config:\n  list: [1, {a: b}]\n", {"shop:list": '[1, {"a": "b"}]'}, (), id="an object is JSON"),
        pytest.param("config:\n  key:\n    secure: v1:abc\n", {"shop:key": PLACEHOLDER}, ("shop:key",), id="a secret has a stand-in"),
        pytest.param(
            "config:\n  all:\n    a: 1\n    b: {secure: v1:abc}\n",
            {"shop:all": f'{{"a": 1, "b": "{PLACEHOLDER}"}}'},
            ("shop:all",),
            id="an object with a secret is secret as a whole",
        ),
    ],
)
def test_the_configuration_of_a_stack(tmp_path: Path, stack: str | None, config: dict[str, str], secret_keys: tuple[str, ...]) -> None:
    project = read_project(write(tmp_path, stack=stack), "dev")
    assert (project.name, project.config, project.secret_keys) == ("shop", config, secret_keys)


def test_the_project_gives_defaults_that_the_stack_overrides(tmp_path: Path) -> None:
    declared = """
config:
  aws:region: eu-west-1
  size: {type: integer, default: 3}
  needed: {type: string, description: no default}
  pin: {value: "1234", secret: true}
  over: {default: project}
"""
    project = read_project(write(tmp_path, PROJECT + declared, "config:\n  shop:over: stack\n"), "dev")
    assert project.config == {"aws:region": "eu-west-1", "shop:over": "stack", "shop:pin": "1234", "shop:size": "3"}
    assert project.secret_keys == ("shop:pin",)


def test_the_program_may_be_in_a_folder_of_its_own(tmp_path: Path) -> None:
    assert read_project(write(tmp_path), "dev").directory == tmp_path
    assert read_project(write(tmp_path, PROJECT + "main: infra\n"), "dev").directory == tmp_path / "infra"


@pytest.mark.parametrize(
    ("project", "stack", "says"),
    [
        pytest.param("runtime: python\n", None, "Pulumi.yaml: `name` is missing", id="a project without a name"),
        pytest.param("name: 123\n", None, "Pulumi.yaml: `name` must be text: write it in quotes", id="a number as the name"),
        pytest.param("- name\n", None, "Pulumi.yaml: the file is not a mapping", id="a list"),
        pytest.param("", None, "Pulumi.yaml: the file is not a mapping", id="nothing"),
        pytest.param("a: [", None, "Pulumi.yaml:2:1: ", id="no YAML"),
        pytest.param("[" * 100_000, None, "Pulumi.yaml:1:101: is nested too deeply: more than 100 levels", id="lists in lists"),
        pytest.param("name: a\nname: b\n", None, "Pulumi.yaml:2:1: the key `name` is in this mapping twice", id="a key given twice"),
        pytest.param("name: a\n---\nname: b\n", None, "Pulumi.yaml:3:1: a second document begins here", id="two documents"),
        pytest.param(PROJECT, "config: 3\n", "Pulumi.dev.yaml: `config` is not a mapping", id="a section that is a number"),
    ],
)
def test_an_unreadable_file_is_told_in_one_line(tmp_path: Path, project: str, stack: str | None, says: str) -> None:
    with pytest.raises(ProjectError) as error:
        read_project(write(tmp_path, project, stack), "dev")
    assert says in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_a_missing_project_is_told_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"Pulumi\.yaml: No such file or directory"):
        read_project(tmp_path, "dev")
