"""A path in a declaration or in a resource made from it: names of fields, keys and indices."""

from typing import Self, TypeAlias

Step: TypeAlias = str | int
Steps: TypeAlias = tuple[Step, ...]


class NamedKey(str):  # noqa: SLOT000  # it has a name
    """The key `value` of a pair such as `{name: API_KEY, value: …}`: another entry of the pair names what it holds."""

    name: str

    @classmethod
    def of(cls, key: str, name: str) -> Self:
        """`key`, with the name in the other entry."""
        made = cls(key)
        made.name = name
        return made


class NamedIndex(int):
    """The index of the word after a flag, as in `["--token", "…"]`: the flag names what it holds."""

    name: str

    @classmethod
    def of(cls, index: int, name: str) -> Self:
        """`index`, with the flag before it."""
        made = cls(index)
        made.name = name
        return made
