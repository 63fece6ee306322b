"""Every page of the site: where it comes from, its address, and its place in the navigation."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Page:
    """A page that somebody wrote: its address without a suffix, its file in the project, and its title on the site if not its own."""

    address: str
    source: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the navigation."""

    title: str
    pages: Sequence[Page]
    generated: Sequence[str] = ()
    """Addresses of generated pages; they follow the others."""


def _guides(*names: str) -> tuple[Page, ...]:
    return tuple(Page(f"guides/{name}", f"docs/guides/{name}.md") for name in names)


SECTIONS: Final = (
    Section(
        "Start",
        (
            *_guides("new-project"),
            *(Page(f"start/{name}", f"docs/start/{name}.md") for name in ("aks", "eks", "both", "playground")),
            Page("start/overview", "README.md", "All commands on one page"),
        ),
    ),
    Section(
        "Declare",
        _guides(
            "pools",
            "networks",
            "built-in-node-pools",
            "identities",
            "cluster-services",
            "eks-services",
            "secrets",
            "maintenance-windows",
            "capacity",
            "cost",
            "overrides",
        ),
    ),
    Section(
        "Change",
        _guides(
            "diff",
            "running-clusters",
            "plan-upgrades",
            "upgrade",
            "rotate",
            "retire-a-node-class",
            "drain-and-destroy",
        ),
    ),
    Section(
        "Move",
        _guides(
            "adopt",
            "node-groups",
            "enable-auto-mode",
            "migrate-to-nap",
            "convert",
        ),
    ),
    Section(
        "Explain and test",
        (
            Page("guides/explain", "docs/explain.md"),
            *_guides(
                "programs",
                "terraform",
                "automation",
                "testing",
                "accept",
                "own-rules",
                "policy-pack",
                "crds",
                "ci",
                "github-action",
                "editors",
                "completion",
                "gitops",
                "platform-files",
                "agents",
                "other-languages",
            ),
        ),
    ),
    Section("When it fails", _guides("troubleshooting", "interrupted-up")),
    Section(
        "Reference",
        tuple(
            Page(f"reference/{name}", f"docs/{name}.md")
            for name in ("agent-pool-fields", "aks-cluster-fields", "eks-cluster-fields", "coverage", "security-baseline")
        ),
        ("reference/commands", "reference/fields", "reference/keys", "reference/rules", "reference/schemas", "reference/python"),
    ),
    Section(
        "Background",
        (
            Page("background/explain", "docs/background/explain.md"),
            Page("background/changes", "docs/background/changes.md"),
            Page("background/speed", "docs/background/speed.md"),
            Page("architecture", "ARCHITECTURE.md"),
        ),
        ("decisions", "facts"),
    ),
    Section(
        "Project",
        (
            Page("changelog", "CHANGELOG.md"),
            Page("upgrading", "docs/upgrading.md"),
            Page("support", "docs/support.md"),
            Page("security", "SECURITY.md"),
            Page("contributing", "CONTRIBUTING.md"),
            Page("conduct", "CODE_OF_CONDUCT.md"),
        ),
        ("project/tests",),
    ),
)


def _folder(section: str, folder: str) -> list[Page]:
    return [
        Page(f"{section}/{page.stem}", str(page.relative_to(PROJECT))) for page in sorted((PROJECT / folder).glob("*.md")) if page.stem != "README"
    ]


DECISIONS: Final = _folder("decisions", "docs/decisions")
FACTS: Final = _folder("facts", "docs/facts")


def pages() -> list[Page]:
    """Every page that somebody wrote."""
    return [page for section in SECTIONS for page in section.pages] + DECISIONS + FACTS
