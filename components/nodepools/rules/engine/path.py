"""Paths in a declaration: as text (`clusters.weu.system_pool.taints[0]`, `labels["x/y"]`), and the value at a path."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import cast

from nodepools.model.base import Model
from nodepools.model.steps import Step


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
