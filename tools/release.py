"""Checks a release, prints its notes, and writes the addresses of the project into the package.

`python tools/release.py check v0.2.0`: lists everything that still prevents the release of this tag; exits with 1 if there is anything.
`python tools/release.py notes OWNER/NAME`: prints the section of CHANGELOG.md for this version, with absolute links, which a release on GitHub needs.
`python tools/release.py stamp OWNER/NAME [SITE]`: adds `[project.urls]` to pyproject.toml, and makes the links of README.md absolute, for PyPI;
pages that install it from a clone get the command that clones it.
`python tools/release.py build OWNER/NAME [SITE]`: does the same to a clone of the last commit, and writes wheel, sdist, bill of materials
(CycloneDX), plugin of kubectl with its manifest for krew, and site into `dist`; tries the wheel in an environment of its own on each supported
Python, and exits with 1 if one of them is missing.
With the address of the published documentation, findings link to the pages of their rules.
Only a release does: a fork has addresses of its own.
"""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[1]
VERSIONED: Final = {
    "plugin/PulumiPlugin.yaml": r"^version: (\S+)$",
    "policy/PulumiPolicy.yaml": r"^version: (\S+)$",
    "plugin/schema.json": r'^  "version": "([^"]+)"',
    "docs/start/tutorial.md": r"vendor/nodepools-([\d.]+)-py3",
    "docs/guides/other-languages.md": r"(?:/plugin@|tag `v)([\d.]+)",
    "examples/user-project/README.md": r"nodepools@v([\d.]+)",
    "examples/user-project/Makefile": r"nodepools@v([\d.]+)",
}
"""Files that repeat the version, with the pattern that finds it."""
NOT_PUBLISHED: Final = "is not on PyPI yet"
INSTALLING: Final = ("README.md", "docs/start/index.md", "docs/start/tutorial.md", "docs/guides/agents.md")
"""Pages that show how to install the package."""
CLONING: Final = ("README.md", "docs/start/index.md")
"""Pages that install it from a clone."""
IN_A_CLONE: Final = "python3 -m venv .venv && . .venv/bin/activate"
"""The first command of these pages."""
UPGRADING: Final = "docs/upgrading.md"
"""Has what the release changes for the stacks of this repository, compared with the last release."""
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
    yield from not_told(project, last_release(project))
    for name in INSTALLING:
        if NOT_PUBLISHED in (project / name).read_text(encoding="utf-8"):
            yield f"{name} says {NOT_PUBLISHED!r}: show `pip install 'nodepools[aks,eks]'` instead"


def not_told(project: Path, last: str) -> Iterator[str]:
    """Returns a sentence if docs/upgrading.md lacks what this version changes for the stacks of the repository since the `last` one."""
    if not last:
        return
    from library_changes import table, targets  # next to this file; starts programs

    text = (project / UPGRADING).read_text(encoding="utf-8")
    missing = [line for line in table(last, list(targets())) if line not in text]
    if missing:
        yield f"{UPGRADING} lacks {len(missing)} lines of what `python tools/library_changes.py {last}` prints, such as `{missing[-1]}`"


def last_release(project: Path) -> str:
    """Returns the tag of the release before this commit; empty if there is none."""
    command = ["git", "describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^"]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603  # our own words


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


def cloned(text: str, repository: str, tag: str) -> str:
    """Returns a page that installs from a clone, with the command that clones the repository."""
    clone = f"git clone --depth 1 --branch {tag} https://github.com/{repository} && cd {repository.partition('/')[2]}"
    return text.replace(IN_A_CLONE, f"{clone}\n{IN_A_CLONE}", 1)


def stamp(project: Path, repository: str, site: str | None) -> None:
    """Writes the addresses of the repository and of the site, if it is published."""
    pyproject, readme, pages = project / "pyproject.toml", project / "README.md", project / PAGES
    for page in (project / name for name in CLONING):
        page.write_text(cloned(page.read_text(encoding="utf-8"), repository, f"v{version(project)}"), encoding="utf-8")
    pyproject.write_text(stamped(pyproject.read_text(encoding="utf-8"), repository, site), encoding="utf-8")
    readme.write_text(with_addresses(readme.read_text(encoding="utf-8"), repository, f"v{version(project)}"), encoding="utf-8")
    if site is not None:
        pages.write_text(with_site(pages.read_text(encoding="utf-8"), site), encoding="utf-8")


def _run(*command: str, cwd: Path, **environment: str) -> None:
    sys.stdout.write(f"$ {' '.join(command)}\n")
    sys.stdout.flush()
    subprocess.run(command, cwd=cwd, env={**os.environ, **environment}, check=True)  # noqa: S603  # our own words


def _tried(wheel: Path, python: str, name: str, place: Path) -> None:
    """Installs the wheel for a Python, and starts and checks a new project with it."""
    uv, environment = _uv(), place / f"venv-{name}"
    _run(uv, "venv", "--quiet", "--python", python, str(environment), cwd=place)
    _run(uv, "pip", "install", "--quiet", "--python", str(environment), f"{wheel}[cli,aks,eks]", cwd=place)
    nodepools, project = str(environment / "bin/nodepools"), f"project-{name}"
    for command, folder in ((("--version",), place), (("init", project), place), (("check", "--all"), place / project)):
        _run(nodepools, *command, cwd=folder)


def _uv() -> str:
    return str(Path(sys.executable).with_name("uv"))


PLUGIN: Final = """\
#!/bin/sh
# `kubectl nodepools`: the command `nodepools`, which is a Python package.
if ! command -v nodepools >/dev/null; then
    echo "kubectl nodepools: install the command first: pipx install 'nodepools[cli]'" >&2
    exit 2
fi
exec nodepools "$@"
"""
"""krew copies files and runs nothing: a package with compiled parts for each Python cannot be installed by it."""


def krew(repository: str, tag: str, archive: Path) -> str:
    """Writes the plugin of kubectl into an archive, and returns its manifest for an index of krew."""
    with tarfile.open(archive, "w:gz") as packed:
        for name, text, mode in (("kubectl-nodepools", PLUGIN, 0o755), ("LICENSE", (PROJECT / "LICENSE").read_text(encoding="utf-8"), 0o644)):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text.encode()), mode
            packed.addfile(entry, io.BytesIO(text.encode()))
    platform = {
        "selector": {"matchExpressions": [{"key": "os", "operator": "In", "values": ["linux", "darwin"]}]},
        "uri": f"https://github.com/{repository}/releases/download/{tag}/{archive.name}",
        "sha256": hashlib.sha256(archive.read_bytes()).hexdigest(),
        "bin": "kubectl-nodepools",
    }
    spec = {
        "version": tag,
        "homepage": f"https://github.com/{repository}",
        "shortDescription": "Explain Pending pods and node pools",
        "description": "Says which node pool of AKS or EKS each pod fits, and why not the others.\nIt only reads the cluster.\n",
        "caveats": "Needs the command: pipx install 'nodepools[cli]'\n",
        "platforms": [platform],
    }
    manifest = {"apiVersion": "krew.googlecontainertools.github.com/v1alpha2", "kind": "Plugin", "metadata": {"name": "nodepools"}, "spec": spec}
    return json.dumps(manifest, indent=2) + "\n"  # JSON is YAML


def build(repository: str, site: str | None, out: Path) -> Iterator[str]:
    """Writes what is released into `out`, and yields a sentence for each Python that did not try it."""
    from test_versions import PYTHONS, interpreter  # next to this file

    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        clone = place / "nodepools"
        _run("git", "clone", "--quiet", str(PROJECT), str(clone), cwd=place)
        stamp(clone, repository, site)
        _run(_uv(), "build", "--quiet", "--out-dir", str(out), cwd=clone)
        [wheel] = out.glob("*.whl")
        for name in PYTHONS:
            python = interpreter(name)
            if python is None:
                yield f"Python {name} is not installed here: the wheel was not tried on it"
            else:
                _tried(wheel, python, name, place)
        every = place / "every-extra"
        _run(_uv(), "venv", "--quiet", "--python", sys.executable, str(every), cwd=place)
        _run(_uv(), "pip", "install", "--quiet", "--python", str(every), f"{wheel}[aks,eks,cli,mcp,policy]", cwd=place)
        bill = str(out / f"nodepools-{version(clone)}.cdx.json")
        tool = (_uv(), "run", "--isolated", "--no-project", "--with-requirements", str(PROJECT / "tools/sbom.txt"), "cyclonedx-py")
        _run(*tool, "environment", str(every / "bin/python"), "--pyproject", str(clone / "pyproject.toml"), "--output-file", bill, cwd=place)
        manifest = krew(repository, f"v{version(clone)}", out / "kubectl-nodepools.tar.gz")
        (out / "krew-nodepools.yaml").write_text(manifest, encoding="utf-8")
        named = {"PYTHONPATH": str(clone / "components"), "SITE": site or "", "REPOSITORY": repository}
        _run(sys.executable, "-m", "website", str(place / "site"), cwd=clone, **named)
        shutil.make_archive(str(out / "site"), "zip", place / "site/html")


def main(arguments: list[str]) -> int:
    """Runs one of the four commands, and returns the exit code."""
    match arguments:
        case ["check", tag]:
            found = list(obstacles(PROJECT, tag))
            sys.stdout.writelines(f"{line}\n" for line in found)
            return bool(found)
        case ["notes", repository] if _REPOSITORY.fullmatch(repository):
            sys.stdout.write(notes(PROJECT, repository))
        case ["stamp", repository, *site] if _REPOSITORY.fullmatch(repository) and len(site) <= 1:
            stamp(PROJECT, repository, f"{site[0].rstrip('/')}/" if site else None)
        case ["build", repository, *site] if _REPOSITORY.fullmatch(repository) and len(site) <= 1:
            missing = list(build(repository, f"{site[0].rstrip('/')}/" if site else None, PROJECT / "dist"))
            sys.stdout.writelines(f"{line}\n" for line in (*map(str, sorted((PROJECT / "dist").iterdir())), *missing))
            return bool(missing)
        case _:
            sys.stderr.write(f"{__doc__}")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
