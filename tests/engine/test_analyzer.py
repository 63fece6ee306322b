"""Policy packs of others, over the protocol: made with Pulumi's own SDK, broken, slow, wrongly configured."""

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from nodepools.engine.analyzer import Analysis, analyze, read_config, read_pack
from nodepools.engine.errors import PackError
from nodepools.engine.run import Program, run

pytestmark = pytest.mark.program

PACK = """
from pulumi_policy import EnforcementLevel, PolicyConfigSchema, PolicyPack, ResourceValidationPolicy, StackValidationPolicy


def small(args, report):
    most = args.get_config()["most"]
    if args.resource_type == "test:index:Thing" and args.props["size"] > most:
        report(f"{args.name} is larger than {most}")


def tagged(args):
    if args.resource_type == "test:index:Thing":
        args.props["tags"]["owner"] = "web"
        return args.props


def parents(args, report):
    for one in args.resources:
        if one.resource_type == "test:index:Thing" and [d.name for d in one.dependencies] == ["first"]:
            waits = one.opts.custom_timeouts.create_seconds
            report(f"{one.name} of {one.parent.name} depends on first, protected {one.opts.protect}, waits {waits:g}", one.urn)


def few(args, report):
    report(f"has {len(args.resources)} resources")


PolicyPack(
    "others",
    enforcement_level=EnforcementLevel.MANDATORY,
    policies=[
        ResourceValidationPolicy("small", "Things are small", small, config_schema=PolicyConfigSchema({"most": {"type": "integer", "default": 3}})),
        ResourceValidationPolicy("tagged", "Things are tagged", remediate=tagged, enforcement_level=EnforcementLevel.REMEDIATE),
        StackValidationPolicy("few", "Stacks are small", few, enforcement_level=EnforcementLevel.DISABLED),
        StackValidationPolicy("parents", "Things have parents", parents, enforcement_level=EnforcementLevel.ADVISORY),
    ],
)
"""

PROGRAM = """
group = Group("group")
first = Thing("first", size=2, tags={"pin": Output.secret("hunter22")}, opts=ResourceOptions(parent=group))
Thing("second", size=5, made_of=first.made, tags={}, opts=ResourceOptions(parent=group, protect=True, custom_timeouts=CustomTimeouts(create="90s")))
"""

Asking = Callable[..., Analysis]


@pytest.fixture
def ask(write: Callable[[str], Path], tmp_path: Path) -> Asking:
    """Asks a pack, given as text, about a program."""

    def ask(pack: str, config: object = None, *, program: str = PROGRAM, project: str = "runtime: python", seconds: float = 60) -> Analysis:
        folder = tmp_path / "pack"
        folder.mkdir()
        (folder / "PulumiPolicy.yaml").write_text(project)
        (folder / "__main__.py").write_text(textwrap.dedent(pack))
        of = Program(write(program), "shop", "dev")
        file = tmp_path / "config.json"
        file.write_text(json.dumps(config if config is not None else {}))
        return analyze(folder, run(of, timeout=60), of, read_config(file), seconds=seconds)

    return ask


def test_a_pack_of_pulumis_sdk_is_asked_as_pulumi_asks_it(ask):
    pytest.importorskip("pulumi_policy")
    analysis = ask(PACK)
    assert analysis.pack == "others"
    said = [(one.policy, one.level, one.urn.rpartition("::")[2], one.message) for one in analysis.breaches]
    assert said == [
        ("small", "mandatory", "second", "second is larger than 3.0"),
        ("parents", "advisory", "second", "second of group depends on first, protected True, waits 90"),
    ]
    repaired = {one.urn.rpartition("::")[2]: one.inputs["tags"] for one in analysis.repairs}
    assert repaired == {"first": {"owner": "web", "pin": {"$secret": True}}, "second": {"owner": "web"}}


CONFIGURED = [
    pytest.param({"small": {"most": 9}}, {"parents"}, id="a setting"),
    pytest.param({"small": "disabled"}, {"parents"}, id="a level"),
    pytest.param({"all": "disabled"}, set(), id="all policies off"),
    pytest.param({"all": "disabled", "small": {"enforcementLevel": "advisory"}}, {"small"}, id="all but one"),
    pytest.param({"small": {"most": 1, "enforcementLevel": "mandatory"}}, {"small", "parents"}, id="level and setting"),
]


def test_what_is_said_of_the_stack_as_a_whole_is_of_its_own_resource(ask):
    pytest.importorskip("pulumi_policy")
    (breach,) = ask(PACK, {"all": "disabled", "few": "advisory"}).breaches
    assert (breach.urn, breach.message) == ("urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", "has 4 resources")


@pytest.mark.parametrize(("config", "policies"), CONFIGURED)
def test_configurations_are_read_as_pulumi_reads_them(ask, config, policies):
    pytest.importorskip("pulumi_policy")
    assert {one.policy for one in ask(PACK, config).breaches} == policies


def test_settings_are_held_against_the_schema(ask):
    pytest.importorskip("pulumi_policy")
    with pytest.raises(PackError, match="small: most: 'many' is not of type 'integer'"):
        ask(PACK, {"small": {"most": "many"}})


def test_a_policy_that_the_pack_does_not_have_is_refused(ask):
    """Its level would be that of no policy, and what is meant to stop `pulumi up` would be a warning."""
    pytest.importorskip("pulumi_policy")
    with pytest.raises(PackError, match="`smal` is not a policy of this pack: use `small`"):
        ask(PACK, {"all": "advisory", "smal": "mandatory"})


def test_a_setting_that_the_policy_does_not_have_is_refused(ask):
    pytest.importorskip("pulumi_policy")
    with pytest.raises(PackError, match="small: `mots` is not a setting of this policy: use `most`"):
        ask(PACK, {"small": {"mots": 3}})


BROKEN = [
    pytest.param("raise ValueError('no luck')", "does not start: ValueError: no luck", id="it raises"),
    pytest.param("import no_such_package", "does not start: ModuleNotFoundError: No module named 'no_such_package'", id="a package is missing"),
    pytest.param("print('hello'); import time; time.sleep(60)", "printed 'hello' instead of its port", id="it prints something else"),
    pytest.param("", "does not start: it ended without output", id="it does nothing"),
    pytest.param("import sys; print(1); sys.stdout.flush(); import time; time.sleep(60)", "policy pack", id="nobody is at the port"),
]


@pytest.mark.parametrize(("pack", "message"), BROKEN)
def test_a_broken_pack_is_one_clear_error(ask, pack, message):
    with pytest.raises(PackError) as error:
        ask(pack, program="")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_pack_that_does_not_start_is_not_waited_for(ask):
    with pytest.raises(PackError, match=r"did not start within 0\.5 seconds"):
        ask("import time; time.sleep(60)", program="", seconds=0.5)


PROJECTS = [
    pytest.param("runtime: nodejs", "a pack with `runtime: nodejs` requires the Pulumi CLI", id="another language"),
    pytest.param("{", "PulumiPolicy.yaml:2:1: ", id="no YAML"),
    pytest.param("[]", "`runtime: python` is missing", id="no mapping"),
    pytest.param("runtime: python\nmain: src", "__main__.py does not exist", id="no program"),
    pytest.param(
        "runtime: {name: python, options: {virtualenv: venv}}", "its virtual environment venv is not installed", id="an environment that is not there"
    ),
]


@pytest.mark.parametrize(("project", "message"), PROJECTS)
def test_a_folder_that_is_no_pack_is_refused(tmp_path, project, message):
    (tmp_path / "PulumiPolicy.yaml").write_text(project)
    (tmp_path / "__main__.py").touch()
    with pytest.raises(PackError) as error:
        read_pack(tmp_path)
    assert message in str(error.value)


def test_a_folder_without_its_file_is_no_pack(tmp_path):
    with pytest.raises(PackError, match="no policy pack at"):
        read_pack(tmp_path)


def test_a_pack_may_have_its_program_elsewhere(tmp_path):
    (tmp_path / "PulumiPolicy.yaml").write_text("runtime: {name: python}\nmain: src")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "__main__.py").touch()
    assert read_pack(tmp_path).folder == tmp_path / "src"


FILES = [
    pytest.param("{", "not JSON", id="no JSON"),
    pytest.param("[]", "must be an object", id="no object"),
    pytest.param('{"a": 1}', "a: must be a level (advisory, mandatory, remediate, disabled)", id="a number for a level"),
    pytest.param('{"a": "must"}', "a: 'must' is not a level", id="no level"),
    pytest.param('{"a": {"enforcementLevel": 1}}', "a: 1 is not a level", id="no level inside"),
]


@pytest.mark.parametrize(("text", "message"), FILES)
def test_a_configuration_that_is_none_is_refused(tmp_path, text, message):
    file = tmp_path / "config.json"
    file.write_text(text)
    with pytest.raises(PackError) as error:
        read_config(file)
    assert message in str(error.value)


def test_no_configuration_and_an_empty_one_say_nothing(tmp_path):
    (tmp_path / "config.json").write_text(" ")
    assert read_config(None) == read_config(tmp_path / "config.json") == {}


def test_a_configuration_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(PackError, match="No such file"):
        read_config(tmp_path / "none.json")
