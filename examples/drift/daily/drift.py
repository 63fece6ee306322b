"""Compares exports of clusters with their declaration, and keeps one issue about it: opened, updated when the drift changes, closed when it is gone.

    python drift.py live --stack prod

The arguments are those of `nodepools diff`. Where the issue is comes from the variables of the CI: GitHub (`GITHUB_TOKEN`), GitLab (`GITLAB_TOKEN`)
or Azure Pipelines (`SYSTEM_ACCESSTOKEN`). On a day on which nothing changed, nothing is written. Exit code 2: not everything was read, and the
issue stays as it is, because what was not read is not known to be gone.

Sources, 2026-11: https://docs.github.com/rest/issues/issues, https://docs.gitlab.com/api/issues/,
https://learn.microsoft.com/rest/api/azure/devops/wit/work-items.
"""

import hashlib
import html
import json
import os
import subprocess
import sys
from typing import Any
from urllib.error import URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

TITLE = "Clusters differ from their declaration"
MARK = "Fingerprint of this drift: "
GONE = "Nothing differs any more."


class NotReportedError(Exception):
    """Something could not be read or written."""


class GitHub:
    """Issues of the repository."""

    def __init__(self) -> None:
        self.issues = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/issues"
        self.headers = {"Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}", "X-GitHub-Api-Version": "2022-11-28"}

    def find(self) -> tuple[object, str] | None:
        """The open issue: its number and text."""
        for page in range(1, 101):
            found = call("GET", f"{self.issues}?state=open&per_page=100&page={page}", self.headers)
            if not found:
                return None
            for issue in found:
                if issue["title"] == TITLE and MARK in (issue["body"] or "") and "pull_request" not in issue:
                    return issue["number"], issue["body"]
        return None

    def open(self, text: str) -> None:
        call("POST", self.issues, self.headers, {"title": TITLE, "body": text})

    def update(self, number: object, text: str, comment: str) -> None:
        call("PATCH", f"{self.issues}/{number}", self.headers, {"body": text})
        call("POST", f"{self.issues}/{number}/comments", self.headers, {"body": comment})

    def close(self, number: object, comment: str) -> None:
        call("POST", f"{self.issues}/{number}/comments", self.headers, {"body": comment})
        call("PATCH", f"{self.issues}/{number}", self.headers, {"state": "closed"})


class GitLab:
    """Issues of the project."""

    def __init__(self) -> None:
        self.issues = f"{os.environ['CI_API_V4_URL']}/projects/{os.environ['CI_PROJECT_ID']}/issues"
        self.headers = {"PRIVATE-TOKEN": os.environ["GITLAB_TOKEN"]}

    def find(self) -> tuple[object, str] | None:
        """The open issue: its number and text."""
        asked = urlencode({"state": "opened", "in": "title", "search": TITLE, "per_page": 100})
        for issue in call("GET", f"{self.issues}?{asked}", self.headers):
            if issue["title"] == TITLE and MARK in (issue["description"] or ""):
                return issue["iid"], issue["description"]
        return None

    def open(self, text: str) -> None:
        call("POST", self.issues, self.headers, {"title": TITLE, "description": text})

    def update(self, number: object, text: str, comment: str) -> None:
        call("PUT", f"{self.issues}/{number}", self.headers, {"description": text})
        call("POST", f"{self.issues}/{number}/notes", self.headers, {"body": comment})

    def close(self, number: object, comment: str) -> None:
        call("POST", f"{self.issues}/{number}/notes", self.headers, {"body": comment})
        call("PUT", f"{self.issues}/{number}", self.headers, {"state_event": "close"})


class AzureBoards:
    """Work items of the project. Types and states depend on its process: `WORK_ITEM_TYPE`, and `CLOSED_STATE`, which ends a work item of it."""

    def __init__(self) -> None:
        self.items = f"{os.environ['SYSTEM_COLLECTIONURI']}{quote(os.environ['SYSTEM_TEAMPROJECT'])}/_apis/wit"
        self.headers = {"Authorization": f"Bearer {os.environ['SYSTEM_ACCESSTOKEN']}"}
        self.type, self.closed = os.environ.get("WORK_ITEM_TYPE", "Issue"), os.environ.get("CLOSED_STATE", "Closed")

    def find(self) -> tuple[object, str] | None:
        """The open work item: its number and text."""
        where = f"[System.TeamProject] = @project AND [System.Title] = '{TITLE}' AND [System.State] <> '{self.closed}'"
        found = call("POST", f"{self.items}/wiql?api-version=7.1", self.headers, {"query": f"SELECT [System.Id] FROM WorkItems WHERE {where}"})
        for item in found["workItems"]:
            text = call("GET", self._item(item["id"]), self.headers)["fields"].get("System.Description", "")
            if MARK in text:
                return item["id"], text
        return None

    def open(self, text: str) -> None:
        self._write("POST", self._item(f"${quote(self.type)}"), title=TITLE, description=f"<pre>{html.escape(text)}</pre>")

    def update(self, number: object, text: str, comment: str) -> None:
        self._write("PATCH", self._item(number), description=f"<pre>{html.escape(text)}</pre>", history=comment)

    def close(self, number: object, comment: str) -> None:
        self._write("PATCH", self._item(number), state=self.closed, history=comment)

    def _item(self, number: object) -> str:
        return f"{self.items}/workitems/{number}?api-version=7.1"

    def _write(self, method: str, url: str, **fields: str) -> None:
        edits = [{"op": "add", "path": f"/fields/System.{name.title()}", "value": value} for name, value in fields.items()]
        call(method, url, self.headers, edits, "application/json-patch+json")


def call(method: str, url: str, headers: dict[str, str], body: object = None, kind: str = "application/json") -> Any:
    """The answer of an API, as JSON."""
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(url, data, {**headers, "Content-Type": kind, "User-Agent": "nodepools-drift"}, method=method), timeout=60) as answer:
            return json.load(answer)
    except (URLError, TimeoutError, ValueError) as error:
        raise NotReportedError(f"{method} {url.partition('?')[0]}: {error}") from None


def compared(arguments: list[str], form: str) -> str:
    """What `nodepools diff` prints. Its exit code says whether a change must be accepted, which is not the question here."""
    done = subprocess.run(["nodepools", "diff", *arguments, "--format", form], stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout


def fingerprint(found: dict[str, Any]) -> str:
    """The same for the same drift: without dates, and without what is accepted. Empty if nothing differs, and every pool is ready."""
    changes = [[one[key] for key in ("stack", "path", "old", "new", "effect")] for one in found["changes"] if one["accepted"] is None]
    health = [[one["stack"], one["cluster"], one["not_ready"], one["support"]] for one in found["clusters"]]
    if not changes and not any(not_ready or support == "ended" for *_, not_ready, support in health):
        return ""
    return hashlib.sha256(json.dumps([sorted(changes, key=json.dumps), health]).encode()).hexdigest()[:16]


def reported(arguments: list[str]) -> str:
    """Compares, and writes to the issue only what is new there."""
    try:
        found = json.loads(compared(arguments, "json"))
    except ValueError:
        raise NotReportedError("nodepools diff printed no result") from None
    if not found["complete"]:
        raise NotReportedError(f"not everything was compared: {found['answer']}")
    tracker = GitHub() if "GITHUB_REPOSITORY" in os.environ else GitLab() if "CI_PROJECT_ID" in os.environ else AzureBoards()
    current, issue = fingerprint(found), tracker.find()
    if not current:
        if issue is None:
            return "nothing differs"
        tracker.close(issue[0], GONE)
        return f"nothing differs any more: closed {issue[0]}"
    if issue is not None and f"{MARK}{current}" in issue[1]:
        return f"the same drift as in {issue[0]}: nothing is written"
    form = "text" if isinstance(tracker, AzureBoards) else "markdown"
    text = f"{compared(arguments, form)}\n{MARK}{current}\n"
    if issue is None:
        tracker.open(text)
        return "drift: opened an issue"
    tracker.update(issue[0], text, f"The drift changed: {found['answer']}")
    return f"the drift changed: updated {issue[0]}"


if __name__ == "__main__":
    try:
        print(reported(sys.argv[1:]))
    except (NotReportedError, KeyError) as error:
        print(f"error: {f'the variable {error} is not set' if isinstance(error, KeyError) else error}", file=sys.stderr)
        sys.exit(2)
