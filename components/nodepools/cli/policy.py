"""Violations of a policy pack, as findings."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from nodepools.cli.problem import usage_error
from nodepools.engine.analyzer import Analysis, Breach, Repair, analyze, read_config, read_pack
from nodepools.engine.errors import EngineError
from nodepools.engine.plan import Plan
from nodepools.engine.run import Program
from nodepools.engine.time_limit import NO_LIMIT, TimeLimit
from nodepools.resources.violation_text import parse_violation
from nodepools.rules.engine.finding import Finding, Fix, Severity
from nodepools.rules.engine.registry import all_rules

_SEVERITIES: Final = {"mandatory": Severity.ERROR, "remediate": Severity.ERROR, "advisory": Severity.WARNING, "disabled": Severity.NOTE}


@dataclass(frozen=True, slots=True)
class PolicyPack:
    """A policy pack and its configuration file."""

    folder: Path
    config: Path | None = None


def chosen_pack(folder: Path | None, config: Path | None) -> PolicyPack | None:
    """Returns the pack that the options name. An invalid pack ends the command before the program runs."""
    if folder is None:
        if config is not None:
            usage_error("`--policy-pack-config` needs `--policy-pack`")
        return None
    try:
        read_pack(folder)
        read_config(config)
    except EngineError as error:
        usage_error(str(error))
    return PolicyPack(folder, config)


def policy_findings(pack: PolicyPack, plan: Plan, program: Program, today: date | None = None, limit: TimeLimit = NO_LIMIT) -> tuple[Finding, ...]:
    """Runs the pack on a plan: mandatory violations are errors, advisory ones warnings, remediations notes. `object` is the URN."""
    try:
        all_rules()  # a pack can have them: they have names
        everywhere = {"today": today.isoformat()} if today is not None else {}
        analysis = analyze(pack.folder, plan, program, read_config(pack.config), everywhere=everywhere, limit=limit)
    except EngineError as error:
        usage_error(str(error))
    return tuple(sorted(_findings(analysis, plan), key=lambda finding: (finding.object or "", finding.severity.rank, finding.code)))


def _findings(analysis: Analysis, plan: Plan) -> Iterator[Finding]:
    for breach in analysis.breaches:
        yield _finding(breach)
    for repair in analysis.repairs:
        yield _note(repair, plan)


def _finding(breach: Breach) -> Finding:
    violation = parse_violation(breach.message)
    message = violation.message if violation.message else breach.description
    fix = Fix(violation.fix) if violation.fix else None
    return Finding(breach.policy, _SEVERITIES[breach.level], violation.path, violation.value, message, fix, violation.source, object=breach.urn)


def _note(repair: Repair, plan: Plan) -> Finding:
    before = next(resource.inputs for resource in plan.resources if resource.urn == repair.urn)
    changed = sorted(name for name in {*before, *repair.inputs} if before.get(name) != repair.inputs.get(name))
    message = repair.diagnostic if repair.diagnostic else f"The policy changes this resource: {repair.description}"
    return Finding(repair.policy, Severity.NOTE, ", ".join(changed), None, message, Fix("Set these inputs in the program"), "", object=repair.urn)
