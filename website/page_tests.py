"""Which tests run the code of each page: a page of the site, and the table that a test compares with pages and tests."""

from collections.abc import Iterator, Mapping
from typing import Final

from website.code_blocks import code_blocks
from website.layout import PROJECT, pages

READ: Final = "tests/docs/test_blocks.py"
"""Reads every block of every page: syntax, names, fields, commands and options."""
HOME: Final = "docs/start/index.md"
README: Final = "README.md"
"""The start page takes its place on the site."""
COMMANDS: Final = "docs/commands.md"
"""The reference of commands begins with it."""
GENERATED: Final = (
    "CHANGELOG.md",
    "docs/coverage.md",
    "docs/security-baseline.md",
    "docs/rule-changes.md",
)
"""Pages made of the code, and the changelog, whose code is that of its day."""
EXTERNAL: Final[Mapping[str, str]] = {
    "aws": "needs an AWS account",
    "az": "needs an Azure account",
    "kubectl": "needs a cluster",
    "helm": "needs a chart",
    "pulumi": "needs the Pulumi CLI and an account",
    "pip": "installs packages",
    "python3": "installs packages",
    "terraform": "needs a Terraform project",
}
"""Programs that no test of pages runs, and why."""
_OUTPUT: Final = "tests/docs/test_output.py"
_TUTORIALS: Final = "tests/docs/test_tutorials.py"
_DECLARATIONS: Final = "tests/docs/test_declarations.py"
_SCRIPTS: Final = "tests/docs/test_scripts.py"
_EXAMPLES: Final = "tests/examples/test_guides.py"
_EKS_FACTS: Final = "tests/rules/test_eks_facts.py"
TESTS: Final[Mapping[str, tuple[str, ...]]] = {
    "docs/start/tutorial.md": (_TUTORIALS, "tests/cli/test_init.py"),
    "docs/start/index.md": (_OUTPUT, _TUTORIALS),
    "README.md": (_OUTPUT, "tests/testing/test_guide.py", "tests/cli/test_pictures.py"),
    "docs/commands.md": ("tests/docs/test_pages.py", "tests/cli/test_pictures.py"),
    "docs/guides/pools.md": (_DECLARATIONS,),
    "docs/guides/networks.md": (_DECLARATIONS,),
    "docs/guides/identities.md": (_EXAMPLES,),
    "docs/guides/eks-services.md": ("tests/examples/test_eks_guide.py",),
    "docs/guides/secrets.md": ("tests/secrets/test_declarations.py",),
    "docs/guides/capacity.md": (_OUTPUT, _SCRIPTS),
    "docs/guides/cost.md": (_OUTPUT,),
    "docs/guides/api-versions.md": ("tests/rules/test_api_versions.py",),
    "docs/guides/diff.md": (_OUTPUT, _SCRIPTS),
    "docs/guides/daily.md": ("tests/examples/test_drift.py",),
    "docs/guides/plan-upgrades.md": (_OUTPUT, "tests/cli/test_pictures.py"),
    "docs/guides/ledger.md": (_OUTPUT,),
    "docs/evidence/README.md": ("tests/examples/test_real_account.py",),
    "docs/guides/rotate.md": (_EKS_FACTS,),
    "docs/guides/drain-and-destroy.md": (_EKS_FACTS,),
    "docs/guides/adopt.md": (_OUTPUT, "tests/pulumi/test_adopted_clusters.py"),
    "docs/guides/node-groups.md": ("tests/docs/test_node_groups.py",),
    "docs/guides/enable-auto-mode.md": (_EKS_FACTS, _OUTPUT),
    "docs/guides/migrate-to-nap.md": (_EXAMPLES, _OUTPUT),
    "docs/explain.md": ("tests/cli/test_explain_docs.py",),
    "docs/guides/testing.md": ("tests/testing/test_guide.py",),
    "docs/guides/accept.md": ("tests/cli/test_demands.py",),
    "docs/guides/own-rules.md": ("tests/cli/test_own_rules_guide.py",),
    "docs/guides/policy-pack.md": ("tests/pack/test_guide.py",),
    "docs/guides/gitops.md": (_TUTORIALS,),
    "docs/guides/terraform.md": (_TUTORIALS,),
    "docs/guides/platform-files.md": (_TUTORIALS,),
    "docs/guides/leaving.md": ("tests/cli/test_eject.py",),
    "docs/guides/teams.md": (_TUTORIALS,),
    "docs/guides/agents.md": ("tests/docs/test_agents.py",),
    "docs/guides/other-languages.md": ("tests/plugin/test_guide.py", "tests/pulumi/test_samples.py", "tests/pulumi/test_yaml_example.py"),
    "docs/guides/interrupted-up.md": (_OUTPUT, "tests/pulumi/test_interrupted.py"),
    "docs/guides/programs.md": ("tests/cli/test_programs.py",),
    "docs/guides/fleets.md": (
        "tests/cli/test_rollout.py",
        "tests/rollout/test_targets.py",
        "tests/examples/test_micro_stacks.py",
        "tests/examples/test_automation.py",
        "tests/pulumi/test_automation.py",
        "tests/pulumi/test_stacks_and_targets.py",
    ),
    "docs/guides/editors.md": ("tests/docs/test_editors.py", "tests/cli/test_completion.py"),
    "docs/guides/ci.md": ("tests/action/test_action.py",),
    "docs/guides/troubleshooting.md": ("tests/docs/test_troubleshooting.py",),
    "ARCHITECTURE.md": ("tests/docs/test_pages.py",),
    "CONTRIBUTING.md": ("tests/test_contributing.py",),
}
"""The tests that run the code of a page, or compare its output, by its file."""
NOT_RUN: Final[Mapping[str, str]] = {
    "docs/guides/maintenance-windows.md": "parts of declarations",
    "docs/guides/running-clusters.md": "commands need a cluster",
    "docs/upgrading.md": "commands of a project that is upgraded",
    "SECURITY.md": "needs a repository with pull requests",
    "docs/decisions/0002-retiring-the-first-system-pool.md": "parts of declarations of their day",
}
"""Pages whose code is only read, and why."""


def sources() -> list[str]:
    """The files of the pages that somebody wrote."""
    return [HOME, README, COMMANDS, *(page.source for page in pages() if page.source not in GENERATED)]


def reasons(source: str) -> list[str]:
    """Why blocks of a page are not run: what the page says, what its programs need, or the page as a whole."""
    blocks = code_blocks((PROJECT / source).read_text(encoding="utf-8"))
    programs = {line.split()[0] for block in blocks if not block.not_run for line in block.commands if line.split()}
    found = [*(block.not_run for block in blocks if block.not_run), *(EXTERNAL[name] for name in sorted(programs) if name in EXTERNAL)]
    return list(dict.fromkeys([*found, *([NOT_RUN[source]] if source in NOT_RUN else [])]))


def table() -> Iterator[tuple[str, str]]:
    """Yields the page that lists all pages with their tests."""
    addresses = {HOME: "index", README: "index", COMMANDS: "reference/commands"} | {page.source: page.address for page in pages()}
    lines = [
        "# Pages and their tests",
        "",
        "Tests run the code of these pages, and compare the output that they show. For every page, a test also reads each block: its syntax, and the",
        f"names, fields, commands and options in it (`{READ}`). The reference is generated from the code; `make docs` fails on a broken link or a",
        "missing anchor.",
        "",
        "| page | blocks | tests, in `tests/` | not run |",
        "|---|---|---|---|",
    ]
    for source in sources():
        count = len(code_blocks((PROJECT / source).read_text(encoding="utf-8")))
        if count or source in TESTS:
            tests = " ".join(f"`{test.removeprefix('tests/')}`" for test in TESTS.get(source, ()))
            title = source.removeprefix("docs/").removesuffix(".md")
            lines.append(f"| [{title}](../{addresses[source]}.md) | {count} | {tests} | {'; '.join(reasons(source))} |")
    yield "project/tests", "\n".join([*lines, ""])
