"""The version that the site documents."""

import re
from importlib.metadata import version

from website.layout import PROJECT


def documented() -> str:
    """Returns the version of the package, and what the changelog says about it: it is not yet released, or changes follow it."""
    newest = re.search(r"^## (.*)$", (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    heading = newest[1] if newest is not None else ""
    if heading == "Unreleased":
        return f"{short()} with unreleased changes"
    return heading if heading.startswith(f"{short()} (not yet") else short()


def short() -> str:
    """Returns the version of the package, as `nodepools --version` prints it."""
    return version("nodepools")
