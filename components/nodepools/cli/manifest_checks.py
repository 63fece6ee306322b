"""Checks Kubernetes manifests in files, directories and stdin."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from nodepools.cli.configuration import excludes
from nodepools.cli.input_files import STDIN, files, source, text
from nodepools.loading import UnreadableError
from nodepools.manifests.ignore_comments import object_ignores
from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.object_list import listed_objects
from nodepools.model.karpenter import NodePool
from nodepools.reading.limits import LISTED_MIB, TextError
from nodepools.reading.selection import EVERYTHING, Selection
from nodepools.rules.accepted_findings import Ignore, without_accepted
from nodepools.rules.finding import Finding
from nodepools.rules.runner import RuleFailedError

_POOL: Final = "NodePool"
_KIND: Final = Selection.only("apiVersion", "kind")


@dataclass(frozen=True, slots=True)
class Checked:
    """Result of a check of manifests."""

    objects: int
    """Number of checked objects."""
    findings: tuple[Finding, ...]
    unreadable: tuple[str, ...]
    """One line for each text that cannot be read: position and problem."""
    schemas: tuple[str, ...] = ()
    """The CRDs that were used, with their release."""


def check_manifests(
    paths: Sequence[Path], crds: Path | None = None, today: date | None = None, failed: Callable[[RuleFailedError], None] | None = None
) -> Checked:
    """Checks the objects in `paths`, and validates them against the schemas in `crds`, if given.

    Raises:
        UnreadableError: a path does not exist, no path contains an object, or `crds` contains no schema.
    """
    found, ignores, unreadable = _read(paths)
    verdict = check_objects(found, today, failed)
    findings, served, problems = _with_crds(found, verdict.findings, crds) if crds is not None else (verdict.findings, (), ())
    return Checked(len(verdict.read), tuple(without_accepted(findings, ignores)), (*unreadable, *problems), tuple(served))


def pools_in(paths: Sequence[Path]) -> Iterator[tuple[str, NodePool]]:
    """Yields the NodePools in `paths` that can be read, by name. The nodes next to them are skipped: there can be thousands.

    Raises:
        UnreadableError: a path does not exist or cannot be read, or no path contains an object.
    """
    found: list[ManifestObject] = []
    try:
        for file in _files(paths):
            with source(file, LISTED_MIB) as text:
                found.extend(listed_objects(text, str(file), _of_pools))
    except TextError as error:
        raise UnreadableError(str(error)) from None
    if not found:
        raise _without_objects(paths)
    for checked in check_objects([written for written in found if written.kind == _POOL]).read:
        if checked.is_whole and isinstance(checked.model, NodePool):
            yield checked.name, checked.model


def manifest_texts(paths: Sequence[Path]) -> dict[str, str]:
    """The text of each file in `paths`.

    Raises:
        UnreadableError: a path does not exist.
        TextError: a file cannot be read.
    """
    return {str(file): text(file) for file in _files(paths)}


def _read(paths: Sequence[Path]) -> tuple[list[ManifestObject], list[Ignore], list[str]]:
    """Returns objects, ignore comments, and one line for each text that cannot be read."""
    found: list[ManifestObject] = []
    ignores: list[Ignore] = []
    unreadable: list[str] = []
    for file in _files(paths):
        try:
            written = text(file)
            name = "stdin" if str(file) == STDIN else str(file)
            held = list(objects(written, name))
        except TextError as error:
            unreadable.append(str(error))
            continue
        found.extend(held)
        ignores.extend(object_ignores(written, name, held))
    if not found and not unreadable:
        raise _without_objects(paths)
    return found, ignores, unreadable


def _with_crds(found: Sequence[ManifestObject], findings: Sequence[Finding], crds: Path) -> tuple[list[Finding], list[str], Sequence[str]]:
    """Adds findings from the CRDs in `crds`. Also returns the schemas that were used, and one line for each CRD problem."""
    from nodepools.manifests.crd_files import read_crds  # needs libraries that other checks do not
    from nodepools.manifests.crd_validation import decided, validated

    try:
        answer = validated(found, read_crds(_files([crds]), text))
    except TextError as error:
        raise UnreadableError(str(error)) from None
    return [*decided(findings, answer.used), *answer.findings], [str(schema) for schema in answer.used], answer.problems


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if str(path) != STDIN and not path.exists():
            raise UnreadableError(f"{path}: No such file or directory")
        yield from files(path)


def _without_objects(paths: Sequence[Path]) -> UnreadableError:
    excluded = "; `exclude` in pyproject.toml excludes some files" if excludes() else ""
    return UnreadableError(f"{', '.join(map(str, paths))}: contains no Kubernetes object{excluded}")


def _of_pools(kind: str) -> Selection:
    return EVERYTHING if not kind or kind == _POOL or kind.endswith("List") else _KIND
