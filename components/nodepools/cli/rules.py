"""`nodepools rules`: lists and explains the rules."""

from collections.abc import Sequence
from typing import Final

from nodepools.cli.command_run import Result
from nodepools.cli.output.report import Act, Report, Row, Section, command
from nodepools.cli.problem import usage_error
from nodepools.model.listing import counted, grouped, joined
from nodepools.rules.engine.codes import FAMILIES, Code, family, rule_page
from nodepools.rules.engine.finding import Finding, Severity
from nodepools.rules.engine.registry import Rule, all_codes, all_rules, not_a_code, numbered
from nodepools.rules.engine.runner import check

_LISTED: Final = 30
"""Rules that are listed without `--details`."""


def found_rules(text: str | None, *, search: str | None, severity: Severity | None) -> Result:
    """A rule by code or name; a family; otherwise the rules with a word, or all.

    Raises:
        InputError: `text` is nothing of this.
    """
    code = numbered(text) if text is not None else None
    if code is not None:
        return _rule(code)
    words = [word.lower() for word in (text, search) if word is not None]
    found = [code for code in sorted(all_codes(), key=lambda code: code.code) if severity in {None, code.severity}]
    found = [code for code in found if all(_has(code, word) for word in words)]
    if text is not None and not found:
        usage_error(not_a_code(text))
    return Result(lambda: {"rules": [_json(code) for code in found]}, report=_list(found, " ".join(words)))


def _has(code: Code, word: str) -> bool:
    """Whether a code is of the family `word`, or, if there is none, has this word."""
    if word.upper() in {family(other.code) for other in all_codes()}:
        return family(code.code) == word.upper()
    text = f"{code.title} {_line(code)}".lower()
    return any(letter.isalnum() for letter in word) and word in text


def _list(codes: Sequence[Code], about: str) -> Report:
    """The number of rules in each family; the rules themselves with `--details`, or if few were found."""
    counts = [f"{number} {kind}{'s' * (number != 1)}" for kind in Severity if (number := sum(code.severity is kind for code in codes))]
    answer = f"{counted(len(codes), 'rule')}: {joined(counts)}" if codes else "no rule has this in its code, name or summary"
    families = grouped((family(code.code), code) for code in codes)
    table = Section(
        "",
        tuple(
            Row((name, *(str(sum(code.severity is kind for code in of_family)) for kind in Severity), FAMILIES.get(name, "Your rules")))
            for name, of_family in families.items()
        ),
        ("family", "errors", "warnings", "notes", "about"),
        frozenset({1, 2, 3}),
    )
    left = _LISTED if about else 0
    sections: list[Section] = []
    for name, of_family in families.items():
        rows = tuple(
            Row((code.code, code.severity.value, _line(code)), is_detail=number >= left and name in FAMILIES) for number, code in enumerate(of_family)
        )
        left = max(left - len(of_family), 0)
        sections.append(Section(f"{name}: {FAMILIES.get(name, 'Your rules')}", rows))
    next_steps = (
        command("nodepools rules AKS014", Act.NONE, "explains one"),
        command("nodepools rules --search taint", Act.NONE, "finds some"),
        command("nodepools rules --details", Act.NONE, "lists all"),
    )
    return Report(about, answer, next_steps[:1] if about else next_steps, (*([] if about else [table]), *sections))


def _rule(code: Code) -> Result:
    """A rule: its summary, its source and an example."""
    rule = all_rules().get(code.code)
    example = _example(code, rule)
    known = {"name": code.name, "source": _source(rule, example), "page": rule_page(code.code)}
    if rule is not None:
        known |= {"declared in": rule.place, "since": rule.since, "until": rule.until}
    facts = Section("", tuple(Row((name, str(value))) for name, value in known.items() if value))
    lines = [[line.strip() for line in str(finding).split("\n")] for finding in example]
    shown = Section("Example", tuple(Row((head,), reasons=tuple(rest)) for head, *rest in lines))
    report = Report(f"{code.code} {code.severity.value}", _line(code), sections=(facts, shown))
    return Result(lambda: {**_json(code, example), "example": [finding.to_json() for finding in example]}, report=report)


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
