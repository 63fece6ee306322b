"""The page of the JSON schema of a declaration."""

import json
from collections.abc import Iterator

from nodepools.cli.schema import schema_document


def schema_text() -> str:
    """Returns the JSON schema of a platform in YAML or JSON."""
    return json.dumps(schema_document(), indent=1, ensure_ascii=False)


def schema_pages() -> Iterator[tuple[str, str]]:
    """Yields the address and the text of the page."""
    yield "reference/schemas", f"# JSON schema of a platform\n\nOf a platform in YAML or JSON.\n\n```json\n{schema_text()}\n```\n"
