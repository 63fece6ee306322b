"""Paths in the words of the declaration: `clusters.weu.system_pool.taints[0]`, `labels["x/y"]`."""

from collections.abc import Iterable
from functools import reduce
from typing import TypeAlias

Step: TypeAlias = str | int
"""A field or a key, or the place in a list."""


def joined(path: str, step: Step) -> str:
    """`path` and one step more: `a.b`, `a[0]`, `a["x/y"]`."""
    if isinstance(step, int):
        return f"{path}[{step}]"
    if not step.replace("-", "_").isidentifier():
        import json  # few keys are no words

        return f"{path}[{json.dumps(step, ensure_ascii=False)}]"
    return f"{path}.{step}" if path else step


def spelled(steps: Iterable[Step], path: str = "") -> str:
    """All of `steps`, after `path`."""
    return reduce(joined, steps, path)
