"""`examples/drift/daily`: one issue about drift, on servers that answer as GitHub, GitLab and Azure Boards do; silent when nothing changed."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from tests.cli.conftest import started

pytestmark = pytest.mark.program

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLE = PROJECT / "examples/drift"
DAILY = EXAMPLE / "daily"
TITLE = "Clusters differ from their declaration"


@dataclass
class Tracker:
    """The issues of one project, and what was written."""

    issues: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    written: list[str] = field(default_factory=list[str])
    refuses: bool = False

    def answer(self, method: str, url: str, body: Any) -> Any:
        parts = urlsplit(url)
        if method != "GET" and not parts.path.endswith("/wiql"):
            self.written.append(method)
        if "/_apis/" in url:
            return self._boards(method, parts.path, body)
        return self._issues(method, parts.path, parse_qs(parts.query), body)

    def _issues(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> Any:
        """GitHub's and GitLab's: both names of a number and of a text are there, as if it were both."""
        number = re.search(r"/issues/(\d+)", path)
        if method == "GET":
            found = [one for one in self.issues if one["state"] == "open"]
            return found if query.get("page", ["1"]) == ["1"] else []
        if number is None:
            text = body.get("body", body.get("description"))
            made = {"number": len(self.issues) + 1, "iid": len(self.issues) + 1, "title": body["title"], "state": "open", "comments": []}
            self.issues.append({**made, "body": text, "description": text})
            return self.issues[-1]
        issue = self.issues[int(number[1]) - 1]
        if path.endswith(("/comments", "/notes")):
            issue["comments"].append(body["body"])
        elif body.get("state") == "closed" or body.get("state_event") == "close":
            issue["state"] = "closed"
        else:
            issue["body"] = issue["description"] = body.get("body", body.get("description"))
        return issue

    def _boards(self, method: str, path: str, body: Any) -> Any:
        if path.endswith("/wiql"):
            assert TITLE in body["query"]
            return {"workItems": [{"id": one["number"]} for one in self.issues if one["state"] == "open"]}
        if method == "GET":
            return {"fields": {"System.Description": self.issues[int(path.rpartition("/")[2]) - 1]["body"]}}
        fields = {one["path"].removeprefix("/fields/System."): one["value"] for one in body}
        if method == "POST":
            assert path.endswith("/workitems/$Issue")
            self.issues.append({"number": len(self.issues) + 1, "state": "open", "comments": [], "body": "", "title": fields["Title"]})
        issue = self.issues[-1] if method == "POST" else self.issues[int(path.rpartition("/")[2]) - 1]
        issue["body"] = fields.get("Description", issue["body"])
        issue["state"] = "closed" if fields.get("State") == "Closed" else issue["state"]
        issue["comments"] += [fields["History"]] if "History" in fields else []
        return issue


@dataclass
class Site:
    """A folder with a platform and exports, in a CI."""

    folder: Path
    tracker: Tracker
    env: dict[str, str]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        self.tracker.written.clear()
        command = [sys.executable, "drift.py", "live", "platform.yaml", *arguments]
        return subprocess.run(command, cwd=self.folder, env=self.env, capture_output=True, text=True, check=False, timeout=120)

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def adopt(self) -> None:
        """Declares what exists."""
        command = [sys.executable, "-m", "nodepools", "adopt", "live", "-o", "adopted.yaml"]
        subprocess.run(command, cwd=self.folder, env=self.env, capture_output=True, check=False)
        (self.folder / "adopted.yaml").replace(self.folder / "platform.yaml")

    @property
    def open(self) -> list[dict[str, Any]]:
        return [one for one in self.tracker.issues if one["state"] == "open"]


@pytest.fixture
def tracker() -> Iterator[tuple[Tracker, str]]:
    kept = Tracker()

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(length)) if length else None
            assert "secret-token" in self.headers.get("Authorization", "") + self.headers.get("PRIVATE-TOKEN", "")
            answer = json.dumps(kept.answer(self.command, self.path, body)).encode()
            self.send_response(403 if kept.refuses else 200)
            self.end_headers()
            self.wfile.write(answer)

        do_GET = do_POST = do_PATCH = do_PUT = _answer  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield kept, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


CIS = {
    "github": lambda url: {"GITHUB_API_URL": url, "GITHUB_REPOSITORY": "acme/shop", "GITHUB_TOKEN": "secret-token"},
    "gitlab": lambda url: {"CI_API_V4_URL": url, "CI_PROJECT_ID": "7", "GITLAB_TOKEN": "secret-token"},
    "azure": lambda url: {"SYSTEM_COLLECTIONURI": f"{url}/acme/", "SYSTEM_TEAMPROJECT": "my shop", "SYSTEM_ACCESSTOKEN": "secret-token"},
}


@pytest.fixture
def site(request: pytest.FixtureRequest, tracker: tuple[Tracker, str], tmp_path: Path) -> Site:
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True)
    shutil.copy(DAILY / "drift.py", tmp_path)
    command = tmp_path / "bin/nodepools"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m nodepools "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    kept, url = tracker
    env = {
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(PROJECT / "components"),
        **CIS[getattr(request, "param", "github")](url),
    }
    return Site(tmp_path, kept, env)


@pytest.mark.parametrize("site", CIS, indirect=True)
def test_one_issue_lives_as_long_as_the_drift(site: Site):
    declared = (site.folder / "platform.yaml").read_text(encoding="utf-8")
    assert site.run().returncode == 0
    [issue] = site.open
    assert issue["title"] == TITLE
    assert "count: 5 → 3" in issue["body"]

    assert "the same drift" in site.run().stdout
    assert site.tracker.written == []

    site.adopt()
    assert "updated 1" in site.run().stdout
    assert len(site.tracker.issues) == 1
    assert "batchx5ti: Failed" in issue["body"]  # nothing differs, and a pool is not ready
    assert [comment.partition(":")[0] for comment in issue["comments"]] == ["The drift changed"]

    site.edit("live/weu/nodepool-list.json", '"Failed"', '"Succeeded"')
    assert "closed 1" in site.run().stdout
    assert site.open == []
    assert issue["comments"][-1] == "Nothing differs any more."

    assert site.run().stdout == "nothing differs\n"
    assert site.tracker.written == []

    (site.folder / "platform.yaml").write_text(declared, encoding="utf-8")
    site.run()
    assert [one["number"] for one in site.open] == [2]


@pytest.mark.parametrize(("file", "old", "new"), [("live/use1/objects.yaml", "apiVersion", "- {"), ("platform.yaml", "location", "locatin")])
def test_what_was_not_compared_is_not_known_to_be_gone(site: Site, file: str, old: str, new: str):
    site.run()
    site.edit(file, old, new)
    done = site.run()
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("error: not everything was compared: ")
    assert site.tracker.written == []
    assert len(site.open) == 1


def test_issues_of_people_are_left_alone(site: Site):
    site.tracker.issues.append({"number": 1, "iid": 1, "title": TITLE, "state": "open", "comments": [], "body": "mine", "description": "mine"})
    site.run()
    assert site.tracker.issues[0]["body"] == "mine"
    assert len(site.open) == 2


def test_an_api_that_refuses_is_one_line_without_the_token(site: Site):
    site.tracker.refuses = True
    done = site.run()
    assert done.returncode == 2
    assert "403" in done.stderr.splitlines()[-1]
    assert "secret-token" not in done.stderr + done.stdout


def test_a_variable_that_is_not_set_is_named(site: Site):
    [token] = [name for name in site.env if "TOKEN" in name]
    del site.env[token]
    done = site.run()
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, f"error: the variable '{token}' is not set")


def test_pipelines_run_it_every_day_and_only_one_at_a_time():
    github, azure, gitlab = (
        yaml.safe_load((DAILY / name).read_text(encoding="utf-8")) for name in ("github.yml", "azure-pipelines.yml", "gitlab-ci.yml")
    )
    assert github[True]["schedule"] == [{"cron": azure["schedules"][0]["cron"]}]
    assert azure["schedules"][0]["always"] == "true"
    assert gitlab["drift"]["rules"] == [{"if": '$CI_PIPELINE_SOURCE == "schedule"'}]
    assert (github["concurrency"], gitlab["drift"]["resource_group"]) == ("drift", "drift")
    for name, schema in (("azure-pipelines.yml", "azure-pipelines"), ("gitlab-ci.yml", "gitlab-ci")):
        options = ["--builtin-schema", f"vendor.{schema}", "--data-transform", schema, "--regex-variant", "python"]
        subprocess.run([sys.executable, "-m", "check_jsonschema", *options, str(DAILY / name)], check=True)


def test_the_alerts_of_the_guide_are_printed():
    text = (PROJECT / "docs/guides/daily.md").read_text(encoding="utf-8")
    command, block = re.findall(r"^```text\n\$ (nodepools .*?)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[0]
    assert started(*command.split()[1:], cwd=PROJECT, env={"COLUMNS": "100"}).out == block


def test_the_workflow_passes_actionlint():
    if shutil.which("actionlint") is None:
        pytest.skip("actionlint is not installed: go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12")
    subprocess.run(["actionlint", str(DAILY / "github.yml")], check=True)
