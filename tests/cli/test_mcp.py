"""`nodepools mcp`: agents get the documents of the command line, and read nothing outside of the root."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import jsonschema
import mcp_types as types
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import TextContent
from typer.main import get_command

from nodepools.cli.mcp.server import TOOLS, Option, Tool
from nodepools.cli.program import Program, app
from tests.cli.conftest import Run, started
from tests.cli.inputs import PLATFORM, TAINTED

pytestmark = pytest.mark.program

RECOGNIZABLE = "hunter2-Zz9-recognizable"
BIGGER = PLATFORM.replace("count: 2", "count: 3")
WITH_SECRET = f"{PLATFORM}    overrides: {{windowsProfile: {{adminUsername: a, adminPassword: {RECOGNIZABLE}}}}}\n    wrong: 1\n"
POD = """apiVersion: v1
kind: Pod
metadata: {name: small}
spec: {containers: [{name: small, image: nginx, resources: {requests: {cpu: 100m}}}]}
"""
NODE_POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec: {template: {spec: {}}}
"""
SLEEPING = "import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(300)\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_root(tmp_path_factory.mktemp("served"))


def made_root(parent: Path) -> Path:
    """A project with files of each kind, and next to it what no request may reach."""
    root = parent / "root"
    for folder in (root / "k8s", root / "linked", root / "odd", root / "stacks"):
        folder.mkdir(parents=True)
    (parent / "outside.yaml").write_text(f"kind: {RECOGNIZABLE}\n")
    (parent / "root-of-others").mkdir()
    (parent / "root-of-others" / "pool.yaml").write_text(f"kind: {RECOGNIZABLE}\n")
    (root / "platform.yaml").write_text(PLATFORM)
    (root / "k8s" / "pool.yaml").write_text(NODE_POOL)
    (root / "k8s" / "pod.yaml").write_text(POD)
    (root / "k8s" / "same.yaml").symlink_to("pod.yaml")
    (root / "linked" / "out.yaml").symlink_to(parent / "outside.yaml")
    (root / "linked" / "pool.yaml").write_text(NODE_POOL)
    (root / "out").symlink_to(parent)
    (root / "away").mkdir()
    (root / "away" / "pool.yaml").write_text(NODE_POOL)
    (root / "away" / "shared").symlink_to("../k8s")
    (root / "away" / "itself").symlink_to(".")
    (root / "odd" / "loop.yaml").symlink_to("loop.yaml")
    (root / "odd" / "no.yaml").symlink_to("nothing")
    (root / "odd" / "no-one.yaml").symlink_to(parent / "nothing")
    (root / "odd" / "pool.yaml").write_text(NODE_POOL)
    os.mkfifo(root / "odd" / "pipe.yaml")
    (root / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (root / "stacks" / "dev.py").write_text("open('ran', 'w').close()\n")
    (root / "rules.py").write_text("open('ran', 'w').close()\n")
    (root / "pyproject.toml").write_text('[tool.nodepools]\nignore = ["PLT040"]\nrules = ["rules.py"]\n')
    return root


@dataclass(frozen=True)
class Told:
    """What a tool answers."""

    document: Any
    text: str
    is_error: bool


Call = Callable[..., Told]


@dataclass(frozen=True)
class Server:
    """A server in a process of its own, with the client of the SDK."""

    portal: BlockingPortal
    client: Client

    def call(self, tool: str, **arguments: object) -> Told:
        answer = self.portal.call(self.client.call_tool, tool, arguments)
        [content] = answer.content
        assert isinstance(content, TextContent)
        return Told(answer.structured_content, content.text, answer.is_error)

    @property
    def tools(self) -> list[types.Tool]:
        return self.portal.call(self.client.list_tools).tools


@contextmanager
def served(root: Path, *options: str, **env: str) -> Generator[Server]:
    environment = {"PYTHONPATH": os.environ.get("PYTHONPATH", ""), **env}
    server = StdioServerParameters(command=sys.executable, args=["-m", "nodepools", "mcp", "--root", str(root), *options], env=environment)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server)) as client:
        yield Server(portal, client)


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[Server]:
    with served(root) as there:
        yield there


@pytest.fixture(scope="module")
def call(server: Server) -> Call:
    return server.call


@pytest.fixture(scope="module")
def call_with_programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Call]:
    with served(made_root(tmp_path_factory.mktemp("with-programs")), "--allow-programs") as there:
        yield there.call


@pytest.fixture(scope="module")
def tools(server: Server) -> list[types.Tool]:
    return server.tools


def text(of: str, name: str | None = None) -> dict[str, str]:
    return {"text": of, **({"name": name} if name else {})}


def path(of: str) -> dict[str, str]:
    return {"path": of}


GOOD = [
    pytest.param("check", {"manifests": [path("k8s")]}, ["check", "k8s"], id="check reads a folder"),
    pytest.param("check", {"manifests": [path("k8s/pool.yaml"), path("k8s")]}, ["check", "k8s/pool.yaml", "k8s"], id="a file can be in two inputs"),
    pytest.param("check", {"platform": path("platform.yaml")}, ["check", "--file", "platform.yaml"], id="check reads a platform"),
    pytest.param("check", {"manifests": [path("k8s/same.yaml")]}, ["check", "k8s/same.yaml"], id="a link inside the root is followed"),
    pytest.param("check", {"manifests": [path("linked")]}, ["check", "linked"], id="a link out of the root is a problem"),
    pytest.param("check", {"manifests": [path("odd")]}, ["check", "odd"], id="so are other files that cannot be read"),
    pytest.param("check", {"manifests": [path(".")]}, ["check", "."], id="the root with such folders"),
    pytest.param("check", {"manifests": [path("odd"), path(".")]}, ["check", "odd", "."], id="a link can be in two inputs"),
    pytest.param(
        "explain", {"pods": [path("linked")], "platform": path("platform.yaml")}, ["explain", "linked", "--file", "platform.yaml"], id="pods"
    ),
    pytest.param("check", {"manifests": [text(NODE_POOL, "k8s/pool.yaml")]}, ["check", "k8s/pool.yaml"], id="text can have the name of a file"),
    pytest.param(
        "check",
        {"platform": path("platform.yaml"), "today": "2031-01-01"},
        ["check", "--file", "platform.yaml", "--today", "2031-01-01"],
        id="a date",
    ),
    pytest.param(
        "explain",
        {"pods": [path("k8s/pod.yaml")], "platform": path("platform.yaml")},
        ["explain", "k8s/pod.yaml", "--file", "platform.yaml"],
        id="explain",
    ),
    pytest.param("diff", {"old": path("platform.yaml"), "new": path("platform.yaml")}, ["diff", "platform.yaml", "platform.yaml"], id="diff"),
    pytest.param("capacity", {"platform": path("platform.yaml")}, ["capacity", "--file", "platform.yaml"], id="capacity"),
    pytest.param("upgrade", {"platform": path("platform.yaml"), "to": "1.36"}, ["upgrade", "--file", "platform.yaml", "--to", "1.36"], id="upgrade"),
    pytest.param("rules", {"rule": "AKS014"}, ["rules", "AKS014"], id="one rule"),
    pytest.param("rules", {}, ["rules"], id="all rules"),
]


@pytest.mark.parametrize(("tool", "arguments", "line"), GOOD)
def test_an_answer_is_the_document_of_the_command(nodepools: Run, root: Path, call: Call, tool: str, arguments: dict[str, object], line: list[str]):
    answer = call(tool, **arguments)
    same = nodepools(*line, "--format", "json", cwd=root, env={"NODEPOOLS_NO_CODE": "1"})
    assert answer.document == same.json
    assert (json.loads(answer.text), answer.is_error) == (same.json, not same.json["complete"])


def test_the_sides_of_a_diff_can_be_text(call: Call):
    answer = call("diff", old=text(PLATFORM), new=text(BIGGER))
    assert [(change["path"], change["new"]) for change in answer.document["changes"]] == [("clusters.weu.system_pool.count", 3)]


def test_findings_are_an_answer_and_no_error(call: Call):
    answer = call("check", platform=text(TAINTED))
    assert (answer.is_error, answer.document["errors"]) == (False, 1)
    assert [finding["code"] for finding in answer.document["findings"] if finding["severity"] == "error"] == ["AKS014"]


REFUSED = [
    pytest.param("../outside.yaml", "has `..`", id="the folder above"),
    pytest.param("k8s/../../outside.yaml", "has `..`", id="the folder above, later"),
    pytest.param("/etc/hostname", "is not a relative path", id="an absolute path"),
    pytest.param("~/.kube/config", "is not a relative path", id="the home of the user"),
    pytest.param("C:/x.yaml", "is not a relative path", id="a drive"),
    pytest.param("git:main", "is not a relative path", id="a commit"),
    pytest.param("k8s\\pool.yaml", "is not a path", id="a path of Windows"),
    pytest.param("", "is not a path", id="nothing"),
    pytest.param("a\0b", "is not a path", id="a null character"),
    pytest.param("-", "is not a file", id="stdin"),
    pytest.param("out/outside.yaml", "leads out of the root", id="a link to a folder outside"),
    pytest.param("linked/out.yaml", "leads out of the root", id="a link to a file outside"),
    pytest.param("out", "leads out of the root", id="a link to a folder outside, as a folder"),
    pytest.param("odd/loop.yaml", "", id="a link to itself"),
    pytest.param("odd/pipe.yaml", "is not a file", id="a pipe"),
    pytest.param("missing.yaml", "No such file or directory", id="no file"),
    pytest.param("platform.yaml/x.yaml", "Not a directory", id="a file as a folder"),
]


@pytest.mark.parametrize(("given", "why"), REFUSED)
@pytest.mark.parametrize("fixture", ["call", "call_with_programs"])
def test_a_path_that_leaves_the_root_is_one_problem(request: pytest.FixtureRequest, given: str, why: str, fixture: str):
    answer = request.getfixturevalue(fixture)("check", manifests=[path(given)])
    [problem] = answer.document["problems"]
    assert (answer.is_error, why in problem["message"]) == (True, True), problem
    assert RECOGNIZABLE not in answer.text


@pytest.mark.parametrize(("folder", "where"), [("linked", "linked/out.yaml"), (".", "out")])
def test_where_programs_run_a_folder_with_a_link_out_is_one_problem(call_with_programs: Call, folder: str, where: str):
    answer = call_with_programs("check", manifests=[path(folder)])
    [problem] = answer.document["problems"]
    assert (answer.is_error, problem["path"], RECOGNIZABLE in answer.text) == (True, where, False)


def test_a_link_to_another_folder_of_the_root_is_a_problem(call: Call, call_with_programs: Call):
    assert call_with_programs("explain", pods=[path("away")], platform=path("platform.yaml")).document["problems"][0]["path"] == "away/shared"
    answer = call("check", manifests=[path("away")])
    [problem] = answer.document["problems"]
    assert (answer.is_error, problem["path"]) == (True, "away/shared")
    assert problem["message"].startswith("is a link to a folder")


def test_of_a_folder_with_a_link_out_the_other_files_are_checked(call: Call):
    answer = call("check", manifests=[path("linked")])
    [problem] = answer.document["problems"]
    assert (answer.is_error, problem["path"]) == (True, "linked/out.yaml")
    assert problem["message"].startswith("is a link that leads out of the project")
    assert {finding["object"] for finding in answer.document["findings"]} == {"linked/pool.yaml#NodePool/web"}
    assert RECOGNIZABLE not in answer.text


EMPTY: dict[str, str] = {}
BAD = [
    pytest.param("check", {}, "`manifests` or `platform` is required", id="check without input would run a stack"),
    pytest.param("check", {"stack": "dev"}, "start it with `--allow-programs`", id="a stack is a program"),
    pytest.param("diff", {"commit": "main", "new": text(PLATFORM)}, "start it with `--allow-programs`", id="a commit has stacks"),
    pytest.param("diff", {"old": text(PLATFORM)}, "`new` is required", id="the working tree has stacks"),
    pytest.param("diff", {"new": text(PLATFORM)}, "requires either `old` or `commit`", id="a diff without the old side"),
    pytest.param("explain", {"pods": [text(POD)]}, "`platform` or `existing` is required", id="explain without pools"),
    pytest.param("explain", {"platform": text(PLATFORM)}, "Field required", id="explain without pods"),
    pytest.param("explain", {"pods": [], "platform": text(PLATFORM)}, "at least 1 item", id="explain with no pods"),
    pytest.param("capacity", {}, "`platform` or `existing` is required", id="capacity without input"),
    pytest.param("upgrade", {}, "`platform` or `existing` is required", id="upgrade without input"),
    pytest.param("upgrade", {"platform": text(PLATFORM), "to": "x"}, "x", id="upgrade to no version"),
    pytest.param("rules", {"rule": "AKS999"}, "AKS999", id="a rule that does not exist"),
    pytest.param("rules", {"rule": "--own-rules=rules.py"}, "--own-rules=rules.py", id="an option as a rule"),
    pytest.param("rules", {"rule": "AKS\x00"}, "rule: must have at most 1,000 characters, and none that is null", id="a null character in a rule"),
    pytest.param("rules", {"rule": "A" * 300_000}, "rule: must have at most 1,000 characters", id="a word that no process can get"),
    pytest.param("check", {"manifests": [EMPTY]}, "must have either `path` or `text`", id="an empty input"),
    pytest.param("check", {"manifests": ["k8s"]}, "manifests.0: must be an object with `path` or `text`", id="text in place of an input"),
    pytest.param("check", {"manifests": [{"path": "a", "text": "b"}]}, "must have either `path` or `text`", id="a path and text"),
    pytest.param("check", {"manifests": [{"path": "a", "name": "b"}]}, "`name` is for `text`", id="a path with a name"),
    pytest.param("check", {"manifests": [text("", "pyproject.toml")]}, "is not a name for text", id="text as settings"),
    pytest.param("check", {"manifests": [text("", "../a.yaml")]}, "has `..`", id="text outside of the folder"),
    pytest.param("check", {"manifests": [text("a", "a.yaml"), text("b", "a.yaml")]}, "is the name of two inputs", id="one name twice"),
    pytest.param("check", {"manifests": [text("a: [")]}, "manifests.yaml:2:1: is not valid YAML: did not find", id="text that is not YAML"),
    pytest.param("check", {"manifests": [text(NODE_POOL)], "karpenter": "x"}, "x", id="a version that is not one"),
    pytest.param("check", {"manifests": [text(NODE_POOL)], "today": "x"}, "valid date", id="a date that is not one"),
    pytest.param("check", {"manifests": [text(NODE_POOL)], "fix": True}, "Extra inputs are not permitted", id="an option that writes"),
]


@pytest.mark.parametrize(("tool", "arguments", "why"), BAD)
def test_bad_input_is_a_problem_in_the_document(call: Call, tool: str, arguments: dict[str, object], why: str):
    answer = call(tool, **arguments)
    problems = answer.document["problems"]
    assert (answer.is_error, answer.document["complete"], len(problems)) == (True, False, 1)
    assert why in f"{problems[0]['path']}: {problems[0]['message']}"


def test_all_arguments_are_checked_at_once(call: Call):
    problems = call("check", manifests="k8s", today="x", fix=True).document["problems"]
    assert [problem["path"] for problem in problems] == ["manifests", "today", "fix"]


def test_a_tool_that_does_not_exist_is_an_error(call: Call):
    answer = call("destroy")
    assert (answer.is_error, "use one of `check`" in answer.text) == (True, True)


def test_secrets_are_not_in_answers(call: Call):
    answers = [
        call("check", platform=text(WITH_SECRET)),
        call("diff", old=text(PLATFORM), new=text(WITH_SECRET)),
        call("check", platform={"text": WITH_SECRET, "wrong": 1}),
        call("check", platform=[text(WITH_SECRET)]),
        call("check", platform=WITH_SECRET),
    ]
    assert [RECOGNIZABLE in answer.text for answer in answers] == [False] * len(answers)


def test_the_limits_are_those_of_the_command_line(root: Path):
    with served(root, NODEPOOLS_MAX_MIB="1", NODEPOOLS_MAX_DEPTH="5") as there:
        large, deep = there.call("check", manifests=[text("# " + "x" * 2**20)]), there.call("check", manifests=[text("[" * 9 + "]" * 9)])
    assert [answer.document["problems"][0]["message"] for answer in (large, deep)] == [
        "is larger than 1 MiB; the environment variable `NODEPOOLS_MAX_MIB` raises the limit",
        "is nested too deeply: more than 5 levels; the environment variable `NODEPOOLS_MAX_DEPTH` raises the limit",
    ]


def test_a_file_larger_than_every_limit_is_not_copied(tmp_path: Path):
    (tmp_path / "large.yaml").write_bytes(b"#" * (2**20 + 1))
    with served(tmp_path, NODEPOOLS_MAX_LISTED_MIB="1") as there:
        [problem] = there.call("check", manifests=[path("large.yaml")]).document["problems"]
    assert problem == {"path": "large.yaml", "message": "is larger than 1 MiB; the environment variable `NODEPOOLS_MAX_LISTED_MIB` raises the limit"}


def test_no_code_of_the_project_runs(root: Path, call: Call):
    answer = call("check", platform=path("platform.yaml"))
    assert [note["path"] for note in answer.document["notices"]] == ["rules.py"]
    assert not (root / "ran").exists()


def test_settings_of_the_root_apply(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text('[tool.nodepools]\nexclude = ["charts/"]\n')
    (tmp_path / "charts").mkdir()
    (tmp_path / "charts" / "a.yaml").write_text("{{ x }}")
    (tmp_path / "pool.yaml").write_text(NODE_POOL)
    with served(tmp_path) as there:
        answer = there.call("check", manifests=[path(".")]).document
    assert (answer["complete"], [note["path"] for note in answer["notices"]]) == (True, ["charts"])


def test_programs_run_if_they_are_allowed(copy: Path):
    with served(copy, "--allow-programs") as there:
        answer = there.call("check", manifests=[text(NODE_POOL)], stack="dev")
        hints = {tool.annotations.read_only_hint for tool in there.tools if tool.annotations}
    assert answer.document["complete"]
    assert {finding["object"] for finding in answer.document["findings"] if finding["code"].startswith("CFG")} == {"manifests.yaml#NodePool/web"}
    assert hints == {False}


def test_a_call_has_a_time_limit_and_its_process_ends(tmp_path: Path):
    sleeping_project(tmp_path)
    with served(tmp_path, "--allow-programs", NODEPOOLS_MAX_SECONDS="3") as there:
        answer = there.call("check")
        [problem] = answer.document["problems"]
        process = int((tmp_path / "pid").read_text())
        assert problem["message"] == "did not end within 3 s; the environment variable `NODEPOOLS_MAX_SECONDS` raises the limit"
        assert ended(process)


def with_a_call_that_sleeps(folder: Path) -> "RawClient":
    """A client whose call 9 runs a program that has started."""
    sleeping_project(folder)
    client = RawClient(folder, "--allow-programs")
    client.greet()
    client.send(id=9, method="tools/call", params={"name": "check", "arguments": {}})
    while not (folder / "pid").exists() or not (folder / "pid").read_text():
        time.sleep(0.1)
    return client


@pytest.mark.parametrize("leaves", [False, True], ids=["the client cancels", "the client ends"])
def test_a_call_that_is_no_longer_needed_ends(tmp_path: Path, leaves: bool):  # noqa: FBT001  # a row of the table
    client = with_a_call_that_sleeps(tmp_path)
    if not leaves:
        client.send(method="notifications/cancelled", params={"requestId": 9})
        assert ended(int((tmp_path / "pid").read_text()))
    client.end()
    assert ended(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.usefixtures("interruptible")
def test_a_signal_ends_the_server_and_its_calls(tmp_path: Path, number: signal.Signals):
    client = with_a_call_that_sleeps(tmp_path)
    client.process.send_signal(number)  # its stdin stays open
    assert client.process.wait(timeout=20) == 128 + number
    assert client.end() == (128 + number, "", "")
    assert ended(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize(("line", "code"), [("not json", -32700), ("{", -32700), ("", -32700), ('{"a": 1}', -32600), ("[]", -32600)])
def test_a_line_that_is_not_a_message_gets_an_error(root: Path, line: str, code: int):
    client = RawClient(root)
    client.greet()
    assert client.process.stdin is not None
    assert client.process.stdout is not None
    client.process.stdin.write(f"{line}\n")
    client.process.stdin.flush()
    answer = json.loads(client.process.stdout.readline())
    assert (answer["id"], answer["error"]["code"]) == (None, code)
    assert client.ask("tools/list")["tools"]
    assert client.end()[0] == 0


def test_a_client_that_reads_no_answer_is_no_error(root: Path):
    client = RawClient(root)
    client.greet()
    client.send(id=9, method="tools/call", params={"name": "rules", "arguments": {}})
    for stream in (client.process.stdout, client.process.stdin):
        assert stream is not None
        stream.close()
    assert client.process.wait(timeout=20) == 0
    assert client.process.stderr is not None
    with client.process.stderr as err:
        assert err.read() == ""


def sleeping_project(folder: Path) -> None:
    (folder / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (folder / "stacks").mkdir()
    (folder / "stacks" / "dev.py").write_text(SLEEPING)


def ended(process: int) -> bool:
    for _ in range(50):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_every_tool_is_read_only(tools: list[types.Tool]):
    assert [tool.name for tool in tools] == ["check", "explain", "diff", "capacity", "upgrade", "rules"]
    hints = [(hint.read_only_hint, hint.destructive_hint, hint.open_world_hint) for tool in tools if (hint := tool.annotations) is not None]
    assert hints == [(True, False, False)] * len(tools)


def test_every_argument_is_described(tools: list[types.Tool]):
    parts = [part for tool in tools for part in (tool.input_schema, *tool.input_schema.get("$defs", {}).values())]
    assert [name for part in parts for name, field in part["properties"].items() if not field.get("description")] == []
    for tool in tools:
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema or False)


@pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])
def test_every_argument_is_one_of_the_command(tool: Tool):
    known = {name for param in cast("Program", get_command(app)).commands[tool.name].params for name in param.opts}
    options = [option.name for field in tool.arguments.model_fields.values() for option in field.metadata if isinstance(option, Option)]
    assert [option for option in options if option and option not in known] == []


class RawClient:
    """A client without a library: lines of JSON, and the handshake of 2025-06-18."""

    def __init__(self, root: Path, *options: str) -> None:
        command = [sys.executable, "-m", "nodepools", "mcp", "--root", str(root), *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.count = 0

    def send(self, **message: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, **params: object) -> Any:
        assert self.process.stdout is not None
        self.count += 1
        self.send(id=self.count, method=method, params=params)
        answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == self.count
        return answer["result"]

    def end(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out, err

    def greet(self) -> Any:
        hello = self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "raw", "version": "1"})
        self.send(method="notifications/initialized")
        return hello


def test_a_second_client_gets_the_same(root: Path, call: Call):
    client = RawClient(root)
    hello = client.greet()
    names = [tool["name"] for tool in client.ask("tools/list")["tools"]]
    answer = client.ask("tools/call", name="check", arguments={"platform": path("platform.yaml")})
    assert client.end() == (0, "", "")
    assert hello["serverInfo"] == {"name": "nodepools", "version": version("nodepools")}
    assert (hello["protocolVersion"], names) == ("2025-06-18", [tool.name for tool in TOOLS])
    assert answer["structuredContent"] == call("check", platform=path("platform.yaml")).document


def test_a_root_that_is_no_folder_is_one_line(nodepools: Run, tmp_path: Path):
    answer = nodepools("mcp", "--root", "missing", cwd=tmp_path)
    assert (answer.status, answer.out, answer.err) == (2, "", "error: --root: `missing` is not a folder\n")


def test_without_the_sdk_the_command_names_the_extra(tmp_path: Path):
    (tmp_path / "mcp_types.py").write_text("raise ModuleNotFoundError('no', name='mcp_types')\n")
    answer = started("mcp", cwd=tmp_path, env={"PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"})
    assert (answer.status, answer.err) == (2, "error: this command requires the package `mcp_types`: pip install 'nodepools[mcp]'\n")
