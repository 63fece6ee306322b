"""Reads YAML and JSON as people mean it: no key twice, and `1.30`, `no`, `2024-01-01` are text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import yaml


class TextError(Exception):
    """The text is no YAML of the kind we read. The message is one line: place, and what is wrong."""


class _Loader(yaml.SafeLoader):
    """YAML 1.1 less its surprises."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:  # type: ignore[override]  # narrower  # noqa: FBT001, FBT002
        """Refuses what YAML allows and nobody means."""
        seen: set[object] = set()
        for key, _ in node.value:
            name: object = self.construct_object(key, deep=True)  # pyright: ignore[reportUnknownMemberType]  # untyped in its stubs
            if not isinstance(name, str | int | bool | None):
                raise yaml.constructor.ConstructorError(None, None, "a key should be text", key.start_mark)
            if name in seen:
                raise yaml.constructor.ConstructorError(None, None, f"the key {name!r} is there twice", key.start_mark)
            seen.add(name)
        return cast("dict[object, object]", super().construct_mapping(node, deep=deep))


_OPEN = -1
_MOST_NODES = 1_000_000
_KEPT = ("null", "int", "merge")
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag.rpartition(":")[2] in _KEPT]
    for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(  # pyright: ignore[reportUnknownMemberType]  # untyped in its stubs
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf")
)


@dataclass(frozen=True, slots=True)
class Document:
    """What was read, and where nothing stands after a key: `pools:` is no way to say that there are none, nor that the rest is as usual."""

    value: object
    empty: tuple[tuple[str | int, ...], ...] = ()


def parse(text: str, name: str) -> Document:
    """The one document of `text`; `name` is that of its file, for the message.

    Raises:
        TextError: it is none.
    """
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return Document(None)
        _weigh(node, {}, name)
        value: object = loader.construct_document(node)  # pyright: ignore[reportUnknownMemberType]  # untyped in its stubs
        return Document(value, tuple(_empty(node, ())))
    except yaml.YAMLError as error:
        raise _unreadable(error, name) from None
    except RecursionError:
        raise TextError(f"{name}: is nested too deeply") from None
    finally:
        loader.dispose()


def parse_all(text: str, name: str) -> list[object]:
    """Every document of `text`, in the same manner.

    Raises:
        TextError: one of them cannot be read.
    """
    try:
        loader = _Loader(text)
    except yaml.YAMLError as error:  # a character that no text has
        raise _unreadable(error, name) from None
    try:
        found: list[object] = []
        while loader.check_node():  # pyright: ignore[reportUnknownMemberType]  # untyped in its stubs
            node = cast("yaml.Node", loader.get_node())
            _weigh(node, {}, name)
            found.append(loader.construct_document(node))  # pyright: ignore[reportUnknownMemberType]  # untyped in its stubs
    except yaml.YAMLError as error:
        raise _unreadable(error, name) from None
    except RecursionError:
        raise TextError(f"{name}: is nested too deeply") from None
    else:
        return found
    finally:
        loader.dispose()


def _unreadable(error: yaml.YAMLError, name: str) -> TextError:
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark
        place = f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name
        return TextError(f"{place}: {error.problem}")
    return TextError(f"{name}: {' '.join(str(error).split())}")


def _weigh(node: yaml.Node, known: dict[int, int], name: str) -> int:
    """How many nodes there are with every alias written out: a few lines can stand for more than a memory holds, or for themselves."""
    key = id(node)
    if known.get(key) == _OPEN:
        raise TextError(f"{name}:{node.start_mark.line + 1}:{node.start_mark.column + 1}: contains itself, by an alias")
    if key not in known:
        known[key] = _OPEN
        known[key] = 1 + sum(_weigh(inner, known, name) for inner in _inner(node))
        if known[key] > _MOST_NODES:
            raise TextError(f"{name}: is more than {_MOST_NODES} values, aliases written out")
    return known[key]


def _empty(node: yaml.Node, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if isinstance(node, yaml.ScalarNode) and node.tag.endswith(":null") and node.value == "":  # `null` and `~` are said on purpose
        yield path
    elif isinstance(node, yaml.MappingNode):
        for key, value in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
            yield from _empty(value, (*path, str(key.value)))
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(cast("list[yaml.Node]", node.value)):
            yield from _empty(value, (*path, index))


def _inner(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        for pair in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
            yield from pair
    elif isinstance(node, yaml.SequenceNode):
        yield from cast("list[yaml.Node]", node.value)
