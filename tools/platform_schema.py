"""The text of docs/platform.schema.json, which `python tools/plugin_schema.py` writes. Examples in YAML name it in their first line."""

from pathlib import Path

from nodepools.cli.output.envelope import json_text
from nodepools.cli.schema import schema_document

TARGET = Path(__file__).parent.parent / "docs" / "platform.schema.json"


def text() -> str:
    """The text of the file."""
    return json_text(schema_document()) + "\n"
