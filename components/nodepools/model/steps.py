"""Where something is, in a declaration or in what is made of it: names of fields, keys and indices."""

from typing import TypeAlias

Step: TypeAlias = str | int
Steps: TypeAlias = tuple[Step, ...]
