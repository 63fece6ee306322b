"""Files that other tools turn into Kubernetes objects: Helm charts and Kustomize files. They are named as such, and not checked."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, cast

from nodepools.cli.inputs.input_files import STDIN, text
from nodepools.cli.problem import Problem
from nodepools.reading.bounded_input import TextError
from nodepools.reading.yaml_documents import documents

_TEMPLATE: Final = "{{"
_OF_HELM: Final = re.compile(r"(?<!\$)\{\{")
"""Not `${{`: that is an expression in a workflow of GitHub."""
_CHART: Final = "Chart.yaml"
_KUSTOMIZATIONS: Final = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_PATCHES: Final = ("patches", "patchesStrategicMerge", "patchesJson6902")
_PARENTS: Final = 3
"""How far above a patch its kustomization file is searched."""


def unrendered(file: Path, written: str, command: str) -> str | None:
    """What to do with a file that is not a manifest yet; `None` for a manifest."""
    if str(file) == STDIN:
        return None
    if file.name in _KUSTOMIZATIONS:
        return f"This is a Kustomize file. {_made('Build', f'kubectl kustomize {file.parent}', command)}"
    if (file.parent / _CHART).is_file() and (file.name == _CHART or file.name.startswith("values")):
        return f"This file belongs to a Helm chart. {_made('Render', f'helm template {file.parent}', command)}"
    if _TEMPLATE in written and (chart := _chart(file)) is not None:
        return f"This is a Helm template. {_made('Render', f'helm template {chart}', command)}"
    folder = next((folder for folder in list(file.parents)[:_PARENTS] if file in _patches(folder)), None)
    return f"This is a Kustomize patch. {_made('Build', f'kubectl kustomize {folder}', command)}" if folder is not None else None


def text_problem(error: TextError, name: str, written: str, command: str) -> Problem:
    """Why a text cannot be read: it can be a template, unless it is YAML as it is, such as that of Ansible."""
    problem = Problem.of(str(error), name)
    if _OF_HELM.search(written):
        try:
            list(documents(written, name))
        except TextError:
            return Problem(problem.where, f"This is a Helm template. {_made('Render', 'helm template CHART', command)}")
    return problem


def _made(how: str, tool: str, command: str) -> str:
    return f"{how} it first: " + (f"`{tool} > FILE`, and compare FILE" if command == "diff" else f"`{tool} | nodepools {command} -`")


def _chart(file: Path) -> Path | None:
    """The chart with the folder `templates` that the file is in."""
    above = (folder.parent for folder in file.parents if folder.name == "templates")
    return next((chart for chart in above if (chart / _CHART).is_file()), None)


@cache
def _patches(folder: Path) -> Sequence[Path]:
    """The files that the kustomization file of a folder names as patches."""
    for name in _KUSTOMIZATIONS:
        if (folder / name).is_file():
            try:
                found = [document.value for document in documents(text(folder / name), name)]
            except TextError:
                return ()  # a problem of that file
            return [folder / path for value in found for path in _named(value)]
    return ()


def _named(value: object) -> Iterator[str]:
    if not isinstance(value, Mapping):
        return
    for key in _PATCHES:
        entries = cast("Mapping[str, object]", value).get(key)
        for entry in cast("Sequence[object]", entries) if isinstance(entries, list) else ():
            path = cast("Mapping[str, object]", entry).get("path") if isinstance(entry, Mapping) else entry
            if isinstance(path, str):
                yield path.removeprefix("./")
