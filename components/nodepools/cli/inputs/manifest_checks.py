"""Checks Kubernetes manifests in files, directories and stdin."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nodepools.cli.check.templates_not_rendered import text_problem, unrendered
from nodepools.cli.command_run import CommandRun
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.input_files import InputFiles, shown, source, text
from nodepools.cli.problem import Problem
from nodepools.clouds.change import NODE_GROUP
from nodepools.data.karpenter_releases import KarpenterRelease
from nodepools.manifests.ignore_comments import object_ignores
from nodepools.manifests.manifest_objects import ALPHA, CHECKED, Foreign, ManifestObject, objects, unread_kinds, wrapped
from nodepools.manifests.object_checks import check_objects
from nodepools.manifests.object_list import listed_objects
from nodepools.model.listing import counted
from nodepools.model.path import value_at
from nodepools.model.values import dataclass, field
from nodepools.placement.workloads.reader import KINDS
from nodepools.reading.bounded_input import LISTED_MIB, LimitError, OtherTextError, TextError, is_terraform
from nodepools.rules.engine.accepted_findings import Ignore, without_accepted
from nodepools.rules.engine.finding import Finding
from nodepools.rules.engine.runner import RuleFailedError

if TYPE_CHECKING:
    from nodepools.clouds.aks.existing import Export
    from nodepools.manifests.crds.schema import Served
    from nodepools.manifests.existing.existing_pools import CloudCluster, CloudPools
    from nodepools.reading.yaml_documents import Document

_NODE: Final = re.compile(r'"?kind"?: "?Node"?,?\s')
_BEGINNING: Final = 65_536
_FILLED_IN_LATER: Final = re.compile(r".*\$\{[A-Za-z_]\w*(:?[-=+?].*)?\}.*")
_BUDGET: Final = "PodDisruptionBudget"
_MAY_BE: Final = re.compile(
    r"""apiversion|\bkind\b["']?\s*(?::|$)|\\[xu]|^["']?clusters\b|^runtime: *yaml|^(?:\$|<%|\#@)|(?<!\$)\{\{""", re.IGNORECASE | re.MULTILINE
)
"""What each object has, even if its spelling is invalid or a template makes it; a platform, and a program in YAML."""
_OTHER: Final = "has no Kubernetes object: not read as part of a folder"


@dataclass(frozen=True, slots=True)
class Checked:
    """Result of a check of manifests."""

    objects: int
    """Number of objects that were checked by rules, or validated against a CRD."""
    findings: tuple[Finding, ...]
    schemas: tuple[str, ...] = ()
    """The CRDs that were used, with their release."""
    workloads: Mapping[str, int] = field(default_factory=dict[str, int])
    """Number of workloads by kind: they are checked only next to NodePools."""
    unchecked: Sequence[str] = ()
    """Kinds of Karpenter's groups that are not checked, also inside of other objects, with the number of objects."""


class Exports:
    """What `aws` and `az` print of node groups and agent pools, in files next to objects of the cluster."""

    def __init__(self, run: CommandRun) -> None:
        self._run = run
        self._pools: CloudPools | None = None

    def take(self, document: "Document", file: str) -> bool:
        """Reads a document; false if it is something else."""
        from nodepools.manifests.existing.existing_pools import CloudPools  # only exports need it

        if self._pools is None:
            self._pools = CloudPools()
        return self._pools.take(document, file)

    @property
    def azure(self) -> "Sequence[Export]":
        """Clusters, agent pools and maintenance configurations of AKS."""
        return self._pools.azure if self._pools is not None else ()

    def cluster(self) -> "CloudCluster | None":
        """The cluster of the exports; `None`: there are none, or they are of several clusters, which is a problem of the run."""
        try:
            return self._pools.cluster(self._failed) if self._pools is not None else None
        except TextError as error:
            self._failed(error)
            return None

    def _failed(self, error: TextError) -> None:
        self._run.problems.append(Problem.of(str(error)))


class Plans:
    """Plans and states of Terraform among the files, and what the rules find in them."""

    def __init__(self, run: CommandRun, today: date | None = None, hcl: Path | None = None) -> None:
        self._run, self._today, self._hcl = run, today, hcl
        self.findings: list[Finding] = []
        self.resources = 0
        self.are_any = False

    def take(self, written: str, file: str) -> bool:
        """Checks a plan; false if the text is something else."""
        if not is_terraform(written):
            return False
        from nodepools.cli.inputs.terraform_files import checked_resources, terraform_in  # few commands read plans

        source = terraform_in(written, file)
        if source is None:
            return False
        self.are_any = True
        self.resources += sum(one.type != NODE_GROUP for one in source.after)
        self.findings += checked_resources(source, file, self._run, self._today, self._hcl)
        return True


def check_manifests(
    inputs: InputFiles,
    crds: Path | None,
    run: CommandRun,
    today: date | None = None,
    failed: Callable[[RuleFailedError], None] | None = None,
    *,
    karpenter: KarpenterRelease | None = None,
    hcl: Path | None = None,
) -> Checked:
    """Checks objects, and validates them against the schemas in `crds`, if given. What cannot be read is a problem of `run`.

    Objects of self-managed Karpenter are also checked for the version `karpenter`.

    Raises:
        UnreadableError: the CRDs contain no schema.
    """
    exports, plans = Exports(run), Plans(run, today, hcl)
    found, ignores = _read(inputs, run, exports.take, plans)
    verdict = check_objects(found, today, failed, karpenter, exports.cluster())
    findings, served, problems = _with_crds(found, verdict.findings, crds, run) if crds is not None else (verdict.findings, (), ())
    run.problems.extend(map(Problem.of, problems))
    run.notes.extend(Problem("", told) for told in verdict.notices)
    unchecked = unread_kinds((*(one.type for one in found), *wrapped(found)), CHECKED)
    workloads = Counter(one.kind for one in found if one.kind in KINDS)
    keys, named = {schema.key for schema in served}, {finding.object for finding in findings}
    checked = (
        {id(one.written) for one in verdict.read}
        | {id(one) for one in found if one.kind in ALPHA}
        | {id(one) for one in found if (one.raw.get("apiVersion"), one.kind) in keys or (one.kind in CHECKED and one.label in named)}
    )
    budgets = sum(one.kind == _BUDGET for one in found)
    if budgets:
        told = f"not checked: {counted(budgets, _BUDGET)}: `nodepools explain` and `nodepools upgrade --workloads` say which of them block evictions"
        run.notes.append(Problem("", told))
    if unchecked and checked:
        run.notes.append(Problem("", f"not checked: {', '.join(unchecked)}"))
    accepted = tuple(without_accepted(list(written_values(findings, found, run)), ignores))
    return Checked(len(checked) + plans.resources, (*plans.findings, *accepted), tuple(map(str, served)), workloads, unchecked)


def written_values(findings: Iterable[Finding], found: Iterable[ManifestObject], run: CommandRun) -> Iterator[Finding]:
    """Yields findings about values that the files have. One that another program fills in, such as `${SIZE}`, or decrypts is a problem."""
    raws = {one.label: one.raw for one in found}
    for finding in findings:
        held = value_at(raws.get(finding.object), finding.steps) if finding.value is None and len(finding.steps) > 1 else finding.value
        value, told = str(held), ""
        if _FILLED_IN_LATER.fullmatch(value) and isinstance(held, str | list):
            told = f"`{finding.path}` has a placeholder, which is not checked. Fill it in first, such as with `flux envsubst`"
        elif finding.steps == ("sops",) or value.startswith("ENC[AES256_GCM,"):
            told = f"`{finding.path}` is of SOPS, so the object is not checked completely. Decrypt it first: `sops decrypt`"
        if told:
            run.problems.extend({Problem(str(finding.position), told)}.difference(run.problems))
        else:
            yield finding


def manifest_texts(inputs: InputFiles) -> dict[str, str]:
    """The text of each file with objects that can be read. The check tells about the others."""
    run = CommandRun("check", "text")
    return {str(file): written for file, written, _ in _objects(inputs, run, Exports(run).take, Plans(run)) if written}


def _read(inputs: InputFiles, run: CommandRun, foreign: Foreign, plans: Plans) -> tuple[list[ManifestObject], list[Ignore]]:
    """Returns objects and ignore comments. What cannot be read is a problem of `run`."""
    found: list[ManifestObject] = []
    ignores: list[Ignore] = []
    before = len(run.problems), len(run.notes)
    for file, written, held in _objects(inputs, run, foreign, plans):
        found.extend(held)
        ignores.extend(object_ignores(written, shown(file), held))
    if not found and not plans.are_any and all(one.message == _OTHER for one in (*run.problems[before[0] :], *run.notes[before[1] :])):
        run.problems.append(without_objects(inputs))
    return found, ignores


def _objects(inputs: InputFiles, run: CommandRun, foreign: Foreign, plans: Plans) -> Iterator[tuple[Path, str, list[ManifestObject]]]:
    """Yields each file that can be read, with its text and its objects."""
    for file in files(inputs, run):
        written = ""
        try:
            written = text(file)
            if plans.take(written, shown(file)):
                continue
            message = unrendered(file, written, run.command)
            if message is None:
                yield file, written, list(objects(written, shown(file), foreign))
            else:
                run.problems.append(Problem(str(file), message))
        except LimitError as error:
            if not _NODE.search(_beginning(file, written)):
                run.problems.append(text_problem(error, shown(file), written, run.command))
            else:
                yield file, "", _nodes_and_pools(file, written, run)
        except TextError as error:
            if file in inputs.paths or not isinstance(error, OtherTextError) or _MAY_BE.search(written):
                run.problems.append(text_problem(error, shown(file), written, run.command))
            else:
                run.notes.append(Problem(str(file), _OTHER))


def _beginning(file: Path, written: str) -> str:
    """The beginning of a file that is too large; of a pipe, only what was read."""
    if written or not file.is_file():
        return written[:_BEGINNING]
    with file.open("rb") as opened:
        return opened.read(_BEGINNING).decode(errors="replace")


def _nodes_and_pools(file: Path, written: str, run: CommandRun) -> list[ManifestObject]:
    """The objects in a large list with nodes, as `kubectl get` prints it, without what does not decide where pods are scheduled."""
    from nodepools.manifests.existing.existing_pools import part_for_scheduling  # few files are so large

    found: list[ManifestObject] = []
    try:
        if written:
            found.extend(listed_objects(written, shown(file), part_for_scheduling))
        else:
            with source(file, LISTED_MIB) as opened:
                found.extend(listed_objects(opened, shown(file), part_for_scheduling))
    except TextError as error:
        run.problems.append(Problem.of(str(error), shown(file)))
    return found


def without_objects(inputs: InputFiles) -> Problem:
    """The files have nothing to check."""
    return Problem(", ".join(map(str, inputs.paths)), "contains no Kubernetes object")


def _with_crds(
    found: Sequence[ManifestObject], findings: Sequence[Finding], crds: Path, run: CommandRun
) -> tuple[list[Finding], Sequence["Served"], Sequence[str]]:
    """Adds findings from the CRDs in `crds`. Also returns the schemas that were used, and one line for each CRD problem."""
    from nodepools.manifests.crds.schema import read_crds  # needs libraries that other checks do not
    from nodepools.manifests.crds.validation import decided, validated

    read = read_crds(files(InputFiles([crds]), run), text)
    answer = validated(found, read)
    known = {(one.api_version.rpartition("/")[0], one.kind) for one in read.served}
    without = unread_kinds((one.type for one in found if (one.group, one.kind) not in known), ())
    if without:
        run.notes.append(Problem("--crds", f"not validated, because it has no valid CRD: {', '.join(without)}"))
    ours = list(decided(findings, answer.used))
    same = {(one.position, one.steps) for one in ours if one.code.startswith(("CFG", "OBJ001", "OBJ004"))}  # as the CRD, with our fix
    return [*ours, *(one for one in answer.findings if (one.position, one.steps) not in same)], answer.used, answer.problems
