"""`nodepools adopt`: declares AKS clusters that exist, and proves that the declaration changes nothing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from nodepools.adoption.adopted import Adopted, adopt, platform_data
from nodepools.adoption.draft import CannotAdoptError
from nodepools.adoption.exports import NotExportError
from nodepools.adoption.import_file import import_entries
from nodepools.adoption.plain_trees import platform_of
from nodepools.adoption.python_text import python_text
from nodepools.adoption.read_exports import Exports, Observed
from nodepools.cli import input_files
from nodepools.cli.command_run import CommandRun, Result
from nodepools.cli.envelope import json_text
from nodepools.cli.exclusion import Inputs
from nodepools.cli.exit_codes import usage_error
from nodepools.cli.file_search import files
from nodepools.cli.os_error import os_error_text
from nodepools.cli.output_formats import Format
from nodepools.cli.problem import Problem
from nodepools.model.redaction import scrubbed
from nodepools.reading.limits import TextError
from nodepools.reading.yaml_documents import documents
from nodepools.rules.finding import Finding
from nodepools.rules.runner import check

_PLATFORM: Final = re.compile(r"[a-z][a-z0-9-]{0,29}")
_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options."""

    platform: str
    output: Path | None
    imports: Path | None
    form: Format


def result(inputs: Inputs, wanted: Wanted, run: CommandRun) -> Result:
    """The declaration of every cluster in the files, with the proof. What cannot be read is a problem of `run`."""
    if _PLATFORM.fullmatch(wanted.platform) is None:
        usage_error("`--platform` must start with a lowercase letter, followed by at most 29 lowercase letters, digits and hyphens")
    observed, wrong = _read(inputs, run).clusters()
    run.problems.extend(Problem.of(line) for line in wrong)
    adopted = _adopted(observed, wanted.platform, run)
    if not adopted:
        if not run.problems:
            run.problems.append(Problem.of("no cluster is in these files: add what `az aks show` prints"))
        return Result()
    platform = platform_of(platform_data(wanted.platform, {one.key: one.declared for one in adopted}))
    text = scrubbed(python_text(platform, f"Clusters that exist: {', '.join(one.observed.name for one in adopted)}."))
    resources = [entry for one in adopted for entry in import_entries(wanted.platform, one)]
    if wanted.output is not None:
        _write(wanted.output, text)
    if wanted.imports is not None:
        _write(wanted.imports, json_text({"resources": resources}) + "\n")
    findings = check(platform)

    def show() -> None:
        if wanted.output is None:
            typer.echo(text, nl=False)
        _show(adopted, findings, err=wanted.output is None)

    return Result(lambda: _fields(adopted, resources), show, findings, fails=any(one.changes for one in adopted))


def _read(inputs: Inputs, run: CommandRun) -> Exports:
    found = Exports()
    for file in files(inputs, run):
        try:
            for document in documents(input_files.text(file), str(file)):
                found.add(document.value, str(file))
        except TextError as error:
            run.problems.append(Problem.of(str(error), str(file)))
        except NotExportError as error:
            run.problems.append(Problem(str(file), str(error)))
    return found


def _adopted(observed: Sequence[Observed], platform: str, run: CommandRun) -> list[Adopted]:
    made: list[Adopted] = []
    for cluster, key in zip(observed, _keys(observed), strict=True):
        try:
            made.append(adopt(cluster, platform, key))
        except CannotAdoptError as error:
            run.problems.append(Problem("", f"the cluster `{cluster.name}` {error}"))
    return made


def _keys(observed: Sequence[Observed]) -> list[str]:
    """A key for each cluster: its name, with the resource group if another cluster has the same name."""
    names = [_key(one.name) for one in observed]
    keys = [name if names.count(name) == 1 else _key(f"{name}-{one.place}") for name, one in zip(names, observed, strict=True)]
    return [key if keys.count(key) == 1 else f"{key}-{index}" for index, key in enumerate(keys, 1)]


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        usage_error(os_error_text(error))


def _show(adopted: Sequence[Adopted], findings: Sequence[Finding], *, err: bool) -> None:
    for one in adopted:
        typer.echo(f"\n{one.observed.name}: cluster `{one.key}`", err=err)
        rows: Mapping[str, Sequence[str]] = {
            "unchanged": [item.request.resource.name for item in one.compared if item.import_id is not None and not item.differences],
            "would be created": [str(item.request.resource) for item in one.compared if item.import_id is None],
            "would change": [f"{_at(item.resource, item.path)}" for item in one.differences],
            "kept by overrides": _paths(one.overrides),
            "not read, and kept by Azure": _paths(one.unreadable),
            "rejected by the model, not declared": _paths(one.rejected),
            "stays outside": [f"{name} ({why})" for name, why in one.outside.items()],
        }
        for title, values in rows.items():
            more = f", and {len(values) - _SHOWN} more" if len(values) > _SHOWN else ""
            if values:
                typer.echo(f"  {title}: {', '.join(values[:_SHOWN])}{more}", err=err)
    codes = sorted({finding.code for finding in findings})
    typer.echo(f"\nfindings of `nodepools check`: {', '.join(codes) if codes else 'none'}", err=err)


def _at(resource: Sequence[str], path: Sequence[str]) -> str:
    return ".".join((*resource, *path))


def _paths(found: Sequence[Sequence[str]]) -> list[str]:
    return sorted({".".join(path) for path in found})


def _fields(adopted: Sequence[Adopted], resources: Sequence[Mapping[str, object]]) -> Mapping[str, object]:
    clusters = [
        {
            "cluster": one.key,
            "name": one.observed.name,
            "declared": one.declared_count,
            "defaults": one.defaults,
            "overrides": _paths(one.overrides),
            "unreadable": _paths((*one.unreadable, *one.rejected)),
            "outside": dict(one.outside),
            "fixed_names": sorted(one.fixed_names),
        }
        for one in adopted
    ]
    differences = [{"cluster": one.key, "path": _at(item.resource, item.path)} for one in adopted for item in one.differences]
    created = [{"cluster": one.key, "creates": str(item.request.resource)} for one in adopted for item in one.compared if item.import_id is None]
    return {"clusters": clusters, "resources": list(resources), "differences": [*differences, *created]}
