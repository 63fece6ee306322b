"""The types of the fixtures, for annotations."""

from collections.abc import Mapping
from typing import Protocol

from nodepools.testing.graph import Graph


class Golden(Protocol):
    """The type of the fixture `golden`."""

    def __call__(self, plan: Graph | Mapping[str, object], name: str | None = None) -> None:
        """Asserts that `plan` (or its JSON data) equals `golden/<name>.json` next to the test. `name` defaults to the stack.

        Raises:
            AssertionError: it differs, or none is stored; the message shows what was added, removed and changed.
        """
        ...


class Stacks(Protocol):
    """The type of the fixture `stack_graph`."""

    def __call__(self, stack: str, *, preview: bool = True) -> Graph:
        """Runs the program of the project in `stack`, with the configuration of `Pulumi.<stack>.yaml`; once per session."""
        ...
