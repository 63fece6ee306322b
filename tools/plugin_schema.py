"""Writes plugin/schema.json from the models and the components: what SDKs of other languages are made of."""

import json
from importlib.metadata import version
from pathlib import Path

from nodepools.plugin.schema import package_schema

FILE = Path(__file__).resolve().parents[1] / "plugin" / "schema.json"


def text() -> str:
    """The whole file."""
    return json.dumps(package_schema(version("nodepools")), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
