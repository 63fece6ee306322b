"""Reads unquoted scalars as the Pulumi CLI does: `yes`, `no`, `on`, `off` and dates are text."""

import json
from typing import Final, cast

import yaml

from nodepools.reading.yaml_scalars import Dialect

_RESOLVER: Final = yaml.SafeLoader("")
_TEXT: Final = frozenset({"tag:yaml.org,2002:str", "tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:value", "tag:yaml.org,2002:merge"})
_WORDS: Final = frozenset({"yes", "no", "on", "off"})


def _plain(text: str) -> object:
    tag = cast("str", _RESOLVER.resolve(yaml.ScalarNode, text, (True, False)))  # pyright: ignore[reportUnknownMemberType]  # PyYAML is untyped
    if tag in _TEXT or text.lower() in _WORDS:
        return text
    try:
        return cast("object", _RESOLVER.construct_object(yaml.ScalarNode(tag, text)))  # pyright: ignore[reportUnknownMemberType]  # PyYAML is untyped
    except (ValueError, yaml.YAMLError):  # such as `0b_`, or a number of 5,000 digits
        return text


def _key(value: object) -> str:
    """Returns a key as JSON has it.

    Raises:
        ValueError: the value is a list or a mapping.
    """
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, int | float):
        return json.dumps(value)
    raise ValueError(value)


PULUMI = Dialect(_plain, _key)
