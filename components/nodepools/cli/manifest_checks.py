"""Raw Kubernetes objects in files, folders and standard input, judged."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from nodepools.cli.configuration import excludes
from nodepools.cli.input_files import STDIN, files, text
from nodepools.loading import UnreadableError
from nodepools.manifests.ignore_comments import object_ignores
from nodepools.manifests.manifest_objects import ManifestObject, objects
from nodepools.manifests.object_checks import judge
from nodepools.manifests.platform_yaml import TextError
from nodepools.model.karpenter import NodePool
from nodepools.rules.accepted_findings import Ignore, without_accepted
from nodepools.rules.finding import Finding
from nodepools.rules.runner import RuleFailedError


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in manifests."""

    objects: int
    """How many were judged."""
    findings: tuple[Finding, ...]
    unreadable: tuple[str, ...]
    """What cannot be read, in one line each: place, and what is wrong."""
    schemas: tuple[str, ...] = ()
    """Which CRDs were asked too, and how old they are."""


def check_manifests(
    paths: Sequence[Path], crds: Path | None = None, today: date | None = None, failed: Callable[[RuleFailedError], None] | None = None
) -> Checked:
    """Everything that is wrong with the objects in `paths`; with what the schemas in `crds` refuse, where they are given.

    Raises:
        UnreadableError: a path is not there, or none holds any object, or `crds` holds no schema.
    """
    found, given, unreadable = _read(paths)
    verdict = judge(found, today, failed)
    findings, served = _asked(found, verdict.findings, crds) if crds is not None else (verdict.findings, ())
    return Checked(len(verdict.read), tuple(without_accepted(findings, given)), tuple(unreadable), tuple(served))


def pools_in(paths: Sequence[Path]) -> Iterator[tuple[str, NodePool]]:
    """The NodePools in `paths` that can be read, by their names.

    Raises:
        UnreadableError: a path is not there or cannot be read, or none holds any object.
    """
    found, _, unreadable = _read(paths)
    if unreadable:
        raise UnreadableError(unreadable[0])
    for one in judge(found).read:
        if one.is_whole and isinstance(one.model, NodePool):
            yield one.name, one.model


def manifest_texts(paths: Sequence[Path]) -> dict[str, str]:
    """The text of each file in `paths`.

    Raises:
        UnreadableError: a path is not there.
        TextError: a file cannot be read.
    """
    return {str(file): text(file) for file in _files(paths)}


def _read(paths: Sequence[Path]) -> tuple[list[ManifestObject], list[Ignore], list[str]]:
    """Objects, ignores, and what cannot be read."""
    found: list[ManifestObject] = []
    given: list[Ignore] = []
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
        given.extend(object_ignores(written, name, held))
    if not found and not unreadable:
        excluded = "; `exclude` in pyproject.toml excludes some files" if excludes() else ""
        raise UnreadableError(f"{', '.join(map(str, paths))}: contains no Kubernetes object{excluded}")
    return found, given, unreadable


def _asked(found: Sequence[ManifestObject], findings: Sequence[Finding], crds: Path) -> tuple[list[Finding], list[str]]:
    """`findings` with what the schemas in `crds` refuse, and how old those are."""
    from nodepools.manifests.crd_validation import decided, refused, schemas  # needs libraries that the rest does without

    try:
        served = schemas(_files([crds]), text)
    except TextError as error:
        raise UnreadableError(str(error)) from None
    return [*decided(findings, served), *refused(found, served)], [str(one) for one in served]


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if str(path) != STDIN and not path.exists():
            raise UnreadableError(f"{path}: No such file or directory")
        yield from files(path)
