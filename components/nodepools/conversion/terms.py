"""Converts lists of terms about labels: requirements of NodePools, node selectors and node affinity of pods."""

from typing import Final

from nodepools.conversion.labels import Labels, Term
from nodepools.conversion.raw_parts import Object, as_list, as_mapping, text
from nodepools.conversion.unconverted import Log
from nodepools.model.steps import Steps

_WIDER: Final = "Narrow the NodePool with another requirement: without this one, it allows more nodes"


def convert_requirements(requirements: list[object], at: Steps, labels: Labels, log: Log) -> None:
    """Converts requirements of a NodePool in place. Those without an equivalent are removed: the NodePool then allows more nodes than before."""
    for index, entry in reversed(list(enumerate(requirements))):
        requirement, steps = as_mapping(entry), (*at, index)
        term = _term(requirement, labels)
        if term is None:
            continue
        is_exclusion = requirement.get("operator") in ("NotIn", "DoesNotExist")
        advice = None if is_exclusion else term.instead if term.instead is not None else _WIDER
        if term.key is None or (term.lost and not term.values):
            log.removed(steps, dict(requirement), term.reason, advice)
            del requirements[index]
            continue
        if term.lost:
            log.removed((*steps, "values"), list(term.lost), term.reason, None)
        _apply(requirement, term, steps, log)


def convert_expressions(expressions: list[object], at: Steps, labels: Labels, log: Log, *, is_required: bool) -> None:
    """Converts expressions of node affinity in place. Those without an equivalent stay: without them, pods could run on nodes that they exclude."""
    for index, entry in enumerate(expressions):
        expression, steps = as_mapping(entry), (*at, index)
        term = _term(expression, labels)
        if term is None:
            continue
        if term.key is None or (term.lost and not term.values):
            log.kept(steps, dict(expression), term.reason, _advice(term, is_required=is_required and _needs_nodes(expression)))
            continue
        if term.lost:
            log.removed((*steps, "values"), list(term.lost), term.reason, None)
        _apply(expression, term, steps, log)


def convert_selector(selector: Object, at: Steps, labels: Labels, log: Log) -> None:
    """Converts a node selector in place. A label without an equivalent stays: without it, pods could run on nodes that they exclude."""
    new: Object = {}
    for key, value in selector.items():
        term = labels.term(key, (text(value),)) if isinstance(value, str) else Term(key, ())
        if isinstance(value, str) and (term.key is None or len(term.values) != 1):
            reason = term.reason if term.reason else f"several values are equivalent: {', '.join(term.values)}"
            log.kept((*at, key), value, reason, _advice(term, is_required=True))
            new[key] = value
        elif not isinstance(value, str) or term.key is None:
            new[key] = value
        else:
            if term.roughly:
                log.changed((*at, key), value, term.roughly, f"Check that `{term.values[0]}` fits")
            new[term.key] = term.values[0]
    if list(new.items()) != list(selector.items()):
        selector.clear()
        selector.update(new)


def _term(requirement: Object, labels: Labels) -> Term | None:
    """Returns the term for the target; `None` if this is not a term."""
    key = text(requirement.get("key"))
    values = [value for value in as_list(requirement.get("values")) if isinstance(value, str)]
    return labels.term(key, values) if key else None


def _apply(requirement: Object, term: Term, steps: Steps, log: Log) -> None:
    if requirement.get("key") != term.key:
        requirement["key"] = term.key
    old = as_list(requirement.get("values"))
    if not isinstance(requirement.get("values"), list) or [value for value in old if isinstance(value, str)] == list(term.values):
        return
    if term.roughly:
        log.changed((*steps, "values"), list(old), term.roughly, f"Check that {', '.join(term.values)} fits")
    requirement["values"] = list(term.values)
    least = requirement.get("minValues")
    if requirement.get("operator") == "In" and isinstance(least, int) and least > len(term.values):
        log.changed((*steps, "minValues"), least, f"only {len(term.values)} values are left")
        requirement["minValues"] = len(term.values)


def _needs_nodes(expression: Object) -> bool:
    """Nodes without the label do not meet it."""
    return expression.get("operator") not in ("NotIn", "DoesNotExist")


def _advice(term: Term, *, is_required: bool) -> str | None:
    if not is_required:
        return None
    return term.instead if term.instead is not None else "The pods fit no converted pool: select another label, or remove it if it does not matter"
