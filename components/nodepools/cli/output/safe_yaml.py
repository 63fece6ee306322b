"""YAML whose lines no CI runner takes for a command, with the same values."""

import re
from typing import Final

import yaml

from nodepools.cli.output.safe_text import safe
from nodepools.clouds.cloud import Manifest
from nodepools.reading.yaml_scalars import TextDumper

_RISKY: Final = "::"
_OLD_COMMAND: Final = re.compile(r"##(?=(vso)?\[)")


class _Dumper(TextDumper):
    """Writes a text in double quotes if a line of it could begin with `::`, or has characters that need an escape."""


def safe_yaml(manifest: Manifest) -> str:
    """The object as YAML."""
    text = yaml.dump(manifest, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=150)
    return _OLD_COMMAND.sub(r"#\\x23", text)


def _text(dumper: TextDumper, text: str) -> yaml.ScalarNode:
    if safe(text) == text and _RISKY not in text:
        return dumper.represent_str(text)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, '"')  # pyright: ignore[reportUnknownMemberType]  # PyYAML is untyped


_Dumper.add_representer(str, _text)
