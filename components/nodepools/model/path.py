"""Paths in a declaration as text (`clusters.weu.system_pool.taints[0]`, `labels["x/y"]`), edits at a path, and values as JSON and as text."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import reduce
from typing import Final, Literal, TypeAlias, cast

from pydantic import BaseModel

from nodepools.model.base import Model
from nodepools.model.invalid_parts import is_faulty
from nodepools.model.listing import with_article
from nodepools.model.redaction import MARK, SECRET, scrubbed
from nodepools.model.ref import HIDDEN, SecretValue, is_output
from nodepools.model.steps import Step, Steps
from nodepools.model.values import dataclass


def joined(path: str, step: Step) -> str:
    """`path` with one more step: `a.b`, `a[0]`, `a["x/y"]`."""
    if isinstance(step, int):
        return f"{path}[{step}]"
    if not step.replace("-", "_").isidentifier():
        import json  # few keys need quotes

        return f"{path}[{json.dumps(step, ensure_ascii=False)}]"
    return f"{path}.{step}" if path else step


def path_text(steps: Iterable[Step], path: str = "") -> str:
    """All of `steps`, after `path`."""
    return reduce(joined, steps, path)


EditKind: TypeAlias = Literal["set", "remove", "add", "rename"]


@dataclass(frozen=True, slots=True)
class Operation:
    """One edit of a declaration."""

    op: EditKind
    path: Steps
    """Starts at the part of the finding; in findings of `check`, at the top of the declaration."""
    value: object = None
    """The value to set, the entry to add (a mapping adds its items), or the new name."""
    of: type[Model] | None = None
    """The class of the enclosing part that `path` starts from; `None` for the part of the finding."""

    def to_json(self, value: object) -> dict[str, object]:
        """The operation as JSON data, with `value` as JSON can hold it."""
        return {"op": self.op, "path": path_text(self.path)} | ({"value": value} if self.op != "remove" else {})


def children(value: object) -> Iterable[tuple[Step, object]]:
    """The fields of a model, the items of a mapping or the entries of a list, with their steps; nothing for other values."""
    if isinstance(value, Model):
        fields = vars(value)
        return ((name, fields[name]) for name in type(value).model_fields if name in fields)
    if isinstance(value, Mapping):
        return cast("Mapping[Step, object]", value).items()
    return enumerate(cast("Sequence[object]", value)) if isinstance(value, list | tuple) else ()


def child(value: object, step: Step) -> object:
    """The value at `step` of a model, a mapping or a list; `None` if there is none."""
    if isinstance(value, Model):
        return vars(value).get(str(step))
    if isinstance(value, Mapping):
        return cast("Mapping[Step, object]", value).get(step)
    entries = cast("Sequence[object]", value) if isinstance(value, list | tuple) else ()
    return entries[step] if isinstance(step, int) and step < len(entries) else None


def value_at(value: object, steps: Iterable[Step]) -> object:
    """The value at `steps` of `value`; `None` if there is none."""
    return reduce(child, steps, value)


_LONGEST_SHOWN: Final = 120


def jsonable(value: object) -> object:
    """`value` as JSON data; a value that is not known yet becomes `{"$unknown": true}`, a secret `{"$secret": true}`."""
    if is_output(value) or value is SECRET or isinstance(value, SecretValue):
        return {"$unknown": True} if is_output(value) else MARK
    if isinstance(value, Model):
        return {
            name: jsonable(part) for name, part in vars(value).items() if part is not None
        }  # model_dump fails for invalid parts, which are kept as written
    if isinstance(value, Mapping):
        return {str(key): jsonable(part) for key, part in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [jsonable(part) for part in cast("Sequence[object]", value)]
    if isinstance(value, AbstractSet):
        return sorted(str(part) for part in cast("AbstractSet[object]", value))
    plain = value is None or isinstance(value, str | bool | int) or (isinstance(value, float) and value - value == 0)
    return value if plain else str(value)


def shown(value: object, *, in_python: bool = True) -> str:
    """`value` on one line; empty for a part of the declaration without a text of its own: its path is enough."""
    if isinstance(value, Model) and not is_faulty(value) and type(value).__str__ is not BaseModel.__str__ and _is_complete(value):
        return scrubbed(str(value))
    if value is None or isinstance(value, Model | Mapping):
        return ""
    if is_output(value):
        return "a pulumi.Output"
    if value is SECRET:
        return HIDDEN
    if isinstance(value, str | bool | int | float | list | tuple):
        text = _plain(cast("object", value), in_python=in_python)
        return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
    return with_article(type(value).__name__)


def _plain(value: object, *, in_python: bool) -> str:
    """A value; of parts, such as requirements, the texts of those that have one."""
    parts = cast("Sequence[object]", value) if isinstance(value, list | tuple) else ()
    if any(isinstance(part, Model | Mapping | SecretValue) or part is SECRET or is_output(part) for part in parts):
        return ", ".join(filter(None, map(shown, parts))) if in_python else ""
    plain = jsonable(cast("object", value))
    return repr(plain) if in_python else _flow(plain)


def _flow(value: object) -> str:
    """Plain data in YAML's flow style."""
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, cast('list[object]', value)))}]"
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _is_complete(value: Model) -> bool:
    return vars(value).keys() >= type(value).model_fields.keys()
