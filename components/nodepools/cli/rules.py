"""`nodepools rules`: what is asked of a declaration, and why."""

import typer

from nodepools.cli.exits import unusable
from nodepools.cli.report import print_json
from nodepools.rules.documented import described
from nodepools.rules.finding import Severity
from nodepools.rules.judge import check
from nodepools.rules.objects import OBJECTS
from nodepools.rules.registry import Rule, all_rules
from nodepools.rules.words import SHAPES


def list_rules(*, as_json: bool) -> None:
    """Every rule, a line each."""
    rules = [all_rules()[code] for code in sorted(all_rules())]
    if as_json:
        print_json({"rules": [_told(rule) for rule in rules]})
        return
    for rule in rules:
        typer.echo(f"{rule.code}  {rule.severity.value:<7}  {_line(rule)}")


def explain_rule(code: str, *, as_json: bool) -> None:
    """One rule: what it asks, who says so, and what it says of a declaration that breaks it."""
    rule = all_rules().get(code.upper())
    if rule is None and code.upper() in {**SHAPES, **OBJECTS}:
        _explain_text(code.upper(), as_json=as_json)
        return
    if rule is None:
        from difflib import get_close_matches

        close = get_close_matches(code.upper(), all_rules(), 3)
        hint = f"did you mean {', '.join(close)}?" if close else "`nodepools rules` lists them"
        unusable(f"no rule {code!r}: {hint}")
    example = [finding for finding in check(rule.sample(), today=rule.since) if finding.code == rule.code]
    if as_json:
        print_json({**_told(rule), "example": [finding.to_json() for finding in example]})
        return
    typer.echo(f"{rule.code} {rule.severity.value}: {rule.summary}\n")
    typer.echo(f"source: {rule.source}")
    for name, day in (("since", rule.since), ("until", rule.until)):
        if day is not None:
            typer.echo(f"{name}: {day}")
    for finding in example:
        typer.echo(f"\nfor example\n{finding}")


def _explain_text(code: str, *, as_json: bool) -> None:
    """A code of shapes or of objects, which no rule has."""
    from nodepools.manifests.samples import SAMPLES, findings_of  # needs PyYAML, which rules do without

    severity = OBJECTS[code][0] if code in OBJECTS else Severity.ERROR
    example = findings_of(code) if code in SAMPLES else []
    if as_json:
        told = {"code": code, "severity": severity.value, "summary": described(code), "source": example[0].source if example else "nodepools"}
        print_json({**told, "since": None, "until": None, "example": [finding.to_json() for finding in example]})
        return
    typer.echo(f"{code} {severity.value}: {described(code)}")
    for finding in example[:1]:
        typer.echo(f"\nsource: {finding.source}\n\nfor example\n{finding}")


def _told(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "severity": rule.severity.value,
        "summary": rule.summary,
        "source": rule.source,
        "since": rule.since.isoformat() if rule.since is not None else None,
        "until": rule.until.isoformat() if rule.until is not None else None,
    }


def _line(rule: Rule) -> str:
    return " ".join(rule.summary.split())
