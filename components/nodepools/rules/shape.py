"""Shape errors as findings: the path in the words of the declaration, what should stand there, and what was probably meant."""

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from nodepools.model.base import Model
from nodepools.model.ref import is_output
from nodepools.rules.annotation import Target, homes, kind_of, models_of, target, words_of
from nodepools.rules.finding import Finding, Severity
from nodepools.rules.fix import Fix
from nodepools.rules.nearest import nearest
from nodepools.rules.path import Step, spelled
from nodepools.rules.words import ELSEWHERE, OWN, PATTERNS, SAYS, SYNONYMS, Said


def shape_findings(error: ValidationError, whole: type[Model]) -> list[Finding]:
    """All shape errors of `whole`, in the order of its fields; a misspelt field that is required is one finding and not two."""
    said = [(detail, here, _said(detail, here, whole)) for detail in error.errors(include_url=False) for here in [target(whole, detail["loc"])]]
    meant = {(*here.steps[:-1], text.meant) for _, here, text in said if text.meant is not None}
    return [_finding(detail, here, text) for detail, here, text in said if not (detail["type"] == "missing" and here.steps in meant)]


def empty_findings(paths: Iterable[tuple[Step, ...]]) -> list[Finding]:
    """A file says a field and then nothing: whether that means none, or all as usual, is not for us to guess."""
    fix = "write {} for what comes by itself, null where it can be turned off, or leave it out"
    return [Finding("CFG011", Severity.ERROR, spelled(path), None, "is empty", Fix(fix), "nodepools.load_file", steps=path) for path in paths]


def _finding(detail: ErrorDetails, here: Target, said: Said) -> Finding:
    value = None if detail["type"] == "missing" else cast("object", detail["input"])
    where = f"{here.holder.__name__}.{here.field}" if here.field in here.holder.model_fields else here.holder.__name__
    return Finding(said.code, Severity.ERROR, spelled(here.steps), value, said.message, Fix(said.fix), f"nodepools.{where}", steps=here.steps)


def _said(detail: ErrorDetails, here: Target, whole: type[Model]) -> Said:
    kind, given, known = detail["type"], cast("object", detail["input"]), cast("dict[str, object]", detail.get("ctx", {}))
    if kind == "missing":
        return Said("CFG001", "is required", f"add {here.field}")
    if kind == "extra_forbidden":
        return _unknown_field(here)
    if kind in OWN:
        return Said("CFG009", detail["msg"], OWN[kind])
    if (out_of_place := _not_plain(given, here)) is not None:
        return out_of_place
    if kind in _SAYS:
        return _SAYS[kind](given, here, whole)
    said = SAYS.get(kind, Said("CFG009", detail["msg"].replace("{", "{{").replace("}", "}}"), "change it as said"))
    return said.filled(known)


def _not_plain(given: object, here: Target) -> Said | None:
    if is_output(given):
        return Said(
            "CFG010", "is a pulumi.Output, without a value until Pulumi runs", "write the value itself: only references, such as ids, take Outputs"
        )
    if isinstance(given, getattr(sys.modules.get("pulumi"), "Resource", ())):
        return Said("CFG010", "is a Pulumi resource", f"write {_wanted(here, _class_name) or 'the value itself'}, not what is made of it")
    if given is None:
        return Said("CFG004", "is empty", "leave it out, or write a value" if here.has_default else "write a value")
    return None


def _unknown_field(here: Target) -> Said:
    for base in here.holder.__mro__:
        if (base.__name__, here.field) in ELSEWHERE:
            return ELSEWHERE[base.__name__, here.field]
    close = meant(here.field, here.holder)
    if close is None:
        fields = [name for name in here.holder.model_fields if name != "kind"]
        return Said("CFG002", f"is not a field of {here.holder.__name__}", f"remove it; there are {', '.join(fields)}")
    return Said("CFG002", f"is not a field of {here.holder.__name__}", f"did you mean {close}?", close)


def meant(name: str, holder: type[Model]) -> str | None:
    """The field of `holder` that was probably meant by `name`, which is none."""
    fields = [field for field in holder.model_fields if field != "kind"]
    known = SYNONYMS.get(name)
    return known if known in fields else nearest(name, fields)


def _not_one_of(given: object, here: Target, _: type[Model]) -> Said:
    words = words_of(here.annotation)
    if any(given != word and str(given) == str(word) for word in words):
        is_text = isinstance(given, str)
        return Said("CFG005", f"is {'text' if is_text else 'a number'}", f"write {given} {'without' if is_text else 'in'} quotes")
    close = nearest(str(given), map(str, words))
    listed = ", ".join(str(word) for word in words)
    return Said(
        "CFG005",
        f"should be one of {listed}" if len(words) > 1 else f"should be {listed}",
        f"did you mean {close}?" if close else f"write {_or(words)}",
    )


def _not_the_model(given: object, here: Target, whole: type[Model]) -> Said:
    if isinstance(given, Model):
        name = type(given).__name__
        return Said(
            "CFG003",
            f"is {'an' if name[0] in 'AE' else 'a'} {name}: {_wanted(here, _class_name)} belongs here",
            _home(name, whole) or f"write {_wanted(here, _class_name)}",
        )
    wanted = _wanted(here, kind_of)
    if not isinstance(given, Mapping):
        return Said("CFG003", f"should be {wanted}", f"write {wanted}, with its fields")
    kind = cast("Mapping[str, object]", given).get("kind")
    if kind is None:
        return Said("CFG003", "does not say its kind", f"add kind: {wanted}")
    close = nearest(str(kind), map(kind_of, models_of(here.annotation)))
    fix = _home(str(kind), whole) or (f"did you mean {close}?" if close else f"write {wanted}")
    return Said("CFG003", f"is of kind {kind}: {wanted} belongs here", fix)


def _home(name: str, whole: type[Model]) -> str | None:
    home = next(homes(whole, name), None)
    return home and f"move it to {home}"


def _not_text(given: object, here: Target, _: type[Model]) -> Said:
    if here.is_key:
        return Said("CFG004", "has a key that is not text", f'write the key in quotes: "{given}"')
    if isinstance(given, bool):
        return Said("CFG004", "should be text", f'write it in quotes: "{str(given).lower()}"')
    if isinstance(given, int | float):
        version = here.field == "kubernetes_version"
        return Said("CFG004", "should be text: as a number, 1.30 is 1.3" if version else "should be text", f'write it in quotes: "{given}"')
    return Said("CFG004", "should be text", "write one text, in quotes")


def _text_for_a_list(given: object, _: Target, __: type[Model]) -> Said:
    return Said("CFG004", "is text where a list belongs", f'write ["{given}"]: brackets make a list, parentheses alone do not')


def _not_of_the_form(_: object, here: Target, __: type[Model]) -> Said:
    owner = next(base for base in reversed(here.holder.__mro__) if here.field in getattr(base, "__annotations__", {}))
    return PATTERNS[owner.__name__, here.field]


_SAYS: dict[str, Callable[[object, Target, type[Model]], Said]] = {
    "literal_error": _not_one_of,
    "model_attributes_type": _not_the_model,
    "model_type": _not_the_model,
    "sequence_str": _text_for_a_list,
    "string_pattern_mismatch": _not_of_the_form,
    "string_type": _not_text,
    "union_tag_invalid": _not_the_model,
    "union_tag_not_found": _not_the_model,
}
"""What is said of an error by what was given and by what belongs there."""


def _class_name(model: type[Model]) -> str:
    return model.__name__


def _wanted(here: Target, kind_of: Callable[[type[Model]], str]) -> str:
    return _or([kind_of(model) for model in models_of(here.annotation)])


def _or(words: Iterable[object]) -> str:
    *others, last = map(str, words or [""])
    return f"{', '.join(others)} or {last}" if others else last
