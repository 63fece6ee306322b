"""The lock files say what pyproject.toml asks for: `make lock` was run after the last change of it."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

DEPLOYED = ("aks", "eks", "cli")


def required(project: Path) -> Iterator[tuple[str, Requirement]]:
    """Every requirement with the extra that has it; `""` for the package itself."""
    declared = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extra, requirements in {"": declared["dependencies"], **declared["optional-dependencies"]}.items():
        yield from ((extra, Requirement(requirement)) for requirement in requirements)


def pins(project: Path, name: str) -> dict[str, str]:
    """The version of each package in a lock file."""
    text = (project / name).read_text(encoding="utf-8")
    return {canonicalize_name(package): version for package, version in re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE)}


@pytest.mark.parametrize(("name", "extras"), [("requirements.lock", None), ("requirements.txt", ("", *DEPLOYED))])
def test_every_requirement_is_locked_at_a_version_that_it_accepts(project: Path, name: str, extras: tuple[str, ...] | None) -> None:
    locked = pins(project, name)
    wrong = [
        str(requirement)
        for extra, requirement in required(project)
        if (extras is None or extra in extras) and not requirement.specifier.contains(locked.get(canonicalize_name(requirement.name), "0.dev0"))
    ]
    assert not wrong, f"run `make lock`: {wrong}"


def test_both_lock_files_have_the_same_versions(project: Path) -> None:
    assert pins(project, "requirements.txt").items() <= pins(project, "requirements.lock").items()


def test_the_action_installs_what_is_locked_and_what_builds_the_package(project: Path) -> None:
    locked = pins(project, "tools/action.txt")
    assert locked.items() <= pins(project, "requirements.lock").items()
    own = {canonicalize_name(requirement.name) for extra, requirement in required(project) if extra in ("", "cli")}
    assert own | {"setuptools"} <= locked.keys()


@pytest.mark.parametrize("name", ["requirements.lock", "tools/uv.txt", "tools/action.txt"])
def test_every_package_has_hashes(project: Path, name: str) -> None:
    entries = re.split(r"^(?=[\w.-]+==)", (project / name).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert entries
    assert not [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry]


def test_pulumi_installs_the_package_with_what_it_deploys(project: Path) -> None:
    assert (project / "requirements.txt").read_text(encoding="utf-8").splitlines()[-1] == f"-e .[{','.join(DEPLOYED)}]"
