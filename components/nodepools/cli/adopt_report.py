"""The report of `nodepools adopt`: what is declared, what is not, and why. As text, or as Markdown."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from nodepools.adoption.adopted import Adopted
from nodepools.rules.finding import Finding

_SHOWN: Final = 12
_NO_FINDINGS: Final = "none"
_FINDINGS: Final = "Findings of `nodepools check`"
_PROVIDER: Final = "the Kubernetes provider"
_WAIT: Final = "annotation `pulumi.com/waitFor` of objects: no node is affected"


def sections(one: Adopted) -> Mapping[str, Sequence[str]]:
    """What there is to know about a cluster, by title. Empty sections are included."""
    unchanged = [item.request.resource.name for item in one.compared if item.import_id is not None and not item.differences]
    return {
        "unchanged": unchanged,
        "would change": [_at(item.resource, item.path) for item in one.differences if not item.reason],
        "would be created": [str(item.request.resource) for item in one.compared if item.import_id is None],
        "changes with a known reason": [
            *(f"{_at(item.resource, item.path)} ({item.reason})" for item in one.differences if item.reason),
            *([_WAIT] if one.has_objects else []),
        ],
        "cloud default": joined(one.defaults),
        "kept by overrides": joined(one.overrides),
        "created in the state only": [_PROVIDER] if one.has_objects else [],
        "stays outside": [f"{name} ({why})" for name, why in one.outside.items()],
        "no field has it, and the cloud keeps it": joined(one.unreadable),
        "rejected by the model, not declared": joined(one.rejected),
    }


def joined(found: Sequence[Sequence[str]]) -> list[str]:
    """Paths as text, each once."""
    return sorted({".".join(path) for path in found})


def text_report(adopted: Sequence[Adopted], findings: Sequence[Finding], *, whole: bool) -> Iterator[str]:
    """The lines of the report; unless it is `whole`, long lists are cut."""
    for one in adopted:
        yield f"{one.observed.name}: cluster `{one.key}`, {_counts(one)}"
        for title, values in sections(one).items():
            shown = values if whole else values[:_SHOWN]
            more = f", and {len(values) - len(shown)} more" if len(values) > len(shown) else ""
            if values:
                yield f"  {title}: {', '.join(shown)}{more}"
        yield ""
    codes = sorted({finding.code for finding in findings})
    yield f"findings of `nodepools check`: {', '.join(codes) if codes else _NO_FINDINGS}"


def markdown_report(adopted: Sequence[Adopted], findings: Sequence[Finding]) -> Iterator[str]:
    """The lines of the report, for a pull request or a ticket."""
    yield from ("# Clusters that are adopted", "")
    for one in adopted:
        yield from (f"## `{one.observed.name}`: cluster `{one.key}`", "", f"{_counts(one).capitalize()}.", "")
        for title, values in sections(one).items():
            if values:
                yield from (f"### {title.capitalize()}", "", *(f"* {_escaped(value)}" for value in values), "")
    yield from (f"## {_FINDINGS}", "")
    lines = sorted({f"* {finding.severity.value} {finding.code}: {_escaped(finding.message)}" for finding in findings})
    yield from lines if lines else (_NO_FINDINGS,)


def _counts(one: Adopted) -> str:
    resources = sum(1 for item in one.compared if item.import_id is not None)
    return f"{one.declared_count} values of {resources} resources are declared"


def _at(resource: Sequence[str], path: Sequence[str]) -> str:
    return ".".join((*resource, *path))


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
