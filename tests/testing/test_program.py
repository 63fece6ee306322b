"""What can be run: functions, platforms, folders; and that nothing of a folder is left."""

import asyncio
import os
import sys
import textwrap
import traceback
from pathlib import Path

import pulumi
import pytest

from nodepools import AksClusterArgs, DeclarationError, Platform, SystemPool, Taint, testing
from nodepools.engine.project import ProjectError

pytestmark = pytest.mark.program

MAIN = """
import sys, os, pulumi
from parts import size
pulumi.export("here", [pulumi.get_project(), pulumi.get_stack(), os.getcwd(), sys.argv])
pulumi.export("size", [size.DEFAULT, pulumi.Config().get("size"), pulumi.Config("aws").get("region")])
"""


@pytest.fixture
def write(tmp_path):
    """A project: files by path, over those of a small one."""

    def written(files=None, name="shop"):
        folder = tmp_path / name
        given = {
            "Pulumi.yaml": f"name: {name}\nruntime: python\n",
            "Pulumi.dev.yaml": "config:\n  size: 3\n  aws:region: eu-west-1\n",
            "__main__.py": MAIN,
            "parts/__init__.py": "",
            "parts/size.py": f"DEFAULT = {name!r}",
        }
        for path, text in {**given, **(files or {})}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(textwrap.dedent(text))
        return folder

    return written


@pytest.fixture(autouse=True)
def forget_what_tests_import():
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] in ("bits", "parts")]:
        del sys.modules[name]


def test_a_folder_runs_at_home_as_its_project_and_stack_say(write):
    folder = write()
    outputs = testing.run(folder).outputs
    assert outputs["here"] == ["shop", "dev", str(folder), [str(folder)]]
    assert outputs["size"] == ["shop", "3", "eu-west-1"]


SAID = [
    pytest.param({"stack": "prod"}, "here", ["shop", "prod"], id="another stack, without a file of its own"),
    pytest.param({"stack": "prod"}, "size", ["shop", None, None], id="has no configuration"),
    pytest.param({"project": "p"}, "here", ["p", "dev"], id="another project"),
    pytest.param({"config": {"size": 4}}, "size", ["shop", "4", "eu-west-1"], id="configuration stands over that of the stack"),
    pytest.param({"config": {"aws:region": "us-east-1"}}, "size", ["shop", "3", "us-east-1"], id="a full key"),
    pytest.param({"config": {"size": ["a", {"b": True}]}}, "size", ["shop", '["a", {"b": true}]', "eu-west-1"], id="what is no text is JSON"),
]


@pytest.mark.parametrize(("given", "output", "told"), SAID)
def test_what_the_caller_says_stands_over_what_the_project_says(write, given, output, told):
    assert testing.run(write(), **given).outputs.sequence(output)[: len(told)] == told


def test_secret_configuration_is_secret():
    def program():
        pulumi.export("token", pulumi.Config().require_secret("token"))
        pulumi.export("secret", pulumi.runtime.config.is_config_secret("nodepools:token"))

    outputs = testing.run(program, secret_config={"token": "hush"}).outputs
    assert outputs.text("token") == "hush"
    assert outputs.secret("token")
    assert outputs["secret"] is True


def test_a_path_may_be_text_and_may_name_the_file(write):
    folder = write()
    assert testing.run(str(folder)).outputs["size"] == testing.run(folder / "__main__.py").outputs["size"]


def test_a_file_needs_no_project(tmp_path):
    (tmp_path / "infra.py").write_text("import pulumi; pulumi.export('here', [pulumi.get_project(), pulumi.get_stack()])")
    assert testing.run(tmp_path / "infra.py", stack="s").outputs["here"] == ["nodepools", "s"]


def test_a_relative_path_is_relative_to_where_the_test_is(write, monkeypatch):
    monkeypatch.chdir(write().parent)
    assert testing.run("shop").outputs.text("size", 0) == "shop"


def test_the_program_may_be_elsewhere_in_its_project(write):
    folder = write(
        {"Pulumi.yaml": "name: shop\nruntime: python\nmain: parts", "parts/__main__.py": "import pulumi, size; pulumi.export('size', size.DEFAULT)"}
    )
    assert testing.run(folder).outputs["size"] == "shop"


def test_nothing_of_a_folder_is_left(write):
    folder = write()
    before = (dict(sys.modules).keys(), list(sys.path), list(sys.argv), Path.cwd())
    testing.run(folder)
    assert {name for name in sys.modules if name.startswith("parts")} == set()
    assert (list(sys.path), list(sys.argv), Path.cwd()) == before[1:]


@pytest.mark.parametrize("ending", ["raise ValueError('boom')", "1 / 0", "raise SystemExit(3)"])
def test_nothing_of_a_folder_is_left_when_it_fails(write, ending):
    place, path = Path.cwd(), list(sys.path)
    with pytest.raises((ValueError, ZeroDivisionError, pulumi.RunError)):
        testing.run(write({"__main__.py": f"import parts\n{ending}"}))
    assert (Path.cwd(), sys.path, "parts" in sys.modules) == (place, path, False)


def test_projects_with_modules_of_the_same_name_do_not_see_each_other(write):
    one, two = write(name="one"), write(name="two")
    assert [testing.run(folder).outputs.text("size", 0) for folder in (one, two, one)] == ["one", "two", "one"]


def test_modules_of_the_tests_of_another_project_come_back(write, monkeypatch):
    one, two = write(name="one"), write(name="two")
    monkeypatch.syspath_prepend(one)
    import parts.size

    assert testing.run(two).outputs.text("size", 0) == "two"
    assert sys.modules["parts.size"] is parts.size
    assert parts.size.DEFAULT == "one"


def test_a_folder_of_the_callers_name_that_is_no_package_is_no_hindrance(write, monkeypatch):
    """`tests` is one in most projects, and its path is found through what is imported of it."""
    one, two = write({"bits/deep/low.py": "HERE = 'one'"}, name="one"), write({"bits/deep/low.py": "HERE = 'two'"}, name="two")
    monkeypatch.syspath_prepend(one)
    import bits.deep.low

    (two / "__main__.py").write_text("import pulumi, bits.deep.low\npulumi.export('here', bits.deep.low.HERE)")
    assert testing.run(two).outputs["here"] == "two"
    assert sys.modules["bits.deep.low"].HERE == bits.deep.low.HERE == "one"


def test_what_the_test_imported_of_the_program_is_the_same_for_both(write, monkeypatch):
    folder = write({"parts/refusals.py": "class Refused(Exception): pass", "__main__.py": "from parts.refusals import Refused\nraise Refused('no')"})
    monkeypatch.syspath_prepend(folder)
    from parts.refusals import Refused

    with pytest.raises(Refused, match="no"):
        testing.run(folder)


def test_the_platform_of_a_stack_is_run_by_itself():
    args = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=SystemPool(vm_size="Standard_D4ds_v5", count=3))
    graph = testing.run(Platform(name="qa", clusters={"weu": args}), preview=True)
    assert graph.stack == "qa"
    assert graph.one("AksCluster/weu").urn == "urn:pulumi:qa::nodepools::nodepools:index:AksCluster::qa-weu"
    assert graph.outputs.mapping("clusters").keys() == {"weu"}


def test_a_refusal_is_an_error_with_its_findings():
    pool = SystemPool(vm_size="Standard_D4ds_v5", count=3, taints=[Taint("team", "a")])
    args = AksClusterArgs(location="westeurope", kubernetes_version="1.35", system_pool=pool)
    with pytest.raises(DeclarationError, match=r"AKS014 error at clusters\.weu") as refused:
        testing.run(Platform(name="qa", clusters={"weu": args}))
    assert {finding.code for finding in refused.value.findings} >= {"AKS014"}


def test_an_async_program_is_awaited():
    async def program():
        await asyncio.sleep(0)
        pulumi.export("done", value=True)

    assert testing.run(program).outputs["done"] is True


def test_an_async_test_can_run_a_program_too():
    async def test():
        return testing.run(lambda: pulumi.export("done", value=True)).outputs["done"]

    assert asyncio.run(test()) is True


def test_a_program_may_end_itself_in_peace():
    def program():
        pulumi.export("done", value=True)
        sys.exit(0)

    assert testing.run(program).outputs["done"] is True


def test_a_program_that_ends_itself_otherwise_fails():
    with pytest.raises(pulumi.RunError, match="the program exited: no quota"):
        testing.run(lambda: sys.exit("no quota"))


def test_what_the_program_raises_comes_with_its_own_lines_alone(write):
    folder = write({"__main__.py": "from parts.size import fail\nfail()", "parts/size.py": "def fail():\n    raise ValueError('boom')"})
    with pytest.raises(ValueError, match="boom") as raised:
        testing.run(folder)
    files = [Path(frame.filename).name for frame in traceback.extract_tb(raised.value.__traceback__)]
    assert files == ["test_program.py", "__main__.py", "size.py"]
    assert raised.value.__context__ is None


def test_what_pulumi_raises_later_is_without_lines_of_ours(thing):
    with pytest.raises(ValueError, match="unexpected input of type object for x in Thing") as raised:
        testing.run(lambda: thing("a", x=object()))
    assert [Path(frame.filename).name for frame in traceback.extract_tb(raised.value.__traceback__)] == ["test_program.py"]


def test_a_name_that_is_used_twice_is_told_with_its_line(thing):
    def program():
        thing("a")
        thing("a")

    with pytest.raises(Exception, match="Duplicate resource URN") as raised:
        testing.run(program)
    [note] = raised.value.__notes__
    first = program.__code__.co_firstlineno + 1  # Pulumi registers both at the same time: either can be the second
    assert any(f'File "{__file__}", line {line}' in note for line in (first, first + 1))
    assert 'File ""' not in note


def test_transforms_are_run(thing):
    def tagged(args):
        return pulumi.ResourceTransformResult({**args.props, "tags": {"team": "core"}}, args.opts)

    def program():
        pulumi.runtime.register_resource_transform(tagged)
        thing("a", size=1)

    assert dict(testing.run(program).one("Thing/a").inputs) == {"size": 1, "tags": {"team": "core"}}


def test_transforms_of_a_component_reach_its_children(group):
    def tagged(args):
        return pulumi.ResourceTransformResult({**args.props, "team": "core"}, args.opts)

    graph = testing.run(lambda: group("g", pulumi.ResourceOptions(transforms=[tagged])))
    assert graph.one("Thing/g-first").inputs["team"] == "core"


def test_transforms_of_questions_are_run():
    def asked(args):
        return pulumi.InvokeTransformResult({**args.args, "name": "other"}, args.opts)

    seen = []

    async def program():
        pulumi.runtime.register_invoke_transform(asked)
        seen.append((await pulumi.runtime.invoke_async("cloud:index/find:find", {"name": "x"}))["found"])

    testing.run(program, calls={"cloud:index/find:find": lambda args: {"found": args["name"]}})
    assert seen == ["other"]


REFUSED = [
    pytest.param(lambda _: "nowhere", FileNotFoundError, r"program not found: .*/nowhere does not exist", id="no such path"),
    pytest.param(lambda folder: folder.parent, FileNotFoundError, r"program not found: .*/__main__.py does not exist", id="a folder without one"),
    pytest.param(lambda _: 3, TypeError, "a program must be a function, a `Platform`, or the path of a folder .*, not a `int`", id="a number"),
    pytest.param(lambda _: SystemPool(vm_size="Standard_D4ds_v5", count=1), TypeError, "not a `SystemPool`", id="a part of a platform"),
]


@pytest.mark.parametrize(("program", "error", "said"), REFUSED)
def test_what_is_no_program(write, program, error, said):
    with pytest.raises(error, match=said):
        testing.run(program(write()))


def test_a_project_file_that_cannot_be_read_is_told_in_one_line(write):
    with pytest.raises(ProjectError, match=r"^\S*Pulumi.yaml: `name` is missing$"):
        testing.run(write({"Pulumi.yaml": "runtime: python"}))


def test_the_environment_of_the_caller_is_as_before(write):
    before = dict(os.environ)
    testing.run(write())
    assert dict(os.environ) == before


def test_without_a_reader_of_yaml_it_is_said_what_brings_one(write, monkeypatch):
    for reader in ("engine.project", "reading.pulumi_scalars", "reading.yaml_builder", "reading.yaml_documents", "reading.yaml_events"):
        monkeypatch.delitem(sys.modules, f"nodepools.{reader}", raising=False)
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(ImportError, match=r"reading \S*Pulumi.yaml requires the package `yaml`: pip install 'nodepools\[cli\]'$"):
        testing.run(write())
