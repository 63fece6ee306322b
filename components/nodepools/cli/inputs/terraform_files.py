"""Plans and states of Terraform as input of commands: recognized by their content, and checked by the rules of resources."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from nodepools.cli.command_run import CommandRun
from nodepools.cli.problem import Problem
from nodepools.model.listing import listed
from nodepools.model.steps import Steps, mapping, sequence
from nodepools.reading.limits import TextError
from nodepools.resources.resource import UNKNOWN, Resource
from nodepools.resources.resource_checks import Violation, check_stack
from nodepools.resources.terraform import NotTerraformError, Planned, TerraformSource, terraform_source, terraform_value
from nodepools.rules.engine.finding import Finding
from nodepools.rules.engine.fix import Fix
from nodepools.rules.engine.path import path_text, value_at

_OF_PULUMI: Final = frozenset({"AKS120"})
"""Rules about what azure-native sends in one request: azurerm sends pools separately."""
_LISTED: Final = 3
_HELM: Final = "helm_release"
_OUTSIDE: Final = (
    Resource("outside", "kubernetes:yaml/v2:ConfigGroup", "", {}),
    Resource("rule", "azure-native:insights:DataCollectionRuleAssociation", "", {"resourceUri": UNKNOWN, "dataCollectionRuleId": UNKNOWN}),
)
"""What can be in a plan, or next to it, and is not read: any objects of a cluster, and the rule of its log agent."""
_REMOVE: Final = "Remove "
"""The beginning of fixes that need something to remove."""


def in_terraform_words(text: str) -> str:
    """A text about an update by Pulumi, as one about an update by Terraform."""
    return text.replace("`pulumi up`", "`terraform apply`").replace("Pulumi", "Terraform")


def terraform_in(text: str, name: str) -> TerraformSource | None:
    """The plan or the state in a text; `None` if it is something else.

    Raises:
        TextError: it is output of Terraform that cannot be read.
    """
    try:
        value = terraform_value(text)
        return terraform_source(value) if value is not None else None
    except NotTerraformError as error:
        raise TextError(f"{name}: {error}") from None


def unread(source: TerraformSource, file: str, run: CommandRun) -> None:
    """Resources that can have nodes or NodePools and are not read: charts are a note, others a problem of `run`."""
    for of_type, addresses in source.unread.items():
        told = Problem(file, f"not read: {listed(addresses, _LISTED)} ({of_type}), which can have nodes, or change NodePools")
        (run.notes if of_type == _HELM else run.problems).append(told)


def checked_resources(source: TerraformSource, file: str, run: CommandRun, today: date | None) -> list[Finding]:
    """The findings about what is declared, in the words of Terraform. What is not read or not known yet is told in `run`."""
    unread(source, file, run)
    later = [place for one in source.planned if one.after is not None for place in _unknown(one)]
    if later:
        are = "1 value is" if len(later) == 1 else f"{len(later):,} values are"
        run.notes.append(Problem(file, f"{are} known after `terraform apply`, such as {later[0]}: not checked"))
    left = [f"{one.address}.{path_text(steps)}" for one in source.planned for steps, _, new in one.left if new is not None and new is not UNKNOWN]
    if left:
        verb = "is" if len(left) == 1 else "are"
        run.notes.append(Problem(file, f"{listed(left, _LISTED)} {verb} not known to this version: not checked"))
    found = check_stack((*source.after, *_OUTSIDE), today=today)
    return [
        _in_terraform(violation, source.by_address[violation.urn], file)
        for violation in found
        if violation.urn in source.by_address and violation.finding.code not in _OF_PULUMI
    ]


def _in_terraform(violation: Violation, planned: Planned, file: str) -> Finding:
    finding = violation.finding
    steps = planned.place(finding.steps)
    value = value_at(planned.values, steps)
    shown = value if isinstance(value, str | int | float) else None
    advice = in_terraform_words(planned.spelled(finding.fix.text)) if finding.fix is not None else ""
    is_set = value is not None or not advice.startswith(_REMOVE)
    return replace(
        finding,
        path=path_text(steps),
        steps=steps,
        value=shown,
        message=in_terraform_words(planned.spelled(finding.message)),
        fix=Fix(advice) if advice and is_set else None,
        object=f"{file}#{planned.address}",
        texts=None,
    )


def _unknown(planned: Planned) -> Iterator[str]:
    """The arguments of a resource whose values are known later."""
    if planned.after is not None:
        for steps in _unknown_steps(planned.after.inputs, ()):
            yield f"{planned.address}.{path_text(planned.place(steps))}"


def _unknown_steps(value: object, steps: Steps) -> Iterator[Steps]:
    if value is UNKNOWN:
        yield steps
    for name, part in mapping(value).items():
        yield from _unknown_steps(part, (*steps, name))
    for number, part in enumerate(sequence(value)):
        yield from _unknown_steps(part, (*steps, number))
