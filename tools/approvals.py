"""Whether the owners of what a pull request changes have approved its newest commit, for `action.yml`.

    python3 -I approvals.py diff.json

`diff.json` is the output of `nodepools diff --format json`. `gh` reads the reviews and the members of teams.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

DECIDING = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")
"""States of a review that replace the earlier ones of its author. A comment does not."""
HARMLESS = ("none", "ignored", "creates", "in_place")
"""Effects that need no approval, as in `nodepools diff`."""


def main() -> int:
    """One error for each owner without an approval; everything that cannot be read counts as none."""
    try:
        found: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = {"complete": False}
    if not found["complete"]:
        return failed("The sides could not be compared, so whose approval is needed is not known")
    owners: list[dict[str, Any]] | None = found.get("owners")
    if owners is None:
        return failed(
            "No cluster or pool has an owner: set `owner`, or remove `approvals`. Plans, and programs with other components, have no owners"
        )
    without = sorted({one["stack"] for one in found["changes"] if one["effect"] not in HARMLESS} - {one["stack"] for one in owners})
    if without:
        return failed(f"Whose approval is needed is not known, because owners cannot be read: {', '.join(without)}")
    # By its approvers, too: in another stack, another team can have the name.
    needed = {(one["owner"], *one["approvers"]) for one in owners if one["needs_approval"]}
    if not needed:
        return 0
    reviews = called(f"repos/{os.environ['GITHUB_REPOSITORY']}/pulls/{os.environ['NUMBER']}/reviews", "--paginate", "--jq", ".[]")
    if reviews is None:
        return failed("The reviews could not be read: the job needs the permission pull-requests: read")
    approved = approving(reviews, os.environ["HEAD"])
    missing = sorted(one for one in needed if not any(approves(name, approved) for name in one[1:]))
    for owner, *names in missing:
        failed(f"The owner {owner} has not approved the newest commit: {' or '.join(names)}")
    return 1 if missing else 0


def approving(reviews: Iterable[Mapping[str, Any]], head: str) -> list[str]:
    """Whose last review approves the commit `head`: a later push needs another approval."""
    last = {one["user"]["login"].lower(): one for one in reviews if one["user"] is not None and one["state"] in DECIDING}
    return [login for login, one in last.items() if one["state"] == "APPROVED" and one["commit_id"] == head]


def approves(name: str, approved: Iterable[str]) -> bool:
    """One of those who approved is the user `@login`, or an active member of `@organization/team`."""
    found = re.fullmatch(r"@([\w.-]+)(?:/([\w.-]+))?", name.lower())
    if found is None:
        return False  # an owner without approvers: no user of GitHub is known
    organization, team = found.groups()
    if team is None:
        return organization in approved
    members = (called(f"orgs/{organization}/teams/{team}/memberships/{login}") for login in approved)
    return any(member["state"] == "active" for found in members if found is not None for member in found)


def called(path: str, *options: str) -> list[dict[str, Any]] | None:
    """The objects that the API returns, one a line; `None` if it has none for this token."""
    done = subprocess.run(["gh", "api", *options, path], capture_output=True, encoding="utf-8", check=False)  # noqa: S603, S607  # that of the runner
    try:
        # Not `splitlines`: the text of a review can have other separators, for example U+2028.
        return [json.loads(line) for line in done.stdout.split("\n") if line] if done.returncode == 0 else None
    except ValueError:
        return None


def failed(message: str) -> int:
    """An annotation of GitHub, whose text cannot end it early."""
    text = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    sys.stdout.write(f"::error title=nodepools approvals::{text}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
