"""Errors of the schema as findings: where they are, what is valid there, and the probable intention. Their texts are in `schema_messages.json`."""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import get_annotations
from pathlib import Path
from typing import Final, TypedDict, cast, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from nodepools.model.base import Model
from nodepools.model.derive import ChangeOfNothing
from nodepools.model.listing import nearest, respelled
from nodepools.model.path import path_text, value_at
from nodepools.model.redaction import SECRET, contents_of, scrubbed
from nodepools.model.ref import is_output
from nodepools.model.secret_places import is_secret
from nodepools.model.steps import Step, Steps
from nodepools.model.values import dataclass, replace
from nodepools.public_names import public_path
from nodepools.rules.engine.field_annotations import (
    Target,
    element_of,
    held_models,
    homes,
    inferred_kind,
    kind_of,
    models_of,
    only_kind,
    path_inside,
    target,
    words_of,
)
from nodepools.rules.engine.finding import PYTHON, Finding, Fix, Operation, Severity, Texts, anchor_refs, in_python, literal, ref, render_refs

_SHOWN_FIELDS: Final = 8
"""A longer list of fields hides what to do."""
_LENGTH_NEXT_TO_PATTERN: Final = {"node_resource_group"}
"""Fields whose text about the pattern says the length, too. Within the pattern, which has `\\w`, it takes pydantic 30 ms to compile."""
_FIELD_REFERENCE: Final = re.compile(r"\{f:([\w.]+)\}")


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    """The texts of a finding.

    `{field}` is the field itself, `{f:name}` another one of its part, `{f:inner.name}` one below it, `{true}` and `{false}` are
    values. Limits come from pydantic.
    """

    code: str
    message: str
    fix: str
    meant: str | None = None
    """The field that an unknown name is probably intended for."""
    kind: str | None = None
    """The only kind that a part without one can have."""
    value: object = None
    """The only value that can be meant: the same in another form."""

    def filled(self, known: dict[str, object]) -> "MessageTemplate":
        """Returns the texts with the limits of the field."""
        given = known | {"field": "{field}", "true": "{true}", "false": "{false}"}
        return MessageTemplate(self.code, self.message.format(**given), self.fix.format(**given))


class _Texts(TypedDict):
    pydantic: Mapping[str, tuple[str, str, str]]
    own_fixes: Mapping[str, str]
    pool_kinds: Mapping[str, str]
    patterns: Mapping[str, Mapping[str, tuple[str, str]]]
    elsewhere: Mapping[str, Mapping[str, tuple[str, str]]]
    arguments_of_other_tools: Mapping[str, Mapping[str, Mapping[str, str]]]


_TEXTS: Final = cast("_Texts", json.loads(Path(__file__).with_name("schema_messages.json").read_text(encoding="utf-8")))
PYDANTIC_MESSAGES: Final = {kind: MessageTemplate(*texts) for kind, texts in _TEXTS["pydantic"].items()}
"""The texts of errors that do not depend on the field."""
OWN_ERROR_FIXES: Final = _TEXTS["own_fixes"]
"""The fixes of errors that the models' own validators raise; these errors have their own messages."""
PATTERNS: Final = {
    (model, field): MessageTemplate("CFG006", f"{{field}} must {be}", fix)
    for model, fields in _TEXTS["patterns"].items()
    for field, (be, fix) in fields.items()
}
"""The texts of errors about patterns, by model and field."""
ELSEWHERE: Final = {
    (model, field): MessageTemplate("CFG002", *texts) for model, fields in _TEXTS["elsewhere"].items() for field, texts in fields.items()
}
"""Fields that people expect in a model and that belong to another one, by model and field."""
BROUGHT: Final = {(owner, source): held for source, owners in _TEXTS["arguments_of_other_tools"].items() for owner, held in owners.items()}
"""Arguments of other tools, by model and source: the field with the same value, or a fix if its shape differs."""
POOL_KINDS: Final = _TEXTS["pool_kinds"]
"""Kinds that people write for an agent pool, such as the modes of AKS, with the kinds of declarations. The function `SpotPool` is not a kind."""


def shape_findings(error: ValidationError, root: type[Model], written: object = None) -> list[Finding]:
    """Returns all schema findings of `root`, in the order of its fields. An unknown name close to a required field is one finding, not two.

    With what was `written`, no fix renames a field to one that is set.
    """
    texts = [(detail, here, _unless_set(_said(detail, here, root), here, written)) for detail, here in _open_errors(error, root)]
    meant = {(*here.steps[:-1], text.meant) for _, here, text in texts if text.meant is not None}
    return [_finding(detail, here, text) for detail, here, text in texts if not (detail["type"] == "missing" and here.steps in meant)]


def settled(findings: Sequence[Finding]) -> list[Finding]:
    """`findings`; the same value in another form, which a rule then rejects, is not advised: the fix of the rule is, in one finding for both."""
    rules = {(one.object, one.steps): one for one in findings if one.severity is Severity.ERROR and one.fix and not one.code.startswith("CFG")}
    made, gone = list(findings), set[int]()
    for number, one in enumerate(findings):
        other = rules.get((one.object, one.steps)) if one.code.startswith("CFG") else None
        if other and other.fix and one.fix and (other.fix.text == one.fix.text or any(operation.path == one.steps for operation in one.operations)):
            made[number] = replace(one, fix=replace(one.fix, is_certain=False))
            if other.fix.text != one.fix.text:
                texts = one.texts and other.texts and other.texts._replace(message=f"{one.texts.message}; {other.texts.message}")
                made[number] = replace(one, message=f"{one.message}; {other.message}", fix=replace(other.fix, is_certain=False), texts=texts)
            gone.add(id(other))
    return [one for one in made if id(one) not in gone]


def empty_findings(paths: Iterable[Steps], model: type[Model], written: object) -> list[Finding]:
    """Returns findings for keys without a value in a file: the intention can be the default, or none where the field takes that."""
    return [
        _made(MessageTemplate("CFG011", "{field} has no value", _filled(path, model, written)), path, None, "nodepools.load_file") for path in paths
    ]


def _filled(steps: Steps, model: type[Model], written: object) -> str:
    try:
        here = target(model, tuple(_loc(written, steps)))
    except ValueError:  # the kind of a part is not known
        return "Write a value, or remove the key"
    removed = f"remove the key{' (for the default)' if here.has_default else ''}"
    return f"Write a value, {removed}, or write `null` (for none)" if type(None) in get_args(here.annotation) else f"Write a value, or {removed}"


def doubtful_findings(doubts: Iterable[tuple[Steps, str, int | None]], model: type[Model], written: object) -> list[Finding]:
    """Returns findings for keys of a file that are there twice, and for numbers such as `010`: path, text, and the line of the first key."""
    return [
        _made(_doubtful(steps, text, first, model, written), steps, text if first is None else None, "nodepools.load_file")
        for steps, text, first in doubts
    ]


def document_findings(
    empty: Iterable[Steps], doubts: Iterable[tuple[Steps, str, int | None]], error: ValidationError | None, model: type[Model], written: object
) -> list[Finding]:
    """All findings about a file that declares a model: what is empty or doubtful is not reported again as an error of the model."""
    findings = [*empty_findings(empty, model, written), *doubtful_findings(doubts, model, written)]
    paths = {finding.path for finding in findings}
    return [*findings, *(finding for finding in (shape_findings(error, model, written) if error is not None else ()) if finding.path not in paths)]


def _doubtful(steps: Steps, text: str, first: int | None, model: type[Model], written: object) -> MessageTemplate:
    if first is not None:
        return MessageTemplate("CFG013", f"{{field}} is set twice, first in line {first}", "Remove one of them")
    eight, ten, made = int(text, 8), int(text), _made_of(text, model, tuple(_loc(written, steps)))
    ways = [*([] if isinstance(made, int) else [f'`"{text}"`']), *([] if isinstance(made, str) else [f"`{eight}`", f"`{ten}`"])]
    return MessageTemplate("CFG014", f"{{field}} is `{text}`, which is {eight} in YAML 1.1 and {ten} in YAML 1.2", f"Write {_or(ways)}")


def _loc(written: object, steps: Steps) -> Iterator[Step]:
    """Where an error of pydantic would be: after a part, its kind."""
    for number, step in enumerate(steps, 1):
        yield step
        kind = value_at(written, (*steps[:number], "kind"))
        if isinstance(kind, str) and number < len(steps):
            yield kind


def _made_of(text: str, model: type[Model], loc: tuple[Step, ...]) -> object:
    """What the field at `loc` makes of a text; `None` if it is not known."""
    try:
        return TypeAdapter(cast("type[object]", target(model, loc).annotation)).validate_python(text)
    except ValueError:  # the kind of a part is not known, or the text is not valid
        return None


def _open_errors(error: ValidationError, root: type[Model]) -> Iterator[tuple[ErrorDetails, Target]]:
    """The errors and what they are about. A secret value, or a list of them, is replaced, so that no text can quote it."""
    for detail in _all_errors(error, root):
        here = target(root, detail["loc"])
        given = cast("object", detail["input"])
        if isinstance(given, str | int | float | list | tuple) and not isinstance(given, bool) and is_secret_here(here):
            detail["input"], detail["msg"] = SECRET, scrubbed(detail["msg"], contents_of([cast("object", given)]))
        yield detail, here


def _all_errors(error: ValidationError, root: type[Model]) -> Iterator[ErrorDetails]:
    """The errors, and those inside parts without a kind, where their fields tell the kind."""
    for detail in error.errors(include_url=False):
        yield detail
        given = cast("object", detail["input"])
        if detail["type"] == "union_tag_not_found" and isinstance(given, Mapping):
            written = cast("Mapping[str, object]", given)
            models = models_of(target(root, detail["loc"]).annotation)
            model = inferred_kind(models, written)
            if model is not None:
                yield from _errors_inside(detail, model, written)
            elif all(any(name in one.model_fields for one in models) for name in written):
                yield from _shared([list(_errors_inside(detail, one, written)) for one in models], len(detail["loc"]) + 2)


def _shared(possible: Sequence[Sequence[ErrorDetails]], depth: int) -> Iterator[ErrorDetails]:
    """The errors deeper inside a part that it has with each kind."""

    def about(inner: ErrorDetails) -> tuple[object, ...]:
        return inner["type"], inner["msg"], inner["loc"][depth - 1 :]

    first, *others = ([inner for inner in errors if len(inner["loc"]) > depth] for errors in possible)
    yield from (inner for inner in first if all(about(inner) in map(about, other) for other in others))


def _errors_inside(detail: ErrorDetails, model: type[Model], written: Mapping[str, object]) -> Iterator[ErrorDetails]:
    kind = kind_of(model)
    try:
        model.model_validate({**written, "kind": kind})
    except ValidationError as error:
        for inner in _all_errors(error, model):
            loc = (*detail["loc"], kind, *inner["loc"])
            yield {**inner, "loc": loc}


def is_secret_here(here: Target) -> bool:
    """The field is secret, is unknown next to a secret one, or contains parts with one: a value there can be the secret in the wrong place."""
    own = here.parent_model.model_fields
    named = [step for step in here.steps[-2:] if isinstance(step, str) and step in own]
    fields: list[tuple[type[Model], str]] = [(here.parent_model, name) for name in own]
    if here.field in own or here.annotation is not None:  # a field, or an entry of one
        inside = [(model, name) for model in held_models(here.annotation) for name in model.model_fields]
        fields = [*((here.parent_model, name) for name in named[-1:]), *inside]
    return is_secret(here.steps) or is_secret(here.steps[-1:]) or any(is_secret((model.__name__, name)) for model, name in fields)


def _finding(detail: ErrorDetails, here: Target, declared_value: MessageTemplate) -> Finding:
    given = cast("object", detail["input"])
    value = None if detail["type"] == "missing" or isinstance(given, ChangeOfNothing) else given
    field = f".{here.field}" if here.field in here.parent_model.model_fields else ""
    return _made(declared_value, here.steps, value, f"{public_path(here.parent_model.__name__)}{field}")


def _made(declared_value: MessageTemplate, steps: Steps, value: object, source: str) -> Finding:
    kind = declared_value.kind
    at, meant = ((*steps, "kind"), kind) if kind is not None else (steps, declared_value.value)
    operations = (Operation("set", at, meant),) if meant is not None else ()
    fixed = Fix(_with_references(declared_value.fix, steps), operations, is_certain=meant is not None)
    texts = Texts(_with_references(declared_value.message, steps), fixed)
    message, fix = render_refs(texts.message, PYTHON), texts.fix.spelled(PYTHON) if texts.fix is not None else None
    return Finding(declared_value.code, Severity.ERROR, path_text(steps), value, message, fix, source, steps=steps, texts=texts, in_python=True)


def _with_references(text: str, steps: Steps) -> str:
    """Replaces the references to fields in `text` by references to their paths."""

    def neighbor(name: str) -> str:
        return anchor_refs(ref(name), lambda _: steps[:-1])

    own = _from_the_top(steps) if steps else "The declaration"
    text = text.replace("{field}", own).replace("{true}", literal(value=True)).replace("{false}", literal(value=False))
    return _FIELD_REFERENCE.sub(lambda found: neighbor(found[1]), text)


def _said(detail: ErrorDetails, here: Target, root: type[Model]) -> MessageTemplate:
    kind, given, known = detail["type"], cast("object", detail["input"]), cast("dict[str, object]", detail.get("ctx", {}))
    if kind == "missing":
        return MessageTemplate("CFG001", "{field} is required", "Set {field}")
    if kind == "extra_forbidden":
        return _unknown_field(detail["loc"], given, here, root)
    if kind in OWN_ERROR_FIXES:
        return MessageTemplate("CFG009", f"{{field}} {detail['msg']}", OWN_ERROR_FIXES[kind].format(**known), value=known.get("value"))
    if (out_of_place := _not_plain(given, here)) is not None:
        return out_of_place
    if kind == "string_too_long" and here.field in _LENGTH_NEXT_TO_PATTERN:
        kind = "string_pattern_mismatch"
    if kind in _SAYS:
        return _SAYS[kind](given, here, root)
    value = PYDANTIC_MESSAGES.get(
        kind,
        MessageTemplate(
            "CFG009", f"{{field}}: {detail['msg']}".replace("{", "{{").replace("}", "}}").replace("{{field}}", "{field}"), "Change the value"
        ),
    )
    return _or_default(value.filled(known), kind, given, here)


def _or_default(said: MessageTemplate, kind: str, given: object, here: Target) -> MessageTemplate:
    """Clouds read a 0 as their default in fields that have one."""
    declared = here.parent_model.model_fields.get(here.field)
    if kind == "greater_than_equal" and given == 0 and declared is not None and declared.default is None:
        return replace(said, fix=f"Remove it, so that the cloud's default applies, or {said.fix[:1].lower()}{said.fix[1:]}")
    return said


_FOR_OUTPUTS: Final = {("AksClusterArgs", "logs"): "Set {f:log_analytics_workspace_id} to it, or {f:logs} to a `ContainerLogs` with its `workspace`"}
"""Where a reference to what people mean by a field is."""


def _not_plain(given: object, here: Target) -> MessageTemplate | None:
    if is_output(given):
        return MessageTemplate(
            "CFG010",
            "{field} is a `pulumi.Output`, which has no value until Pulumi runs",
            _FOR_OUTPUTS.get((here.parent_model.__name__, here.field), "Write a plain value: only references, such as ids, accept Outputs"),
        )
    if isinstance(given, getattr(sys.modules.get("pulumi"), "Resource", ())):
        return MessageTemplate(
            "CFG010", "{field} is a Pulumi resource, where a plain value is required", f"Write {_needed(here) or 'a plain value'}, not the resource"
        )
    if given is None:
        return MessageTemplate("CFG004", "{field} has no value", "Remove it, or write a value" if here.has_default else "Write a value")
    return None


def _unknown_field(loc: Sequence[Step], given: object, here: Target, root: type[Model]) -> MessageTemplate:
    for base in here.parent_model.__mro__:
        if (base.__name__, here.field) in ELSEWHERE:
            return ELSEWHERE[base.__name__, here.field]
    message = f"{{field}} is not a field of {_part(here.parent_model, here.steps[:-1])}"
    brought = "Remove it: there is only one kind here" if here.field == "kind" else _brought(here.field, here.parent_model)
    if brought is not None and not brought.isidentifier():
        return MessageTemplate("CFG002", message, brought)
    inside = path_inside(here.parent_model, here.field) if brought is None else None
    if inside is not None:
        return MessageTemplate("CFG002", message, f"Move it to {anchor_refs(ref(inside), lambda _: here.steps[:-1])}")
    close = intended_field(here.field, here.parent_model)
    if close is not None:
        rename = "Rename it to" if _fits(given, close, here.parent_model) else "Remove it, and set"
        return MessageTemplate("CFG002", message, f"{rename} {{f:{close}}}", close)
    above = _above(loc, here, root)
    if above is not None:
        return MessageTemplate("CFG002", message, f"Move it to {above}")
    fields = [name for name in here.parent_model.model_fields if name != "kind"]
    choice = f", or use one of {', '.join(f'{{f:{name}}}' for name in fields)}" if len(fields) <= _SHOWN_FIELDS else ": no field has a similar name"
    return MessageTemplate("CFG002", message, f"Remove it{choice}")


def _fits(given: object, field: str, parent: type[Model]) -> bool:
    """The value is valid at the field, or hidden: a size in megabytes is not, where a unit belongs to it."""
    if given == SECRET:
        return True
    try:
        parent.model_validate({field: given})
    except ValidationError as error:
        return all(detail["loc"][:1] != (field,) for detail in error.errors(include_url=False))
    return True


def _unless_set(text: MessageTemplate, here: Target, written: object) -> MessageTemplate:
    """The text without the advice to rename a field to one that is set, too."""
    if text.meant is None or value_at(written, (*here.steps[:-1], text.meant)) is None:
        return text
    return MessageTemplate(text.code, text.message, f"Remove it, or write its value at {{f:{text.meant}}}, which is set, too")


def _above(loc: Sequence[Step], here: Target, root: type[Model]) -> str | None:
    """The part around the field that has a field of its name; the fields of a small part are listed instead."""
    if len(here.parent_model.model_fields) <= _SHOWN_FIELDS:
        return None
    for length in range(len(loc) - 1, 0, -1):
        around = target(root, tuple(loc[:length]))
        if around.parent_model is not here.parent_model and here.field in around.parent_model.model_fields:
            return _part(around.parent_model, around.steps[:-1])
    return None


def intended_field(name: str, parent: type[Model]) -> str | None:
    """Returns the field of `parent_model` that the unknown `name` is probably intended for."""
    fields = [field for field in parent.model_fields if field != "kind"]
    brought = _brought(name, parent)
    if brought is None:
        longer = [field for field in fields if _continues(name, field) or _continues(field, name)]
        return longer[0] if len(longer) == 1 and respelled(name, fields) is None else nearest(name, fields)
    return brought if brought in fields else None


def _continues(one: str, other: str) -> bool:
    """`other` has more words before or after those of `one`: `network_plugin` and `plugin`."""
    return other.startswith(f"{one}_") or other.endswith(f"_{one}")


def _brought(name: str, parent: type[Model]) -> str | None:
    """The field, or the fix, for an argument of another tool."""
    owners = [base.__name__ for base in parent.__mro__]
    return next((arguments[name] for (owner, _), arguments in BROUGHT.items() if owner in owners and name in arguments), None)


def _not_one_of(given: object, here: Target, _: type[Model]) -> MessageTemplate:
    words = words_of(here.annotation)
    for word in words:
        if given != word and str(given) == str(word):
            is_text = isinstance(given, str)
            fix = f"Write `{given}` {'without' if is_text else 'in'} quotes"
            return MessageTemplate("CFG005", f"{{field}} is {'text' if is_text else 'a number'}", fix, value=word)
    none = in_python("`None`", "`null`")
    same = next((word for word in words if str(word).lower() == str(given).lower()), None)  # where `None` is one, nothing is the opposite
    if str(given).lower() in ("none", "null", "~", "") and same is None and type(None) in get_args(here.annotation):
        return MessageTemplate("CFG005", "{field} is text", f"Write {none} without quotes, which means none")
    close = _meant(str(given), [str(word) for word in words])
    listed = ", ".join(f"`{word}`" for word in words)
    message = f"{{field}} must be one of {listed}" if len(words) > 1 else f"{{field}} must be {listed}"
    either = _or(f"`{word}`" for word in words)
    if close or len(words) == 1:
        return MessageTemplate("CFG005", message, f"Use `{close if close else words[0]}`", value=same)
    is_optional = here.has_default or isinstance(here.steps[-1], int)
    return MessageTemplate("CFG005", message, f"Remove {{field}}, or use {either}" if is_optional else f"Use the one that you mean: {either}")


def _not_the_model(given: object, here: Target, root: type[Model]) -> MessageTemplate:
    if isinstance(given, Model):
        name = type(given).__name__
        return MessageTemplate(
            "CFG003",
            f"{{field}} is {'an' if name[0] in 'AE' else 'a'} `{name}`; it must be {_needed(here)}",
            _home(name, here, root) or f"Use {_needed(here)}",
        )
    if isinstance(given, ChangeOfNothing):
        return _changed_nothing(given, here)
    requested = _or(f"`{kind_of(model)}`" for model in _most_fitting(models_of(here.annotation), given))
    if isinstance(given, bool) and (switch := _as_switch(here, is_on=given)) is not None:
        return switch
    if not isinstance(given, Mapping):
        several = len(models_of(here.annotation)) > 1
        part = in_python(_needed(here), f"a mapping with the `kind` {requested}" if several else "a mapping")
        return MessageTemplate("CFG003", f"{{field}} must be {part}", f"Write {part}, with its fields")
    kind = cast("Mapping[str, object]", given).get("kind")
    if kind is None:
        models, written = models_of(here.annotation), cast("Mapping[str, object]", given)
        told, only = inferred_kind(models, written), only_kind(models, written)
        fix = f"Set `kind` to {f'`{kind_of(told)}`' if told is not None else requested}"
        return MessageTemplate("CFG003", "{field} has no `kind`", fix, kind=kind_of(only) if only is not None else None)
    known = [kind_of(model) for model in models_of(here.annotation)]
    short = str(kind).removesuffix("Args")  # the class of Python, whose kind is shorter
    fix = (_home(str(kind), here, root) if short not in known else None) or _intended_kind(short, known)
    return MessageTemplate("CFG003", f"{{field}} has the kind `{kind}`; it must be {requested}", fix)


def _most_fitting(models: Sequence[type[Model]], given: object) -> Sequence[type[Model]]:
    """Those of several models that have the most of the fields that are written without a kind."""
    if not isinstance(given, Mapping) or "kind" in given:
        return models
    known = [len(model.model_fields.keys() & cast("Mapping[str, object]", given).keys()) for model in models]
    return [model for model, number in zip(models, known, strict=True) if number == max(known)]


def _changed_nothing(given: ChangeOfNothing, here: Target) -> MessageTemplate:
    near = nearest(here.field, given.known)
    message = f"{{field}} does not exist in the base of `derive()`, which has {', '.join(f'`{name}`' for name in given.known)}"
    new = f"for a new one, write all of it, as {in_python(_needed(here), 'a mapping with its `kind`')}"
    return MessageTemplate("CFG012", message, f"Use the key `{near}`" if near is not None else f"Use a key of the base; {new}")


def _as_switch(here: Target, *, is_on: bool) -> MessageTemplate | None:
    """A part whose fields all have defaults is on with `{}`, and off without it."""
    models = models_of(here.annotation)
    if len(models) != 1 or any(info.is_required() for info in models[0].model_fields.values()):
        return None
    part = in_python(f"`{models[0].__name__}()`", "`{}`")
    fix = f"Set {{field}} to {part}, which has the defaults" if is_on else "Remove it"
    return MessageTemplate("CFG003", f"{{field}} must be {in_python(_needed(here), 'a mapping')}", fix)


def _meant(name: str, known: Sequence[str]) -> str | None:
    """The nearest one, otherwise the only one that begins like this: `Drift` is `Drifted`, and `aks` is `AksCluster`."""
    near, begun = nearest(name, known), [word for word in known if name and word.lower().startswith(name.lower())]
    return near if near is not None or len(begun) != 1 else begun[0]


def _intended_kind(name: str, known: Sequence[str]) -> str:
    """Kinds have words in common, such as `Pool`, so only a very similar name is close enough to be the intention."""
    close = POOL_KINDS.get(name)
    close = close if close in known else _meant(name, known)
    spot = ", and add `spot: {}`" if close and name == "SpotPool" else ""
    return f"Set `kind` to {f'`{close}`' if close else _or(f'`{kind}`' for kind in known)}{spot}"


def _home(name: str, here: Target, root: type[Model]) -> str | None:
    home = next((one for one in homes(root, name) if one.field != here.field), None)  # the same field is that of the other cloud
    if home is None:
        return None
    return f"Move it to {_from_the_top((home.field,))} of {_part(home.parent, (home.inside,) if home.inside is not None else ())}"


def _part(model: type[Model], steps: Steps) -> str:
    """Returns the name of the part at `steps`: its class in Python; in other languages its kind, or the field that contains it."""
    if "kind" in model.model_fields:
        return in_python(f"`{model.__name__}`", f"`{kind_of(model)}`")
    return in_python(f"`{model.__name__}`", _from_the_top(steps) if steps else "the declaration")


def _from_the_top(steps: Steps) -> str:
    """Returns a reference to the last field or key of `steps`."""
    first = next((index for index in reversed(range(len(steps))) if isinstance(steps[index], str)), 0)
    return anchor_refs(ref(steps[first:]), lambda _: steps[:first])


QUOTED: Final = "Write it in quotes"


def quoted(given: object) -> str:
    """Advice for a value that must be text. A boolean can have been written in several ways in YAML."""
    if not isinstance(given, bool):
        return QUOTED
    words = "`y`, `yes`, `on` and `true`" if given else "`n`, `no`, `off` and `false`"
    return f"Write it in quotes: without them, Kubernetes reads {words} as {str(given).lower()}"


def _not_text(given: object, here: Target, root: type[Model]) -> MessageTemplate:
    if here.is_key:
        return MessageTemplate("CFG004", f"The key `{given}` is not text", f'Write the key in quotes: `"{given}"`')
    if isinstance(given, bool):
        return MessageTemplate("CFG004", "{field} must be text", in_python(f'Write it in quotes: `"{str(given).lower()}"`', quoted(given)))
    if isinstance(given, int | float):
        if here.field == "kubernetes_version":
            return MessageTemplate(
                "CFG004",
                f"{{field}} must be text, not the number {given}: without quotes, 1.30 becomes 1.3",
                f'Write it in quotes: `"{given}"`'
                if re.fullmatch(r"1\.[0-9]{2}", str(given))
                else "Write the version in quotes, with all its digits",
            )
        fix = next((_said(detail, here, root).fix for detail in _errors_of(str(given), here)), f'Write it in quotes: `"{given}"`')
        if _errors_of(f"{given}x", here) and not _errors_of(f"{given}%", here):
            fix = f'Write `"{given}%"` or `"{given}"`, which is a count'
        return MessageTemplate("CFG004", f"{{field}} must be text, not the number {given}", fix)
    return MessageTemplate("CFG004", "{field} must be text", "Write one text, in quotes")


def _errors_of(text: str, here: Target) -> Sequence[ErrorDetails]:
    """The errors of `text` as the value: a number in quotes can be as wrong as the number."""
    own = here.parent_model.model_fields.get(here.field)  # a key of a mapping can have the name of a field
    try:
        if own is not None and own.annotation is here.annotation:
            here.parent_model.model_validate({here.field: text})
        else:
            TypeAdapter(cast("type[object]", here.annotation)).validate_python(text)
    except ValidationError as error:
        return [detail for detail in error.errors(include_url=False) if detail["loc"] in ((here.field,), ())]
    return ()


def _not_whole(given: object, _: Target, __: type[Model]) -> MessageTemplate:
    known = PYDANTIC_MESSAGES["int_type"]
    if not isinstance(given, str) or re.fullmatch(r"0|[1-9][0-9]{0,17}", given) is None:
        return known
    return replace(known, fix=f"Write `{given}` without quotes", value=int(given))


def _not_a_list(given: object, here: Target, _: type[Model]) -> MessageTemplate:
    entry = element_of(here.annotation)
    words, models = [str(word) for word in words_of(entry)], models_of(entry)
    near = nearest(str(given), words) if words else str(given)
    fix = f'Write `["{near}"]`' if near is not None else f"Write a list of {_or(f'`{word}`' for word in words)}"
    if models and (not isinstance(given, str) or _errors_of(given, replace(here, annotation=entry))):
        fix = f"Write a list of {in_python(_or(f'`{model.__name__}`' for model in models), 'mappings, such as `[{name: value}]`')}"
    elif not isinstance(given, str):
        fix = "Write a list in brackets, such as `[a, b]`"
    return MessageTemplate("CFG004", f"{{field}} must be a list{', not text' * isinstance(given, str)}", fix)


def _not_of_the_form(_: object, here: Target, __: type[Model]) -> MessageTemplate:
    owner = next(base for base in reversed(here.parent_model.__mro__) if here.field in get_annotations(base))
    return PATTERNS[owner.__name__, here.field]


_SAYS: dict[str, Callable[[object, Target, type[Model]], MessageTemplate]] = {
    "int_type": _not_whole,
    "is_instance_of": _not_a_list,
    "literal_error": _not_one_of,
    "model_attributes_type": _not_the_model,
    "model_type": _not_the_model,
    "sequence_str": _not_a_list,
    "string_pattern_mismatch": _not_of_the_form,
    "string_type": _not_text,
    "union_tag_invalid": _not_the_model,
    "union_tag_not_found": _not_the_model,
}
"""The functions that word an error from the given value and the valid type."""


def _needed(here: Target) -> str:
    return _or(f"`{model.__name__}`" for model in models_of(here.annotation))


def _or(words: Iterable[str]) -> str:
    *others, last = list(words) or [""]
    return f"{', '.join(others)} or {last}" if others else last
