"""What to use instead of a command or an option that does not exist."""

from collections.abc import Collection, Mapping
from typing import Final

from nodepools.model.nearest import nearest

COMMANDS: Final[Mapping[str, str]] = {
    "new": "init",
    "create": "init",
    "plan": "diff",
    "drift": "diff",
    "changes": "diff",
    "compare": "diff",
    "synth": "preview",
    "update": "upgrade",
    "rollout": "upgrade",
    "versions": "upgrade",
    "support": "upgrade",
    "lint": "check",
    "validate": "check",
    "verify": "check",
    "why": "explain",
    "schedule": "explain",
    "place": "explain",
    "price": "cost",
    "prices": "cost",
    "estimate": "cost",
    "quota": "capacity",
    "quotas": "capacity",
    "limits": "capacity",
    "types": "instances",
    "sizes": "instances",
    "windows": "calendar",
    "maintenance": "calendar",
    "graph": "diagram",
    "import": "adopt",
    "draw": "diagram",
    "manifests": "render",
    "yaml": "render",
    "codes": "rules",
    "prerequisites": "doctor",
}
"""Other words for commands, most of them commands of other tools."""

OPTIONS: Final[Mapping[str, str]] = {
    "--env": "--stack",
    "--environment": "--stack",
    "--json": "--format json",
    "--out": "--output",
    "--date": "--today",
    "--version": "--to",
    "--kubernetes-version": "--to",
    "--target": "--to",
    "--manifests": "--workloads",
    "--timezone": "--tz",
    "--from": "--existing",
    "--live": "--existing",
    "--node-pools": "--existing",
    "--pools": "--existing",
    "--running": "--existing",
    "--fail-on-warnings": "--strict",
    "--verbose": "--details",
    "--apply": "--fix",
    "--diff": "--dry-run",
    "--notes": "--details",
    "--rules": "--own-rules",
    "--policy": "--policy-pack",
}
"""Other words for options."""


def suggested(name: str, known: Collection[str], synonyms: Mapping[str, str]) -> str | None:
    """The one of `known` that `name` stands for, by synonym or similar spelling; `None` if there is none."""
    synonym = synonyms.get(name.lower())
    if synonym is not None and synonym.split()[0] in known:
        return synonym
    words = {word.lstrip("-"): word for word in known}  # leading dashes do not count as similar
    found = nearest(name.lstrip("-"), words)
    return words[found] if found is not None else None
