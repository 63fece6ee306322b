"""Finds the files of commands: single files, stdin, and all YAML and JSON files in folders."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from nodepools.cli.command_run import CommandRun
from nodepools.cli.inputs.input_files import InputFiles, exclusion_note, has_own_text
from nodepools.cli.problem import Problem
from nodepools.reading.bounded_input import linked_away, os_reason, refusal

SUFFIXES = (".yaml", ".yml", ".json")
OUTPUT_MARK: Final = ".nodepools-output"
"""In each folder that `convert` wrote: its outputs have the form of its inputs."""
_HEAD: Final = 4096
_WRITTEN: Final = re.compile(
    r"""(?:\{\s*"schema":\ "nodepools/  # a record or a comparison
    | \{\s*(?:"nameTable":\ \{[^{}]*\},\s*)?"resources":\ \[\s*\{\s*"type":\ "[\w-]+:  # an import file of Pulumi
    | (?:\#.*\n)*accepted:  # a baseline
    | (?P<declared>(?=[^\0]*^(?:\ \ )?"?clusters"?:\ *\{?\r?$)(?![^\0]*^(?:\ \ )?"?(?:kind|id)"?:)\s*(?:\{\s*|\#.*\n|---\r?\n)*"?name"?:))
    """,
    re.MULTILINE | re.VERBOSE,
)
"""The beginnings of what commands write as YAML or JSON."""
_OUTPUT: Final = "an output of nodepools: not read as part of a folder"
_OTHERS: Final = re.compile(r"""^[\s{]*["']?(?:AWSTemplateFormatVersion\b|Type["']?:\s*["']?AWS::\w+::)""", re.MULTILINE)
"""Lines of CloudFormation, whose tags no Kubernetes object has."""
DECLARED: Final = "a declaration of nodepools: not read as part of a folder"


def files(inputs: InputFiles, run: CommandRun) -> Iterator[Path]:
    """Yields all files, sorted in each folder, each under its first name. What cannot be entered is a problem of `run`, what is excluded a note.

    A link is a file of its own: folders of two clusters can have one file in this way.
    """
    yielded: set[str] = set()
    for file in _files(inputs, run):
        place = str(file) if has_own_text(file) else os.path.abspath(file)  # noqa: PTH100  # `resolve` would follow the link
        if place not in yielded:
            yield file
        yielded.add(place)


def _files(inputs: InputFiles, run: CommandRun) -> Iterator[Path]:
    for path in dict.fromkeys(inputs.paths):
        if has_own_text(path):
            yield path
        elif inputs.exclusion.covers(path):
            run.notes.append(exclusion_note(path))
        elif not _is_there(path, run):
            continue
        elif path.is_dir():
            yield from _in_folder(path, inputs, run)
        else:
            yield path


def _is_there(path: Path, run: CommandRun) -> bool:
    try:
        refused = refusal(path)
        if refused is not None:
            run.problems.append(Problem(str(path), refused))
            return False
        path.stat()
    except OSError as error:
        run.problems.append(Problem(str(path), os_reason(path, error)))
        return False
    except ValueError as error:  # a null character
        run.problems.append(Problem(ascii(str(path)), str(error)))
        return False
    return True


def _in_folder(folder: Path, inputs: InputFiles, run: CommandRun) -> Iterator[Path]:
    """The files of a folder that was named: without any, what it should say is not known."""
    told = len(run.problems) + len(run.notes)
    found = sorted(_below(folder, inputs, run))
    if not found and told == len(run.problems) + len(run.notes):
        run.problems.append(Problem(str(folder), "contains no YAML or JSON file: name the folder of your files"))
    yield from found


def _below(folder: Path, inputs: InputFiles, run: CommandRun) -> Iterator[Path]:
    exclusion = inputs.exclusion
    suffixes = (*SUFFIXES, ".tfstate") if run.command == "adopt" else SUFFIXES  # what Terraform manages is not imported

    def unreadable(error: OSError) -> None:
        run.problems.append(Problem(str(error.filename), f"{error.strerror}; the files in this folder were not read"))

    for parent, folders, names in os.walk(folder, onerror=unreadable):
        left = [Path(parent, name) for name in sorted(folders) if exclusion.covers(Path(parent, name))]
        folders[:] = [name for name in folders if Path(parent, name) not in left]
        run.notes.extend(map(exclusion_note, left))
        written = [name for name in folders if run.command == "convert" and Path(parent, name, OUTPUT_MARK).exists()]  # others apply them
        folders[:] = [name for name in folders if name not in written]
        run.notes.extend(Problem(str(Path(parent, name)), _OUTPUT) for name in written)
        for entered in (Path(parent, name) for name in folders):
            away = linked_away(entered, inputs.paths)
            run.problems.extend([Problem(str(entered), away)] if away is not None else ())
        for file in (Path(parent, name) for name in sorted(names) if name.endswith(suffixes)):
            if exclusion.covers(file):
                run.notes.append(exclusion_note(file))
            elif not _is_there(file, run) or not _is_file(file, run):
                continue
            elif why := _why_not_read(file, inputs):
                run.notes.append(Problem(str(file), why))
            else:
                yield file


def _why_not_read(file: Path, inputs: InputFiles) -> str:
    """A command wrote it, or it is another declaration, or of another tool. What cannot be opened is not: its reader says why."""
    if file.name.endswith(".gitlab-ci.yml"):
        return "a pipeline of GitLab: not read as part of a folder"
    try:
        with file.open("rb") as opened:
            head = opened.read(_HEAD).decode("utf-8-sig", errors="ignore")
    except OSError:
        return ""
    if _OTHERS.search(head) is not None:
        return "a template of CloudFormation: not read as part of a folder"
    found = _WRITTEN.match(head) if inputs.skips_written else None
    return "" if found is None else _OUTPUT if found["declared"] is None else DECLARED


def _is_file(file: Path, run: CommandRun) -> bool:
    """Whether it is a file. A pipe in a folder would be waited for."""
    is_file = file.is_file()
    if not is_file:
        run.problems.append(Problem(str(file), "is not a file"))
    return is_file
