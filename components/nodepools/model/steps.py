"""A path in a declaration or in a resource made from it: names of fields, keys and indices."""

from typing import TypeAlias

Step: TypeAlias = str | int
Steps: TypeAlias = tuple[Step, ...]
