"""`nodepools rules`: lists and explains the rules."""

from collections.abc import Sequence

import typer

from nodepools.cli.command_run import Result
from nodepools.cli.exit_codes import usage_error
from nodepools.rules.engine.codes import Code, rule_page
from nodepools.rules.engine.finding import Finding
from nodepools.rules.engine.registry import Rule, all_codes, all_rules, named, not_a_code
from nodepools.rules.engine.runner import check


def list_rules() -> Result:
    """All codes, one line for each."""
    codes = sorted(all_codes(), key=lambda code: code.code)
    return Result(lambda: {"rules": [_json(code) for code in codes]}, lambda: _print_list(codes))


def _print_list(codes: Sequence[Code]) -> None:
    for code in codes:
        typer.echo(f"{code.code}  {code.severity.value:<7}  {code.name}: {_line(code)}")


def explain_rule(text: str) -> Result:
    """A rule, by code or name: its summary, its source and an example."""
    code = named(text)
    if code is None:
        usage_error(not_a_code(text))
    rule = all_rules().get(code.code)
    example = _example(code, rule)
    return Result(lambda: {**_json(code, example), "example": [finding.to_json() for finding in example]}, lambda: _print_rule(code, rule, example))


def _print_rule(code: Code, rule: Rule | None, example: Sequence[Finding]) -> None:
    typer.echo(f"{code.code} {code.severity.value}: {_line(code)}\n")
    typer.echo(f"name: {code.name}")
    source = _source(rule, example)
    if source:
        typer.echo(f"source: {source}")
    page = rule_page(code.code)
    if page is not None:
        typer.echo(f"page: {page}")
    if rule is not None and rule.place is not None:
        typer.echo(f"declared in: {rule.place}")
    for name, day in (("since", rule.since), ("until", rule.until)) if rule is not None else ():
        if day is not None:
            typer.echo(f"{name}: {day}")
    for finding in example:
        typer.echo(f"\nexample:\n{finding}")


def _example(code: Code, rule: Rule | None) -> Sequence[Finding]:
    """The finding in the sample of the rule."""
    if rule is not None:
        found = check(rule.sample(), today=rule.since) if rule.sample is not None else ()
        return [finding for finding in found if finding.code == rule.code]
    from nodepools.manifests.object_samples import SAMPLES, findings_of  # needs PyYAML, which rules do not

    return findings_of(code.code)[:1] if code.code in SAMPLES else []


def _json(code: Code, example: Sequence[Finding] = ()) -> dict[str, object]:
    rule = all_rules().get(code.code)
    since, until = (rule.since, rule.until) if rule is not None else (None, None)
    return {
        "code": code.code,
        "name": code.name,
        "severity": code.severity.value,
        "summary": code.summary,
        "source": _source(rule, example),
        "url": rule_page(code.code),
        "since": since.isoformat() if since is not None else None,
        "until": until.isoformat() if until is not None else None,
    }


def _source(rule: Rule | None, example: Sequence[Finding]) -> str:
    """The source of a rule. Schema and object findings can state their own."""
    if rule is not None:
        return rule.source
    return example[0].source if example else "nodepools"


def _line(code: Code) -> str:
    return " ".join(code.summary.split())
