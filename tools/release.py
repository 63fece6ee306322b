"""Checks a release, prints its notes, and writes the addresses of the project into the package.

`python tools/release.py check v0.2.0`: lists everything that still prevents the release of this tag; exits with 1 if there is anything.
`python tools/release.py notes OWNER/NAME`: prints the section of CHANGELOG.md for this version, with absolute links, which a release on GitHub needs.
`python tools/release.py stamp OWNER/NAME [SITE]`: adds `[project.urls]` to pyproject.toml, and makes the links of README.md absolute, for PyPI.
With the address of the published documentation, findings link to the pages of their rules.
Only a release does: a fork has addresses of its own.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[1]
VERSIONED: Final = {
    "plugin/PulumiPlugin.yaml": r"^version: (\S+)$",
    "policy/PulumiPolicy.yaml": r"^version: (\S+)$",
    "plugin/schema.json": r'^  "version": "([^"]+)"',
    "docs/guides/new-project.md": r"vendor/nodepools-([\d.]+)-py3",
    "docs/guides/other-languages.md": r"(?:/plugin@|tag `v)([\d.]+)",
    "examples/user-project/README.md": r"nodepools@v([\d.]+)",
    "examples/user-project/Makefile": r"nodepools@v([\d.]+)",
}
"""Files that repeat the version, with the pattern that finds it."""
NOT_PUBLISHED: Final = "is not on PyPI yet"
INSTALLING: Final = ("README.md", "docs/start/aks.md", "docs/start/eks.md", "docs/start/both.md", "docs/guides/agents.md")
"""Pages that show how to install the package."""
PAGES: Final = "components/nodepools/rules/engine/codes.py"
"""The module with the address of the site."""
_REPOSITORY: Final = re.compile(r"[\w.-]+/[\w.-]+")


def version(project: Path) -> str:
    """Returns the version in pyproject.toml."""
    return str(tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def _heading(project: Path) -> str | None:
    """Returns what follows the version in its heading of CHANGELOG.md."""
    text = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(version(project))}(.*)$", text, re.MULTILINE)
    return found and found[1]


def obstacles(project: Path, tag: str) -> Iterator[str]:
    """Returns a sentence for everything that prevents the release."""
    expected = version(project)
    if tag != f"v{expected}":
        yield f"The tag is `{tag}`, and pyproject.toml has version {expected}: expected `v{expected}`"
    for name, pattern in VERSIONED.items():
        for found in re.findall(pattern, (project / name).read_text(encoding="utf-8"), re.MULTILINE):
            if found != expected:
                yield f"{name} has version {found}, not {expected}"
    heading = _heading(project)
    if heading is None:
        yield f"CHANGELOG.md has no heading `## {expected}`"
    elif not re.fullmatch(r" \(\d{4}-\d{2}-\d{2}\)", heading):
        yield f"CHANGELOG.md has `## {expected}{heading}`: write the day of the release, such as `## {expected} (2026-12-01)`"
    for name in INSTALLING:
        if NOT_PUBLISHED in (project / name).read_text(encoding="utf-8"):
            yield f"{name} says {NOT_PUBLISHED!r}: show `pip install 'nodepools[aks,eks]'` instead"


def notes(project: Path, repository: str) -> str:
    """Returns the section of CHANGELOG.md for this version, without its heading, with links to the repository."""
    text = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(version(project))}.*?\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return with_addresses(found[1].strip() + "\n", repository, f"v{version(project)}") if found else ""


def stamped(pyproject: str, repository: str, site: str | None) -> str:
    """Returns pyproject.toml with the addresses of the project; the documentation is the README as long as the site is not published."""
    home = f"https://github.com/{repository}"
    addresses = {
        "Documentation": site or f"{home}#readme",
        "Source": home,
        "Changelog": f"{home}/blob/main/CHANGELOG.md",
        "Issues": f"{home}/issues",
    }
    table = "\n".join(f'{title} = "{address}"' for title, address in addresses.items())
    return pyproject.replace("[project.scripts]", f"[project.urls]\n{table}\n\n[project.scripts]", 1)


def with_addresses(text: str, repository: str, tag: str) -> str:
    """Returns Markdown whose links to files lead to the repository, and whose pictures come from there."""
    pictures = re.sub(r"(!\[[^\]]*\]\()(?!https?:|#)", rf"\1https://raw.githubusercontent.com/{repository}/{tag}/", text)
    return re.sub(r"((?<!!)\[[^\]]*\]\()(?!https?:|#)", rf"\1https://github.com/{repository}/blob/{tag}/", pictures)


def with_site(text: str, site: str) -> str:
    """Returns the module of the pages of rules with the address of the site."""
    return text.replace("SITE: Final[str | None] = None", f'SITE: Final[str | None] = "{site}"', 1)


def stamp(project: Path, repository: str, site: str | None) -> None:
    """Writes the addresses of the repository and of the site, if it is published."""
    pyproject, readme, pages = project / "pyproject.toml", project / "README.md", project / PAGES
    pyproject.write_text(stamped(pyproject.read_text(encoding="utf-8"), repository, site), encoding="utf-8")
    readme.write_text(with_addresses(readme.read_text(encoding="utf-8"), repository, f"v{version(project)}"), encoding="utf-8")
    if site is not None:
        pages.write_text(with_site(pages.read_text(encoding="utf-8"), site), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Runs one of the three commands, and returns the exit code."""
    match arguments:
        case ["check", tag]:
            found = list(obstacles(PROJECT, tag))
            sys.stdout.writelines(f"{line}\n" for line in found)
            return bool(found)
        case ["notes", repository] if _REPOSITORY.fullmatch(repository):
            sys.stdout.write(notes(PROJECT, repository))
        case ["stamp", repository, *site] if _REPOSITORY.fullmatch(repository) and len(site) <= 1:
            stamp(PROJECT, repository, f"{site[0].rstrip('/')}/" if site else None)
        case _:
            sys.stderr.write(f"{__doc__}")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
