"""Writes the lock files: `python tools/lock.py [--upgrade]`. `make lock` runs it.

`requirements.lock` has every package of every extra with its hashes; `make` installs from it. `requirements.txt` has those that `pulumi up`
needs, without hashes: Pulumi installs from it with pip, which rejects an editable package together with hashes. `tools/uv.txt` is the installer.
`tools/sbom.txt` is what lists the packages of a release. `tools/action.txt` is what the GitHub action installs: the command line, the parser of
Terraform, and what builds it.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).parent.parent
DEPLOYED = ("aks", "eks", "cli")
"""The extras that `pulumi up` and the command line need."""
LOCK, INSTALLER, ACTION, BILL = "requirements.lock", "tools/uv.txt", "tools/action.txt", "tools/sbom.txt"
BUILDS = "setuptools"
HEADER = "# What `pulumi up` installs: exact, so that a preview means the same on every machine. Written by `make lock`.\n"
UV = ("uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--no-header", "--no-annotate")


def compiled(*arguments: str, given: str | None = None) -> str:
    """Returns the versions that fit; reads `given` if the source is `-`."""
    command = [str(Path(sys.executable).with_name(UV[0])), *UV[1:], *arguments]
    return subprocess.run(command, cwd=PROJECT, check=True, text=True, input=given, stdout=subprocess.PIPE).stdout  # noqa: S603


def main(upgrade: Sequence[str]) -> None:
    """Writes all five files. Keeps versions that still fit, except with `--upgrade`."""
    compiled("pyproject.toml", "--all-extras", "--generate-hashes", "--output-file", LOCK, *upgrade)
    compiled("-", "--generate-hashes", "--output-file", INSTALLER, *upgrade, given="uv")
    compiled("-", "--generate-hashes", "--output-file", BILL, *upgrade, given="cyclonedx-bom")
    action = ("--extra", "cli", "--extra", "terraform")
    compiled("pyproject.toml", "-", *action, "--generate-hashes", "--constraints", LOCK, "--output-file", ACTION, given=BUILDS)
    chosen = [word for extra in DEPLOYED for word in ("--extra", extra)]
    pins = compiled("pyproject.toml", *chosen, "--constraints", LOCK)
    (PROJECT / "requirements.txt").write_text(f"{HEADER}{pins}-e .[{','.join(DEPLOYED)}]\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
