"""The types of the fixtures, for annotations."""

from collections.abc import Mapping
from typing import Protocol

from nodepools.testing.graph import Graph


class Golden(Protocol):
    """The type of the fixture `golden`."""

    def __call__(self, plan: Graph | Mapping[str, object], name: str | None = None) -> None:
        """Asserts that `plan` (or its JSON data) is the one stored as `golden/<name>.json` beside the test; `name` is the stack when left out.

        Raises:
            AssertionError: it is another, or none is stored; the message shows what was added, removed and changed.
        """
        ...


class Stacks(Protocol):
    """The type of the fixture `stack_graph`."""

    def __call__(self, stack: str, *, preview: bool = True) -> Graph:
        """What the project's own program registers in `stack`, with the configuration of `Pulumi.<stack>.yaml`; run once a session."""
        ...
