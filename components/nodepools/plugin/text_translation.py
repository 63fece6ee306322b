"""What we say to people, in the words of other languages: our own texts name fields, values and parts as Python writes them."""

import ast
import json
import re
from collections.abc import Mapping
from functools import cache

from nodepools.model.base import Model
from nodepools.plugin.wire_names import DECLARED, NOTHING, SWITCH, is_switchable, wire_name
from nodepools.rules.type_hints import kind_of, models_of, reachable

_SNAKE = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b")
_ASSIGNED = re.compile(r'\b([a-z][a-z0-9_]*)=(True|False|None|"[^"]*"|[0-9]+|(?=[\[{]))')
_PART = re.compile(r"\b([A-Z][A-Za-z]+)\(([^()]*)\)")
_OPEN = "OPEN"
_CONSTANTS = {"True": "true", "False": "false", "None": NOTHING}


def wire_text(text: str) -> str:
    """`text`, for those who write `vmSize: "x"` and `{min: 1, max: 5}` where Python says `vm_size="x"` and `Autoscale(1, 5)`."""
    for pattern, said in ((_PART, _part), (_ASSIGNED, _assigned), (_SNAKE, _name)):
        text = pattern.sub(said, text)
    return re.sub(r"`(True|False)`", lambda found: found[0].lower(), text)


def _name(found: re.Match[str]) -> str:
    return wire_name(found[0]) if found[0] in _fields() else found[0]


def _assigned(found: re.Match[str]) -> str:
    """Values, and parts in braces, which may have been made of parts just now."""
    name, value = found[1], found[2]
    if name not in _fields():
        return found[0]
    return f"{name}: {f'{{{SWITCH}: false}}' if value == 'None' and name in _switches() else _CONSTANTS.get(value, value)}"


def _part(found: re.Match[str]) -> str:
    """`Taint("team", "web")` as `{key: "team", value: "web"}`."""
    model, call = _models().get(found[1]), _call(found[2])
    if model is None or call is None:
        return found[0]
    places = [name for name, field in model.model_fields.items() if field.kw_only is False]
    named = {one.arg: one.value for one in call.keywords if one.arg is not None}
    kind = {"kind": json.dumps(kind_of(model))} if "kind" in model.model_fields else {}
    return _braces(kind | {name: _value(value) for name, value in {**dict(zip(places, call.args, strict=False)), **named}.items()})


def _call(arguments: str) -> ast.Call | None:
    """The call, where it is one; `…` stands for what people know better."""
    try:
        parsed = ast.parse(f"f({arguments.replace('…', _OPEN)})", mode="eval").body
    except SyntaxError:
        return None
    return parsed if isinstance(parsed, ast.Call) else None


def _value(written: ast.expr) -> str:
    text = ast.unparse(written).replace(_OPEN, "…")
    return _CONSTANTS.get(text, json.dumps(written.value) if isinstance(written, ast.Constant) else text)


def _braces(parts: Mapping[str, str]) -> str:
    return f"{{{', '.join(f'{wire_name(name)}: {value}' for name, value in parts.items())}}}"


@cache
def _models() -> Mapping[str, type[Model]]:
    return {model.__name__: model for whole in DECLARED for model in reachable(whole)}


@cache
def _fields() -> frozenset[str]:
    return frozenset(name for model in _models().values() for name in model.model_fields)


@cache
def _switches() -> frozenset[str]:
    """Parts that are left out by a switch."""
    fields = ((name, field) for model in _models().values() for name, field in model.model_fields.items())
    return frozenset(name for name, field in fields if is_switchable(field) and models_of(field.annotation))
