"""The values that each field of a declaration accepts, read from the annotations of the models."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Final, Literal, TypeGuard, TypeVar, Union, cast, get_args, get_origin

from nodepools.model.base import Model
from nodepools.model.ref import StackOutput
from nodepools.model.steps import Step, Steps
from nodepools.model.values import dataclass
from nodepools.wire.rows import same_word

W = TypeVar("W")
_DEEPEST: Final = 2
"""A field is looked for in parts, and in their parts."""


@dataclass(frozen=True, slots=True)
class Target:
    """The field or key of the declaration that a pydantic error is about."""

    steps: tuple[Step, ...]
    """Path in the declaration, without the union tags of pydantic."""
    parent_model: type[Model]
    """The model that contains the field."""
    annotation: object
    """The annotation; `None` for a field that does not exist."""
    is_key: bool = False
    """The error is about the key of a mapping, not about its value."""

    @property
    def field(self) -> str:
        """The field, or the key."""
        return str(self.steps[-1]) if self.steps else ""

    @property
    def has_default(self) -> bool:
        """The field is optional."""
        field = self.parent_model.model_fields.get(self.field)
        return field is not None and not field.is_required()


def target(annotation: type[Model], loc: tuple[Step, ...]) -> Target:
    """Follows the location `loc` of a pydantic error, starting at the model `whole`."""
    here, parent = cast("object", annotation), annotation
    steps: list[Step] = []
    for step in loc:
        models = models_of(here)
        tagged = [model for model in models if len(models) > 1 and kind_of(model) == step]
        if tagged:
            [here] = tagged
        elif step == "[key]":
            return Target(tuple(steps), parent, here, is_key=True)
        elif models or object in options(here):  # a reference that is not text is a StackOutput
            [parent] = models or [StackOutput]
            steps.append(str(step))
            here = parent.model_fields[str(step)].annotation if step in parent.model_fields else None
        else:
            steps.append(str(step) if is_mapping(here) else step)
            here = element_of(here)
    return Target(tuple(steps), parent, here)


def element_of(annotation: object) -> object:
    """The annotation of the entries of a list, or of the values of a mapping, also of an optional one; `None` for anything else."""
    held = [get_args(option) for option in options(annotation) if get_origin(option) is not Literal]
    return next((entries[0] if entries[-1] is Ellipsis else entries[-1] for entries in held if entries), None)


def bare(annotation: object) -> object:
    """The annotation without `Annotated`."""
    return bare(get_args(annotation)[0]) if get_origin(annotation) is Annotated else annotation


def options(annotation: object) -> list[object]:
    """The members of a union except `None`; for other annotations, the annotation itself."""
    annotation = bare(annotation)
    if get_origin(annotation) in (Union, UnionType):
        return [option for part in get_args(annotation) for option in options(part) if option is not NoneType]
    return [annotation]


def models_of(annotation: object) -> list[type[Model]]:
    """The models that `annotation` accepts."""
    return [option for option in options(annotation) if is_model(option)]


def words_of(annotation: object) -> list[str | int]:
    """The fixed values that `annotation` accepts, if it has any."""
    return [word for option in options(annotation) if get_origin(option) is Literal for word in get_args(option)]


def kind_of(model: type[Model]) -> str:
    """The `kind` of a model in a declaration, or the name of its class."""
    return str(model.model_fields["kind"].default) if "kind" in model.model_fields else model.__name__


def only_kind(models: Sequence[type[Model]], written: Mapping[str, object]) -> type[Model] | None:
    """The only one of several models that has all fields of `written`, and needs no other one; `None` if two fit, or none does."""
    having = [model for model in models if all(name in model.model_fields and _has_word(model, name, value) for name, value in written.items())]
    fitting = [model for model in having if all(name in written for name, info in model.model_fields.items() if info.is_required())]
    return next((found[0] for found in (having, fitting) if written and len(found) == 1), None)


def _has_word(model: type[Model], name: str, value: object) -> bool:
    words = words_of(model.model_fields[name].annotation)
    return not words or not isinstance(value, str) or value in words


def inferred_kind(models: Sequence[type[Model]], written: Mapping[str, object]) -> type[Model] | None:
    """The one of several models whose fields `written` has, which names no kind; `None` if the fields do not tell.

    If not only one fits, a field speaks for the models that have it, if others do not, and for those in which it always has a value.
    """
    only = only_kind(models, written)
    if only is not None:
        return only
    votes = Counter[str]()
    for name in written:
        fields = {model.__name__: model.model_fields[name] for model in models if name in model.model_fields}
        valued = {model for model, info in fields.items() if info.default is not None and not words_of(info.annotation)}
        votes.update(model for speaking in (fields, valued) if len(speaking) < len(models) for model in speaking)
    most = votes.most_common(2)
    if not most or (len(most) > 1 and most[0][1] == most[1][1]):
        return None
    return next(model for model in models if model.__name__ == most[0][0])


def with_kinds(annotation: object, written: object) -> object:
    """`written` with the kind of each part that names none, where its fields tell it: the rest can then be checked."""
    models = models_of(annotation)
    if isinstance(written, Mapping) and models:
        held = dict(cast("Mapping[str, object]", written))
        model = models[0] if len(models) == 1 else next((model for model in models if kind_of(model) == held.get("kind")), None)
        if model is None and held.get("kind") is None and (model := inferred_kind(models, held)) is not None:
            held["kind"] = kind_of(model)
        known = model.model_fields if model is not None else {}
        return {name: with_kinds(known[name].annotation, value) if name in known else value for name, value in held.items()}
    if isinstance(written, Mapping) and is_mapping(annotation):
        [inner] = [get_args(option)[-1] for option in options(annotation) if get_origin(option) is Mapping]
        return {name: with_kinds(inner, value) for name, value in cast("Mapping[str, object]", written).items()}
    return cast("object", written)


def word_among(words: Iterable[W], written: object) -> W | None:
    """The one of `words` that is the same as what is written, for a cloud that ignores their case."""
    return next((word for word in words if same_word(word, written)), None)


def with_words(annotation: object, written: object) -> object:
    """`written` with each fixed word in the spelling of the model, for a cloud that ignores the case of words."""
    if isinstance(written, str):
        word = word_among((word for word in words_of(annotation) if isinstance(word, str)), written)
        return written if word is None else word
    if isinstance(written, list):
        return [with_words(element_of(annotation), entry) for entry in cast("Sequence[object]", written)]
    models = models_of(annotation)
    if not isinstance(written, Mapping) or len(models) != 1:
        return cast("object", written)
    known = models[0].model_fields
    return {
        name: with_words(known[name].annotation, value) if name in known else value for name, value in cast("Mapping[str, object]", written).items()
    }


def path_inside(model: type[Model], name: str) -> Steps | None:
    """The only path of a field `name` inside the parts of `model` that it names directly; `None` if there is none, or several."""
    found: list[Steps] = []
    rows: list[tuple[Steps, type[Model]]] = [((), model)]
    for steps, part in rows:
        for field, info in part.model_fields.items():
            inner = models_of(info.annotation)
            if len(inner) == 1 and len(steps) < _DEEPEST and not issubclass(inner[0], model):  # a previous pool has the same fields
                rows.append(((*steps, field), inner[0]))
            if steps and field == name:
                found.append((*steps, field))
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class Home:
    """A field that holds parts of some class."""

    field: str
    parent: type[Model]
    inside: str | None
    """The field that holds `parent`; `None` at the top."""


def homes(annotation: type[Model], name: str) -> Iterator[Home]:
    """The fields inside `whole` that hold parts of the class or kind `name`."""
    for parent, inside in _held_by(annotation).items():
        for field, info in parent.model_fields.items():
            if any(name in (model.__name__, kind_of(model)) for model in held_models(info.annotation)):
                yield Home(field, parent, inside)


def reachable(annotation: type[Model]) -> list[type[Model]]:
    """`whole` and every model that can be inside it."""
    return list(_held_by(annotation))


_HELD: Final[dict[type[Model], Mapping[type[Model], str | None]]] = {}
"""What `_held_by` found. Not `functools.cache`: pyright takes a class for its instances, which have no hash."""


def _held_by(annotation: type[Model]) -> Mapping[type[Model], str | None]:
    """`whole` and every model that can be inside it, each with the field that holds it."""
    if annotation in _HELD:
        return _HELD[annotation]
    found: dict[type[Model], str | None] = {annotation: None}
    models = [annotation]
    for model in models:
        for field, info in model.model_fields.items():
            for inner in held_models(info.annotation):
                if inner not in found:
                    found[inner] = field
                    models.append(inner)
    return _HELD.setdefault(annotation, found)


def is_model(option: object) -> TypeGuard[type[Model]]:
    """`option` is a class of the declaration."""
    return isinstance(option, type) and issubclass(option, Model)


def is_mapping(annotation: object) -> bool:
    """`annotation` accepts a mapping with arbitrary keys."""
    return any(get_origin(option) is Mapping for option in options(annotation))


def held_models(annotation: object) -> Iterator[type[Model]]:
    """The models that `annotation` accepts, also as entries of a list or a mapping."""
    for option in options(annotation):
        if is_model(option):
            yield option
        elif get_origin(option) is not Literal:
            for inner in get_args(option):
                yield from held_models(inner)
