"""The version that the site documents, and the header of every page."""

import re
from html import escape
from importlib.metadata import version
from typing import Final

from website.layout import PROJECT

_START: Final = "docs/start/index.md"
_INSTALL: Final = re.compile(r"^pip install .*$", re.MULTILINE)


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


def header(repository: str) -> str:
    """Returns the header of every page: version and installation, which is that of the start page unless the `repository` (`OWNER/NAME`) is given."""
    [install] = _INSTALL.findall((PROJECT / _START).read_text(encoding="utf-8"))
    title = f"<span>nodepools {escape(documented())}</span>"
    if not repository:
        return f"{title}<span>in a clone: <code>{escape(install)}</code></span>"
    address = f"https://github.com/{repository}"
    anywhere = f"pip install 'nodepools[cli] @ git+{address}'"
    return f'{title}<code>{escape(anywhere)}</code><a href="{escape(address)}">{escape(repository)}</a>'
