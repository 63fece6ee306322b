"""Texts that refer to fields and values, so that each output spells them its own way.

A rule writes `f"{ref('scale.min')} is greater than {ref('scale.max')}"`. For Python that becomes "`scale.min` is greater than `scale.max`", for
a resource of azure-native "`minCount` is greater than `maxCount`". References are marks inside the text, so they work in f-strings.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, cast

from nodepools.model.base import Model
from nodepools.model.path import path_text
from nodepools.model.ref import is_output
from nodepools.model.steps import Steps
from nodepools.wire.wire_paths import camel

_OPEN, _CLOSE = "\ue000", "\ue001"
"""Private-use characters, which texts of declarations do not contain."""
_CLASS, _POSITIONAL = "$class", "$positional"
"""Keys of a part in a mark: the name of its class, and the number of its positional fields."""
_MARK: Final = re.compile(f"{_OPEN}(.*?){_CLOSE}", re.DOTALL)


class Spelling(Protocol):
    """The form in which one output writes fields and values."""

    def field(self, steps: Steps, within: int) -> str | None:
        """The field at `steps`, in a text about the part at the first `within` steps; `None` if the output has no such field."""
        ...

    def literal(self, value: object) -> str:
        """A plain value, or a part: a mapping with the name of its class among its keys."""
        ...


def ref(path: "str | Steps", *, part: type[Model] | None = None) -> str:
    """A reference to a field, in backticks.

    Args:
        path: starts at the part of the finding: `scale.min`, or as steps.
        part: the class of an enclosing part that `path` starts at instead.
    """
    steps = path.split(".") if isinstance(path, str) else path
    return _marked({"field": list(steps), "of": part.__name__ if part is not None else None})


def in_python(text: str, otherwise: str) -> str:
    """`text` in Python; `otherwise` in outputs where parts have no classes. `otherwise` can have references."""
    return _marked({"python": text, "otherwise": otherwise})


def literal(value: object) -> str:
    """A value to type, in backticks: `True` in Python, `true` in YAML."""
    return _marked({"value": _held(value)})


def anchor_refs(text: str, start: Callable[[str | None], Steps | None]) -> str:
    """`text` with references that start at the top of the declaration; `start` returns the path of the part of a class."""
    if _OPEN not in text:
        return text

    def place(found: re.Match[str]) -> str:
        mark = cast("dict[str, object]", json.loads(found[1]))
        if "otherwise" in mark:
            return _marked({**mark, "otherwise": anchor_refs(cast("str", mark["otherwise"]), start)})
        if "field" not in mark or "within" in mark:
            return found[0]
        above = start(cast("str | None", mark["of"]))
        steps = cast("list[object]", mark["field"])
        return _marked({"field": [*(above if above is not None else ()), *steps], "within": len(above) if above is not None else 0})

    return _MARK.sub(place, text)


def literal_in(value: object, spelling: Spelling) -> str:
    """A value or a part in the spelling of an output."""
    return spelling.literal(_held(value))


def render_refs(text: str, spelling: Spelling) -> str:
    """`text` in the spelling of an output."""
    return _MARK.sub(lambda found: _spelled(cast("dict[str, object]", json.loads(found[1])), spelling), text) if _OPEN in text else text


def _spelled(mark: Mapping[str, object], spelling: Spelling) -> str:
    if "python" in mark:
        return cast("str", mark["python"]) if spelling is PYTHON else render_refs(cast("str", mark["otherwise"]), spelling)
    if "value" in mark:
        return f"`{spelling.literal(mark['value'])}`"
    steps = tuple(cast("list[str | int]", mark["field"]))
    name = spelling.field(steps, cast("int", mark.get("within", 0)))
    return f"`{name}`" if name is not None else " ".join(str(step).replace("_", " ") for step in steps[-1:])


def _marked(mark: Mapping[str, object]) -> str:
    return f"{_OPEN}{json.dumps(mark)}{_CLOSE}"  # in ASCII: marks inside are escaped


def _held(value: object) -> object:
    if is_output(value):
        return "…"
    if isinstance(value, Model):
        given = [name for name in type(value).model_fields if name in value.model_fields_set and name != "kind"]
        first = [name for name in given if type(value).model_fields[name].kw_only is False]
        ordered = {name: _held(vars(value)[name]) for name in (*first, *given)}
        return {_CLASS: type(value).__name__, _POSITIONAL: len(first), **ordered}
    if isinstance(value, Mapping):
        return {str(key): _held(part) for key, part in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_held(part) for part in cast("Sequence[object]", value)]
    return value if value is None or isinstance(value, str | int | float) else str(value)


class _Python:
    """Python source."""

    def field(self, steps: Steps, within: int) -> str | None:
        return path_text(steps[within:])

    def literal(self, value: object) -> str:
        if isinstance(value, dict):
            held = cast("dict[str, object]", value)
            if _CLASS in held:
                return self._call(held)
            return f"{{{', '.join(f'{self.literal(key)}: {self.literal(part)}' for key, part in held.items())}}}"
        if isinstance(value, list):
            return f"[{', '.join(map(self.literal, cast('list[object]', value)))}]"
        return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)

    def _call(self, part: Mapping[str, object]) -> str:
        fields = [(key, self.literal(value)) for key, value in part.items() if key not in (_CLASS, _POSITIONAL)]
        positional = cast("int", part[_POSITIONAL])
        return f"{part[_CLASS]}({', '.join(text if number < positional else f'{key}={text}' for number, (key, text) in enumerate(fields))})"


class _Yaml:
    """A platform file: the fields of the model, and values as YAML writes them."""

    def field(self, steps: Steps, within: int) -> str | None:
        return path_text(steps[within:])

    def literal(self, value: object) -> str:
        return flow(value)


class Wired:
    """An object of an API, such as a manifest or the inputs of a resource.

    Args:
        wire: translates a path of the declaration to a path of the object.
    """

    def __init__(self, wire: Callable[[Steps], Steps | None]) -> None:
        self._wire = wire

    def field(self, steps: Steps, within: int) -> str | None:
        """The field, relative to the part of the object that the text is about."""
        there, above = self._wire(steps), self._wire(steps[:within])
        if not there:
            return None
        inside = there[len(above) :] if above and there[: len(above)] == above and len(there) > len(above) else there
        while len(inside) > 1 and inside[0] in _AROUND:
            inside = inside[1:]
        return path_text(inside)

    def literal(self, value: object) -> str:
        """The value as JSON, or as YAML in its flow style."""
        return flow(value, camel)


_AROUND: Final = frozenset({"spec", "template"})
"""Steps of an object's path that do not help the reader."""


def flow(value: object, name: Callable[[str], str] = str) -> str:
    """A value in the flow style of YAML, which is valid JavaScript, too; `name` spells the fields of parts."""
    if isinstance(value, dict):
        held = cast("dict[str, object]", value)
        spell = name if _CLASS in held else str
        fields = {spell(key): flow(part, name) for key, part in held.items() if key not in (_CLASS, _POSITIONAL)}
        return f"{{{', '.join(f'{_key(key)}: {text}' for key, text in fields.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(flow(part, name) for part in cast('list[object]', value))}]"
    return json.dumps(value, ensure_ascii=False)


def _key(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", text) else json.dumps(text, ensure_ascii=False)


PYTHON: Final[Spelling] = _Python()
YAML: Final[Spelling] = _Yaml()
