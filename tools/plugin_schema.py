"""Writes the schemas that are made of the models: plugin/schema.json, for SDKs of other languages, and docs/platform.schema.json, for editors."""

import json
from importlib.metadata import version
from pathlib import Path

import platform_schema
from package_schema import package_schema

FILE = Path(__file__).resolve().parents[1] / "plugin" / "schema.json"


def text() -> str:
    """The whole file."""
    return json.dumps(package_schema(version("nodepools")), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    platform_schema.TARGET.write_text(platform_schema.text(), encoding="utf-8")
