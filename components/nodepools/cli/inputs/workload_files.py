"""Reads the workloads of `explain` and `diagram`."""

import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from nodepools.cli.check.templates_not_rendered import text_problem, unrendered
from nodepools.cli.command_run import CommandRun
from nodepools.cli.inputs.file_search import files
from nodepools.cli.inputs.input_files import InputFiles, shown, text, texts_in_memory
from nodepools.cli.inputs.kubectl import NamedWorkload, named_workload, workloads_in_cluster
from nodepools.cli.problem import Problem, usage_error
from nodepools.manifests.manifest_objects import CHECKED, ManifestObject, objects, unread_kinds
from nodepools.manifests.workloads import WorkloadFile, workload_file
from nodepools.model.listing import joined, saved
from nodepools.model.steps import mapping
from nodepools.placement.workloads.own_pods import once_each, owner_of, owners_of, without_owned
from nodepools.placement.workloads.reader import KINDS
from nodepools.placement.workloads.workload import Workload
from nodepools.reading.bounded_input import TextError

_ON_EACH_NODE: Final = ("DaemonSet", "Node")


def read_workloads(inputs: InputFiles, run: CommandRun) -> list[Workload]:
    """The workloads of `read_workload_files`."""
    return list(read_workload_files(inputs, run).workloads)


def read_workload_files(inputs: InputFiles, run: CommandRun) -> WorkloadFile:
    """The workloads in files, in all YAML and JSON files of directories, and in standard input (`-`), with the objects next to them.

    What cannot be read is a problem of `run`, and so is a path without a workload. Single files of a directory may contain none.
    """
    found = _joined(_in_path(InputFiles([path], inputs.exclusion), run) for path in inputs.paths)
    own = without_owned(once_each(found.workloads))
    if owned := len(found.workloads) - len(own):
        run.notes.append(Problem(str(inputs.paths[0]), f"what the input has twice, or creates itself, is not counted again ({owned:,})"))
    found = replace(found, workloads=own)
    if found.types:
        from nodepools.cli.inputs.assumptions import note_unread  # most commands read no workloads

        note_unread(found.types, run)
        others = unread_kinds(found.unread, (), {version.rpartition("/")[0] for version, _ in found.unread})
        run.notes.extend([Problem("", f"not read: {', '.join(others)}, which can run pods")] if others else [])
    if found.objects and not found.workloads:
        run.problems.append(_nothing(inputs, found))
    return found


def with_exported(manifests: WorkloadFile, exported: WorkloadFile) -> WorkloadFile:
    """What runs next to what manifests have, which counts where both have an object. Pods that no other workload has are those that drains evict."""
    named = {_key(raw) for raw in manifests.objects}
    every = [*manifests.workloads, *exported.workloads]
    first = {owner_of(one): one for one in reversed(every)}
    kept = [
        replace(one, pod=replace(one.pod, node_name=""))
        for one in first.values()
        if one.kind != "Pod" or not any(by.kind in _ON_EACH_NODE or owner in first for by, owner in zip(one.controllers, owners_of(one), strict=True))
    ]
    objects = [raw for raw in exported.objects if _key(raw) not in named]
    return replace(_joined([manifests, replace(exported, objects=tuple(objects))]), workloads=without_owned(kept[::-1]))


def _key(raw: Mapping[str, object]) -> tuple[object, ...]:
    metadata = mapping(raw.get("metadata"))
    return raw.get("kind"), metadata.get("namespace", "default"), metadata.get("name")


def _nothing(inputs: InputFiles, found: WorkloadFile) -> Problem:
    path, pools = str(inputs.paths[0]), sorted({kind for _, kind in found.types} & CHECKED)
    checks = f"; it has {joined(pools)}, which `nodepools check {path}` checks" if pools else ""
    return Problem(path, f"contains no pod or workload ({', '.join(KINDS)}){checks}")


def _joined(found: Iterable[WorkloadFile]) -> WorkloadFile:
    each = list(found)
    return WorkloadFile(
        tuple(workload for file in each for workload in file.workloads),
        tuple(raw for file in each for raw in file.objects),
        tuple(api for file in each for api in file.removed_apis),
        tuple(one for file in each for one in file.karpenter),
        types=tuple(one for file in each for one in file.types),
        unread=tuple(one for file in each for one in file.unread),
        places={name: place for file in each for name, place in file.places.items()},
    )


def _in_path(inputs: InputFiles, run: CommandRun) -> WorkloadFile:
    before = len(run.problems), len(run.notes)
    found = _joined(_in_file(file, run) for file in files(inputs, run))
    if not (found.workloads or found.objects or found.removed_apis) and (len(run.problems), len(run.notes)) == before:
        run.problems.append(_nothing(inputs, found))
    return found


def _in_file(file: Path, run: CommandRun) -> WorkloadFile:
    written = ""
    try:
        written = text(file)
        message = unrendered(file, written, run.command)
        if message is None:
            found = workload_file(written, shown(file))
            run.problems.extend(Problem.of(rejected, shown(file)) for rejected in found.rejected)
            return found
        run.problems.append(Problem(shown(file), message))
    except TextError as error:
        run.problems.append(text_problem(error, shown(file), written, run.command))
    return WorkloadFile()


@contextmanager
def with_named_workloads(
    pods: Sequence[Path], existing: Sequence[Path] | None, context: str | None, namespace: str | None, run: CommandRun
) -> Generator[None]:
    """During the `with` block, `deploy/web` is a workload of the cluster of `--context`, or in files of `--existing`. A path that exists is the file.

    Raises:
        InputError: a workload cannot be read, or `--namespace` is given for a manifest.
    """
    has_cluster = context is not None or bool(existing)
    named = {path: workload for path in pods if (workload := named_workload(path)) is not None}
    here = [path for path in named if path.exists()]
    if has_cluster:
        run.notes.extend(Problem(str(path), "is a file here, which is read: a workload of the cluster with this name is not") for path in here)
    missing = {path: workload for path, workload in named.items() if path not in here}
    if namespace is not None and len(missing) < len(pods):
        usage_error("`--namespace` is of workloads such as `deploy/web`: manifests have `metadata.namespace`, and are in `default` without it")
    if missing and not has_cluster:
        usage_error(f"{next(iter(missing))}: no such file. A workload of a running cluster needs `--context NAME`: see `kubectl config get-contexts`")
    if context is None:
        texts = _in_files(existing if existing is not None else (), missing, namespace, run)
    else:
        texts = workloads_in_cluster(missing, context, namespace)
    with texts_in_memory(texts):
        yield


def _in_files(existing: Sequence[Path], asked: Mapping[Path, NamedWorkload], namespace: str | None, run: CommandRun) -> Mapping[Path, bytes]:
    """These workloads in files of `--existing`, as texts."""
    if not asked:
        return {}
    kinds = {workload.kind for workload in asked.values()}
    there: dict[tuple[str, str, str], object] = {}
    for file in files(InputFiles(existing, skips_written=True), run):
        try:
            there |= {(one.kind, _namespace(one), one.name): one.raw for one in objects(text(file), str(file)) if one.kind in kinds}
        except TextError:
            continue  # what reads the cluster says why
    return {path: _chosen(path, workload, namespace, there) for path, workload in asked.items()}


def _namespace(written: ManifestObject) -> str:
    return str(mapping(written.raw.get("metadata")).get("namespace") or "default")


def _chosen(path: Path, asked: NamedWorkload, namespace: str | None, there: Mapping[tuple[str, str, str], object]) -> bytes:
    has = [(space, name) for kind, space, name in there if kind == asked.kind]
    own = [space for space, name in has if name == asked.name and namespace in (None, space)]
    if not has:
        usage_error(f"{path}: the files of `--existing` have no {asked.kind}. {saved(f'`kubectl get {asked.resource} -A -o yaml`', existing=True)}")
    if len(own) != 1:
        usage_error(f"{path}: {asked.not_found(has, namespace)} (in the files of `--existing`)")
    return json.dumps(there[asked.kind, own[0], asked.name]).encode()
