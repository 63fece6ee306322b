"""Every page of the site: where it comes from, its address, and its place in the navigation."""

import posixpath
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
    """A group of the navigation, which has a page of its own."""

    title: str
    summary: str
    """What its reader wants to do, in one sentence."""
    pages: Sequence[Page]
    generated: Sequence[str] = ()
    """Addresses of generated pages; they follow the others."""

    @property
    def address(self) -> str:
        """The address of its page."""
        return f"sections/{self.title.lower().replace(' ', '-')}"


def _guides(*names: str) -> tuple[Page, ...]:
    return tuple(Page(f"guides/{name}", f"docs/guides/{name}.md") for name in names)


SECTIONS: Final = (
    Section(
        "Start",
        "From an empty folder to a first finding.",
        (
            *_guides("new-project"),
            *(Page(f"start/{name}", f"docs/start/{name}.md") for name in ("aks", "eks", "both", "playground")),
            Page("start/commands", "docs/commands.md", "All commands on one page"),
            Page("start/why", "docs/why.md"),
        ),
    ),
    Section(
        "Declare",
        "Clusters, pools, networks, identities and services.",
        _guides(
            "pools",
            "networks",
            "defaults",
            "built-in-node-pools",
            "identities",
            "cluster-services",
            "eks-services",
            "secrets",
            "maintenance-windows",
            "overrides",
            "api-versions",
            "platform-files",
        ),
    ),
    Section(
        "Ask",
        "Where pods land, what an edit does, what it needs and costs; of stacks, programs, plans of Terraform and running clusters.",
        (
            Page("guides/explain", "docs/explain.md"),
            *_guides("diff", "capacity", "cost", "running-clusters", "daily", "programs", "terraform"),
        ),
    ),
    Section(
        "Change",
        "Upgrades, rotations and deletions, step by step.",
        _guides("plan-upgrades", "upgrade", "fleets", "rotate", "ledger", "retire-a-node-class", "drain-and-destroy"),
    ),
    Section(
        "Move",
        "Clusters that exist, and the way to Auto Mode or node auto provisioning.",
        _guides("adopt", "node-groups", "enable-auto-mode", "migrate-to-nap", "convert"),
    ),
    Section(
        "Test and review",
        "Tests, rules of your own, pull requests, and the tools around it.",
        _guides(
            "testing",
            "own-rules",
            "policy-pack",
            "crds",
            "ci",
            "github-action",
            "accept",
            "gitops",
            "automation",
            "other-languages",
            "agents",
            "editors",
            "completion",
        ),
    ),
    Section(
        "When it fails",
        "Error messages of Azure, AWS, API servers and schedulers, and an interrupted `pulumi up`.",
        _guides("troubleshooting", "interrupted-up"),
    ),
    Section(
        "Reference",
        "Every command, field, label key and rule.",
        tuple(
            Page(f"reference/{name}", f"docs/{name}.md")
            for name in ("agent-pool-fields", "aks-cluster-fields", "eks-cluster-fields", "coverage", "security-baseline", "rule-changes")
        ),
        ("reference/commands", "reference/fields", "reference/keys", "reference/rules", "reference/schemas", "reference/python"),
    ),
    Section(
        "Project",
        "How it works and why, what changed, and how to contribute.",
        (
            Page("background/explain", "docs/background/explain.md"),
            Page("background/changes", "docs/background/changes.md"),
            Page("background/speed", "docs/background/speed.md"),
            Page("architecture", "ARCHITECTURE.md"),
            Page("changelog", "CHANGELOG.md"),
            Page("upgrading", "docs/upgrading.md"),
            Page("support", "docs/support.md"),
            Page("security", "SECURITY.md"),
            Page("contributing", "CONTRIBUTING.md"),
            Page("conduct", "CODE_OF_CONDUCT.md"),
        ),
        ("decisions", "facts", "project/tests"),
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


INDEX: Final = "docs/README.md"
"""The same groups, for readers of the repository."""


def index() -> str:
    """The text of `docs/README.md`."""
    rows = (f"| {section.title} | {', '.join(_entry(page) for page in section.pages)} |" for section in SECTIONS)
    return "\n".join(
        [
            "# All pages",
            "",
            "Generated by `python -m website.layout`. `make docs` builds them as a site with search in `build/site/html`, with a reference of",
            "commands, fields, rules and label keys; `make playground docs` adds a page on which commands run in the browser.",
            "",
            "| group | pages |",
            "|---|---|",
            *rows,
            "",
            "Also: [rules](rules.md), [the start page](start/index.md), [decisions](decisions), [facts about the clouds](facts).",
            "",
        ]
    )


def _entry(page: Page) -> str:
    title = page.title or (PROJECT / page.source).read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    return f"[{title}]({posixpath.relpath(page.source, 'docs')})"


if __name__ == "__main__":
    (PROJECT / INDEX).write_text(index(), encoding="utf-8")
