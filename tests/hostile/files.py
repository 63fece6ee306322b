"""Files that cannot be what their name says."""

from typing import Final

from tests.hostile.case import Case

FILES: Final = (
    Case("a manifest that is not YAML is named with its line", ("check", "bad.yaml"), 2, "bad.yaml", {"bad.yaml": "a: [1,\nb: 2\n"}),
    Case("a file that does not exist is named", ("check", "missing.yaml"), 2, "missing.yaml"),
    Case("a file of zero bytes has no objects", ("check", "empty.yaml"), 2, "empty.yaml", {"empty.yaml": b"\0" * 100}),
)
