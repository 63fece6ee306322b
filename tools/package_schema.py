"""Generates the schema of the package from the models and the components. Pulumi generates SDKs for other languages from it.

`python tools/plugin_schema.py` writes it to `plugin/schema.json`, which is reviewed, and served unchanged.
"""

import inspect
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from inspect import get_annotations, getdoc
from typing import Final, Literal, TypeAlias, cast, get_args, get_origin

import pulumi
from pydantic.fields import FieldInfo

import nodepools
from nodepools.model.aks.cluster import AksClusterArgs
from nodepools.model.base import Model
from nodepools.model.eks.cluster import EksClusterArgs
from nodepools.model.ref import is_secret_type
from nodepools.model.schema import field_docs
from nodepools.plugin.provider import DECLARED, NOTHING, SWITCH, annotation_of, inner, is_ref, is_switchable, wire_name
from nodepools.rules.engine.field_annotations import bare, is_mapping, kind_of, models_of, options, reachable, words_of

Spec: TypeAlias = dict[str, object]

ANY = "pulumi.json#/Any"
SCALARS: Mapping[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_SWITCH: Spec = {"type": "boolean", "plain": True, "description": "`false` turns it off, and its other fields have no effect. Default: `true`."}


@dataclass(frozen=True, slots=True)
class TypeLocation:
    """The field that a type is for; it gives its name to an enum without one."""

    model: type[Model]
    field: str

    @property
    def owner(self) -> type[Model]:
        """The class that declares the field, which others inherit."""
        return next(base for base in self.model.__mro__ if self.field in get_annotations(base))

    @property
    def switchable(self) -> bool:
        """The field has a value that turns it off."""
        return is_switchable(self.model.model_fields[self.field])


@dataclass
class Types:
    """The requested types, and the types that they refer to."""

    package: str
    _specs: dict[str, Spec] = field(default_factory=dict[str, Spec])
    _alone: set[str] = field(default_factory=set[str])
    """Tokens of types that are the only kind of at least one field."""

    def properties(self, model: type[Model]) -> tuple[dict[str, Spec], list[str]]:
        """Returns the fields of `model`, and the names of the required ones, without the kind, which the type determines."""
        texts = texts_of(model)
        fields = {name: info for name, info in model.model_fields.items() if name != "kind"}
        specs = {
            wire_name(name): {**self._type(annotation_of(info), TypeLocation(model, name)), "description": field_text(info, texts[name])}
            for name, info in fields.items()
        }
        return specs, [wire_name(name) for name, info in fields.items() if info.is_required()]

    def finished(self) -> dict[str, Spec]:
        """Returns all types by token. The kind is required in a type that is never the only kind of a field."""
        for token, spec in self._specs.items():
            if "kind" in cast("Spec", spec.get("properties", {})) and token not in self._alone:
                spec["required"] = ["kind", *cast("Sequence[str]", spec.get("required", ()))]
        return dict(sorted(self._specs.items()))

    def _type(self, annotation: object, place: TypeLocation) -> Spec:
        """Returns the type of the values that `annotation` accepts; only references accept Outputs, all other values are plain."""
        if is_ref(annotation):
            return {"type": "string", **({"secret": True} if is_secret_type(annotation) else {})}
        [option, *_] = options(annotation)
        return {"$ref": ANY} if option is object else {**self._plain(annotation, option, place), "plain": True}

    def _plain(self, annotation: object, option: object, place: TypeLocation) -> Spec:
        if models := models_of(annotation):
            return self._objects(models, place)
        if words := words_of(annotation):
            return {"type": "integer"} if isinstance(words[0], int) else self._enum(option, place)
        if option in SCALARS:
            return {"type": SCALARS[option]}
        entries = self._type(inner(annotation), place)
        return {"type": "object", "additionalProperties": entries} if is_mapping(annotation) else {"type": "array", "items": entries}

    def _objects(self, models: Sequence[type[Model]], place: TypeLocation) -> Spec:
        refs = {kind_of(model): self._object(model) for model in models}
        if place.switchable:
            for ref in refs.values():
                cast("dict[str, Spec]", self._specs[_token(ref)]["properties"])[SWITCH] = _SWITCH
        if len(refs) > 1:
            each = [{"$ref": ref, "plain": True} for ref in refs.values()]
            return {"oneOf": each, "discriminator": {"propertyName": "kind", "mapping": refs}}
        if models[0] is not place.model:
            self._alone.update(_token(ref) for ref in refs.values())
        return {"$ref": next(iter(refs.values()))}

    def _object(self, model: type[Model]) -> str:
        token = f"{self.package}:index:{type_name(model)}"
        if token not in self._specs:
            spec = self._specs[token] = {"type": "object", "description": class_text(model)}  # before its fields: types can refer to themselves
            properties, required = self.properties(model)
            kind: Spec = {"type": "string", "const": kind_of(model), "plain": True, "description": f"`{kind_of(model)}`: the kind that this is."}
            spec["properties"] = {"kind": kind, **properties} if "kind" in model.model_fields else properties
            if required:
                spec["required"] = required
        return f"#/types/{token}"

    def _enum(self, literal: object, place: TypeLocation) -> Spec:
        words = [str(word) for word in get_args(literal)] + [NOTHING] * place.switchable
        token = f"{self.package}:index:{_alias(literal, place.owner) or type_name(place.owner) + _capital(wire_name(place.field))}"
        self._specs[token] = {"type": "string", "enum": [{"name": value_name(word), "value": word} for word in words]}
        return {"$ref": f"#/types/{token}"}


def type_name(model: type[Model]) -> str:
    """Returns the name of a type: `AksNetwork` for `AksNetworkArgs`, because languages add `Args`."""
    return model.__name__.removeprefix("_").removesuffix("Args")


def value_name(word: str) -> str:
    """Returns the name of an enum value: `LeastWaste` for `least-waste`, `AwsManaged` for `AWS_MANAGED`, `Value32` for `32`."""
    parts = "".join(sign if sign.isalnum() else " " for sign in word).split()
    named = "".join(part.capitalize() if part.isupper() and len(parts) > 1 else _capital(part) for part in parts)
    return named if named[0].isalpha() else f"Value{named}"


def _alias(literal: object, owner: type[Model]) -> str | None:
    """Returns the name that the module of `owner` has for a choice of values."""
    home = vars(sys.modules[owner.__module__])
    return next((name for name, value in home.items() if get_origin(value) is Literal and value == bare(literal)), None)


def _token(ref: str) -> str:
    return ref.removeprefix("#/types/")


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


PACKAGE = "nodepools"
LANGUAGES: Mapping[str, Spec] = {
    "nodejs": {},
    "python": {},
    "csharp": {},
    "java": {},
    "go": {"generateExtraInputTypes": True},  # without it, entries of plain lists and maps have no types in Go
}
SECRET = frozenset({"kubeconfig"})


def package_schema(version: str) -> Spec:
    """Returns the schema of the package."""
    types = Types(PACKAGE)
    components: dict[type[pulumi.ComponentResource], type[Model]] = {nodepools.AksCluster: AksClusterArgs, nodepools.EksCluster: EksClusterArgs}
    resources = {f"{PACKAGE}:index:{component.__name__}": _resource(component, model, types) for component, model in components.items()}
    return {
        "name": PACKAGE,
        "displayName": PACKAGE,
        "version": version,
        "description": "AKS and EKS clusters with all their node pools, checked before any resource is registered.",
        "keywords": ["pulumi", "category/cloud", "kind/component", "kubernetes", "aks", "eks", "karpenter"],
        "license": "Apache-2.0",
        "language": {language: {"respectSchemaVersion": True, **more} for language, more in LANGUAGES.items()},
        "types": types.finished(),
        "resources": resources,
    }


def _resource(component: type[pulumi.ComponentResource], model: type[Model], types: Types) -> Spec:
    inputs, required_inputs = types.properties(model)
    outputs, required = _outputs(component)
    return {
        "isComponent": True,
        "description": wire_text(getdoc(component) or ""),
        "inputProperties": inputs,
        "requiredInputs": required_inputs,
        "properties": outputs,
        "required": required,
    }


def _outputs(component: type[pulumi.ComponentResource]) -> tuple[dict[str, Spec], list[str]]:
    """Returns the outputs of a component, and the names of those that always have a value: the annotations of its class."""
    texts = field_docs(component)
    held = {name: get_args(annotation)[0] for name, annotation in get_annotations(component).items()}
    specs = {wire_name(name): _output(name, held[name], texts[name]) for name in held}
    return specs, [wire_name(name) for name, annotation in held.items() if type(None) not in get_args(annotation)]


def _output(name: str, annotation: object, text: str) -> Spec:
    """Returns the schema of an output: text, or a mapping or a list of texts."""
    item: Spec = {"type": "string"}
    many: Spec = {"type": "array", "items": item}
    named: Spec = {"type": "object", "additionalProperties": item}
    forms: Mapping[object, Spec] = {list: many, Sequence: many, dict: named, Mapping: named}
    typed = item if str in options(annotation) else forms.get(get_origin(annotation))
    if typed is None:
        raise TypeError(f"the schema has no form yet for the output `{name}`: {annotation}")
    return typed | ({"secret": True} if name in SECRET else {}) | {"description": wire_text(" ".join(text.split()))}


_SNAKE: Final = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b")
_ASSIGNED: Final = re.compile(r'\b([a-z][a-z0-9_]*)=(True|False|None|"[^"]*"|[0-9]+|(?=[\[{]))')
_CONSTANTS: Final = {"True": "true", "False": "false", "None": NOTHING}


def texts_of(model: type[Model]) -> Mapping[str, str]:
    """Returns the docstring of each field, including inherited ones."""
    return {name: text for base in reversed(model.__mro__) if issubclass(base, Model) for name, text in field_docs(base).items()}


def class_text(cls: type) -> str:
    """Returns the first paragraph of a class's docstring; the others are about Python."""
    text = _paragraph(inspect.getdoc(cls) or "")
    switches = issubclass(cls, Model) and any(is_switchable(field) and models_of(field.annotation) for field in cls.model_fields.values())
    return wire_text(_off(text, f"{SWITCH}: false") if switches else text)


def field_text(field: FieldInfo, docs: str) -> str:
    """Returns the description of a field, with the numbers that it accepts if these are listed, and its default."""
    text = _paragraph(docs)
    if is_switchable(field):
        text = _off(text, f"{SWITCH}: false" if models_of(field.annotation) else NOTHING)
    numbers = [str(word) for word in words_of(inner(field.annotation) or field.annotation) if isinstance(word, int)]
    default = "" if field.is_required() else _shown(field.default)
    parts = [wire_text(text), f"One of {', '.join(numbers)}." if numbers else "", f"Default: {default}." if default else ""]
    return " ".join(part for part in parts if part)


def wire_text(text: str) -> str:
    """Translates a docstring for languages with `vmSize: "x"` instead of `vm_size="x"`."""
    named = _SNAKE.sub(lambda found: _name(found[0]), _ASSIGNED.sub(_assigned, text))
    return re.sub(r"`(True|False)`", lambda found: found[0].lower(), named)


def _assigned(found: re.Match[str]) -> str:
    name, value = found[1], found[2]
    if name not in _fields():
        return found[0]
    return f"{name}: {f'{{{SWITCH}: false}}' if value == 'None' and name in _switches() else _CONSTANTS.get(value, value)}"


def _name(word: str) -> str:
    return wire_name(word) if word in _fields() else word


@cache
def _fields() -> frozenset[str]:
    return frozenset(name for model in _models() for name in model.model_fields)


@cache
def _switches() -> frozenset[str]:
    """Returns the parts that a switch turns off."""
    fields = ((name, field) for model in _models() for name, field in model.model_fields.items())
    return frozenset(name for name, field in fields if is_switchable(field) and models_of(field.annotation))


def _models() -> list[type[Model]]:
    return [model for top in DECLARED for model in reachable(top)]


def _paragraph(docs: str) -> str:
    return " ".join(docs.partition("\n\n")[0].split())


def _off(text: str, value: str) -> str:
    """Replaces Python's `None` by the value of other languages."""
    return text.replace("`None`", f"`{value}`")


def _shown(default: object) -> str:
    """Returns the text of a default; empty for `None`, and for a part without fields of its own."""
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, str | int | float):
        return f"`{default}`" if default != "" else ""
    if isinstance(default, Model):
        fields = type(default).model_fields
        kind = [f"`{kind_of(type(default))}`"] if "kind" in fields else []
        return ", ".join(kind + [f"{wire_name(name)} {_shown(value)}" for name, value in default if value != fields[name].default])
    return ", ".join(_shown(part) for part in cast("tuple[object, ...]", default)) if isinstance(default, tuple) else ""
