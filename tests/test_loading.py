"""Stacks of several projects can be read one after the other: their modules have the same names."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pulumi
import pytest
from pydantic import ValidationError

import nodepools
from nodepools.loading import UnreadableError, load_text, read_stack
from nodepools.model.base import Model
from nodepools.model.invalid_parts import UNKNOWN, NotKnownError, kept_or_raised

STACK = """from nodepools import AksClusterArgs, Platform, SystemPool

from stacks.sizes import SIZE

PLATFORM = Platform(
    name="dev",
    clusters={"weu": AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size=SIZE, count=1))},
)
"""


@pytest.fixture(params=["ab", "a", "b", ""])
def projects(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Two projects. The stacks of those in the parameter are packages with an `__init__.py`, which Python would prefer to a plain folder."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("a", "b"):
        (tmp_path / name / "stacks").mkdir(parents=True)
        if name in request.param:
            (tmp_path / name / "stacks" / "__init__.py").touch()
        (tmp_path / name / "stacks" / "sizes.py").write_text(f'SIZE = "Standard_{name}"\n')
        (tmp_path / name / "stacks" / "dev.py").write_text(STACK)
    return {name: tmp_path / name for name in ("a", "b")}


@pytest.mark.parametrize("order", ["ab", "aab", "aba", "abab"])
def test_each_stack_is_that_of_its_project(projects: dict[str, Path], order: str):
    for name in order:
        assert f"Standard_{name}" in repr(read_stack("dev", projects[name]))


def test_the_path_of_modules_stays_as_it_was_with_the_project_last(projects: dict[str, Path]):
    before = [path for path in sys.path if path not in map(str, projects.values())]
    sys.path[:] = before
    for name in "aba":
        read_stack("dev", projects[name])
    assert sys.path == [*before, str(projects["a"]), str(projects["b"])]
    sys.path.insert(0, sys.path.pop())
    read_stack("dev", projects["b"])
    assert sys.path == [str(projects["b"]), *before, str(projects["a"])]


@pytest.mark.parametrize("name", ["stacks/sizes.py", "shared.py", "shared/sizes.py", "shared/__init__.py"])
def test_an_edited_module_is_read_again(projects: dict[str, Path], name: str):
    module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    for key, project in projects.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(f'SIZE = "Standard_{key}1"\n')
        (project / "stacks/dev.py").write_text(STACK.replace("stacks.sizes", module))
    first = read_stack("dev", projects["a"])
    assert "Standard_a1" in repr(first)
    assert read_stack("dev", projects["a"]) is first
    assert "Standard_b1" in repr(read_stack("dev", projects["b"]))
    (projects["b"] / name).write_text('SIZE = "Standard_b2"\n')  # within a second, and of the same length
    assert "Standard_b2" in repr(read_stack("dev", projects["b"]))
    assert "Standard_a1" in repr(read_stack("dev", projects["a"]))
    (projects["a"] / "stacks/dev.py").write_text("")
    with pytest.raises(UnreadableError, match="is not defined"):
        read_stack("dev", projects["a"])


def test_threads_read_the_stacks_of_their_projects(projects: dict[str, Path]):
    with ThreadPoolExecutor(4) as pool:
        names = ["a", "b"] * 20
        found = pool.map(read_stack, ["dev"] * len(names), [projects[name] for name in names])
        assert all(f"Standard_{name}" in repr(one) for name, one in zip(names, found, strict=True))


def test_a_project_can_be_named_from_its_parent(projects: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b", "a"):
        assert f"Standard_{name}" in repr(read_stack("dev", projects[name].relative_to(tmp_path)))


KEEPS = "A stack that was renamed keeps its resources with `pulumi config set nodepools:stack dev`"
KEEPS_OLD = KEEPS.replace(" dev`", " OLD_NAME`")


@pytest.mark.parametrize(("stack", "advice"), [("prod", 'set `name="prod"` in a new stack, otherwise rename'), ("a02_x", "rename")])
def test_the_name_of_a_stack_is_set_only_where_a_platform_can_have_it(projects: dict[str, Path], stack: str, advice: str):
    (projects["a"] / "stacks" / f"{stack}.py").write_text(STACK)
    message = f"stacks/{stack}.py: the name of the platform is `dev`, from which resources are named: {advice} the file to `dev.py`. {KEEPS}"
    with pytest.raises(UnreadableError, match=re.escape(message)):
        read_stack(stack, projects["a"])


def test_a_renamed_stack_keeps_its_declaration(projects: dict[str, Path]):
    folder = projects["a"]
    (folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (folder / "stacks/staging.py").write_text(STACK)
    settings = folder / "Pulumi.blue.yaml"
    settings.write_text("config:\n  nodepools:stack: dev\n")
    assert read_stack("blue", folder).name == "dev"
    said = "stack `blue` not found (available: dev, staging)"
    for written, message in (
        ("config:\n  nodepools:stack: prod\n", "stack `blue`: `nodepools:stack` is `prod`, and there is no stacks/prod.py (available: dev, staging)"),
        ("config: {}\n", f"{said}. {KEEPS_OLD}"),
        (None, f"{said}. {KEEPS_OLD}"),
        ("config: [\n", "Pulumi.blue.yaml"),
    ):
        settings.unlink() if written is None else settings.write_text(written)
        with pytest.raises(UnreadableError, match=re.escape(message)):
            read_stack("blue", folder)


def test_in_a_program_both_handlers_catch_a_stack_that_cannot_be_read(tmp_path):
    for caught in (UnreadableError, pulumi.RunError):
        with pytest.raises(caught, match="nosuch"):
            nodepools.load("nosuch", tmp_path)


PRODUCTION = """name: NAME
clusters:
  weu:
    kind: AksCluster
    location: westeurope
    kubernetes_version: "1.35"
    system_pool: {vm_size: Standard_D4ds_v5, count: 3}
    pools:
      web: {kind: UserPool, vm_size: Standard_D4ds_v5, EDIT}
"""


@pytest.mark.parametrize("name", ["dev", "prod"])
@pytest.mark.parametrize(
    ("edit", "field", "value"),
    [
        ("count: 1001", "count", "1001"),
        ("count: 2, max_pods: 5", "max_pods", "5"),
        ("scale: {min: -1, max: 2}", "scale.min", "-1"),
        ("count: 2, os_disk_size_gb: 10", "os_disk_size_gb", "10"),
    ],
)
def test_a_number_out_of_its_range_is_told_once_whatever_rules_read_the_rest(name: str, edit: str, field: str, value: str):
    with pytest.raises(nodepools.DeclarationError) as raised:
        load_text(PRODUCTION.replace("NAME", name).replace("EDIT", edit), "platform.yaml")
    [found] = [one for one in raised.value.findings if one.code.startswith("CFG")]
    assert (found.code, found.path) == ("CFG007", f"clusters.weu.pools.web.{field}")
    assert value in str(found.value)


def numbers(kind: type[Model]) -> list[tuple[type[Model], str]]:
    declared = [
        one for one in kind.__subclasses__() if issubclass(one.__bases__[0], Model)
    ]  # others are made for parts that are not known or invalid
    inner = [below for one in declared for below in numbers(one)]
    return [*inner, *((kind, name) for name, field in kind.model_fields.items() if any(hasattr(limit, "ge") for limit in field.metadata))]


@pytest.mark.parametrize(("kind", "name"), numbers(Model), ids=lambda one: one if isinstance(one, str) else one.__name__)
def test_an_unknown_number_is_not_known_and_no_error(kind: type[Model], name: str):
    """What a rule derives from a declaration with an invalid number has no errors of its own."""
    try:
        kind.__pydantic_validator__.validate_assignment(kind.model_construct(), name, UNKNOWN)
    except ValidationError as error:
        with pytest.raises(NotKnownError):
            kept_or_raised(kind, {}, error)


def test_a_registry_returns_the_platform_of_a_name():
    weu = "{kind: AksCluster, location: westeurope, kubernetes_version: '1.35', system_pool: {vm_size: Standard_D4ds_v5, count: 3}}"
    known = {f"dev-{number}": load_text(f"{{name: shop, clusters: {{weu: {weu}}}}}", "dev.yaml") for number in range(78)}
    assert nodepools.load("dev-77", registry=known.__getitem__) is known["dev-77"]
    with pytest.raises(UnreadableError, match=r"^stack `prod` is not in the registry: 'prod'$"):
        nodepools.load("prod", registry=known.__getitem__)
    with pytest.raises(ZeroDivisionError):
        nodepools.load("prod", registry=lambda _: known[str(1 // 0)])
