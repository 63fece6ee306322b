"""Every code with its public name and what it means, whatever finds it: rules, schema errors, objects in files."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from nodepools.rules.finding import Severity
from nodepools.rules.registry import Rule, all_rules

_NEAR: Final = 3
"""So many are suggested."""
_SHORTEST_PART: Final = 5
"""What is shorter is a part of too many names."""


@dataclass(frozen=True, slots=True)
class Code:
    """A code, and what is known of it."""

    code: str
    name: str
    """In kebab-case; usable wherever the code is."""
    severity: Severity
    summary: str
    """One sentence: what the code asks for, or what it says."""

    @property
    def title(self) -> str:
        """`AKS014 hard-taint-on-system-pool`."""
        return f"{self.code} {self.name}"


def _table(*rows: Code) -> Mapping[str, Code]:
    return {row.code: row for row in rows}


SCHEMA_CODES: Final = _table(
    Code("CFG001", "missing-field", Severity.ERROR, "A field that is required is not there."),
    Code("CFG002", "unknown-field", Severity.ERROR, "A field is not known where it stands."),
    Code("CFG003", "wrong-kind", Severity.ERROR, "A part of another kind belongs there."),
    Code("CFG004", "wrong-type", Severity.ERROR, "A value is of the wrong type: text, whole number, list."),
    Code("CFG005", "unknown-value", Severity.ERROR, "A word is not one of those that are known."),
    Code("CFG006", "invalid-format", Severity.ERROR, "A text has not the form that it must have."),
    Code("CFG007", "number-out-of-range", Severity.ERROR, "A number is out of range."),
    Code("CFG008", "wrong-number-of-entries", Severity.ERROR, "A list or a mapping has too few or too many entries."),
    Code(
        "CFG009",
        "unreadable-value",
        Severity.ERROR,
        "A taint, quantity, duration, address range, requirement or reference cannot be read.",
    ),
    Code("CFG010", "output-in-place-of-value", Severity.ERROR, "Something that only Pulumi knows stands where a plain value belongs."),
    Code("CFG011", "empty-field", Severity.ERROR, "Nothing stands after a field of a file."),
)
"""What can be wrong with the shape of a declaration."""

OBJECT_CODES: Final = _table(
    Code(
        "OBJ001",
        "removed-api-version",
        Severity.ERROR,
        "The object is of a version that no cluster serves any more; the fix is the object rewritten.",
    ),
    Code("OBJ002", "deprecated-api-version", Severity.WARNING, "The object is of a version that is served still, and deprecated."),
    Code(
        "OBJ003",
        "unchecked-provider",
        Severity.NOTE,
        "The object is of a provider that is not judged here, such as self-managed Karpenter on AWS.",
    ),
    Code("OBJ004", "unknown-kind-or-version", Severity.ERROR, "The group is one of ours, the kind or the version is none of it."),
    Code("OBJ005", "duplicate-object", Severity.WARNING, "The same object stands in one file twice: the last one wins."),
    Code("OBJ007", "rejected-by-schema", Severity.ERROR, "The schema of the cluster, or one of its CEL rules, refuses the object (`--crds`)."),
    Code("OBJ008", "unreadable-workload", Severity.WARNING, "A workload beside NodePools or nodes makes pods that cannot be read."),
    Code(
        "OBJ009",
        "no-object-for-ordinary-pods",
        Severity.WARNING,
        "No pool in the files takes pods without tolerations; a note where they hold no nodes: others may have the pool.",
    ),
    Code("OBJ010", "selector-without-pool", Severity.WARNING, "A workload selects nodes that no pool in the files offers."),
    Code(
        "OBJ011",
        "object-fits-both-autoscalers",
        Severity.NOTE,
        "A workload fits an agent pool of AKS and a NodePool: beside the cluster autoscaler both start nodes for it.",
    ),
    Code(
        "OBJ012",
        "name-of-built-in-object",
        Severity.WARNING,
        "The object has the name of a NodePool or node class that the cloud makes in every cluster.",
    ),
    Code(
        "OBJ013",
        "self-managed-object-with-auto-mode",
        Severity.WARNING,
        "The object is of self-managed Karpenter, and objects of EKS Auto Mode, which ignores it, are beside it.",
    ),
    Code(
        "OBJ014",
        "consolidate-after-missing",
        Severity.WARNING,
        "A NodePool has `disruption` without `consolidateAfter`, which Karpenter before 1.15 rejects; with `--crds` the CRD decides.",
    ),
)
"""What can be wrong with an object in a file as such: its kind, its version, what is said beside it."""


IGNORE_CODES: Final = _table(
    Code("IGN001", "unused-ignore", Severity.WARNING, "A comment `# nodepools: ignore CODE reason` accepts nothing: there is no such finding here."),
    Code("IGN002", "invalid-ignore", Severity.ERROR, "A comment `# nodepools: ignore CODE reason` gives no reason, or no code that is known."),
    Code("IGN003", "ignored-error", Severity.WARNING, "An error of nodepools cannot be accepted: the cloud rejects it, or it never works."),
)
"""What can be wrong with a comment that accepts findings."""

OTHER_CODES: Final[Mapping[str, Code]] = {**SCHEMA_CODES, **OBJECT_CODES, **IGNORE_CODES}
"""Every code that no rule has."""


def all_codes() -> Iterator[Code]:
    """Every code, those of teams too."""
    yield from OTHER_CODES.values()
    yield from map(_of_rule, all_rules().values())


def known(code: str) -> Code | None:
    """What is known of `code`; nothing of one that is not ours, such as a policy of another pack."""
    if code in OTHER_CODES:
        return OTHER_CODES[code]
    rule = all_rules().get(code)
    return _of_rule(rule) if rule is not None else None


def named(text: str) -> Code | None:
    """The code that `text` gives, by the code itself or by its name, capitals aside."""
    return known(text.upper()) or next((code for code in all_codes() if code.name == text.lower()), None)


def not_a_code(text: str) -> str:
    """What is said of `text` that is no code and no name of one: with what was probably meant."""
    from difflib import get_close_matches  # costs more than all the rest, and only mistakes need it

    spellings = {spelling: code.title for code in all_codes() for spelling in (code.code.lower(), code.name)}
    part = [spelling for spelling in spellings if len(text) >= _SHORTEST_PART and text.lower() in spelling]
    near = list(dict.fromkeys(spellings[match] for match in (*part, *get_close_matches(text.lower(), spellings, _NEAR))))[:_NEAR]
    hint = f"the nearest {'is' if len(near) == 1 else 'are'} {', '.join(near)}" if near else "`nodepools rules` lists them"
    return f"{text!r} is neither the code nor the name of a rule: {hint}"


def described(code: str) -> str:
    """One sentence, what the code asks for or what it says; nothing of one that is not ours."""
    found = known(code)
    return found.summary if found is not None else ""


def is_certain(code: str, severity: Severity) -> bool:
    """It is an error of the library: what a cloud certainly refuses, or what certainly never works, whatever a team says of it."""
    rule = all_rules().get(code)
    return severity is Severity.ERROR and (rule.place is None if rule is not None else code in OTHER_CODES)


def _of_rule(rule: Rule) -> Code:
    return Code(rule.code, rule.name, rule.severity, rule.summary)
