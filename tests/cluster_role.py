"""The ClusterRole of the guide on running clusters."""

import re
from pathlib import Path
from typing import Any

import yaml

GUIDE = Path("docs") / "guides" / "running-clusters.md"


def cluster_role(project: Path) -> dict[str, Any]:
    """The object that the guide shows."""
    blocks = re.findall(r"```yaml\n(.*?)```", (project / GUIDE).read_text(encoding="utf-8"), re.DOTALL)
    [role] = [found for block in blocks if (found := yaml.safe_load(block)).get("kind") == "ClusterRole"]
    return role


def allowed(role: dict[str, Any]) -> dict[str, set[str]]:
    """The verbs of each resource, by its name for kubectl."""
    found: dict[str, set[str]] = {}
    for rule in role["rules"]:
        for group in rule["apiGroups"]:
            for resource in rule["resources"]:
                found.setdefault(f"{resource}.{group}".removesuffix("."), set()).update(rule["verbs"])
    return found
