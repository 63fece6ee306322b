"""Examples and exit codes on the help pages of the program and its commands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Example:
    """A command line, and what it is for."""

    purpose: str
    line: str


PROGRAM: Final = "nodepools"
EXAMPLES: Final[Mapping[str, tuple[Example, ...]]] = {
    PROGRAM: (
        Example("Check the stack `dev` (stacks/dev.py)", "nodepools check"),
        Example("Show what `pulumi up` would register", "nodepools preview"),
        Example("Explain which pools the pods of manifests land on", "nodepools explain k8s/"),
    ),
    "init": (
        Example("Start a project with AKS and EKS clusters", "nodepools init platform"),
        Example("Start one with an AKS cluster and a GitHub workflow", "nodepools init platform --clouds aks --ci github"),
    ),
    "check": (
        Example("Check the stack `dev`", "nodepools check"),
        Example("Check all stacks in CI, and fail on warnings, too", "nodepools check --all --strict"),
        Example("Check manifests, also against the CRDs of your cluster", "nodepools check k8s/ --crds crds.yaml"),
        Example("Check what is in a cluster", "kubectl get nodepools -o yaml | nodepools check -"),
    ),
    "preview": (
        Example("Preview the stack `prod`", "nodepools preview --stack prod"),
        Example("Run a policy pack on the plan", "nodepools preview --policy-pack policy"),
    ),
    "diff": (
        Example("Show what a branch does to the stack `dev`, compared with `main`", "nodepools diff main"),
        Example("Comment on a pull request", "nodepools diff origin/main --all --format markdown"),
        Example("Compare two files", "nodepools diff old.yaml new.yaml"),
    ),
    "upgrade": (
        Example("Show when support of each cluster's version ends", "nodepools upgrade --all"),
        Example("List the steps to 1.36, and what blocks them", "nodepools upgrade --to 1.36 --workloads k8s/"),
        Example("Write a runbook for a change request", "nodepools upgrade --stack prod --to 1.36 --format markdown"),
    ),
    "compare": (
        Example("See whether an edit did what was predicted", "nodepools compare edit.json --existing after/"),
        Example("Keep the comparison, for the ledger", "nodepools compare edit.json --context prod -o ledger/edit.json"),
    ),
    "ledger": (Example("Add up all comparisons of a repository", "nodepools ledger ledger/"),),
    "rollout plan": (
        Example("Plan the edits of a branch for all stacks, in waves", "nodepools rollout plan rollout.yaml main"),
        Example("Plan an upgrade", "nodepools rollout plan rollout.yaml --to 1.36"),
        Example("Draw the waves", "nodepools rollout plan rollout.yaml main --format mermaid"),
    ),
    "rollout compile": (
        Example("Write a program for the Automation API", "nodepools rollout compile plan.json --to automation -o rollout"),
        Example("Write a workflow of GitHub Actions", "nodepools rollout compile plan.json --to github -o .github/workflows"),
    ),
    "adopt": (
        Example("Declare a cluster and its pools", "nodepools adopt show.json nodepools.json -o stacks/weu.py"),
        Example("Write the import file too", "nodepools adopt show.json nodepools.json -o weu.py --import i.json"),
        Example("Write a report for a ticket", "nodepools adopt show.json nodepools.json -o weu.py --report r.md"),
    ),
    "adopt settle": (
        Example("Show what `pulumi up` would change after an import", "nodepools adopt settle state.json"),
        Example("Write the state for `pulumi stack import`", "nodepools adopt settle state.json -o settled.json"),
    ),
    "adopt pending": (
        Example("List the creations that were interrupted", "nodepools adopt pending state.json"),
        Example("Write the import file too", "nodepools adopt pending state.json -o pending.json"),
    ),
    "convert": (
        Example("Convert the objects of self-managed Karpenter", "nodepools convert k8s/ --to auto-mode -o auto/"),
        Example("Name the NodePool for the pods of a node group", "nodepools convert k8s/ --to auto-mode --group web=general -o auto/"),
        Example("Post what has no equivalent in a pull request", "nodepools convert k8s/ --to auto-mode --format markdown"),
    ),
    "render": (
        Example("Print the objects of all clusters of the stack `dev`", "nodepools render"),
        Example("Write one file per object", "nodepools render --cluster weu -o manifests/"),
        Example("Write alerts on a cluster for Prometheus", "nodepools render --alerts --cluster weu --workloads k8s/ -o alerts/"),
    ),
    "eject": (
        Example("Leave nodepools: write the stack `dev` as a plain program", "nodepools eject plain --deployer 00000000-0000-0000-0000-000000000000"),
    ),
    "explain": (
        Example("Explain where the workloads of a folder land", "nodepools explain k8s/"),
        Example("Show every reason of each pool", "nodepools explain k8s/ --details"),
        Example("Show which workloads survive the loss of a zone or a pool", "nodepools explain k8s/ --without each"),
        Example("Fail in CI if a pod is not certain to be scheduled", "nodepools explain k8s/ --all --fail-on unknown"),
    ),
    "instances": (Example("List the instance types of one NodePool", "nodepools instances --pool use1/compute"),),
    "calendar": (
        Example("Show the next seven days", "nodepools calendar"),
        Example("Show two weeks in local time", "nodepools calendar --days 14 --tz Europe/Paris"),
        Example("Compute how many of 12 nodes can go at a time", "nodepools calendar k8s/ --at 2026-11-21T02:30Z --node-count 12"),
    ),
    "diagram": (
        Example("Print a Mermaid diagram, with workloads", "nodepools diagram k8s/"),
        Example("Draw a picture", "nodepools diagram --format svg -o platform.svg"),
    ),
    "cost": (
        Example("Estimate the monthly cost of the stack `prod`", "nodepools cost --stack prod"),
        Example("Use your own prices", "nodepools cost --all --prices prices.yaml"),
    ),
    "capacity": (
        Example("Count what the clusters of the stack `prod` need", "nodepools capacity --stack prod"),
        Example("Compare with the quotas of your accounts", "nodepools capacity --all --existing exports/"),
        Example("Post the counts of all stacks in a pull request", "nodepools capacity --all --format markdown"),
    ),
    "doctor": (
        Example("Check what the stack `prod` needs", "nodepools doctor --stack prod"),
        Example("Print the commands that export its clusters into `live/`", "nodepools doctor --stack prod --exports"),
    ),
    "rules": (
        Example("List all rules", "nodepools rules"),
        Example("Explain one rule, by code or name", "nodepools rules AKS014"),
    ),
    "schema": (Example("Write the schema next to platform.yaml, for editors", "nodepools schema -o platform.schema.json"),),
    "mcp": (Example("Serve an agent that works in this folder", "nodepools mcp --root ."),),
}

EXIT_CODES: Final = "Exit codes: 0 no errors, 1 errors found, 2 invalid usage, or input that could not be read completely."
_SPECIAL: Final[Mapping[str, str]] = {
    **dict.fromkeys(("init", "instances", "ledger", "rules", "schema", "mcp"), EXIT_CODES.replace("0 no errors, 1 errors found", "0 done")),
    "diff": EXIT_CODES.replace("0 no errors, 1 errors found", "0 no change must be accepted, 1 a change has an effect of `--fail-on`"),
    "upgrade": EXIT_CODES.replace("0 no errors, 1 errors found", "0 nothing certain blocks the upgrade, 1 something does"),
    "compare": EXIT_CODES.replace("0 no errors, 1 errors found", "0 every prediction was seen, 1 something contradicts one"),
    "convert": EXIT_CODES.replace("0 no errors, 1 errors found", "0 no workload loses its pool, 1 one does, or the output has errors"),
    "rollout plan": EXIT_CODES.replace("0 no errors, 1 errors found", "0 no gate is known to fail, 1 a gate fails"),
    "rollout compile": EXIT_CODES.replace("0 no errors, 1 errors found", "0 done"),
    "doctor": EXIT_CODES.replace("0 no errors, 1 errors found", "0 all tools found, 1 a tool is missing or the declaration has errors"),
}


def exit_codes(command: str) -> str:
    """The exit codes of a command in one sentence."""
    return _SPECIAL.get(command, EXIT_CODES)
