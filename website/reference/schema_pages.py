"""Pages of the interfaces that programs use: the JSON schema of a declaration, and the Python API."""

import json
from collections.abc import Iterator

import nodepools
from nodepools.cli.schema import schema_document
from nodepools.rules.type_hints import is_model
from website.reference.field_pages import anchor


def schema_text() -> str:
    """Returns the JSON schema of a platform in YAML or JSON."""
    return json.dumps(schema_document(), indent=1, ensure_ascii=False)


def schema_pages() -> Iterator[tuple[str, str]]:
    """Yields the address and the text of each page."""
    yield "reference/schemas", f"# JSON schema of a platform\n\nOf a platform in YAML or JSON.\n\n```json\n{schema_text()}\n```\n"
    yield "reference/python", _python()


def _python() -> str:
    lines = ["# Python API", "", "Everything public is imported from `nodepools`; deeper paths are private.", ""]
    for name in sorted((name for name in dir(nodepools) if not name.startswith("_")), key=str.lower):
        found: object = getattr(nodepools, name)
        shown = f"[`{name}`](#{anchor(name)})" if is_model(found) else f"`{name}`"
        lines += [shown, f": {_first_line(found)}", ""]
    return "\n".join(lines)


def _first_line(value: object) -> str:
    return (value.__doc__ or "A value.").strip().partition("\n")[0]
